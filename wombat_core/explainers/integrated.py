"""Integrated gradients, through Captum, with all steps of several molecules in one pass."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..paths.rules import METHODS, quadrature_rule
from ..settings import one_of, within
from .attribution import Attribution
from .explained import reads_bonds
from .gradient import split
from .method import SWITCHING, Method, NullReasons
from .start import baseline_setting, start_of

if TYPE_CHECKING:
    from torch import Tensor, nn

    from ..molecules.graphs import GraphBatch
    from ..whitebox.evaluation import ScaledEvaluation

MESSAGES_AT_ONCE = 2_000_000
MANY_STEPS = 500


@dataclass(frozen=True)
class IntegratedGradients(Method):
    """Gradients averaged along the straight path from a baseline to the input, times the way.

    Atoms and bonds move together (Captum ``IntegratedGradients`` with its defaults, as in the paper). The attributions
    approach F(x) - F(baseline) in sum as the steps grow.

    Args:
        steps: quadrature points.
        method: Captum's quadrature rule.
        baseline: where the path begins: all zero (zero, the paper's), the library's mean atom and mean bond
            (mean-atom), no atom features but all bonds (bonds-kept), or the molecule without the features of one
            element's atoms (without-N).

    Raises:
        InputError: a molecule has no such baseline.
    """

    steps: int = within(50, 1, 100_000)
    method: str = one_of("gausslegendre", *METHODS)
    baseline: str = baseline_setting()

    name: ClassVar[str] = "integrated-gradients"
    title: ClassVar[str] = "Integrated gradients"
    summary: ClassVar[str] = (
        "Gradients gathered while all features fade in from zero; on a fine enough grid they sum to F(x) - F(0)."
    )
    expensive: ClassVar[bool] = False
    when_null: ClassVar[str] = (
        "Only where F stays zero all the way from the empty input, as on most molecules without the motif: otherwise "
        "the attributions share out F(x) - F(0)."
    )
    null_reasons: ClassVar[NullReasons] = SWITCHING
    masks: ClassVar[tuple[str, ...]] = ("node", "feature")
    node_seconds: ClassVar[float] = 0.004

    def attribute(self, model: nn.Module, batch: GraphBatch) -> list[Attribution]:
        import torch
        from captum.attr import IntegratedGradients as CaptumIntegratedGradients

        from ..whitebox.evaluation import scaled_evaluation

        start = time.perf_counter()
        part = scaled_evaluation(model, batch, start=start_of(batch, self.baseline))
        # Bonds move only where atoms do.
        if part.atom_entries.size(1):

            def summed(atom_scales: Tensor, bond_scales: Tensor | None = None) -> Tensor:
                bond_scales = atom_scales.new_ones(len(atom_scales), 0) if bond_scales is None else bond_scales
                return part(atom_scales, bond_scales).sum(dim=1)

            # Captum takes no empty tensor, so where no bond matters there are atoms only.
            entries = [own.size(1) for own in (part.atom_entries, part.bond_entries) if own.size(1)]
            ones = tuple(torch.ones(1, count) for count in entries)
            at_once = max(1, MESSAGES_AT_ONCE // part.size)
            atoms, *rest = self._walk(CaptumIntegratedGradients(summed), ones, at_once)
            bonds = rest[0] if rest else torch.zeros(1, 0)
        else:
            atoms, bonds = torch.zeros(1, 0), torch.zeros(1, 0)
        x, edge_attr = scattered(part, atoms[0], bonds[0], batch)
        bonds = edge_attr if reads_bonds(model) else None
        return split(x, bonds, batch, (time.perf_counter() - start) / batch.num_graphs)

    def _walk(self, method, ones: tuple[Tensor, ...], at_once: int) -> tuple[Tensor, ...]:
        """Captum's attributions of the entries, ``at_once`` steps in a pass."""
        import torch

        if self.steps <= MANY_STEPS:
            found = method.attribute(
                ones, n_steps=self.steps, method=self.method, internal_batch_size=min(self.steps, at_once)
            )
            return tuple(part.detach().float() for part in found)
        # Captum works Gauss-Legendre nodes out anew, in a time that grows with the cube of their number, but takes
        # nodes that it is given.
        alphas, sizes = quadrature_rule(self.method, self.steps)
        baselines = total = tuple(map(torch.zeros_like, ones))
        for start in range(0, self.steps, at_once):
            nodes = sizes[start : start + at_once].tolist(), alphas[start : start + at_once].tolist()
            found = method._attribute(ones, baselines, n_steps=len(nodes[0]), step_sizes_and_alphas=nodes)
            total = tuple(so_far + part.detach() for so_far, part in zip(total, found, strict=True))
        return tuple(part.float() for part in total)


def scattered(part: ScaledEvaluation, atoms: Tensor, bonds: Tensor, batch: GraphBatch) -> tuple[np.ndarray, np.ndarray]:
    """Put attributions of live entries back into arrays shaped like ``x`` and ``edge_attr``; zero elsewhere."""
    import torch

    x, edge_attr = torch.zeros(batch.x.shape), torch.zeros(batch.edge_attr.shape)
    x[tuple(part.atom_entries)] = atoms
    edge_attr[tuple(part.bond_entries)] = bonds
    return x.numpy(), edge_attr.numpy()
