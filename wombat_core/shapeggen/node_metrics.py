"""The metrics of explanations on nodes, by name; a new one is a function and an entry here, or ``METRICS.register``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..metrics.summary import Summary, of_gaps, of_values
from ..registry import Registry

if TYPE_CHECKING:
    from .scored import Scored


@dataclass(frozen=True)
class NodeMetric:
    """How masks of explanations on nodes are scored.

    Attributes:
        meaning: for people, with what is better.
        values: of the scored masks: one number a node, nan where undefined; None where ``together`` is given.
        together: of the scored masks and a seed: one summary of all nodes together.
        higher_is_better: else lower is.
        copies, flipped: whether it needs perturbed copies, or counterfactuals, to be explained as well.
    """

    meaning: str
    values: Callable[[Scored], Sequence[float]] | None = None
    together: Callable[[Scored, int], Summary] | None = None
    higher_is_better: bool = False
    copies: bool = False
    flipped: bool = False

    def of(self, scored: Scored, seed: int) -> tuple[Summary, tuple[float, ...] | None]:
        """The summary, and the value of every node where there is one."""
        if self.together is not None:
            return self.together(scored, seed), None
        if self.values is None:
            raise AssertionError("a metric has values or is of all nodes together")
        values = tuple(self.values(scored))
        return of_values(values), values


METRICS: Registry[NodeMetric] = Registry(
    "metric",
    {
        "GEA": NodeMetric(
            "accuracy: Jaccard index with the ground truth, higher is better (Eq. 3, 4)",
            lambda scored: scored.gea(),
            higher_is_better=True,
        ),
        "GEF": NodeMetric(
            "unfaithfulness: how far the answer moves when only the mask is shown, lower is better (Eq. 5)",
            lambda scored: scored.gef(),
        ),
        "GES": NodeMetric(
            "instability: how far the mask moves between perturbed copies, lower is better (Eq. 6)",
            lambda scored: scored.ges(),
            copies=True,
        ),
        "GECF": NodeMetric(
            "counterfactual fairness mismatch: how far the mask moves with the protected feature (Eq. 7)",
            lambda scored: scored.gecf(),
            flipped=True,
        ),
        "GEGF": NodeMetric(
            "group fairness mismatch: how far statistical parity moves when only masks are shown (Eq. 8)",
            together=lambda scored, seed: of_gaps(*scored.parities(), seed),
        ),
    },
)
"""GraphXAI's five, in the paper's order."""
