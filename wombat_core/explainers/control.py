"""Controls: what a score is worth when the explainer knows nothing, or everything."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..errors import InputError
from ..settings import within
from .attribution import Attribution
from .method import Method
from .seeding import graph_seed

if TYPE_CHECKING:
    from torch import nn

    from ..molecules.graphs import Graph, GraphBatch


@dataclass(frozen=True)
class Random(Method):
    """Uniform random numbers on atoms and bonds.

    Seeded by ``seed`` and the graph itself, so that a graph gets the same numbers alone or in a batch and
    different graphs get different ones.

    Args:
        seed: of the numbers.
    """

    seed: int = within(0, 0, 2**31 - 1)

    name: ClassVar[str] = "random"
    title: ClassVar[str] = "Random"
    summary: ClassVar[str] = "The control: random numbers, which know nothing of the molecule."
    expensive: ClassVar[bool] = False
    when_null: ClassVar[str] = "Never, but on a molecule of one atom."
    masks: ClassVar[tuple[str, ...]] = ("node", "edge", "feature")
    node_seconds: ClassVar[float] = 0.0004

    def attribute(self, model: nn.Module, batch: GraphBatch) -> list[Attribution]:
        return [self._one(graph) for graph in batch.to_data_list()]

    def _one(self, graph: Graph) -> Attribution:
        start = time.perf_counter()
        random = np.random.default_rng(graph_seed(self.seed, graph))
        atoms = random.random(graph.num_nodes)
        bonds = np.repeat(random.random(graph.num_edges // 2), 2) / 2
        return Attribution.of_masks(graph, atoms, bonds, time.perf_counter() - start)

    def drawn_masks(self, graph: Graph) -> tuple[np.ndarray, np.ndarray]:
        """Numbers of their own for edges, both directions apart, [num_edges], and for features [features]."""
        draw = np.random.default_rng(graph_seed(self.seed + 1, graph))
        return draw.random(graph.num_edges), draw.random(graph.num_features)


@dataclass(frozen=True)
class RandomAtoms(Method):
    """A 0/1 mask of atoms drawn at random, the control for explainers that answer with a piece of the molecule.

    Args:
        share: of the atoms that are drawn (rounded, at least one).
        seed: as in :class:`Random`.
    """

    share: float = within(0.5, 0.0, 1.0)
    seed: int = within(0, 0, 2**31 - 1)

    name: ClassVar[str] = "random-atoms"
    title: ClassVar[str] = "Random atoms"
    summary: ClassVar[str] = "The control for methods that answer with a piece of the molecule: atoms drawn at random."
    expensive: ClassVar[bool] = False
    when_null: ClassVar[str] = "Only where the mask holds every atom or none."
    node_seconds: ClassVar[float] = 0.0004

    def attribute(self, model: nn.Module, batch: GraphBatch) -> list[Attribution]:
        return _masks(batch, self._drawn)

    def _drawn(self, graph: Graph) -> np.ndarray:
        count = min(graph.num_nodes, max(1, round(self.share * graph.num_nodes)))
        random = np.random.default_rng(graph_seed(self.seed, graph))
        drawn = np.zeros(graph.num_nodes, dtype=bool)
        drawn[random.permutation(graph.num_nodes)[:count]] = True
        return drawn


@dataclass(frozen=True)
class Oracle(Method):
    """The ground truth itself, as a 0/1 mask: the best any explainer can do.

    It reads ``truth`` (bool [num_atoms]) of the graphs, which :func:`wombat_core.explanation.explain` puts there.

    Raises:
        InputError: the graphs carry no ground truth.
    """

    name: ClassVar[str] = "oracle"
    title: ClassVar[str] = "Oracle"
    summary: ClassVar[str] = (
        "The other control: the ground truth itself, which AUROC calls perfect wherever it is defined; GEA and GEF "
        "may not."
    )
    expensive: ClassVar[bool] = False
    when_null: ClassVar[str] = "Where the molecule does not contain the motif, or all of its atoms are ground truth."
    node_refusal: ClassVar[str] = "The oracle repeats the ground truth of molecules, and nodes carry none with them."

    def attribute(self, model: nn.Module, batch: GraphBatch) -> list[Attribution]:
        if "truth" not in batch:
            raise InputError("The oracle repeats the ground truth, and these graphs carry none.")
        return _masks(batch, lambda graph: graph.truth.numpy())


def _masks(batch: GraphBatch, mask: Callable[[Graph], np.ndarray]) -> list[Attribution]:
    found = []
    for graph in batch.to_data_list():
        start = time.perf_counter()
        found.append(Attribution.of_atoms(mask(graph), graph, time.perf_counter() - start))
    return found
