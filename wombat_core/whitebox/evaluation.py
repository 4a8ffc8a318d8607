"""F at many scalings of one input, by the fastest way the network allows."""

from copy import deepcopy

import torch
from torch import Tensor, nn

from .. import progress
from ..molecules.graphs import Graph
from .active_part import ActivePart
from .kind import kind_of
from .model import Whitebox
from .readouts import batch_vector

VALUES_AT_ONCE = 20_000_000

Start = tuple[Tensor, Tensor]
"""``x`` and ``edge_attr`` where every scale is 0."""


class CopiesEvaluation:
    """F of every graph as a function of scales on its non-zero input entries, for any network.

    The batch is repeated, block by block, once a scaling. Interface and attributes as those of :class:`ActivePart`,
    but every entry that differs from where it starts counts as live (of ``edge_attr`` none, where the network's
    ``reads_bonds`` is False), and it may start elsewhere than at zero: it is ``start + scale * (input - start)``.
    """

    def __init__(self, model: nn.Module, batch: Graph, dtype: torch.dtype = torch.float32, start: Start | None = None):
        self.dtype = dtype
        self._model = model if dtype == torch.float32 else deepcopy(model).to(dtype)
        self._edge_attr, self._edge_index = batch.edge_attr.to(dtype), batch.edge_index
        x = batch.x.to(dtype)
        start = start or (torch.zeros_like(x), torch.zeros_like(self._edge_attr))
        self._atoms = _Moving(start[0].to(dtype), x)
        self._bonds = _Moving(start[1].to(dtype), self._edge_attr)
        self._graph, self.num_graphs = batch_vector(batch.num_nodes, batch.batch, batch.x.device)
        self.atom_entries = self._atoms.entries
        # A network that reads no bonds may find facts in edge_attr that are not for scaling.
        self._moves_bonds = getattr(model, "reads_bonds", True)
        self.bond_entries = self._bonds.entries if self._moves_bonds else torch.zeros(2, 0, dtype=torch.long)
        self.size = batch.x.numel() + batch.edge_attr.numel()

    def __call__(self, atom_scales: Tensor, bond_scales: Tensor) -> Tensor:
        """F of every graph, [scalings, num_graphs], from scales [scalings, atom entries] and [scalings, bond entries].

        In one pass where a gradient is asked for (then the caller bounds the number of scalings by ``size``),
        otherwise in as many as memory needs.
        """
        progress.check()
        if torch.is_grad_enabled() and (atom_scales.requires_grad or bond_scales.requires_grad):
            return self._evaluate(atom_scales, bond_scales)
        at_once = max(1, VALUES_AT_ONCE // max(1, self.size))
        chunks = zip(atom_scales.split(at_once), bond_scales.split(at_once), strict=True)
        return torch.cat([self._evaluate(*chunk) for chunk in chunks])

    def _evaluate(self, atom_scales: Tensor, bond_scales: Tensor) -> Tensor:
        copies = len(atom_scales)
        x = self._atoms(atom_scales.to(self.dtype))
        moves = self._moves_bonds
        edge_attr = self._bonds(bond_scales.to(self.dtype)) if moves else self._edge_attr.repeat(copies, 1)
        shifts = torch.arange(copies)
        edge_index = self._edge_index.unsqueeze(1) + shifts.view(1, -1, 1) * len(self._graph)
        graph = self._graph + shifts.unsqueeze(1) * self.num_graphs
        values = self._model(x, edge_index.flatten(1), edge_attr, graph.flatten())
        return values.view(copies, self.num_graphs)


class _Moving:
    """Features [rows, columns] on their way from ``start`` to ``end``; ``entries`` are those that move."""

    def __init__(self, start: Tensor, end: Tensor):
        self._start, change = start, end - start
        self.entries = change.nonzero().T
        self._change = change[tuple(self.entries)]

    def __call__(self, scales: Tensor) -> Tensor:
        """Copies for scales [scalings, entries], one below the other, [scalings * rows, columns]."""
        copies = self._start.repeat(len(scales), 1, 1)
        everywhere = torch.arange(len(scales)).unsqueeze(1)
        return copies.index_put_((everywhere, *self.entries), scales * self._change, accumulate=True).flatten(0, 1)


class AnchoredPart(ActivePart):
    """:class:`ActivePart` where some entries stay as they are: those that do not start at zero.

    Args:
        start: ``x`` and ``edge_attr`` at scale 0, each entry zero or the batch's own.
    """

    def __init__(self, model: Whitebox, batch: Graph, dtype: torch.dtype, start: Start):
        super().__init__(model, batch, dtype)
        ends = (self.atom_entries, self.bond_entries)
        self._moving = [
            (begins[tuple(entries)] == 0).nonzero()[:, 0] for begins, entries in zip(start, ends, strict=True)
        ]
        self._counts = [entries.size(1) for entries in ends]
        self.atom_entries, self.bond_entries = (
            entries[:, moving] for entries, moving in zip(ends, self._moving, strict=True)
        )

    def _products(self, atom_scales: Tensor, bond_scales: Tensor, switches: list[Tensor] | None) -> Tensor:
        atoms, bonds = (
            scales.new_ones(len(scales), count).index_copy(1, moving, scales)
            for scales, count, moving in zip((atom_scales, bond_scales), self._counts, self._moving, strict=True)
        )
        return super()._products(atoms, bonds, switches)


ScaledEvaluation = ActivePart | CopiesEvaluation


def scaled_evaluation(
    model: nn.Module, batch: Graph, dtype: torch.dtype = torch.float32, start: Start | None = None
) -> ScaledEvaluation:
    """F of every graph of the batch between a start and its input: the live part of a whitebox where it can be.

    Args:
        model: called as ``model(x, edge_index, edge_attr, batch)``.
        batch: a PyG ``Batch`` or ``Data`` as the encoding gives it.
        dtype: of the evaluation.
        start: ``x`` and ``edge_attr`` at scale 0, all zero where None.
    """
    part = kind_of(model).live_part(model, batch, dtype, start)
    return CopiesEvaluation(model, batch, dtype, start) if part is None else part
