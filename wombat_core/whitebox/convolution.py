"""The whitebox convolution (Eq. 1 and 2 of the paper)."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn
from torch_geometric.nn import MessagePassing

from ..molecules.features import encoding_named
from . import message_passing
from .notation import Channel


class WhiteboxConv(MessagePassing):
    """``z'_i[c] = relu(sum_j relu(self_c . z_i) * relu(neighbour_c . z_j) * relu(bond_c . e_ij) + bias_c)``.

    Args:
        channels: the channels of this layer.
        previous: the letters of the previous layer's channels; None for layer 1, which reads atom features.
        encoding: which features it reads, "wombat" or "wombat+".
    """

    own: Tensor
    neighbour: Tensor
    bond: Tensor
    bias: Tensor

    def __init__(
        self, channels: tuple[Channel, ...], previous: tuple[str, ...] | None = None, encoding: str = "wombat"
    ):
        super().__init__(aggr="sum")
        reads = encoding_named(encoding)
        arguments, width = ((), reads.num_atom_features) if previous is None else ((previous,), len(previous))
        self.register_buffer("own", _stack((channel.self_term.weights(*arguments) for channel in channels), width))
        self.register_buffer(
            "neighbour", _stack((channel.neighbour_term.weights(*arguments) for channel in channels), width)
        )
        self.register_buffer(
            "bond", _stack((channel.bond_term.weights() for channel in channels), reads.num_bond_features)
        )
        self.register_buffer("bias", torch.tensor([channel.bias for channel in channels]))
        self.channel_names = [channel.name for channel in channels]

    def forward(self, z: Tensor, edge_index: Tensor, edge_attr: Tensor, rows: Tensor | None = None) -> Tensor:
        """From ``z`` [num_atoms, in] and ``edge_attr`` [num_edges, 4 or 11] to activations [num_atoms, channels].

        With ``rows`` [num_atoms], ``z`` holds every kind of atom once and atom i is ``z[rows[i]]``.
        """
        own, neighbour = self.factors(z, rows)
        return self.combine(own, neighbour, edge_index, edge_attr)

    def factors(self, z: Tensor, rows: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """``relu(self_c . z_i)`` and ``relu(neighbour_c . z_i)`` of every atom, [num_atoms, channels] each."""
        own = nn.functional.linear(z, self.own).relu()
        neighbour = nn.functional.linear(z, self.neighbour).relu()
        return (own, neighbour) if rows is None else (own[rows], neighbour[rows])

    def combine(self, own: Tensor, neighbour: Tensor, edge_index: Tensor, edge_attr: Tensor) -> Tensor:
        """Activations [num_atoms, channels] from the two factors and the bonds."""
        bond = nn.functional.linear(edge_attr, self.bond).relu()
        size = (own.size(0), own.size(0))
        return self.propagate(edge_index, own=own, neighbour=neighbour, bond=bond, size=size)

    def message(self, own_i: Tensor, neighbour_j: Tensor, bond: Tensor) -> Tensor:
        """Eq. 1: one message an edge and channel, [num_edges, channels]."""
        return message_passing.message(own_i, neighbour_j, bond)

    def update(self, total: Tensor) -> Tensor:
        """Eq. 2: bias and ReLU on the summed messages."""
        return message_passing.update(total, self.bias)


class Convolutions(nn.ModuleList):
    """The layers of a whitebox, in order."""

    if TYPE_CHECKING:

        def __getitem__(self, idx: int) -> WhiteboxConv: ...

        def __iter__(self) -> Iterator[WhiteboxConv]: ...


def _stack(rows: Iterable[np.ndarray], width: int) -> Tensor:
    """One row a channel; slots that its term does not know weigh 0."""
    return torch.stack([torch.from_numpy(np.pad(row, (0, width - len(row)))) for row in rows])
