"""Molecules without the motif: any of them, or those that resemble it."""

from collections.abc import Sequence

import numpy as np

from ..errors import InputError
from ..molecules.sets import Entry, entries
from ..registry import check_name
from ..whitebox.catalogue import Pattern
from .library_pass import column
from .membership import Membership, membership
from .similarity import Similarity

KINDS = ("random", "hard")
HARD_FROM = 0.5
"""Least Tversky similarity of a hard negative to the motif."""


def negatives(
    pattern: Pattern | str | int,
    kind: str = "random",
    limit: int | None = None,
    seed: int = 0,
    among: Sequence[Entry] | None = None,
) -> list[Entry]:
    """Usable molecules without the motif, drawn at random, as the paper builds its negatives.

    Args:
        pattern: its id; a variant gets the molecules of its pattern.
        kind: "random", from all of them, or "hard", from those with a Tversky similarity to the motif (alpha = 1
            on the motif, beta = 0; Morgan fingerprints of radius 2) of at least 0.5.
        limit: how many at most; all where None. There may be fewer: the library has 7 hard ones for Pattern 5.
        seed: of the draw. A smaller limit gives the first molecules of a larger one.
        among: the molecules to draw from; the library where None.

    Returns:
        In the order in which they were drawn, none twice.

    Raises:
        InputError: there is no such pattern or kind, or the limit is negative.
        Stopped: the listener wants no more.
    """
    column(pattern)
    check_name("kind of negatives", kind, KINDS)
    if limit is not None and limit < 0:
        raise InputError(f"The limit of negatives is {limit}; it must not be negative.")
    known = membership(among)
    drawn = draw(known, Similarity(known.arrays), pattern, kind, limit, seed)
    if among is not None:
        return [among[place] for place in drawn]
    found = {entry.place: entry for entry in entries("library", places=drawn)}
    return [found[place] for place in drawn.tolist()]


def draw(
    known: Membership,
    similar: Similarity,
    pattern: Pattern | str | int,
    kind: str = "random",
    limit: int | None = None,
    seed: int = 0,
) -> np.ndarray:
    """The draw of :func:`negatives`, as positions in the set, int [molecules]."""
    places = candidates(known, similar, pattern, kind)
    return np.random.default_rng([seed, column(pattern)]).permutation(places)[:limit]


def candidates(known: Membership, similar: Similarity, pattern: Pattern | str | int, kind: str) -> np.ndarray:
    """Positions of all negatives of a kind, int, ascending."""
    places = known.places(pattern, contains=False)
    return places[similar.to(pattern)[places] >= HARD_FROM] if kind == "hard" else places
