"""Where explainers that walk or switch between a baseline and the input begin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..settings import matching

if TYPE_CHECKING:
    from torch import Tensor

    from ..molecules.graphs import GraphBatch

ZERO = "zero"


def baseline_setting() -> Any:
    """The field ``baseline`` of an explainer."""
    return matching(
        ZERO,
        "zero|mean-atom|bonds-kept|without-[A-Z][a-z]?",
        "zero, mean-atom, bonds-kept, or without- and an element, such as without-N",
        ZERO,
        "mean-atom",
        "bonds-kept",
        *(f"without-{symbol}" for symbol in ("C", "N", "O", "F", "P", "S", "Cl")),
        later=True,
    )


def start_of(batch: GraphBatch, baseline: str) -> tuple[Tensor, Tensor] | None:
    """``x`` and ``edge_attr`` of every graph of a batch at a baseline, double precision; None where all zero.

    Raises:
        InputError: a graph has no such baseline.
    """
    import torch

    from ..molecules.features import NUM_ATOM_FEATURES
    from ..paths import baselines

    if baseline == ZERO:
        return None
    width = batch.x.size(1)
    if baseline != "bonds-kept" and (
        width < NUM_ATOM_FEATURES or (baseline == "mean-atom" and width > NUM_ATOM_FEATURES)
    ):
        raise InputError(f"The baseline {baseline} is for molecules in WOMBAT's encoding; these graphs have another.")
    starts = [baselines.baseline(baseline, graph) for graph in batch.to_data_list()]
    return torch.cat([start.x for start in starts]), torch.cat([start.edge_attr for start in starts])
