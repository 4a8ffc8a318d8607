"""The columns of a CSV or TSV file: which one holds the SMILES, which one the names."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import TextIO

from rdkit import Chem, rdBase

from ..errors import InputError
from .bounds import SHORT
from .parse_problems import shorten

Rows = Iterator[tuple[int, list[str] | csv.Error]]

_SMILES_HEADERS = ("smiles", "canonical_smiles", "isomeric_smiles", "smi")
_NAME_HEADERS = ("name", "compound_name", "title", "compound", "molecule", "molecule_name", "id", "cas")
_DELIMITERS = ",;\t"
_LOOKED_AT = 50
_ENOUGH = 0.5
_MARGIN = 0.3
_SEVERAL = "{} has several columns that could hold SMILES; choose one of {}."


class ColumnError(InputError):
    """The SMILES column of a file is missing or cannot be told.

    Attributes:
        columns: names of the file's columns, each of which can be given as ``column``.
    """

    def __init__(self, sentence: str, columns: tuple[str, ...]) -> None:
        super().__init__(sentence)
        self.columns = columns


@dataclass(frozen=True)
class TextTable:
    """A file whose columns are known.

    Attributes:
        columns: names of the columns; "column 1", ... where the file has no header.
        smiles: index of the SMILES column.
        name: index of the column with the molecules' names, or None.
        rows: (line number, cells) of every row with content, without the header; an unreadable
            line is its ``csv.Error``.
    """

    columns: tuple[str, ...]
    smiles: int
    name: int | None
    rows: Rows


def open_table(text: TextIO, filename: str, column: str | None = None) -> TextTable:
    """Find the columns; the file is read no further than its first rows.

    Args:
        text: the file, opened with ``newline=""``.
        filename: its name, for messages; one that ends in .tsv or .tab is split at tabs.
        column: the SMILES column, or None to find it by its header, else by its content.

    Raises:
        ColumnError: there is no such column, or which one holds SMILES cannot be told.
        InputError: the file has no rows.
    """
    start = list(islice(text, _LOOKED_AT))
    tabs = filename.lower().endswith((".tsv", ".tab"))
    rows = _rows(chain(start, text), "\t" if tabs else _delimiter(start))
    first = list(islice(rows, _LOOKED_AT - 1))
    readable = [row for _, row in first if isinstance(row, list)]
    if not readable:
        raise InputError(f"{filename} has no rows.")
    top = [cell.strip() for cell in readable[0]]
    shares = [_share_of_smiles(readable[1:] or readable, index) for index in range(len(top))]
    headed = _headed(top, _SMILES_HEADERS, "smiles")
    if len(headed) > 1:  # "smiles_a", "smiles_b": those that hold SMILES, unless none does
        headed = [i for i in headed if shares[i] >= _ENOUGH] or headed
    smiles = headed[0] if headed else None
    has_header = (
        smiles is not None
        or column in top
        or not (any(map(_is_number, top)) or _is_smiles(top[shares.index(max(shares))]))
    )
    numbered = tuple(f"column {i}" for i in range(1, len(top) + 1))
    columns = tuple(cell or f"column {i}" for i, cell in enumerate(top, 1)) if has_header else numbered
    if column is not None:
        smiles = _named(column, columns, filename)
    elif len(headed) > 1:
        raise ColumnError(_SEVERAL.format(filename, _listed(tuple(columns[i] for i in headed))), columns)
    elif smiles is None:
        smiles = _by_content(shares, columns, filename)
    if has_header:
        others = [cell if i != smiles else "" for i, cell in enumerate(top)]
        name = next(iter(_headed(others, _NAME_HEADERS, "name")), None)
        first.pop(next(i for i, (_, row) in enumerate(first) if row is readable[0]))
    else:
        name = 1 - smiles if len(top) == 2 else None
    return TextTable(columns, smiles, name, chain(first, rows))


def _rows(lines: Iterator[str], delimiter: str) -> Rows:
    reader = csv.reader(lines, delimiter=delimiter)
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield line, error
            continue
        if any(cell.strip() for cell in row):
            yield line, row


def _delimiter(start: list[str]) -> str:
    """The delimiter that splits most lines into as many cells as the first, at least two."""

    def agreement(delimiter: str) -> tuple[int, int]:
        try:
            widths = [len(row) for row in csv.reader(start, delimiter=delimiter) if row]
        except csv.Error:
            return 0, 0
        width = widths[0] if widths else 1
        return (sum(w == width for w in widths), width) if width > 1 else (0, width)

    return max(_DELIMITERS, key=agreement)


def _headed(top: list[str], names: tuple[str, ...], part: str) -> list[int]:
    """The columns with the first of the names that occurs, else those whose header contains ``part``."""
    headers = ["_".join(cell.lower().replace("-", " ").split()) for cell in top]
    for name in names:
        if name in headers:
            return [i for i, cell in enumerate(headers) if cell == name]
    return [i for i, cell in enumerate(headers) if part in cell.split("_")]


def _named(column: str, columns: tuple[str, ...], filename: str) -> int:
    wanted = column.strip().lower()
    lowered = [name.lower() for name in columns]
    numbered = [f"column {i}" for i in range(1, len(columns) + 1)]
    for names in (lowered, numbered):
        if wanted in names:
            return names.index(wanted)
    raise ColumnError(f"{filename} has no column '{shorten(column)}'; its columns are {_listed(columns)}.", columns)


def _by_content(shares: list[float], columns: tuple[str, ...], filename: str) -> int:
    ranked = sorted(range(len(shares)), key=lambda i: -shares[i])
    best = ranked[0]
    if shares[best] < _ENOUGH:
        raise ColumnError(f"{filename} has no column that holds SMILES; its columns are {_listed(columns)}.", columns)
    if len(ranked) > 1 and shares[best] - shares[ranked[1]] < _MARGIN:
        raise ColumnError(_SEVERAL.format(filename, _listed(columns)), columns)
    return best


def _listed(columns: tuple[str, ...]) -> str:
    listed = ", ".join(f"'{shorten(name, 30)}'" for name in columns[:20])
    return listed + (f" and {len(columns) - 20} more" if len(columns) > 20 else "")


def _share_of_smiles(rows: list[list[str]], index: int) -> float:
    cells = [row[index] for row in rows if index < len(row) and row[index].strip()]
    return sum(map(_is_smiles, cells)) / len(cells) if cells else 0.0


def _is_smiles(cell: str) -> bool:
    cell = cell.strip()
    if not cell or not cell.isascii() or len(cell) > 5000 or " " in cell:
        return False
    with rdBase.BlockLogs():
        return Chem.MolFromSmiles(cell, sanitize=len(cell) <= SHORT) is not None


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
