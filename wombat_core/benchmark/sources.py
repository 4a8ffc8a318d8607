"""The molecules of a plan, streamed and cut into chunks that depend on nothing but the plan."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from ..errors import InputError
from ..molecules.distinct import Distinct
from ..molecules.library import library_size
from ..molecules.parse_problems import shorten
from ..molecules.positives import positives_of
from ..molecules.sets import Entry, entries, entries_of_file
from ..screening.negatives import negatives
from ..whitebox import catalogue
from .plan import FILE, Plan

CHARACTERS = 8000
"""Characters of SMILES in a chunk, about 270 molecules of the library."""
EXPENSIVE_CHARACTERS = 400
"""The same for explainers that take long: a chunk is what a killed run loses."""
_KINDS = {"negatives": "random", "hard-negatives": "hard"}


class Unreadable(NamedTuple):
    """A record of a file that is no molecule.

    ``place`` is its line or record, ``problem`` the sentence that says why.
    """

    place: int
    problem: str


Source = Entry | Unreadable


def check(plan: Plan) -> None:
    """Whether there are molecules at all, as far as can be told at once.

    Raises:
        InputError: there are none for one of the patterns, or the file as a whole cannot be used.
    """
    if plan.molecules in _KINDS:  # every pattern has some, and drawing them takes long
        return
    for id in plan.patterns if plan.by_pattern else plan.patterns[:1]:
        next(sources(plan, id), None)


def sources(plan: Plan, pattern: str) -> Iterator[Source]:
    """The molecules on which a pattern's whiteboxes are to be explained, in the order of their places.

    Raises:
        InputError: at once, where the set has none for this pattern or the file cannot be used.
    """
    if plan.molecules == FILE:
        return islice(_once(_of_file(plan)) if plan.unique else _of_file(plan), plan.limit)
    found = _of_set(plan, pattern)
    return _once(found) if plan.unique else found


def _once(stream: Iterator[Source]) -> Iterator[Source]:
    """Each molecule once; records that are no molecules stay."""
    seen = Distinct()
    return (each for each in stream if isinstance(each, Unreadable) or seen.is_new(each.smiles, each.place))


def _of_set(plan: Plan, pattern: str) -> Iterator[Source]:
    if plan.molecules == "library":
        size = library_size()
        if plan.limit is None or plan.limit >= size:
            return entries("library")
        return entries("library", places=(index * size // plan.limit for index in range(plan.limit)))
    if plan.molecules == "positives":
        if positives_of(pattern) is None:
            title = shorten(catalogue.pattern(pattern).title)
            raise InputError(
                f"Positives were published for patterns 1 to 14 only, not for {title}; take the library or a file."
            )
        return islice(entries("positives", pattern), plan.limit)
    return iter(negatives(pattern, _KINDS[plan.molecules], plan.limit, plan.seed))


def _of_file(plan: Plan) -> Iterator[Source]:
    found: list[tuple[int, InputError]] = []
    records = entries_of_file(plan.file, column=plan.column, on_error=lambda place, error: found.append((place, error)))
    return _in_order(records, found)


def _in_order(records: Iterator[Entry], failed: list[tuple[int, InputError]]) -> Iterator[Source]:
    """Entries and failed records in one stream; ``failed`` fills while the records are read."""
    for record in records:
        while failed:
            place, error = failed.pop(0)
            yield Unreadable(place, str(error))
        yield record
    for place, error in failed:
        yield Unreadable(place, str(error))


def size(plan: Plan, pattern: str) -> int | None:
    """How many molecules the plan has for a pattern, or None where that cannot be told at once."""
    if plan.molecules == "positives":
        return sum(1 for _ in sources(plan, pattern))
    if plan.molecules == "library":
        return min(plan.limit or library_size(), library_size())
    return plan.limit if plan.molecules in _KINDS else None


def chunks(stream: Iterator[Source], characters: int) -> Iterator[tuple[Source, ...]]:
    """Cut a stream (or a chunk) into runs of at most ``characters`` of SMILES; a longer molecule stands alone."""
    chunk, length = [], 0
    for source in stream:
        own = len(source.smiles) if isinstance(source, Entry) else 1
        if chunk and length + own > characters:
            yield tuple(chunk)
            chunk, length = [], 0
        chunk.append(source)
        length += own
    if chunk:
        yield tuple(chunk)
