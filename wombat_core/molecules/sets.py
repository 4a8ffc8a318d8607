"""Sets of molecules to search and to score: the published positives, the library, a user's file."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile

from ..errors import InputError
from ..registry import no_such
from .files import read_molecules
from .library import identifiers_file, library_rows, library_size
from .molecule import Molecule
from .positives import positives_of
from .record import Record

SET_NAMES = ("positives", "library")
"""Sets that need no file: molecules published with the paper (``data/positives.csv``), and the 71,347
PubChem identifiers that the package ``chemicals`` ships."""


@dataclass(frozen=True)
class Entry:
    """One molecule of a set, not parsed yet.

    Attributes:
        place: its position in the set, from 0; for a file, the line or record as in the file, from 1.
        smiles: a SMILES; atoms are counted in its order.
        name: a name to show, or None.
    """

    place: int
    smiles: str
    name: str | None = None


def entries(name: str, pattern: str | int | None = None, places: Iterable[int] | None = None) -> Iterator[Entry]:
    """The molecules of a set, in the order of the set.

    Args:
        name: one of ``SET_NAMES``.
        pattern: whose positives; a variant ("12-leaf") shares its pattern's. Only for "positives".
        places: only these positions (from 0), whatever their order; all where None.

    Raises:
        InputError: at once, where there is no such set, the positives' pattern is missing or has none, or a
            place is outside the set.
    """
    if name == "positives":
        smiles = _positives(pattern)
        return _chosen((Entry(place, text) for place, text in enumerate(smiles)), places, len(smiles), name)
    if name == "library":
        identifiers_file()
        rows = (Entry(place, row.smiles, row.name) for place, row in enumerate(library_rows()))
        return _chosen(rows, places, library_size(), name)
    raise no_such("set of molecules", name, SET_NAMES)


def entries_of_file(
    source,
    filename: str | None = None,
    column: str | None = None,
    on_error: Callable[[int, InputError], object] | None = None,
) -> Iterator[Entry]:
    """The molecules of a user's file (CSV, TSV, SMI, SDF, MOL), in the order of the file.

    Args:
        source, filename, column: as :func:`wombat_core.molecules.files.read_molecules`.
        on_error: called with place and error of every record that is no molecule; the others go on. Where
            None, the first such error is raised.

    Raises:
        InputError: at once, where the file as a whole cannot be used.
    """
    return _read(read_molecules(source, filename, column), on_error)


def _read(records: Iterator[Record], on_error: Callable[[int, InputError], object] | None) -> Iterator[Entry]:
    for place, found in records:
        if isinstance(found, Molecule):
            yield Entry(place, found.smiles, found.name)
        elif on_error is None:
            raise found
        else:
            on_error(place, found)


def _positives(pattern: str | int | None) -> list[str]:
    if pattern is None:
        raise InputError("The set of positives needs a pattern, 1 to 14.")
    known = positives_of(pattern)
    if known is None:
        raise InputError(f"There are no published positives of pattern {str(pattern)[:40]!r}; choose one of 1 to 14.")
    return known


def _chosen(found: Iterator[Entry], places: Iterable[int] | None, size: int, name: str) -> Iterator[Entry]:
    if places is None:
        return found
    wanted = {int(place) for place in places}
    last = max(wanted, default=-1)
    for place in sorted(wanted):
        if not 0 <= place < size:
            raise InputError(f"The set '{name}' has no place {place}; its {size:,} places begin at 0.")
    return (entry for entry in takewhile(lambda entry: entry.place <= last, found) if entry.place in wanted)
