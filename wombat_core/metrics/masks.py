"""From importance to a mask: which nodes, edges or features an explanation says matter."""

import numpy as np

from ..registry import check_name

RULES = ("top-25%", "above-0.8", "above-0.1-max")
"""How importance becomes a mask. "top-25%": the paper's. "above-0.8" and "above-0.1-max": the defaults of the released
code (metrics/base.py#L30 and metrics_graph.py#L33), on the explainer's own scale."""
SHARE = 0.25
TIES = 0
"""Seed of the order in which equal scores are kept."""


def binarise(scores: np.ndarray, rule: str = "top-25%") -> np.ndarray:
    """The mask of some scores, bool [entries].

    "top-25%" keeps the k highest, k a quarter of the entries rounded to the nearest whole number (halves up), at least
    1. Which of equal scores are kept is drawn once for each number of entries, from a fixed seed and nothing else: the
    order of the entries says something of the ground truth (the motif's nodes come first in a generated subgraph), so
    keeping the earlier or the later would favour or punish explainers with ties. An entry of score zero is never kept:
    so an explanation that marks fewer than k entries is not filled up, and one that is zero everywhere gives an empty
    mask. "above-0.8" keeps scores above 0.8, "above-0.1-max" those above a tenth of the highest.

    Args:
        scores: importance [entries], not negative.
        rule: one of ``RULES``.

    Raises:
        InputError: no such rule.
    """
    scores = np.asarray(scores, dtype=np.float64)
    check_name("rule for masks", rule, RULES)
    if rule == "above-0.8":
        return scores > 0.8
    if rule == "above-0.1-max":
        return scores > 0.1 * scores.max(initial=0.0)
    kept = np.zeros(len(scores), dtype=bool)
    # A seed for each number of entries: with one for all, the orders of nearby numbers would be alike.
    order = np.random.default_rng((TIES, len(scores))).permutation(len(scores))
    kept[order[np.argsort(-scores[order], kind="stable")[: quarter(len(scores))]]] = True
    return kept & (scores > 0)


def quarter(entries: int) -> int:
    """How many entries "top-25%" keeps of so many: the nearest whole number, halves up, at least 1."""
    return max(1, int(SHARE * entries + 0.5))
