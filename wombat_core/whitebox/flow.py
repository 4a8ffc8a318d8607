"""Where one activation came from and what it was carried on to: one layer back, one layer on."""

from torch import Tensor

from ..molecules.graphs import Graph
from .decision import layer_messages
from .model import Trace, Whitebox

Activation = tuple[int, int, int]
"""Layer (from 1), atom, index of the channel."""


def sources(model: Whitebox, data: Graph, trace: Trace, layer: int, atom: int, channel: int) -> list[Activation]:
    """The activations of the layer before that the non-zero messages of this one read; none for layer 1."""
    if layer == 1:
        return []
    convolution = model.convolutions[layer - 1]
    before = trace.layers[layer - 2].activations
    found = set()
    for sender in _senders(model, data, trace, layer, atom, channel):
        found |= _read(layer - 1, atom, convolution.own[channel], before)
        found |= _read(layer - 1, sender, convolution.neighbour[channel], before)
    return sorted(found)


def targets(model: Whitebox, data: Graph, trace: Trace, layer: int, atom: int, channel: int) -> list[Activation]:
    """The activations of the next layer with a non-zero message that reads this one; none for the last layer."""
    if layer == len(model.convolutions) or trace.layers[layer - 1].activations[atom, channel] == 0:
        return []
    convolution = model.convolutions[layer]
    sent = layer_messages(model, data, trace, layer + 1) > 0
    found = set()
    for edge, other in sent.nonzero().tolist():
        sender, receiver = data.edge_index[:, edge].tolist()
        if (receiver == atom and convolution.own[other, channel] != 0) or (
            sender == atom and convolution.neighbour[other, channel] != 0
        ):
            found.add((layer + 1, receiver, other))
    return sorted(found)


def _senders(model: Whitebox, data: Graph, trace: Trace, layer: int, atom: int, channel: int) -> list[int]:
    sent = layer_messages(model, data, trace, layer)[:, channel] > 0
    return data.edge_index[0, sent & (data.edge_index[1] == atom)].tolist()


def _read(layer: int, atom: int, weights: Tensor, z: Tensor) -> set[Activation]:
    return {(layer, atom, place) for place in ((weights != 0) & (z[atom] != 0)).nonzero().flatten().tolist()}
