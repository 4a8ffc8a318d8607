"""Exact Shapley values over the atoms of a small molecule."""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import factorial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import progress
from ..errors import InputError
from ..settings import within
from .attribution import Attribution
from .estimate import Estimate
from .explained import num_layers
from .method import SWITCHING, Method, NullReasons

if TYPE_CHECKING:
    from torch import nn

    from ..molecules.graphs import Graph, GraphBatch
    from .coalitions import Coalitions

COALITIONS_AT_ONCE = 4096


@dataclass(frozen=True)
class ExactShapley(Method):
    """The Shapley value of every atom from all coalitions of atoms, 2^n of them.

    The players are the atoms (all features of one together); absent ones have zero features, bonds stay in place.
    Atoms that cannot reach the readout earn exactly zero, and only the others are counted through. The values sum
    to F with all atoms minus F without any.

    Source: L. S. Shapley, "A Value for n-Person Games", 1953, Eq. 13.

    Args:
        max_atoms: larger molecules are refused.

    Raises:
        InputError: a molecule has more than ``max_atoms`` heavy atoms.
    """

    max_atoms: int = within(14, 1, 20)

    name: ClassVar[str] = "shapley-exact"
    title: ClassVar[str] = "Shapley values, exact"
    summary: ClassVar[str] = (
        "What an atom adds to the prediction, over all sets of the other atoms, with every bond in its place (sampling "
        "switches bonds as well, so its values are others); for small molecules only."
    )
    expensive: ClassVar[bool] = True
    when_null: ClassVar[str] = "Where no set of atoms changes the prediction, as on most molecules without the motif."
    null_reasons: ClassVar[NullReasons] = SWITCHING
    baseline: ClassVar[str] = "bonds-kept"
    node_refusal: ClassVar[str] = "Exact Shapley values are for graphs of at most 20 nodes; neighbourhoods have more."

    def estimate(self, model: nn.Module, num_atoms: int) -> Estimate:
        self._check(num_atoms)
        # 0.5 us a coalition and layer; atoms that cannot reach the readout are not counted through.
        return Estimate(5e-7 * 2**num_atoms * num_layers(model), at_most=True)

    def _check(self, num_atoms: int) -> None:
        if num_atoms > self.max_atoms:
            raise InputError(
                f"Exact Shapley values take 2^n evaluations of a molecule of n heavy atoms; this one has {num_atoms},"
                f" the limit is {self.max_atoms}."
            )

    def attribute(self, model: nn.Module, batch: GraphBatch) -> list[Attribution]:
        graphs = batch.to_data_list()
        self._check(max(graph.num_nodes for graph in graphs))
        return progress.each(graphs, lambda graph: self._one(model, graph))

    def _one(self, model: nn.Module, graph: Graph) -> Attribution:
        import torch

        from .coalitions import Coalitions

        start = time.perf_counter()
        game = Coalitions(model, graph, torch.float64)
        values = np.zeros(graph.num_nodes)
        if len(game.players):
            values[game.players] = shapley_values(_all_values(game))
        return Attribution.of_atoms(values, graph, time.perf_counter() - start)


def _all_values(game: Coalitions) -> np.ndarray:
    """F of every coalition of the players [2^players]; player k is in coalition c where bit k of c is set."""
    count = 2 ** len(game.players)
    found = []
    for first in range(0, count, COALITIONS_AT_ONCE):
        progress.report(first / count)
        coalitions = np.arange(first, min(first + COALITIONS_AT_ONCE, count))
        found.append(game.evaluate(_members(coalitions, len(game.players))))
    return np.concatenate(found)


def _members(coalitions: np.ndarray, num_players: int) -> np.ndarray:
    return (coalitions[:, None] >> np.arange(num_players)) & 1 == 1


def shapley_values(values: np.ndarray) -> np.ndarray:
    """The Shapley value of every player of a game.

    ``phi_i = sum over S without i of |S|! (n - |S| - 1)! / n! * (v(S + i) - v(S))``.

    Args:
        values: [2^n], the worth of every coalition; player k is in coalition c where bit k of c is set.

    Returns:
        [n].
    """
    num_players = len(values).bit_length() - 1
    weights = np.array([factorial(s) * factorial(num_players - s - 1) for s in range(num_players)], dtype=float)
    weights /= factorial(num_players)
    coalitions = np.arange(len(values))
    members = _members(coalitions, num_players)
    sizes = members.sum(axis=1)
    found = np.zeros(num_players)
    for player in range(num_players):
        without = coalitions[~members[:, player]]
        gains = values[without | 1 << player] - values[without]
        found[player] = weights[sizes[without]] @ gains
    return found
