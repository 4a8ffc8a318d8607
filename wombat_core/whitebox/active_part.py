"""The part of a whitebox that can be non-zero on a batch, evaluated for many scalings of its input at once.

Explainers that walk from an all-zero baseline to the input (integrated gradients) or switch parts of the input
off (Shapley values) ask for F at many inputs of the form ``scale * input`` with scales in [0, 1]. On such
inputs most activations are zero for certain. Upper bounds, propagated once, find those that may not be; only these
are evaluated, as [entries, scalings] arrays. The values and gradients are those of :class:`Whitebox`: an
entry left out is zero over the whole box, and there its ReLU passes no gradient either.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from ..molecules.graphs import Graph
from .message_passing import message, update
from .model import Whitebox
from .readouts import batch_vector


@dataclass
class _Factor:
    """Sparse ``relu(W . source)``: rows of the result, and (row, source, weight) of each of its terms.

    ``graph`` [num_rows] says whose rows they are. ``mixed`` are the rows with weights of both signs, the only
    ones whose ReLU can open or close while the scales stay positive.
    """

    num_rows: int
    row: Tensor
    source: Tensor
    weight: Tensor
    graph: Tensor

    def sums(self, sources: Tensor) -> Tensor:
        """``W . source``, before the ReLU."""
        terms = sources[self.source] * self.weight.unsqueeze(1)
        if self.num_rows != len(self.row) or not self.is_gather:
            terms = terms.new_zeros(self.num_rows, terms.size(1)).index_add(0, self.row, terms)
        return terms

    def __post_init__(self):
        self.is_gather = bool((self.row == torch.arange(len(self.row))).all())
        negative = torch.zeros(self.num_rows).index_add(0, self.row, (self.weight < 0).float()) > 0
        positive = torch.zeros(self.num_rows).index_add(0, self.row, (self.weight > 0).float()) > 0
        self.mixed = (negative & positive).nonzero()[:, 0]


@dataclass
class _Layer:
    """The messages of a layer that may be non-zero: three factors, the row of each, where each arrives.

    ``graph`` says whose the activations are; ``inhibited`` are those with a negative bias.
    """

    factors: tuple[_Factor, _Factor, _Factor]
    rows: tuple[Tensor, Tensor, Tensor]
    arrives: Tensor
    bias: Tensor
    graph: Tensor

    def __post_init__(self):
        self.inhibited = (self.bias < 0).nonzero()[:, 0]
        own, neighbour, _ = self.factors
        self.switch_graph = torch.cat(
            [own.graph[own.mixed], neighbour.graph[neighbour.mixed], self.graph[self.inhibited]]
        )

    def __call__(self, sources: Tensor, bonds: Tensor, switches: list[Tensor] | None = None) -> Tensor:
        """Activations [entries, scalings]; the sums that may change sign are appended to ``switches``."""
        own, neighbour, bond = self.factors
        i, j, b = self.rows
        own_sums, neighbour_sums = own.sums(sources), neighbour.sums(sources)
        messages = message(own_sums.relu()[i], neighbour_sums.relu()[j], bond.sums(bonds).relu()[b])
        total = messages.new_zeros(len(self.bias), messages.size(1)).index_add(0, self.arrives, messages)
        bias = self.bias.unsqueeze(1)
        if switches is not None:
            inhibited = (total + bias)[self.inhibited]
            switches += [own_sums[own.mixed], neighbour_sums[neighbour.mixed], inhibited]
        return update(total, bias)


class ActivePart:
    """F of every graph of a batch as a function of scales in [0, 1] on its live input entries.

    Args:
        model: a whitebox.
        batch: a PyG ``Batch`` or ``Data`` as the encoding gives it.
        dtype: of the evaluation; ``torch.float64`` for exact integrals.

    Attributes:
        num_graphs: graphs in the batch.
        atom_entries: (atom, feature) of every entry of ``x`` that can reach the readout, [2, atom entries].
        bond_entries: (edge, feature) of every such entry of ``edge_attr``, [2, bond entries].
        size: messages evaluated for one scaling, a measure of the cost.
        product_graph: the graph of every row of :meth:`products`.
        switch_graph: the graph of every row of the second result of :meth:`products_and_switches`.
    """

    def __init__(self, model: Whitebox, batch: Graph, dtype: torch.dtype = torch.float32):
        self.readout = model.readout
        self.dtype = dtype
        graph, self.num_graphs = batch_vector(batch.num_nodes, batch.batch, batch.x.device)
        bounds = _bounds(model, batch)
        roots = (bounds[-1] > 0).all(dim=1)
        needed = (bounds[-1] > 0) & roots.unsqueeze(1)
        bond_uses = torch.zeros(batch.edge_attr.shape, dtype=torch.bool)
        plans = []
        for convolution, bound in zip(reversed(model.convolutions), reversed(bounds[:-1]), strict=True):
            plan = _MessagePlan(convolution, bound, needed, batch.edge_index, batch.edge_attr, graph)
            needed = plan.read
            bond_uses[plan.bond_use] = True
            plans.insert(0, plan)
        self.atom_entries = needed.nonzero().T
        self.bond_entries = bond_uses.nonzero().T
        self._atom_values = batch.x[tuple(self.atom_entries)].to(dtype).unsqueeze(1)
        self._bond_values = batch.edge_attr[tuple(self.bond_entries)].to(dtype).unsqueeze(1)
        self._layers = [plan.layer(bond_uses, dtype) for plan in plans]
        self.size = sum(len(plan.edge) for plan in plans)
        self._num_channels = bounds[-1].size(1)
        self.product_graph = graph[roots]
        self.switch_graph = torch.cat([layer.switch_graph for layer in self._layers])
        self._place_roots(self.product_graph)

    def _place_roots(self, graphs: Tensor) -> None:
        """Lay the atoms that may reach the readout out as [live graphs, most atoms a graph]."""
        self._live_graphs, counts = torch.unique_consecutive(graphs, return_counts=True)
        self._width = int(counts.max()) if len(counts) else 0
        place = torch.arange(len(graphs)) - torch.repeat_interleave(counts.cumsum(0) - counts, counts)
        row = torch.repeat_interleave(torch.arange(len(counts)), counts)
        self._slots = row * self._width + place

    def __call__(self, atom_scales: Tensor, bond_scales: Tensor) -> Tensor:
        """F of every graph under every scaling.

        Args:
            atom_scales: [scalings, atom entries], bond_scales: [scalings, bond entries], all in [0, 1].

        Returns:
            [scalings, num_graphs].
        """
        return self.read_out(self.products(atom_scales, bond_scales))

    def read_out(self, products: Tensor, readout: str | None = None, tie: float = 0.0) -> Tensor:
        """F of every graph, [scalings, num_graphs], from the ``p_i`` [atoms, scalings] of :meth:`products`.

        Args:
            readout: "r1" or "r2"; the model's where None.
            tie: under r1, the share by which a ``p_i`` may fall short of the maximum and still count as equal to
                it. Of equal ones the first atom is read, so with a tie above rounding (1e-9 in double precision)
                atoms that are equal by symmetry do not take turns.
        """
        values = products.new_zeros(self.num_graphs, products.size(1))
        if self._width:
            padded = products.new_zeros(len(self._live_graphs) * self._width, products.size(1))
            padded = padded.index_add(0, self._slots, products).view(len(self._live_graphs), self._width, -1)
            if (readout or self.readout) == "r1":
                live = padded.max(dim=1).values if not tie else _first_largest(padded, tie)
            else:
                missing = (1 - padded).relu()
                rest = missing[:, 0]
                for place in range(1, self._width):
                    rest = rest * missing[:, place]
                live = (1 - rest).relu()
            values = values.index_add(0, self._live_graphs, live)
        return values.T

    def products(self, atom_scales: Tensor, bond_scales: Tensor) -> Tensor:
        """``p_i`` of the atoms where it may be non-zero, [atoms, scalings]."""
        return self._products(atom_scales, bond_scales, None)

    def products_and_switches(self, atom_scales: Tensor, bond_scales: Tensor) -> tuple[Tensor, Tensor]:
        """``p_i`` as in :meth:`products`, and the sums in the layers whose ReLU may open or close, [sums, scalings].

        Where none of the sums changes sign, the ``p_i`` are polynomials of the scales.
        """
        switches: list[Tensor] = []
        products = self._products(atom_scales, bond_scales, switches)
        return products, torch.cat(switches)

    def _products(self, atom_scales: Tensor, bond_scales: Tensor, switches: list[Tensor] | None) -> Tensor:
        sources = atom_scales.T.to(self.dtype) * self._atom_values
        bonds = bond_scales.T.to(self.dtype) * self._bond_values
        for layer in self._layers:
            sources = layer(sources, bonds, switches)
        by_channel = sources.view(-1, self._num_channels, sources.size(1))
        product = by_channel[:, 0]
        for channel in range(1, self._num_channels):
            product = product * by_channel[:, channel]
        return product


def _first_largest(padded: Tensor, tie: float) -> Tensor:
    """The first of the values [graphs, places, scalings] that reach the largest of their graph, but for ``tie``."""
    with torch.no_grad():
        places = torch.arange(padded.size(1)).view(1, -1, 1)
        reaches = padded >= padded.max(dim=1, keepdim=True).values * (1 - tie)
        first = torch.where(reaches, places, padded.size(1)).min(dim=1, keepdim=True).values
    return padded.gather(1, first)[:, 0]


class _MessagePlan:
    """Which messages of one layer may flow into the activations that are needed, and what they read.

    Args:
        convolution: the layer.
        bound: upper bounds of its input [num_atoms, in].
        needed: the activations asked for, bool [num_atoms, channels].
        graph: the graph of every atom.

    Attributes:
        edge, channel: of every message.
        read: input entries the messages read, bool [num_atoms, in].
        bond_use: (edge, bond feature) pairs the messages read.
    """

    def __init__(
        self, convolution, bound: Tensor, needed: Tensor, edge_index: Tensor, edge_attr: Tensor, graph: Tensor
    ):
        may_flow = _message_bounds(convolution, bound, edge_index, edge_attr) > 0
        self.edge, self.channel = (may_flow & needed[edge_index[1]]).nonzero().T
        self.needed = needed
        self.graph = graph[needed.nonzero()[:, 0]]
        self.arrives = edge_index[1][self.edge]
        self.bias = convolution.bias[needed.nonzero()[:, 1]]
        self.own = _uses(convolution.own, bound, self.arrives, self.channel, graph)
        self.neighbour = _uses(convolution.neighbour, bound, edge_index[0][self.edge], self.channel, graph)
        self.bond = _uses(convolution.bond, edge_attr, self.edge, self.channel, graph[edge_index[1]])
        self.bond_use = self.bond.entries
        self.read = torch.zeros(bound.shape, dtype=torch.bool)
        self.read[self.own.entries] = True
        self.read[self.neighbour.entries] = True

    def layer(self, bond_uses: Tensor, dtype: torch.dtype) -> _Layer:
        atom_number, bond_number = _numbering(self.read), _numbering(bond_uses)
        factors = (
            self.own.factor(atom_number, dtype),
            self.neighbour.factor(atom_number, dtype),
            self.bond.factor(bond_number, dtype),
        )
        rows = (self.own.row, self.neighbour.row, self.bond.row)
        arrives = _numbering(self.needed)[self.arrives, self.channel]
        return _Layer(factors, rows, arrives, self.bias.to(dtype), self.graph)


@dataclass
class _Uses:
    """The distinct (place, channel) factors of some messages and the source entries each sums over."""

    row: Tensor
    num_factors: int
    factor_of_term: Tensor
    entries: tuple[Tensor, Tensor]
    weights: Tensor
    graph: Tensor

    def factor(self, number: Tensor, dtype: torch.dtype) -> _Factor:
        source, weight = number[self.entries], self.weights.to(dtype)
        return _Factor(self.num_factors, self.factor_of_term, source, weight, self.graph)


def _uses(weights: Tensor, bound: Tensor, place: Tensor, channel: Tensor, graph: Tensor) -> _Uses:
    pairs, row = torch.unique(torch.stack([place, channel]), dim=1, return_inverse=True)
    factor, source = ((weights[pairs[1]] != 0) & (bound[pairs[0]] > 0)).nonzero().T
    terms = weights[pairs[1][factor], source]
    return _Uses(row, pairs.size(1), factor, (pairs[0][factor], source), terms, graph[pairs[0]])


def _numbering(mask: Tensor) -> Tensor:
    """Number the True entries in order; -1 elsewhere."""
    number = torch.full(mask.shape, -1)
    number[mask] = torch.arange(int(mask.sum()))
    return number


def _bounds(model: Whitebox, batch: Graph) -> list[Tensor]:
    """Upper bounds of the input and of every layer's activations over all scalings."""
    bounds = [batch.x]
    for convolution in model.convolutions:
        messages = _message_bounds(convolution, bounds[-1], batch.edge_index, batch.edge_attr)
        total = messages.new_zeros(batch.num_nodes, messages.size(1)).index_add(0, batch.edge_index[1], messages)
        bounds.append(convolution.update(total))
    return bounds


def _message_bounds(convolution, bound: Tensor, edge_index: Tensor, edge_attr: Tensor) -> Tensor:
    """Upper bounds of the messages [num_edges, channels] when inputs lie between 0 and ``bound``."""
    own = torch.nn.functional.linear(bound, convolution.own.relu())
    neighbour = torch.nn.functional.linear(bound, convolution.neighbour.relu())
    bond = torch.nn.functional.linear(edge_attr, convolution.bond.relu())
    return convolution.message(own[edge_index[1]], neighbour[edge_index[0]], bond)
