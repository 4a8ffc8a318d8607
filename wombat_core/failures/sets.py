"""The sets of molecules in which failures are searched."""

from ..errors import InputError

AMONG = {True: ("positives", "library", "file"), False: ("library", "hard", "file")}
"""The sets to search, by whether the molecules are to contain the motif. Without it, "library" is drawn at random."""
NEGATIVES = 2000
"""Molecules without the motif that a search draws, unless it says otherwise."""


def check_set(pattern: str, contains: bool, among: str) -> None:
    """Whether a set can be searched for a pattern.

    Raises:
        InputError: it cannot; the sentence says why and names the sets that can.
    """
    there = sets_for(pattern, contains)
    if among in there:
        return
    if among not in AMONG[True] + AMONG[False]:
        why = f"There is no set {among[:40]!r}"
    elif contains == (among in AMONG[True]):
        why = f"There are no published positives of pattern {pattern!r}"
    elif contains:
        why = f"The molecules of the set '{among}' do not contain the motif, so they have no AUROC"
    else:
        why = f"The molecules of the set '{among}' contain the motif, and the IQR criterion is for those that do not"
    raise InputError(f"{why}; choose {' or '.join(name for name in there if name != 'file')}.")


def sets_for(pattern: str, contains: bool) -> tuple[str, ...]:
    """The sets to search for a pattern; only the fourteen patterns and their variants have published positives."""
    published = pattern.split("-", 1)[0].isdecimal()
    return tuple(name for name in AMONG[contains] if published or name != "positives")
