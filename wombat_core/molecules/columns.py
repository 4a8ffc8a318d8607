"""The columns of a table: which one holds the molecules, and which ones name them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TextIO

from ..errors import InputError
from .cells import CELL_KINDS, is_smiles, kind_of_column
from .headers import is_header, name_columns, smiles_columns, structure_kind
from .parse_problems import shorten
from .preamble import LOOKED_AT, header_row, separator_line, without_remarks
from .rows import Dialect, Row, dialect_of, read_rows, typographic

_ENOUGH = 0.5
_MARGIN = 0.3
_SEVERAL = "{} has several columns that could hold {}; choose one of {}."


class ColumnError(InputError):
    """The column with the molecules is missing or cannot be told.

    Attributes:
        columns: names of the columns in question, each of which can be given as ``column``.
    """

    def __init__(self, sentence: str, columns: tuple[str, ...]) -> None:
        super().__init__(sentence)
        self.columns = columns


@dataclass(frozen=True)
class TextTable:
    """A table whose columns are known.

    Attributes:
        columns: names of the columns, each another; "column 1", ... where the file has no header.
        structure: index of the column with the molecules.
        kind: what that holds: "smiles" and nothing else, or "any": SMILES, InChI, names, CAS numbers.
        names: indices of the columns that name the molecules, the best first.
        rows: every row with content, without the header.
        notes: sentences about the table as a whole.
    """

    columns: tuple[str, ...]
    structure: int
    kind: str
    names: tuple[int, ...]
    rows: Iterator[Row]
    notes: tuple[str, ...] = ()

    def name_of(self, cells: Sequence[str]) -> str | None:
        """The first name or identifier that a row gives."""
        found = (cells[i].strip() for i in self.names if i < len(cells))
        return next((name for name in found if name.lower() not in ("", "nan", "none", "null", "n/a", "-")), None)


def open_table(text: TextIO, filename: str, column: str | None = None, delimiter: str | None = None) -> TextTable:
    """Find how the table is written and its columns; the file is read no further than its first rows.

    Args:
        text: the file, opened with ``newline=""``.
        filename: its name, for messages; the ending .tsv or .tab promises tabs.
        column: the column with the molecules, or None to find it by its header, else by its content.
        delimiter: what separates the cells, where it is known.

    Raises:
        ColumnError: there is no such column, or which one holds the molecules cannot be told.
        InputError: the file has no rows.
    """
    numbered = enumerate(text, 1)
    start = list(islice(numbered, LOOKED_AT))
    if start and (named := separator_line(start[0][1])):
        delimiter = named
        start = start[1:]
    start = without_remarks(start, lambda line: any(is_header(line.split(each)) for each in "\t,;| "))
    preferred = "\t" if filename.lower().endswith((".tsv", ".tab")) else None
    dialect = _dialect(start, delimiter, preferred)
    lines = ((number, typographic(line, dialect.delimiter)) for number, line in chain(start, numbered))
    rows = read_rows(lines, dialect)
    return choose_columns(rows, filename, column, dialect.width)


def _dialect(start: list[tuple[int, str]], delimiter: str | None, preferred: str | None) -> Dialect:
    lines = [line for _, line in start]
    found = dialect_of(lines, delimiter, preferred, is_header)
    return dialect_of([typographic(line, found.delimiter) for line in lines], delimiter, preferred, is_header)


def choose_columns(rows: Iterator[Row], filename: str, column: str | None, width: int) -> TextTable:
    """The columns of rows that are told apart already; errors as :func:`open_table`."""
    first = list(islice(rows, LOOKED_AT - 10))
    readable = [row for row in first if row.problem is None]
    if not readable:
        raise InputError(f"{filename} has no rows.")
    wanted = None if column is None else column.strip().lower()

    def says_header(cells: Sequence[str]) -> bool:
        return is_header(cells) or (wanted is not None and wanted in [cell.strip().lower() for cell in cells])

    at = header_row([row.cells for row in readable], width, says_header)
    below = [row.cells for row in readable[(at or 0) + (at is not None) :]]
    top = [cell.strip() for cell in readable[at or 0].cells]
    count = max([len(top), *(len(cells) for cells in below[:20])]) if at is None else len(top)
    if at is not None and any(is_smiles(cell) for row in readable[:at] for cell in row.cells if len(cell) > 3):
        at, below = None, [row.cells for row in readable]  # a molecule stands above what seemed a header
    shares = [_share_of_smiles(below if at is not None else (below[1:] or below), i) for i in range(count)]
    headed = smiles_columns(top) if at is not None else []
    if at is not None and len(top) == 1 and max(shares) < _ENOUGH and re.search(r"\w\s*[^\w\s(),\-]\s*\w", top[0]):
        raise InputError(
            f"The header of {filename}, '{shorten(top[0])}', is one cell: cells are separated by a comma, a semicolon, "
            "a tab or a vertical bar here."
        )
    if len(headed) > 1:  # "smiles_a", "smiles_b": those that hold SMILES, unless none does
        headed = [i for i in headed if shares[i] >= _ENOUGH] or headed
    if at is None and not _holds_molecules(top, shares):
        at, below = 0, below[1:]
    columns = _labels(top if at is not None else [""] * count)
    if wanted is not None:
        chosen = _named(wanted, columns, top, filename)
        kind = "smiles" if chosen in headed or shares[chosen] >= _ENOUGH else "any"
    elif len(headed) > 1:
        raise ColumnError(_several(filename, "SMILES", headed, columns), tuple(columns[i] for i in headed))
    elif headed:
        chosen, kind = headed[0], "smiles"
    else:
        chosen, kind = _by_content(shares, below, columns, top if at is not None else None, filename)
    if at is not None:
        names = name_columns(top, below[:LOOKED_AT], chosen)
        taken = {id(row) for row in readable[: at + 1]}
        first = [row for row in first if id(row) not in taken]
    else:
        names = _unheaded_names(below, chosen, count) if kind == "smiles" else ()
    notes = ()
    if at:
        skipped = [row.line for row in readable[:at]]
        where = f"Line {skipped[0]}" if at == 1 else f"Lines {skipped[0]} to {skipped[-1]}"
        notes = (f"{where} above the header of {filename} {'was' if at == 1 else 'were'} left out.",)
    return TextTable(columns, chosen, kind, names, chain(first, rows), notes)


def _holds_molecules(top: list[str], shares: list[float]) -> bool:
    """Whether the first row is no header but data like the others."""
    if any(map(_is_number, top)):
        return True
    best = shares.index(max(shares))
    if shares[best] >= _ENOUGH:
        return best < len(top) and is_smiles(top[best])
    return any(CELL_KINDS[kind](cell) for cell in top if cell for kind in ("inchi", "inchikey", "cas", "name"))


def _labels(top: list[str]) -> tuple[str, ...]:
    """The names of the columns, each another: places tell those apart that are called alike."""
    keys = [cell.lower() for cell in top]
    return tuple(
        (cell if keys.count(cell.lower()) == 1 else f"{cell} (column {i})") if cell else f"column {i}"
        for i, cell in enumerate(top, 1)
    )


def _named(wanted: str, columns: tuple[str, ...], top: list[str], filename: str) -> int:
    lowered = [name.lower() for name in columns]
    numbered = [f"column {i}" for i in range(1, len(columns) + 1)]
    for names in (lowered, numbered):
        if wanted in names:
            return names.index(wanted)
    alike = [i for i, cell in enumerate(top) if cell.lower() == wanted]
    if alike:
        own = tuple(columns[i] for i in alike)
        raise ColumnError(
            f"{filename} has {len(alike)} columns '{shorten(wanted)}'; choose one of {_listed(own)}.", own
        )
    raise ColumnError(f"{filename} has no column '{shorten(wanted)}'; its columns are {_listed(columns)}.", columns)


def _by_content(
    shares: list[float], rows: list[Sequence[str]], columns: tuple[str, ...], top: list[str] | None, filename: str
) -> tuple[int, str]:
    """The column with the molecules where no header says SMILES, and what it holds."""
    ranked = sorted(range(len(shares)), key=lambda i: -shares[i])
    best = ranked[0]
    if shares[best] >= _ENOUGH:
        alike = sorted(i for i in ranked if shares[best] - shares[i] < _MARGIN)
        if len(alike) > 1:
            raise ColumnError(_several(filename, "SMILES", alike, columns), tuple(columns[i] for i in alike))
        return best, "smiles"
    told = [structure_kind(header) for header in top] if top is not None else [None] * len(columns)
    if (found := kind_of_column(rows, told, len(columns))) is not None:
        return found, "any"
    what = "SMILES, InChI, CAS numbers or names that are known here"
    raise ColumnError(f"{filename} has no column that holds {what}; its columns are {_listed(columns)}.", columns)


def _unheaded_names(rows: list[Sequence[str]], chosen: int, count: int) -> tuple[int, ...]:
    found = []
    for i in range(count):
        own = [row[i].strip() for row in rows if i < len(row) and row[i].strip()]
        if i == chosen or not own:
            continue
        if count == 2 and not all("." in cell and _is_number(cell) for cell in own):
            return (i,)
        if len(set(own)) > len(own) / 2 and not all(map(_is_number, own)):
            found.append(i)
    return tuple(found[:1])


def _several(filename: str, what: str, columns: Sequence[int], labels: tuple[str, ...]) -> str:
    return _SEVERAL.format(filename, what, _listed(tuple(labels[i] for i in columns)))


def _listed(columns: tuple[str, ...]) -> str:
    listed = ", ".join(f"'{shorten(name, 30)}'" for name in columns[:20])
    return listed + (f" and {len(columns) - 20} more" if len(columns) > 20 else "")


def _share_of_smiles(rows: Sequence[Sequence[str]], index: int) -> float:
    cells = [row[index] for row in rows if index < len(row) and row[index].strip()]
    return sum(map(is_smiles, cells)) / len(cells) if cells else 0.0


def _is_number(cell: str) -> bool:
    try:
        float(cell.replace(",", "."))
    except ValueError:
        return False
    return True
