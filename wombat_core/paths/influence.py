"""Which activations one atom moves, most of all, while everything else is held."""

from dataclasses import dataclass

import numpy as np
import torch

from ..molecules.graphs import Graph
from ..whitebox.decision import decision
from ..whitebox.model import Whitebox
from .baselines import zero
from .line import Line
from .path import check_alpha
from .watch import Watched

_MOVES = 1e-12


@dataclass(frozen=True)
class Influence:
    """Activations worth following while an atom is scaled.

    Attributes:
        first: in the last layer, at the atom that decides the prediction, the activation that grows most; then, from
            the last but one layer to the second, the activation that grows most when the atom goes from alpha to 1.
        moved: every activation that depends on the atom between 0 and 1, last layer first, strongest first.
    """

    first: tuple[Watched, ...]
    moved: tuple[Watched, ...]


def influence(model: Whitebox, data: Graph, atom: int, alpha: float = 0.98) -> Influence:
    """What one atom moves, all else held at ``alpha``.

    Args:
        model: a whitebox.
        data: one encoded molecule.
        atom: its index.
        alpha: in [0, 1].

    Raises:
        InputError: alpha outside [0, 1]; the model is no whitebox.
    """
    absent, held, full = _layers(Line(model, data, zero(data)), atom, check_alpha(alpha))
    names = [layer.channel_names for layer in model.convolutions]
    growth = [np.abs(after - before) for before, after in zip(held, full, strict=True)]
    span = [
        np.maximum(grown, np.abs(before - start)) for grown, before, start in zip(growth, held, absent, strict=True)
    ]
    root = _deciding_atom(model, data, held[-1])
    first: list[Watched] = [(names[-1][int(growth[-1][root].argmax())], root)]
    for layer in range(len(names) - 2, 0, -1):
        first += _strongest(growth[layer], names[layer])[:1]
    moved = [watched for layer in reversed(range(len(names))) for watched in _strongest(span[layer], names[layer])]
    return Influence(tuple(first), tuple(moved))


def _layers(line: Line, atom: int, alpha: float) -> list[list[np.ndarray]]:
    """Every layer's activations [atoms, channels] with the atom at 0, at ``alpha`` and at 1."""
    atoms = torch.full((3, line.num_atoms), alpha, dtype=torch.float64)
    atoms[:, atom] = torch.tensor([0.0, alpha, 1.0])
    with torch.no_grad():
        layers = line.activations(atoms, torch.full((3, line.num_edges), alpha, dtype=torch.float64))
    return [[layer[place].numpy() for layer in layers] for place in range(3)]


def _deciding_atom(model: Whitebox, data: Graph, last: np.ndarray) -> int:
    roots = decision(model, data, model.trace(data.x, data.edge_index, data.edge_attr)).roots
    return roots[0] if roots else int(last.max(axis=1).argmax())


def _strongest(changes: np.ndarray, names: list[str]) -> list[Watched]:
    """The activations that change, by falling change [atoms, channels]."""
    order = np.argsort(-changes, axis=None, kind="stable")[: int((changes > _MOVES).sum())]
    places = np.unravel_index(order, changes.shape)
    return [(names[channel], int(atom)) for atom, channel in zip(*places, strict=True)]
