"""The PubChem identifiers that the package ``chemicals`` ships, read offline."""

from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError

LIBRARY_FILE = "chemical identifiers pubchem large.tsv"


class LibraryRow(NamedTuple):
    """One molecule of the library.

    ``pubchem_id`` is PubChem's compound number, ``cas`` the CAS number with its hyphens, ``smiles``
    PubChem's SMILES, ``name`` the common name.
    """

    pubchem_id: int
    cas: str
    smiles: str
    name: str


def identifiers_file(name: str = LIBRARY_FILE) -> Path:
    """Path of an identifiers file inside the installed package ``chemicals``.

    The package is located, not imported: importing it takes seconds.

    Raises:
        InputError: the package or the file is not installed.
    """
    spec = find_spec("chemicals")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(folder, "Identifiers", name)
        if path.is_file():
            return path
    raise InputError(f"The library of molecules is missing: the package 'chemicals' with '{name}' is not installed.")


def parse_row(line: str) -> LibraryRow:
    """The fields the explorer uses, from one line of an identifiers file.

    Columns there: PubChem id, CAS number, formula, weight, SMILES, InChI, InChI key, IUPAC name,
    common name, further synonyms.
    """
    fields = line.rstrip("\n").split("\t", 9)
    return LibraryRow(int(fields[0]), fields[1], fields[4], fields[8] or fields[7])


def library_rows() -> Iterator[LibraryRow]:
    """All rows of the library, in file order, one at a time.

    Raises:
        InputError: the library is not installed.
    """
    with open(identifiers_file(), encoding="utf-8") as lines:
        yield from map(parse_row, lines)


@cache
def library_size() -> int:
    """Number of rows of the library (71,347 in chemicals 1.5.2)."""
    with open(identifiers_file(), "rb") as file:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(1 << 20), b""))
