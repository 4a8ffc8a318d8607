"""Which atoms decided the prediction: backwards from the readout along everything that was not zero.

On a molecule with the motif these are, under r2, all atoms of the ground truth, and nearly always no others. The
exceptions are bystanders: atoms that look like a part of the motif to an early layer and so add to a sum that is large
enough without them. Examples are the second ring atom next to the C=N group in Figure 5 and the fourth carbon of a
quaternary ammonium under Pattern 4 (Figure S2). They carry values, but without them the prediction stays positive;
these are the atoms that path methods rank too high.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from ..molecules.graphs import Graph
from .calculation import layer_input
from .model import Trace, Whitebox, is_positive
from .near_miss import NearMiss, near_miss


@dataclass(frozen=True)
class Decision:
    """What carried a non-zero value to the readout.

    Attributes:
        roots: the atoms that decided at the readout. r1: those whose ``p_i`` is the maximum. r2: those with
            ``p_i >= 1``, each of which alone gives F = 1; where there are none (scaled features), all with ``p_i > 0``,
            since each of them raises F. Empty where every ``p_i`` is zero.
        activations: (layer, atom, channel index) of every activation that flowed into the roots' ``p_i``, layers
            from 1.
        messages: (layer, edge, channel index) of every non-zero message that did, edges as in ``edge_index``.
        atoms: all atoms of these, and the atoms and neighbours whose features layer 1 read; sorted.
        bonds: the bonds that carried a message, as sorted (lower, higher) atom pairs.
        near_miss: where the evidence ended, when the prediction is not positive; else None.
    """

    roots: tuple[int, ...]
    activations: tuple[tuple[int, int, int], ...]
    messages: tuple[tuple[int, int, int], ...]
    atoms: tuple[int, ...]
    bonds: tuple[tuple[int, int], ...]
    near_miss: NearMiss | None


def decision(model: Whitebox, data: Graph, trace: Trace) -> Decision:
    """Which atoms of one molecule decided, and by which activations and messages.

    Args:
        model: the whitebox; its readout says which atoms count.
        data: one encoded molecule (features may be scaled).
        trace: ``model.trace`` of it.
    """
    if trace.products is None:
        raise AssertionError("the readout of a whitebox goes through products")
    roots = _roots(trace.products, model.readout)
    needed = torch.zeros_like(trace.layers[-1].activations, dtype=torch.bool)
    needed[roots] = True
    activations, messages = [], []
    for layer in range(len(model.convolutions), 0, -1):
        sent = layer_messages(model, data, trace, layer) * needed[data.edge_index[1]]
        activations += [(layer, atom, channel) for atom, channel in needed.nonzero().tolist()]
        edges = sent.nonzero()
        messages += [(layer, edge, channel) for edge, channel in edges.tolist()]
        needed = entries_read(model.convolutions[layer - 1], layer_input(data, trace, layer), data.edge_index, edges)
    ends = data.edge_index[:, [edge for _, edge, _ in messages]].T.tolist()
    atoms = {atom for _, atom, _ in activations} | {atom for pair in ends for atom in pair}
    positive = is_positive(float(trace.readouts[model.readout]))
    return Decision(
        tuple(roots),
        tuple(sorted(activations)),
        tuple(sorted(messages)),
        tuple(sorted(atoms)),
        tuple(sorted({(min(pair), max(pair)) for pair in ends})),
        None if positive else near_miss(model, data, trace),
    )


def layer_messages(model: Whitebox, data: Graph, trace: Trace, layer: int) -> Tensor:
    """All messages of one layer (Eq. 1), [num_edges, channels]."""
    convolution, z = model.convolutions[layer - 1], layer_input(data, trace, layer)
    sender, receiver = data.edge_index
    own = (z @ convolution.own.T).relu()[receiver]
    neighbour = (z @ convolution.neighbour.T).relu()[sender]
    return own * neighbour * (data.edge_attr @ convolution.bond.T).relu()


def _roots(products: Tensor, readout: str) -> list[int]:
    alive = products > 0
    if readout == "r1":
        alive = alive & (products == products.max()) if len(products) else alive
    elif (products >= 1).any():
        alive = products >= 1
    return alive.nonzero().flatten().tolist()


def entries_read(convolution, z: Tensor, edge_index: Tensor, messages: Tensor) -> Tensor:
    """The entries of ``z`` that are not zero and that the messages (edge, channel) read, bool [num_atoms, in]."""
    edge, channel = messages.T
    read = torch.zeros_like(z)
    read.index_add_(0, edge_index[1, edge], (convolution.own[channel] != 0).float())
    read.index_add_(0, edge_index[0, edge], (convolution.neighbour[channel] != 0).float())
    return (read > 0) & (z > 0)
