"""The whitebox between any baseline and a molecule, every atom and bond at its own place in between."""

import torch
from torch import Tensor
from torch.nn.functional import linear

from ..errors import InputError
from ..molecules.graphs import Graph
from ..whitebox.build import Network
from ..whitebox.kind import has_channels
from ..whitebox.message_passing import message, update
from ..whitebox.readouts import READOUTS, atom_products
from .baselines import Baseline

ACTIVATIONS_AT_ONCE = 1_000_000


class Line:
    """Inputs ``baseline + alpha * (input - baseline)`` with one alpha an atom and one a bond entry.

    Evaluates every activation, in double precision. The first layer's factors are linear in the features before
    their ReLU, so they are computed at both ends only and interpolated; the derivative by an atom's alpha is the
    sum over its features of gradient times (input - baseline).

    Args:
        model: a whitebox.
        data: one encoded molecule.
        baseline: of the same molecule.

    Raises:
        InputError: the model is no whitebox but a network of another kind.

    Attributes:
        num_atoms, num_edges: of the molecule.
        channels: the names of every layer's channels.
        points_at_once: how many inputs to evaluate together to stay within about 100 MB.
    """

    def __init__(self, model: Network, data: Graph, baseline: Baseline):
        if not has_channels(model):
            raise InputError(f"{model.pattern.title} can only be followed from an all-zero input, all atoms together.")
        self.readout = model.readout
        self.channels = [layer.channel_names for layer in model.convolutions]
        self.num_atoms, self.num_edges = data.x.size(0), data.edge_attr.size(0)
        self._from, self._to = data.edge_index
        self._weights = [
            (layer.own.double(), layer.neighbour.double(), layer.bond.double(), layer.bias.double())
            for layer in model.convolutions
        ]
        own, neighbour = self._weights[0][:2]
        x, edge_attr = data.x.double(), data.edge_attr.double()
        self._own = _ends(baseline.x, x, own)
        self._neighbour = _ends(baseline.x, x, neighbour)
        self._bonds = [_ends(baseline.edge_attr, edge_attr, bond) for _, _, bond, _ in self._weights]
        activations = sum((self.num_atoms + 4 * self.num_edges) * len(bias) for *_, bias in self._weights)
        self.points_at_once = max(1, ACTIVATIONS_AT_ONCE // max(1, activations))

    def activations(self, atom_alphas: Tensor, bond_alphas: Tensor) -> list[Tensor]:
        """Every layer's activations, [points, num_atoms, channels] each.

        Args:
            atom_alphas: [points, num_atoms], bond_alphas: [points, num_edges].
        """
        found = []
        for layer, (own_weights, neighbour_weights, _, bias) in enumerate(self._weights):
            if layer:
                own, neighbour = linear(found[-1], own_weights), linear(found[-1], neighbour_weights)
            else:
                own, neighbour = _between(self._own, atom_alphas), _between(self._neighbour, atom_alphas)
            bond = _between(self._bonds[layer], bond_alphas).relu()
            messages = message(own.relu()[:, self._to], neighbour.relu()[:, self._from], bond)
            total = messages.new_zeros(own.shape).index_add(1, self._to, messages)
            found.append(update(total, bias))
        return found

    def outputs(self, last: Tensor, readout: str | None = None) -> Tensor:
        """F [points] from the last layer's activations, under the model's readout or another."""
        points = len(last)
        products = atom_products(last.flatten(0, 1))
        graph = torch.arange(points).repeat_interleave(self.num_atoms)
        return READOUTS[readout or self.readout](products, graph, points)

    def gradients(self, alphas: Tensor) -> tuple[Tensor, Tensor]:
        """dF by every atom's and every bond entry's alpha, all at ``alphas`` [points].

        Returns:
            [points, num_atoms] and [points, num_edges].
        """
        found = []
        for chunk in alphas.split(self.points_at_once):
            places = [
                chunk.unsqueeze(1).repeat(1, count).requires_grad_() for count in (self.num_atoms, self.num_edges)
            ]
            value = self.outputs(self.activations(*places)[-1]).sum()
            found.append(torch.autograd.grad(value, places, materialize_grads=True))
        atoms, bonds = zip(*found, strict=True)
        return torch.cat(atoms), torch.cat(bonds)

    @torch.no_grad()
    def values(self, alphas: Tensor) -> dict[str, Tensor]:
        """F [points] under every readout, all atoms and bonds at ``alphas`` [points]."""
        found: dict[str, list[Tensor]] = {name: [] for name in READOUTS}
        for chunk in alphas.split(self.points_at_once):
            column = chunk.unsqueeze(1)
            last = self.activations(column.expand(-1, self.num_atoms), column.expand(-1, self.num_edges))[-1]
            for name in READOUTS:
                found[name].append(self.outputs(last, name))
        return {name: torch.cat(parts) for name, parts in found.items()}


def _ends(start: Tensor, end: Tensor, weights: Tensor) -> tuple[Tensor, Tensor]:
    """``W . start`` and what has to be added to reach ``W . end``."""
    return linear(start, weights), linear(end - start, weights)


def _between(ends: tuple[Tensor, Tensor], alphas: Tensor) -> Tensor:
    return ends[0] + alphas.unsqueeze(-1) * ends[1]
