"""What a connected piece of a graph is worth beside the atoms around it."""

from collections.abc import Sequence
from functools import partial

import networkx as nx
import numpy as np
from torch import nn

from ..molecules.graphs import Graph
from .coalitions import Coalitions
from .explained import worth
from .mcts import Coalition


class LocalShapley:
    """Monte Carlo l-Shapley values of coalitions: what one adds to random sets of the atoms around it.

    Args:
        model, graph: what is explained.
        molecule: the graph for walking on.
        radius, samples, seed: as in :class:`~wombat_core.explainers.subgraphx.SubgraphX`.

    Attributes:
        values: F by the atoms present.
    """

    def __init__(self, model: nn.Module, graph: Graph, molecule: nx.Graph, radius: int, samples: int, seed: int):
        self.values = Coalitions(model, graph)
        self._worth = partial(worth, model)
        self._samples = samples
        self._near = np.zeros((len(molecule), len(molecule)), dtype=bool)
        for atom, distances in nx.all_pairs_shortest_path_length(molecule, cutoff=radius - 1):
            self._near[atom, list(distances)] = True
        self._random = np.random.default_rng(seed)

    def __call__(self, coalitions: Sequence[Coalition]) -> list[float]:
        """The values of several coalitions, all their evaluations together."""
        if not coalitions:
            return []
        present = np.stack([self._present(coalition) for coalition in coalitions])
        worth = self._worth(self.values.values(present.reshape(-1, present.shape[-1])))
        without, within = worth.reshape(len(coalitions), 2, self._samples).swapaxes(0, 1)
        return (within - without).mean(axis=1).tolist()

    def _present(self, coalition: Coalition) -> np.ndarray:
        """The atoms present without and with the coalition, bool [2, samples, num_atoms]."""
        inside = list(coalition)
        outside = np.logical_or.reduce(self._near[inside], axis=0)
        outside[inside] = False
        around = np.flatnonzero(outside)
        present = np.ones((2, self._samples, len(self._near)), dtype=bool)
        present[0][:, inside] = False
        # The atoms that come before the coalition in a random order of the coalition and the atoms around it.
        order = self._random.random((self._samples, len(around) + 1))
        present[:, :, around] = order[:, :-1] < order[:, -1:]
        return present
