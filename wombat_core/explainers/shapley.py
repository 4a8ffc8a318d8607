"""Shapley value sampling, through Captum."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from .. import progress
from ..settings import within
from .attribution import Attribution
from .explained import reads_bonds
from .integrated import scattered
from .method import SWITCHING, Method, NullReasons
from .seeding import graph_seed, seeded
from .start import baseline_setting, start_of

if TYPE_CHECKING:
    from torch import Tensor, nn

    from ..molecules.graphs import GraphBatch

EVALUATIONS_AT_ONCE = 256


@dataclass(frozen=True)
class ShapleyValueSampling(Method):
    """Shapley values estimated over random orders in which atoms and bond entries are switched on.

    The players are the atoms (all features of one together) and the directed bond entries (Captum
    ``ShapleyValueSampling``). Players that cannot reach the readout earn exactly zero in any order and are
    not sampled. The same seed gives a molecule the same answer, alone or in a batch.

    Args:
        samples: random orders.
        seed: of the random orders.
        baseline: what an atom or bond is while it is off, as in integrated gradients.

    Raises:
        InputError: a molecule has no such baseline.
    """

    samples: int = within(100, 1, 100_000)
    seed: int = within(0, 0, 2**31 - 1)
    baseline: str = baseline_setting()

    name: ClassVar[str] = "shapley-value-sampling"
    title: ClassVar[str] = "Shapley value sampling"
    summary: ClassVar[str] = (
        "What an atom adds to the prediction, on average over random orders of switching atoms and bonds on."
    )
    expensive: ClassVar[bool] = False
    when_null: ClassVar[str] = (
        "Only where no choice of atoms and bonds makes F positive, as on most molecules without the motif, or where "
        "all atoms play the same part."
    )
    null_reasons: ClassVar[NullReasons] = SWITCHING
    node_seconds: ClassVar[float] = 0.1

    def attribute(self, model: nn.Module, batch: GraphBatch) -> list[Attribution]:
        from ..molecules.graphs import GraphBatch

        return progress.each(batch.to_data_list(), lambda graph: self._one(model, GraphBatch.from_data_list([graph])))

    def _one(self, model: nn.Module, graph: GraphBatch) -> Attribution:
        import torch
        from captum.attr import ShapleyValueSampling as CaptumShapleyValueSampling

        from ..whitebox.evaluation import scaled_evaluation

        start = time.perf_counter()
        part = scaled_evaluation(model, graph, start=start_of(graph, self.baseline))
        atoms, bonds = torch.zeros(1, 0), torch.zeros(1, 0)
        if part.atom_entries.size(1):
            players, masks = _players(part.atom_entries[0], part.bond_entries[0])
            entries = [torch.ones(1, mask.size(1)) for mask in masks]
            done = 0

            def value(atom_scales: Tensor, bond_scales: Tensor | None = None) -> Tensor:
                nonlocal done
                done += len(atom_scales)
                progress.report(done / (self.samples * players))
                # Captum takes no empty tensor, so a molecule without live bonds has atoms only.
                bond_scales = atom_scales.new_ones(len(atom_scales), 0) if bond_scales is None else bond_scales
                return part(atom_scales, bond_scales)[:, 0]

            with seeded(graph_seed(self.seed, graph)):
                atoms, *rest = CaptumShapleyValueSampling(value).attribute(
                    tuple(entries),
                    feature_mask=tuple(masks),
                    n_samples=self.samples,
                    perturbations_per_eval=EVALUATIONS_AT_ONCE,
                )
            # Captum gives each entry its player's whole value; a player's entries must not count it twice.
            atoms, *rest = (
                values / torch.bincount(mask[0])[mask] for values, mask in zip((atoms, *rest), masks, strict=True)
            )
            bonds = rest[0] if rest else bonds
        x, edge_attr = scattered(part, atoms[0], bonds[0], graph)
        bonds = edge_attr if reads_bonds(model) else None
        return Attribution(x, bonds, time.perf_counter() - start)


def _players(atoms: Tensor, edges: Tensor) -> tuple[int, list[Tensor]]:
    """The number of players, and the player of every live entry: [1, atom entries], then [1, bond entries] if any.

    Args:
        atoms: the atom of every live atom entry; edges: the edge of every live bond entry.
    """
    import torch

    count, masks = 0, []
    for owners in (atoms, edges):
        if len(owners):
            distinct, player = torch.unique(owners, return_inverse=True)
            masks.append(player.unsqueeze(0) + count)
            count += len(distinct)
    return count, masks
