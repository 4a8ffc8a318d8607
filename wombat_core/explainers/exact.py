"""Integrated gradients without a quadrature error: the integral piece by piece."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ..progress import report
from .attribution import Attribution
from .explained import reads_bonds
from .gradient import split
from .method import SWITCHING, Method, NullReasons
from .start import baseline_setting, start_of

if TYPE_CHECKING:
    from torch import nn

    from ..molecules.graphs import GraphBatch

GRAPHS_AT_ONCE = 64


@dataclass(frozen=True)
class ExactIntegratedGradients(Method):
    """The integral that integrated gradients approximates by steps, to 1e-7 or better.

    F is piecewise polynomial along the straight path from an all-zero input; the gradient is integrated from
    kink to kink in double precision, so that all attributions sum to F(x) - F(0). Networks of another kind, and paths
    from the mean atom, are integrated to the same tolerance, more slowly.

    Args:
        baseline: where the path begins, as in integrated gradients.

    Raises:
        InputError: a molecule has no such baseline.
    """

    baseline: str = baseline_setting()

    name: ClassVar[str] = "integrated-gradients-exact"
    title: ClassVar[str] = "Integrated gradients, exact"
    summary: ClassVar[str] = (
        "Integrated gradients in the limit of infinitely many steps: the attributions sum to F(x) - F(0) exactly."
    )
    expensive: ClassVar[bool] = False
    when_null: ClassVar[str] = (
        "Only where F stays zero all the way from the empty input, as on most molecules without the motif: otherwise "
        "the attributions share out F(x) - F(0)."
    )
    null_reasons: ClassVar[NullReasons] = SWITCHING
    masks: ClassVar[tuple[str, ...]] = ("node", "feature")
    node_seconds: ClassVar[float] = 0.1

    def attribute(self, model: nn.Module, batch: GraphBatch) -> list[Attribution]:
        from ..molecules.graphs import GraphBatch

        graphs = batch.to_data_list()
        found = []
        for first in range(0, len(graphs), GRAPHS_AT_ONCE):
            found += _some(model, GraphBatch.from_data_list(graphs[first : first + GRAPHS_AT_ONCE]), self.baseline)
            report(len(found) / len(graphs))
        return found


def _some(model: nn.Module, batch: GraphBatch, baseline: str) -> list[Attribution]:
    import torch

    from ..paths.exact import integrate_path
    from ..paths.ray import Ray

    start = time.perf_counter()
    ray = Ray(model, batch, start_of(batch, baseline))
    atoms, bonds = integrate_path(ray)
    x = torch.zeros(batch.x.shape, dtype=torch.float64)
    edge_attr = torch.zeros(batch.edge_attr.shape, dtype=torch.float64)
    x[tuple(ray.atom_entries)] = torch.from_numpy(atoms)
    edge_attr[tuple(ray.bond_entries)] = torch.from_numpy(bonds)
    bonds = edge_attr.numpy() if reads_bonds(model) else None
    return split(x.numpy(), bonds, batch, (time.perf_counter() - start) / batch.num_graphs)
