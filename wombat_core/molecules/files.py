"""One reader of molecules: tables, lines and structure records of files, uploads and pipes, one at a time."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import IO

from ..errors import InputError
from . import opening
from .columns import TextTable, choose_columns, open_table
from .foreign import foreign_file
from .format import MOLECULES_IN_JSON, STRUCTURES, TABLE, format_of
from .json_rows import json_rows
from .lines import content_lines, plan_lines, read_lines
from .lookup import find_molecule, is_name_with_blanks
from .molecule import Molecule, from_smiles
from .parse_problems import SmilesError, shorten
from .record import Record, RecordError, read_at
from .spelling import unwrapped
from .structures import read_structures
from .workbook import is_workbook, workbook_rows

LATIN_NOTE = "The file is not UTF-8; it was read as Latin-1."
MOST_ALIKE = 3
"""So many records that are no molecules are told one by one; more of them, and no molecule, are one sentence."""
_MOST_KEPT = 2000
_SUGGESTIONS = 5
"""Unknown names of one file for which like ones are looked for, 0.2 s each."""


class Records:
    """The records of one input, in order, to be read once.

    Attributes:
        notes: sentences about the input as a whole, known before the first record.
    """

    def __init__(self, records: Iterator[Record], notes: tuple[str, ...]) -> None:
        self._records, self.notes = records, notes

    def __iter__(self) -> Iterator[Record]:
        return self._records

    def __next__(self) -> Record:
        return next(self._records)


def read_molecules(source, filename: str | None = None, column: str | None = None) -> Records:
    """Stream the molecules of a file or pipe.

    The content decides what it is: MOL or SDF records, a table (CSV, TSV, XLSX, JSON objects) or lines. A line or cell
    is a SMILES, or else an InChI, a CAS number or a name, as :func:`wombat_core.molecules.lookup.find_molecule` reads
    them; a column of SMILES holds nothing else. Formats without bonds or molecules are told by their name.

    Args:
        source: a path, or an open file (binary, or a text file with ``.buffer`` such as ``sys.stdin``).
        filename: name to show; the ending csv, tsv, mol or sdf helps where the content leaves it open. Defaults
            to the name of the path.
        column: the column of a table with the molecules, by header or as "column 2"; found by itself if None.

    Returns:
        An iterator of (number, molecule or the error that stands in its place), with ``notes`` on the whole. The number
        is the line in the file (from 1, the header counts), for MOL and SDF files the record (from 1). The place in
        words is the molecule's ``origin`` or the ``RecordError``'s ``place``; both say when the file
        was read as Latin-1, which the molecule's ``notes`` explain.

    Raises:
        InputError: at once, when the file as a whole cannot be used: missing, a folder, empty, above
            ``opening.MAX_FILE_BYTES``, of another format, without the wanted column or without columns at all.
        ColumnError: at once, when the column cannot be told; ``columns`` lists the choices.
    """
    own = isinstance(source, str | Path)
    if own:
        file, filename = opening.open_input(Path(source)), filename or Path(source).name
    else:
        file, filename = opening.seekable(getattr(source, "buffer", source)), filename or "the input"
    filename = shorten(filename, 255)
    try:
        opening.check_size(file, filename)
        if is_workbook(file, filename):
            rows, width, notes = workbook_rows(file, filename)
            table, encoding = choose_columns(rows, filename, column, width), "utf-8"
            records, notes = _read_table(table, filename), (*notes, *table.notes)
        else:
            encoding = opening.encoding_of(file, filename)
            records, notes = _records(file, filename, column, encoding)
    except BaseException:
        if own:
            file.close()
        raise
    on_each = (LATIN_NOTE,) if encoding == "latin-1" else ()
    return Records(_stream(records, filename, on_each, file if own else None), (*on_each, *notes))


def _stream(records: Iterator[Record], filename: str, notes: tuple[str, ...], file: IO[bytes] | None):
    """The records, those without any molecule as one sentence."""
    found, failed = False, []
    try:
        for number, result in records:
            if isinstance(result, Molecule):
                found = True
                yield from failed
                failed = []
                yield number, replace(result, notes=(*result.notes, *notes)) if notes else result
            elif found:
                yield number, result
            else:
                failed.append((number, result))
                if len(failed) == _MOST_KEPT:
                    break
    finally:
        if file is not None:
            file.close()
    if failed and not found and len(failed) > MOST_ALIKE:
        yield failed[0][0], _none_of(failed, filename)
        return
    yield from failed
    if not found and not failed:
        yield 1, InputError(f"{filename} contains no molecule.")


def _none_of(failed: list[Record], filename: str) -> InputError:
    how_many = f"the first {len(failed):,}" if len(failed) == _MOST_KEPT else f"its {len(failed):,}"
    what = "records" if ", record " in getattr(failed[0][1], "place", "") else "lines"
    reason = shorten(str(failed[0][1]), 220)
    return RecordError(filename, f"none of {how_many} {what} is a molecule. {reason}")


def _records(
    file: IO[bytes], filename: str, column: str | None, encoding: str
) -> tuple[Iterator[Record], tuple[str, ...]]:
    shown = f"{filename} (read as Latin-1)" if encoding == "latin-1" else filename
    start = opening.as_text(file, encoding, None).read(1 << 16)
    file.seek(0)
    kind, delimiter = format_of(start, Path(filename).suffix.lower(), column)
    if kind not in (STRUCTURES, MOLECULES_IN_JSON) and (what := foreign_file(start)):
        raise InputError(f"{filename} is {what}.")
    text = opening.as_text(file, encoding, None if kind == STRUCTURES else "")
    if kind == MOLECULES_IN_JSON:
        rows, width = json_rows(text, filename)
        table = choose_columns(rows, filename, column, width)
        return _read_table(table, shown), table.notes
    if kind == TABLE:
        table = open_table(text, filename, column, delimiter)
        return _read_table(table, shown), table.notes
    if column is not None:
        what = "MOL or SDF records" if kind == STRUCTURES else "one SMILES a line"
        raise InputError(f"{filename} has no columns, so '{shorten(column)}' cannot be one: it holds {what}.")
    return (read_structures(text, shown) if kind == STRUCTURES else _read_lines(text, shown)), ()


def _read_table(table: TextTable, filename: str) -> Iterator[Record]:
    read = from_smiles_cell if table.kind == "smiles" else _finder()
    what = "SMILES" if table.kind == "smiles" else "molecule"
    for row in table.rows:
        place = f"{filename}, line {row.line}"
        if row.problem is not None:
            yield row.line, RecordError(place, row.problem)
        elif table.structure >= len(row.cells):
            count = f"{len(row.cells)} cell{'' if len(row.cells) == 1 else 's'}"
            yield row.line, RecordError(place, f"the line has {count}, none in the {what} column.")
        elif not (cell := row.cells[table.structure].strip()):
            yield row.line, RecordError(place, f"the {what} cell is empty.")
        else:
            found = read_at(place, read, cell, table.name_of(row.cells), place)
            if any(extra.strip() for extra in row.cells[len(table.columns) :]):
                found = _too_wide(found, place, len(row.cells), len(table.columns))
            if row.note and isinstance(found, Molecule):
                found = replace(found, notes=(*found.notes, row.note))
            elif row.note:
                found = RecordError(place, f"{str(found).removeprefix(place + ': ')} {row.note}")
            yield row.line, found


def _too_wide(found: Molecule | InputError, place: str, cells: int, columns: int) -> Molecule | InputError:
    """A row with more cells than there are columns: its molecule may stand in another."""
    said = (
        f"the line has {cells} cells, the table {columns}; a separator within a cell needs quotation marks around it."
    )
    if isinstance(found, Molecule):
        return replace(found, notes=(*found.notes, f"{said[0].upper()}{said[1:]}"))
    return RecordError(place, said)


def _read_lines(text, filename: str) -> Iterator[Record]:
    numbered = enumerate(text, 1)
    start = list(islice(numbered, 60))
    plan, find = plan_lines(list(content_lines(start))), _finder()
    for number, content, smiles, name in read_lines(chain(start, numbered), plan):
        place = f"{filename}, line {number}"
        yield number, read_at(place, _from_line, content, smiles, name, place, find)


def _from_line(content: str, text: str, name: str | None, place: str, find: Callable[..., Molecule]) -> Molecule:
    if not (name and is_name_with_blanks(content) and text.isalpha() and len(text) > 1 and _is_known(content)):
        try:
            return from_smiles(text, name or "", place)
        except SmilesError as error:
            problem = error
    else:
        problem = None
    try:
        return find(content, None, place)
    except InputError as error:
        # A name with something behind it, such as "aspirin<tab>5.2".
        cells = [cell.strip() for cell in content.split("\t") if cell.strip()]
        if len(cells) > 1 and (known := read_at(place, find, cells[0], None, place)) and isinstance(known, Molecule):
            return known
        raise problem if problem is not None and isinstance(error, SmilesError) else error from None


def _is_known(content: str) -> bool:
    from .name_index import name_index

    return bool(name_index().name(content))


def from_smiles_cell(cell: str, name: str | None, place: str) -> Molecule:
    """The molecule of a cell that holds SMILES, with the likes of a comma at its end left out and told."""
    try:
        return from_smiles(cell, name, place)
    except SmilesError:
        around = unwrapped(cell)
        if around is None:
            raise
        molecule = from_smiles(around[0], name, place)
        note = f"Left out: {around[1]}."
        return replace(molecule, notes=(*molecule.notes, note))


def _finder() -> Callable[..., Molecule]:
    """Reads texts of any kind; looks for like names of the first unknown ones only."""
    asked = 0

    def find(text: str, name: str | None, place: str) -> Molecule:
        nonlocal asked
        try:
            molecule = find_molecule(text, suggest=asked < _SUGGESTIONS)
        except InputError:
            asked += 1
            raise
        return replace(molecule, origin=place, name=name or molecule.name)

    return find
