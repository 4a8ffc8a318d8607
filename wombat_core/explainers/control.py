"""Controls: what a score is worth when the explainer knows nothing."""

import time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from torch import nn
from torch_geometric.data import Batch

from .attribution import Attribution
from .seeding import graph_seed


@dataclass(frozen=True)
class Random:
    """Uniform random numbers on atoms and bonds.

    Seeded by ``seed`` and the graph itself, so that a graph gets the same numbers alone or in a batch and
    different graphs get different ones.
    """

    seed: int = 0

    name: ClassVar[str] = "random"
    title: ClassVar[str] = "Random"
    summary: ClassVar[str] = "The control: random numbers, which know nothing of the molecule."
    expensive: ClassVar[bool] = False

    def attribute(self, model: nn.Module, batch: Batch) -> list[Attribution]:
        return [self._one(graph) for graph in batch.to_data_list()]

    def _one(self, graph) -> Attribution:
        start = time.perf_counter()
        random = np.random.default_rng(graph_seed(self.seed, graph))
        atoms = np.zeros(graph.x.shape)
        atoms[:, 0] = random.random(graph.num_nodes)
        bonds = np.zeros(graph.edge_attr.shape)
        bonds[:, 0] = np.repeat(random.random(graph.num_edges // 2), 2) / 2
        return Attribution(atoms, bonds, time.perf_counter() - start)
