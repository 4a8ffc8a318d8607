"""Shapley value sampling, through Captum."""

import time
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor
from torch_geometric.data import Batch

from ..whitebox.active_part import ActivePart
from ..whitebox.model import Whitebox
from .attribution import Attribution
from .integrated import scattered
from .seeding import graph_seed

EVALUATIONS_AT_ONCE = 256


@dataclass(frozen=True)
class ShapleyValueSampling:
    """Shapley values estimated over random orders in which atoms and bond entries are switched on.

    The players are the atoms (all features of one together) and the directed bond entries (Captum
    ``ShapleyValueSampling``). Players that cannot reach the readout earn exactly zero in any order and are
    not sampled. The same seed gives a molecule the same answer, alone or in a batch.

    Args:
        samples: random orders.
        seed: of the random orders.
    """

    samples: int = 100
    seed: int = 0

    name: ClassVar[str] = "shapley-value-sampling"
    title: ClassVar[str] = "Shapley value sampling"
    summary: ClassVar[str] = (
        "What an atom adds to the prediction, on average over random orders of switching atoms and bonds on."
    )
    expensive: ClassVar[bool] = False

    def attribute(self, model: Whitebox, batch: Batch) -> list[Attribution]:
        return [self._one(model, Batch.from_data_list([graph])) for graph in batch.to_data_list()]

    def _one(self, model: Whitebox, graph: Batch) -> Attribution:
        from captum.attr import ShapleyValueSampling as CaptumShapleyValueSampling

        start = time.perf_counter()
        part = ActivePart(model, graph)
        atoms, bonds = torch.zeros(1, 0), torch.zeros(1, 0)
        if part.size:

            def value(atom_scales: Tensor, bond_scales: Tensor) -> Tensor:
                return part(atom_scales, bond_scales)[:, 0]

            _, atom_players = torch.unique(part.atom_entries[0], return_inverse=True)
            _, bond_players = torch.unique(part.bond_entries[0], return_inverse=True)
            with torch.random.fork_rng(devices=[]):
                torch.manual_seed(graph_seed(self.seed, graph))
                atoms, bonds = CaptumShapleyValueSampling(value).attribute(
                    (torch.ones(1, part.atom_entries.size(1)), torch.ones(1, part.bond_entries.size(1))),
                    feature_mask=(
                        atom_players.unsqueeze(0),
                        bond_players.unsqueeze(0) + int(atom_players.max()) + 1,
                    ),
                    n_samples=self.samples,
                    perturbations_per_eval=EVALUATIONS_AT_ONCE,
                )
            # Captum gives each entry its player's whole value; an atom's entries must not count it twice.
            share = torch.bincount(atom_players)[atom_players]
            atoms = atoms / share
        x, edge_attr = scattered(part, atoms[0], bonds[0], graph)
        return Attribution(x, edge_attr, time.perf_counter() - start)
