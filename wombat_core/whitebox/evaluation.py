"""F at many scalings of one input, by the fastest way the network allows."""

from copy import deepcopy

import torch
from torch import Tensor, nn
from torch_geometric.data import Data

from .active_part import ActivePart
from .model import Whitebox
from .readouts import batch_vector

VALUES_AT_ONCE = 20_000_000


class CopiesEvaluation:
    """F of every graph as a function of scales on its non-zero input entries, for any network.

    The batch is repeated, block by block, once a scaling. Interface and attributes as those of :class:`ActivePart`,
    but every non-zero entry counts as live (of ``edge_attr`` none, where the network's ``reads_bonds`` is False).
    """

    def __init__(self, model: nn.Module, batch: Data, dtype: torch.dtype = torch.float32):
        self.dtype = dtype
        self._model = model if dtype == torch.float32 else deepcopy(model).to(dtype)
        self._x, self._edge_attr, self._edge_index = batch.x.to(dtype), batch.edge_attr.to(dtype), batch.edge_index
        self._graph, self.num_graphs = batch_vector(batch.num_nodes, batch.batch, batch.x.device)
        self.atom_entries = batch.x.nonzero().T
        # A network that reads no bonds may find facts in edge_attr that are not for scaling.
        self._moves_bonds = getattr(model, "reads_bonds", True)
        self.bond_entries = batch.edge_attr.nonzero().T if self._moves_bonds else torch.zeros(2, 0, dtype=torch.long)
        self.size = batch.x.numel() + batch.edge_attr.numel()

    def __call__(self, atom_scales: Tensor, bond_scales: Tensor) -> Tensor:
        """F of every graph, [scalings, num_graphs], from scales [scalings, atom entries] and [scalings, bond entries].

        In one pass where a gradient is asked for (then the caller bounds the number of scalings by ``size``),
        otherwise in as many as memory needs.
        """
        if torch.is_grad_enabled() and (atom_scales.requires_grad or bond_scales.requires_grad):
            return self._evaluate(atom_scales, bond_scales)
        at_once = max(1, VALUES_AT_ONCE // max(1, self.size))
        chunks = zip(atom_scales.split(at_once), bond_scales.split(at_once), strict=True)
        return torch.cat([self._evaluate(*chunk) for chunk in chunks])

    def _evaluate(self, atom_scales: Tensor, bond_scales: Tensor) -> Tensor:
        copies = len(atom_scales)
        x = _scaled(self._x, self.atom_entries, atom_scales.to(self.dtype))
        if self._moves_bonds:
            edge_attr = _scaled(self._edge_attr, self.bond_entries, bond_scales.to(self.dtype))
        else:
            edge_attr = self._edge_attr.repeat(copies, 1)
        shifts = torch.arange(copies)
        edge_index = self._edge_index.unsqueeze(1) + shifts.view(1, -1, 1) * len(self._x)
        graph = self._graph + shifts.unsqueeze(1) * self.num_graphs
        values = self._model(x, edge_index.flatten(1), edge_attr, graph.flatten())
        return values.view(copies, self.num_graphs)


def _scaled(values: Tensor, entries: Tensor, scales: Tensor) -> Tensor:
    """Copies of ``values`` [rows, columns] with scaled entries, one below the other, [scalings * rows, columns]."""
    scaled = values.new_zeros(len(scales), *values.shape)
    everywhere = torch.arange(len(scales)).unsqueeze(1)
    scaled = scaled.index_put_((everywhere, *entries), scales * values[tuple(entries)])
    return scaled.flatten(0, 1)


ScaledEvaluation = ActivePart | CopiesEvaluation


def scaled_evaluation(model: nn.Module, batch: Data, dtype: torch.dtype = torch.float32) -> ScaledEvaluation:
    """F of every graph of the batch at scalings of its input: the live part of a whitebox, copies for other networks.

    Args:
        model: called as ``model(x, edge_index, edge_attr, batch)``.
        batch: a PyG ``Batch`` or ``Data`` as the encoding gives it.
        dtype: of the evaluation.
    """
    kind = ActivePart if isinstance(model, Whitebox) else CopiesEvaluation
    return kind(model, batch, dtype)
