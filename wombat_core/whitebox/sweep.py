"""One forward pass of a whitebox over very many molecules at once: every kind of surroundings is computed once."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import linear

from ..molecules.levels import Inputs, Level
from .message_passing import message, update
from .model import Whitebox

VALUES_AT_ONCE = 8_000_000


@dataclass(frozen=True, eq=False)
class Sweep:
    """What a network says of every molecule.

    Attributes:
        r1, r2: float32 [molecules], F under both readouts (Eq. 3 and 4); 0 for a molecule without atoms.
    """

    r1: np.ndarray
    r2: np.ndarray


@torch.no_grad()
def sweep(model: Whitebox, inputs: Inputs, num_molecules: int) -> Sweep:
    """F of every molecule; the values are those of ``model`` itself, whichever readout it has.

    Before every layer the molecules in which no atom can come out positive any more are left out: F is 0 there.

    Args:
        model: a whitebox of the encoding that ``inputs`` has.
        inputs: of all molecules.
        num_molecules: how many they are.
    """
    # Copies: what is kept on disk is mapped read-only, and Torch wants arrays it may write to.
    bonds = torch.tensor(inputs.bond_features)
    z, place = torch.tensor(inputs.x), np.arange(len(inputs.x))
    atoms, classes = np.arange(len(inputs.owner)), inputs.levels[0].own[inputs.atoms[0]]
    for depth, convolution in enumerate(model.convolutions):
        alive = np.zeros(num_molecules, dtype=bool)
        alive[inputs.owner[atoms[_can_fire(list(model.convolutions)[depth:], z)[place[classes]]]]] = True
        atoms = atoms[alive[inputs.owner[atoms]]]
        by_class = depth < len(inputs.levels)
        if depth == len(inputs.levels):
            place = place[inputs.atoms[-1]]
        level = inputs.levels[depth] if by_class else inputs.graph
        classes = inputs.atoms[depth][atoms] if by_class else atoms
        needed = np.zeros(len(level.own), dtype=bool)
        needed[classes] = True
        rows = np.flatnonzero(needed)
        z = _layer(convolution, z, place, bonds, level, rows)
        place = np.full(len(level.own), -1)
        place[rows] = np.arange(len(rows))
    products = z.prod(dim=1).numpy()[place[classes]]
    found = np.flatnonzero(products)
    return _read_out(products[found], inputs.owner[atoms[found]], num_molecules)


def _can_fire(convolutions, z: Tensor) -> np.ndarray:
    """Whether all channels of the last layer can be positive at an atom, whatever its neighbours are, bool [rows]."""
    first, *later = convolutions
    can = (linear(z, first.own) > 0) | (first.bias > 0)
    for convolution in later:
        can = (linear(can.to(z.dtype), convolution.own.clamp(min=0)) > 0) | (convolution.bias > 0)
    return can.all(dim=1).numpy()


def _layer(convolution, z: Tensor, place: np.ndarray, bonds: Tensor, level: Level, rows: np.ndarray) -> Tensor:
    """Activations of some classes of a level, block by block, from those of the level below (``z[place]``)."""
    own, neighbour = convolution.factors(z)
    bond = linear(bonds, convolution.bond).relu()
    # Most atoms cannot receive or send anything: only messages with three non-zero factors are computed.
    receives, sends = own.any(dim=1).numpy(), neighbour.any(dim=1).numpy()
    mine = place[level.own[rows]]
    target = np.flatnonzero(receives[mine])
    begin, degree = level.start[rows[target]], np.diff(level.start)[rows[target]]
    listed = np.repeat(begin - (np.cumsum(degree) - degree), degree) + np.arange(degree.sum())
    target = np.repeat(target, degree)
    source = place[level.neighbour[listed]]
    flows = np.flatnonzero(sends[source])
    found = own.new_zeros(len(rows), own.size(1))
    for block in np.array_split(flows, 1 + len(flows) * own.size(1) // VALUES_AT_ONCE):
        arrives = torch.from_numpy(target[block])
        factors = own[mine[target[block]]], neighbour[source[block]], bond[level.bond[listed[block]]]
        found.index_add_(0, arrives, message(*factors))
    return update(found, convolution.bias)


def _read_out(products: np.ndarray, owner: np.ndarray, num_molecules: int) -> Sweep:
    r1 = np.zeros(num_molecules, dtype=np.float32)
    missing = np.ones(num_molecules, dtype=np.float32)
    if len(owner):
        starts = np.flatnonzero(np.diff(owner, prepend=-1))
        r1[owner[starts]] = np.maximum.reduceat(products, starts)
        missing[owner[starts]] = np.multiply.reduceat(np.maximum(1 - products, 0), starts)
    return Sweep(r1, np.maximum(1 - missing, 0))
