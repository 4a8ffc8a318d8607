"""The molecules of a search that are neither failures nor successes, and why."""

from collections import Counter
from collections.abc import Iterable

from ..whitebox.catalogue import pattern
from .kinds import Sorted
from .search import TOO_LARGE, UNUSABLE, Finding, Spec

_LEFT_OUT = {UNUSABLE: "that the benchmark leaves out", TOO_LARGE: "too large for an explainer that samples"}


def uncounted(found: Sorted, left_out: Iterable[tuple[int, str]], others: int = 0, contains: bool = True) -> str:
    """How many molecules are not counted and why: "3 whose every atom is ground truth, 1 that cannot be read".

    Args:
        found: findings by one way of failing.
        left_out: place and reason of molecules that were not explained, see ``search.Batch``.
        others: molecules of a mixed set that a search for those with the motif (``contains``), or without, passed over.

    Returns:
        The reasons, "" where all are counted.
    """
    counts = Counter(map(_why_open, found.open))
    counts.update(_LEFT_OUT.get(why, "that cannot be read") for _, why in left_out)
    counts["without the motif" if contains else "with the motif"] += others
    return ", ".join(f"{count:,} {why}" for why, count in counts.items() if count)


def _why_open(finding: Finding) -> str:
    if any(row is not None and row.problem is not None for row in (finding.row, finding.other)):
        return "without an answer"
    return "whose every atom is ground truth"


def nothing_there(spec: Spec) -> str:
    """The sentence for a set without any molecule to explain."""
    if spec.among == "file":
        return "The file contains no molecule that can be used."
    which = "with" if spec.contains else "without"
    return f"The library contains no molecule {which} the motif of {pattern(spec.pattern).title}."
