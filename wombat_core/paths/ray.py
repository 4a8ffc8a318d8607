"""F along ``alpha * x``, for several molecules at once, each at its own alphas."""

from collections.abc import Iterator

import torch
from torch import Tensor, nn

from ..molecules.graphs import Graph
from ..whitebox.active_part import ActivePart
from ..whitebox.evaluation import Start, scaled_evaluation
from ..whitebox.readouts import READOUTS, batch_vector

MESSAGES_AT_ONCE = 100_000
TIE = 1e-9


class Ray:
    """The straight path from an all-zero input, or another start, to every graph of a batch, in double precision.

    All arguments ``alphas`` are [points, num_graphs] in [0, 1]: graph g is looked at where column g says.
    Under r1, atoms whose ``p_i`` agree to 1e-9 count as equal, and the first of them carries the gradient.

    Args:
        model: a whitebox, or any network called as one.
        batch: a PyG ``Batch`` or ``Data`` as the encoding gives it.
        start: ``x`` and ``edge_attr`` at alpha = 0, all zero where None.

    Attributes:
        part: the network as a function of scales on its input entries.
        num_graphs: graphs in the batch.
        atom_entries: (atom, feature), bond_entries: (edge, feature) of every entry that may matter.
        atom_entry_graph, bond_entry_graph: the graph of every entry, as arrays.
    """

    def __init__(self, model: nn.Module, batch: Graph, start: Start | None = None):
        self.part = scaled_evaluation(model, batch, torch.float64, start)
        self.num_graphs = self.part.num_graphs
        self.atom_entries, self.bond_entries = self.part.atom_entries, self.part.bond_entries
        graph, _ = batch_vector(batch.num_nodes, batch.batch, batch.x.device)
        self.atom_entry_graph = graph[self.atom_entries[0]].numpy()
        self.bond_entry_graph = graph[batch.edge_index[1][self.bond_entries[0]]].numpy()

    @property
    def is_piecewise_polynomial(self) -> bool:
        """Whether F is, with kinks that can be looked for (see ``breakpoints``): on whiteboxes."""
        return isinstance(self.part, ActivePart)

    @property
    def live_part(self) -> ActivePart:
        """``part``, where F is piecewise polynomial."""
        if not isinstance(self.part, ActivePart):
            raise AssertionError("only a whitebox has products and switches")
        return self.part

    @torch.no_grad()
    def values(self, alphas: Tensor) -> Tensor:
        """F, [points, num_graphs]."""
        return torch.cat([self._evaluate(*self._scales(chunk)) for chunk in self._chunks(alphas)])

    @torch.no_grad()
    def values_by_readout(self, alphas: Tensor) -> dict[str, Tensor]:
        """F under "r1" and "r2", [points, num_graphs] each, from one evaluation of a whitebox."""
        products, _ = self.products_and_switches(alphas)
        return {name: self.live_part.read_out(products, name, tie=TIE) for name in READOUTS}

    @torch.no_grad()
    def products_and_switches(self, alphas: Tensor) -> tuple[Tensor, Tensor]:
        """Of a whitebox, ``p_i`` [atoms, points] and the sums that open or close a ReLU [sums, points]."""
        found = [self.live_part.products_and_switches(*self._scales(chunk)) for chunk in self._chunks(alphas)]
        products, switches = zip(*found, strict=True)
        return torch.cat(products, dim=1), torch.cat(switches, dim=1)

    def gradients(self, alphas: Tensor) -> tuple[Tensor, Tensor]:
        """Gradient times input of every entry: [points, atom entries] and [points, bond entries].

        The gradient is taken at ``alpha * x`` and multiplied by ``x``, so that its integral over alpha is the
        attribution and its sum over all entries is dF/dalpha.
        """
        found = []
        for chunk in self._chunks(alphas):
            scales = [scale.requires_grad_() for scale in self._scales(chunk)]
            values = self._evaluate(*scales)
            if values.requires_grad:
                found.append(torch.autograd.grad(values.sum(), scales, materialize_grads=True))
            else:
                found.append([torch.zeros_like(scale) for scale in scales])
        atoms, bonds = zip(*found, strict=True)
        return torch.cat(atoms), torch.cat(bonds)

    def _evaluate(self, atom_scales: Tensor, bond_scales: Tensor) -> Tensor:
        if not isinstance(self.part, ActivePart):
            return self.part(atom_scales, bond_scales)
        return self.part.read_out(self.part.products(atom_scales, bond_scales), tie=TIE)

    def _scales(self, alphas: Tensor) -> tuple[Tensor, Tensor]:
        return alphas[:, self.atom_entry_graph], alphas[:, self.bond_entry_graph]

    def _chunks(self, alphas: Tensor) -> Iterator[Tensor]:
        yield from alphas.split(max(1, MESSAGES_AT_ONCE // max(1, self.part.size)))
