"""The library pattern by pattern: which molecules have the motif or resemble it, and where its two SMARTS disagree."""

from dataclasses import dataclass, fields
from functools import cache

import numpy as np

from ..cache import load_arrays, save_arrays
from ..molecules.sets import entries
from ..whitebox.catalogue import Pattern, fourteen
from .library_pass import kept_library, library_key, motifs
from .membership import Membership, membership
from .negatives import HARD_FROM, candidates
from .relaxed import Counts, PaperRow, compare_library, compare_smarts, paper_rows, read
from .similarity import Similarity, distributions

_COUNTED = tuple(field.name for field in fields(Counts) if field.name != "pattern")
_kept: dict[str, "Overview"] = {}


@dataclass(frozen=True)
class OverviewRow:
    """One motif.

    Attributes:
        pattern: whose motif; the variants of Pattern 12 share its row.
        positives, hard, other: the library's usable molecules with the motif; without it and with a Tversky similarity
            to it of at least 0.5; and all others.
        library, published: how often the two SMARTS disagree, on the library and on the published positives; None
            for the GINE whitebox, which has no original SMARTS.
        paper: the row of Table S9, or None where it is not known.
    """

    pattern: Pattern
    positives: int
    hard: int
    other: int
    library: Counts | None
    published: Counts | None
    paper: PaperRow | None


@dataclass(frozen=True)
class Overview:
    """The whole library.

    Attributes:
        molecules, usable: how many there are, and how many of them the benchmark uses.
        rows: one a motif, in the catalogue's order.
    """

    molecules: int
    usable: int
    rows: tuple[OverviewRow, ...]


def overview() -> Overview:
    """The numbers of every motif, kept in the cache folder; reports its progress, first of the pass over the library.

    Raises:
        InputError: the library is not installed.
        Stopped: the listener wants no more; what is complete is kept.
    """
    known = membership()
    key = library_key()
    if key not in _kept:
        counts = _kept_counts(key)
        if counts is None:
            counts = [compare_library(entry) for entry in fourteen()]
            save_arrays("smarts", key, {name: np.array([getattr(each, name) for each in counts]) for name in _COUNTED})
        _kept[key] = _overview(known, counts)
    return _kept[key]


def kept_overview() -> Overview | None:
    """What :func:`overview` kept, or None where it has yet to be made.

    Raises:
        InputError: the library is not installed.
    """
    key = library_key()
    if key in _kept:
        return _kept[key]
    return overview() if kept_library() is not None and _kept_counts(key) is not None else None


def similarity_groups(pattern: Pattern | str | int, measure: str = "tversky") -> dict[str, np.ndarray]:
    """Similarities to the motif as :func:`~wombat_core.screening.similarity.distributions`, negatives in two groups.

    Hard negatives are those with a Tversky similarity of at least 0.5, whatever the measure; groups may be empty.

    Returns:
        Name of the group to similarities, float [molecules of the group] in [0, 1].

    Raises:
        InputError: there is no such pattern or measure, or the library is not installed.
        Stopped: the listener wants no more.
    """
    known = membership()
    groups = distributions(pattern, measure)
    negative = groups.pop("library, without the motif")
    hard = Similarity(known.arrays).to(pattern)[known.places(pattern, contains=False)] >= HARD_FROM
    return groups | {"hard negatives": negative[hard], "other negatives": negative[~hard]}


def _overview(known: Membership, counts: list[Counts]) -> Overview:
    similar, rows = Similarity(known.arrays), []
    on_library = {each.pattern: each for each in counts}
    for entry in motifs():
        negatives = len(known.places(entry, contains=False))
        hard = len(candidates(known, similar, entry, "hard"))
        rows.append(
            OverviewRow(
                entry,
                len(known.places(entry)),
                hard,
                negatives - hard,
                on_library.get(entry.id),
                _on_published().get(entry.id),
                paper_rows().get(entry.id),
            )
        )
    return Overview(len(known), int(known.usable.sum()), tuple(rows))


@cache
def _on_published() -> dict[str, Counts]:
    return {entry.id: compare_smarts(read(list(entries("positives", entry.id))), entry) for entry in fourteen()}


def _kept_counts(key: str) -> list[Counts] | None:
    arrays = load_arrays("smarts", key)
    if arrays is None or set(arrays) != set(_COUNTED):
        return None
    return [
        Counts(entry.id, **{name: int(arrays[name][number]) for name in _COUNTED})
        for number, entry in enumerate(fourteen())
    ]
