"""The sets of molecules in which failures are searched."""

AMONG = {True: ("positives", "library", "file"), False: ("library", "hard", "file")}
"""The sets to search, by whether the molecules are to contain the motif. Without it, "library" is drawn at random."""
NEGATIVES = 2000
"""Molecules without the motif that a search draws, unless it says otherwise."""


def sets_for(pattern: str, contains: bool) -> tuple[str, ...]:
    """The sets to search for a pattern; only the fourteen patterns and their variants have published positives."""
    published = pattern.split("-", 1)[0].isdecimal()
    return tuple(name for name in AMONG[contains] if published or name != "positives")
