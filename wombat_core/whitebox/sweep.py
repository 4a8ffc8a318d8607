"""One forward pass of a whitebox over very many molecules at once: every kind of surroundings is computed once."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import linear

from ..molecules.levels import Inputs, Level
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

    Args:
        model: a whitebox of the encoding that ``inputs`` has.
        inputs: of all molecules.
        num_molecules: how many they are.
    """
    # Copies: what is kept on disk is mapped read-only, and Torch wants arrays it may write to.
    bonds = torch.tensor(inputs.bond_features)
    z, depth, classes = torch.tensor(inputs.x), 0, None
    for convolution in model.convolutions:
        if depth < len(inputs.levels):
            level, depth = inputs.levels[depth], depth + 1
        else:
            if classes is None:
                classes = torch.tensor(inputs.atoms[-1])
                z = z[classes]
            level = inputs.graph
        z = _layer(convolution, z, bonds, level)
    products = z.prod(dim=1).numpy()
    if classes is None:
        products = products[inputs.atoms[len(model.convolutions) - 1]]
    atoms = np.flatnonzero(products)
    return _read_out(products[atoms], inputs.owner[atoms], num_molecules)


def _layer(convolution, z: Tensor, bonds: Tensor, level: Level) -> Tensor:
    """Activations of all classes of a level, block by block, from those of the level below."""
    own, neighbour = convolution.factors(z)
    bond = linear(bonds, convolution.bond).relu()
    # Most atoms cannot receive or send anything: only messages with three non-zero factors are computed.
    receives, sends = own.any(dim=1).numpy(), neighbour.any(dim=1).numpy()
    degree = np.diff(level.start)
    target = np.repeat(np.arange(len(level.own)), degree)
    flows = np.flatnonzero(receives[level.own][target] & sends[level.neighbour])
    found = own.new_zeros(len(level.own), own.size(1))
    for block in np.array_split(flows, 1 + len(flows) * own.size(1) // VALUES_AT_ONCE):
        arrives = torch.from_numpy(target[block])
        messages = own[level.own[target[block]]] * neighbour[level.neighbour[block]] * bond[level.bond[block]]
        found.index_add_(0, arrives, messages)
    return found.add_(convolution.bias).relu_()


def _read_out(products: np.ndarray, owner: np.ndarray, num_molecules: int) -> Sweep:
    r1 = np.zeros(num_molecules, dtype=np.float32)
    missing = np.ones(num_molecules, dtype=np.float32)
    if len(owner):
        starts = np.flatnonzero(np.diff(owner, prepend=-1))
        r1[owner[starts]] = np.maximum.reduceat(products, starts)
        missing[owner[starts]] = np.multiply.reduceat(np.maximum(1 - products, 0), starts)
    return Sweep(r1, np.maximum(1 - missing, 0))
