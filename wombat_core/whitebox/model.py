"""A whitebox: the hand-set network of one pattern under one readout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from .. import progress
from .catalogue import Pattern
from .catalogue import pattern as get_pattern
from .convolution import Convolutions, WhiteboxConv
from .readouts import READOUTS, THRESHOLD, atom_products, batch_vector
from .readouts import readout as get_readout

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class LayerTrace:
    """One layer's activations [num_atoms, channels] with the channels' names (``A.1``, ...)."""

    layer: int
    channels: list[str]
    activations: Tensor


@dataclass(frozen=True, repr=False)
class Trace:
    """A forward pass: every layer, the per-atom products ``p_i`` [num_atoms] and the readouts [num_graphs] by name.

    ``products`` is None for a network whose readout does not go through products.
    """

    layers: list[LayerTrace]
    products: Tensor | None
    readouts: dict[str, Tensor]

    def __repr__(self) -> str:
        sizes = ", ".join(str(len(layer.channels)) for layer in self.layers)
        values = ", ".join(f"{name} = {value.tolist()[0]:.6g}" for name, value in self.readouts.items())
        return f"<Trace of {len(self.layers[-1].activations)} atoms through layers of {sizes} channels: {values}>"

    def to_frame(self) -> DataFrame:
        """A row an atom, a column a channel (``A.1``, ...); the last column is ``p_i``, where there are products."""
        from pandas import DataFrame

        columns = {
            name: layer.activations[:, place].numpy()
            for layer in self.layers
            for place, name in enumerate(layer.channels)
        }
        if self.products is not None:
            columns["product"] = self.products.numpy()
        return DataFrame(columns).rename_axis("atom")


class Whitebox(nn.Module):
    """The network that detects one pattern.

    Args:
        pattern: a :class:`Pattern` or its id.
        readout: "r1" (Eq. 3) or "r2" (Eq. 4).

    Raises:
        InputError: unknown pattern or readout.
    """

    network_kind = "whitebox"

    def __init__(self, pattern: Pattern | str | int, readout: str = "r1"):
        super().__init__()
        self.pattern = pattern if isinstance(pattern, Pattern) else get_pattern(pattern)
        self.readout = readout
        self._readout = get_readout(readout)
        letters = [None] + [tuple(channel.letter for channel in layer) for layer in self.pattern.layers]
        self.convolutions = Convolutions(
            WhiteboxConv(layer, previous, self.pattern.encoding)
            for layer, previous in zip(self.pattern.layers, letters[:-1], strict=True)
        )

    def __repr__(self) -> str:
        return f"<Whitebox of {self.pattern.title}, {self.readout}: {self.pattern.size}>"

    def forward(self, x: Tensor, edge_index: Tensor, edge_attr: Tensor, batch: Tensor | None = None) -> Tensor:
        """F(G) of every graph, [num_graphs]; arguments as :func:`wombat_core.molecules.encoding.encode` gives them."""
        progress.check()
        batch, num_graphs = batch_vector(x.size(0), batch, x.device)
        return self._readout(atom_products(self.activations(x, edge_index, edge_attr)[-1]), batch, num_graphs)

    def activations(self, x: Tensor, edge_index: Tensor, edge_attr: Tensor, rows: Tensor | None = None) -> list[Tensor]:
        """Every layer's activations, [num_atoms, channels of the layer] each.

        With ``rows`` [num_atoms], atom i has the features ``x[rows[i]]`` (see ``encode_types``).
        """
        first, *others = self.convolutions
        found = [first(x, edge_index, edge_attr, rows)]
        for convolution in others:
            found.append(convolution(found[-1], edge_index, edge_attr))
        return found

    @torch.no_grad()
    def trace(self, x: Tensor, edge_index: Tensor, edge_attr: Tensor, batch: Tensor | None = None) -> Trace:
        """Every layer's activations with channel names, and both readouts."""
        batch, num_graphs = batch_vector(x.size(0), batch, x.device)
        activations = self.activations(x, edge_index, edge_attr)
        products = atom_products(activations[-1])
        layers = [
            LayerTrace(depth, convolution.channel_names, z)
            for depth, (convolution, z) in enumerate(zip(self.convolutions, activations, strict=True), start=1)
        ]
        values = {name: function(products, batch, num_graphs) for name, function in READOUTS.items()}
        return Trace(layers, products, values)


def is_positive(prediction: float) -> bool:
    """The benchmark's decision: positive when F > 0.5."""
    return prediction > THRESHOLD
