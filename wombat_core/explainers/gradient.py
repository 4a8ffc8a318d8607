"""Explainers that take one gradient at the input, through Captum: saliency, input x gradient."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .attribution import Attribution
from .explained import reads_bonds
from .method import GRADIENT, Method, NullReasons

if TYPE_CHECKING:
    from torch import Tensor, nn

    from ..molecules.graphs import GraphBatch


@dataclass(frozen=True)
class Saliency(Method):
    """The absolute gradient of F with respect to every feature (Captum ``Saliency``)."""

    name: ClassVar[str] = "saliency"
    title: ClassVar[str] = "Saliency"
    summary: ClassVar[str] = (
        "The absolute gradient of the prediction: how fast it would change if a feature moved a little."
    )
    expensive: ClassVar[bool] = False
    when_null: ClassVar[str] = (
        "Under r2 wherever an atom has p = 1 or more: relu(1 - p) is flat there, so the gradient is zero everywhere; "
        "under either readout where no atom has p above zero."
    )
    null_reasons: ClassVar[NullReasons] = GRADIENT
    masks: ClassVar[tuple[str, ...]] = ("node", "feature")
    node_seconds: ClassVar[float] = 0.0004

    def attribute(self, model: nn.Module, batch: GraphBatch) -> list[Attribution]:
        from captum.attr import Saliency as CaptumSaliency

        return _at_the_input(CaptumSaliency, model, batch)


@dataclass(frozen=True)
class InputXGradient(Method):
    """The gradient of F times the feature's value (Captum ``InputXGradient``)."""

    name: ClassVar[str] = "input-x-gradient"
    title: ClassVar[str] = "Input × gradient"
    summary: ClassVar[str] = "The gradient of the prediction times the feature: only features that are there count."
    expensive: ClassVar[bool] = False
    when_null: ClassVar[str] = (
        "Under r2 wherever an atom has p = 1 or more: relu(1 - p) is flat there, so the gradient is zero everywhere; "
        "under either readout where no atom has p above zero."
    )
    null_reasons: ClassVar[NullReasons] = GRADIENT
    masks: ClassVar[tuple[str, ...]] = ("node", "feature")
    node_seconds: ClassVar[float] = 0.0004

    def attribute(self, model: nn.Module, batch: GraphBatch) -> list[Attribution]:
        from captum.attr import InputXGradient as CaptumInputXGradient

        return _at_the_input(CaptumInputXGradient, model, batch)


def _at_the_input(method, model: nn.Module, batch: GraphBatch) -> list[Attribution]:
    """Run a one-gradient Captum method on all graphs at once: they share no edge, so none sees another."""
    start = time.perf_counter()

    def forward(x: Tensor, edge_attr: Tensor = batch.edge_attr) -> Tensor:
        return model(x, batch.edge_index, edge_attr, batch.batch)

    found = method(forward).attribute(inputs_of(model, batch))
    seconds = (time.perf_counter() - start) / batch.num_graphs
    return split(*arrays_of(found), batch, seconds)


def inputs_of(model: nn.Module, batch: GraphBatch) -> tuple[Tensor, ...]:
    """What gradients are taken of: copies of ``x`` and, where the network reads it, of ``edge_attr``."""
    inputs = (batch.x, batch.edge_attr) if reads_bonds(model) else (batch.x,)
    return tuple(tensor.detach().clone().requires_grad_() for tensor in inputs)


def arrays_of(found: tuple[Tensor, ...]) -> tuple[np.ndarray, np.ndarray | None]:
    """Attributions of :func:`inputs_of` as arrays, None for bonds that are not read."""
    atoms, *bonds = (part.detach().numpy() for part in found)
    return atoms, bonds[0] if bonds else None


def split(atoms: np.ndarray, bonds: np.ndarray | None, batch: GraphBatch, seconds: float) -> list[Attribution]:
    """Cut a batch's attributions into one a graph.

    Args:
        atoms: [all atoms, features], or [all atoms] where there is one number an atom.
        bonds: [all edges, bond features], or [all edges], or None.
        batch: the graphs.
        seconds: of each.
    """
    atom_cuts = batch.ptr.numpy()
    edge_cuts = np.searchsorted(batch.batch[batch.edge_index[0]].numpy(), np.arange(batch.num_graphs + 1))
    widths = batch.x.size(1), batch.edge_attr.size(1)
    return [
        Attribution.of_arrays(
            atoms[atom_cuts[graph] : atom_cuts[graph + 1]],
            None if bonds is None else bonds[edge_cuts[graph] : edge_cuts[graph + 1]],
            widths,
            seconds,
        )
        for graph in range(batch.num_graphs)
    ]
