"""The rows of a table of text: every line is a row, part of one that says so, or a problem."""

import csv
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

_MOST_LINES = 200
_MOST_CHARACTERS = 100_000
_LONGEST_CELL = 131_072
PAIRS = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "„": "“", "`": "`"}
"""Quotation marks: what opens a cell and what closes it."""


@dataclass(frozen=True)
class Row:
    """A row of a table.

    Attributes:
        line: its first line in the file, from 1.
        cells: what it holds, without the quotation marks around whole cells.
        note: what had to be made of a quotation mark, or None.
        problem: why it cannot be read, a sentence that begins in lower case, or None.
    """

    line: int
    cells: Sequence[str]
    note: str | None = None
    problem: str | None = None


@dataclass(frozen=True)
class Dialect:
    """How a table is written: what separates its cells, what quotes them, and how many most rows have."""

    delimiter: str
    quote: str = '"'
    width: int = 1


def cells_of(text: str, dialect: Dialect) -> list[str] | None:
    """The cells of one row, or None where a quotation mark that opens a cell is not closed in it.

    Raises:
        csv.Error: a cell is too long.
    """
    if dialect.quote not in text:
        cells = text.rstrip("\r\n").split(dialect.delimiter)
        if len(text) > _LONGEST_CELL and any(len(cell) > _LONGEST_CELL for cell in cells):
            raise csv.Error(f"a cell has more than {_LONGEST_CELL:,} characters")
        return cells
    form: dict[str, Any] = {"delimiter": dialect.delimiter, "quotechar": dialect.quote}
    lines = text.splitlines(keepends=True) if "\n" in text or "\r" in text else [text]
    try:
        rows = list(csv.reader(lines, strict=True, **form))
    except csv.Error as error:
        if "unexpected end of data" in str(error):
            return None
        if "limit" in str(error):
            raise
        rows = list(csv.reader(lines, **form))  # a mark within a cell: 5" or "a"b
        literal = as_characters(text, dialect)
        if len(rows) != 1 or (len(rows[0]) != dialect.width and len(literal) == dialect.width):
            return literal
    return rows[0] if len(rows) == 1 else None if rows else []


def as_characters(text: str, dialect: Dialect) -> list[str]:
    """The cells of a line whose quotation marks are characters like others."""
    return [_bare(cell, dialect.quote) for cell in text.rstrip("\r\n").split(dialect.delimiter)]


def _bare(cell: str, quote: str) -> str:
    inner = cell.strip()
    if len(inner) > 1 and inner[0] == quote == inner[-1] and quote not in inner[1:-1]:
        return inner[1:-1]
    return cell


def read_rows(lines: Iterable[tuple[int, str]], dialect: Dialect) -> Iterator[Row]:
    """The rows with content. A line behind a number sign that is no whole row is a remark.

    A quotation mark may hold a cell together over line ends; the row then says which lines it took. One that is never
    closed, or would swallow whole rows, is a character, and the row says that.
    """
    waiting: deque[tuple[int, str]] = deque()
    source = iter(lines)
    while True:
        if waiting:
            number, text = waiting.popleft()
        elif (following := next(source, None)) is not None:
            number, text = following
        else:
            return
        if not text.strip():
            continue
        try:
            cells = cells_of(text, dialect)
        except csv.Error as error:
            yield Row(number, (), problem=f"the line cannot be read as a row ({error}).")
            continue
        if cells is None:
            waiting.extend(islice(source, _MOST_LINES - len(waiting)))
            yield _open_row(number, text, waiting, dialect)
        elif text.lstrip().startswith("#") and (len(cells) < dialect.width or dialect.width == 1):
            continue
        elif any(cell.strip() for cell in cells):
            yield Row(number, cells)


def _open_row(number: int, text: str, waiting: deque[tuple[int, str]], dialect: Dialect) -> Row:
    """The row that begins in a line with an open quotation mark; takes the lines that belong to it."""
    joined = text
    for count, (line, content) in enumerate(waiting, 1):
        joined += content
        if len(joined) > _MOST_CHARACTERS:
            break
        cells = cells_of(joined, dialect)
        if cells is not None:
            if len(cells) != dialect.width or _malformed(joined, dialect):
                break
            for _ in range(count):
                waiting.popleft()
            note = f"Lines {number} to {line} are one row: a cell in quotation marks runs over the line end."
            return Row(number, cells, note)
        # A whole row of its own is no part of a cell.
        own = cells_of(content, dialect)
        if own is not None and len(own) == dialect.width and any(map(str.strip, own)):
            break
    cells = as_characters(text, dialect)
    if len(cells) != dialect.width and dialect.width > 1:
        problem = f"a quotation mark ({dialect.quote}) is never closed, so that the cells cannot be told apart."
        return Row(number, cells, problem=problem)
    note = f"Line {number} has a quotation mark ({dialect.quote}) that is never closed; it is read as a character."
    return Row(number, cells, note)


def _malformed(text: str, dialect: Dialect) -> bool:
    """Whether a mark that closes a cell is followed by more of the cell."""
    try:
        list(
            csv.reader(
                text.splitlines(keepends=True), delimiter=dialect.delimiter, quotechar=dialect.quote, strict=True
            )
        )
    except csv.Error:
        return True
    return False


DELIMITERS = "\t,;|"


def dialect_of(lines: Sequence[str], delimiter: str | None, preferred: str | None, is_header) -> Dialect:
    """How a table is written, from its first lines.

    Args:
        lines: without remarks.
        delimiter: what separates the cells where the file says so.
        preferred: what the file's ending promises.
        is_header: tells of cells whether they are a header.
    """
    filled = [line for line in lines if line.strip()]
    best, rank = Dialect(preferred or ","), (False, -1.0, 0)
    for candidate in [delimiter] if delimiter else DELIMITERS:
        quote = _quote(filled, candidate)
        widths, headed = Counter(), False
        for line in filled:
            try:
                cells = cells_of(line, Dialect(candidate, quote))
            except csv.Error:
                continue
            if cells is None:
                cells = as_characters(line, Dialect(candidate, quote))
            widths[len(cells)] += 1
            headed = headed or (len(cells) > 1 and is_header(cells))
        if not widths:
            continue
        width, count = max(widths.items(), key=lambda item: (item[1] * (item[0] > 1), item[0]))
        agreement = count / len(filled) if width > 1 else 0.0
        if candidate == "|" and not headed and (agreement < 1 or any("|$" in line or " |" in line for line in filled)):
            continue  # CXSMILES are written with it
        own = (headed and agreement > 0, agreement + 0.5 * (candidate == preferred) * (agreement > 0), width)
        if delimiter or own > rank:
            best, rank = Dialect(candidate, quote, width), own
    return best


def _quote(lines: Sequence[str], delimiter: str) -> str:
    """The quotation mark of a table: another than the double one where every cell stands in it."""
    for mark in ("'", "`"):
        cells = [cell.strip() for line in lines for cell in line.split(delimiter) if cell.strip()]
        if cells and all(len(cell) > 1 and cell[0] == mark == cell[-1] for cell in cells):
            return mark
    return '"'


def typographic(line: str, delimiter: str) -> str:
    """The line with plain quotation marks, where every filled cell of it stands in typographic ones."""
    cells = line.rstrip("\r\n").split(delimiter)
    filled = [cell.strip() for cell in cells if cell.strip()]
    if filled and all(len(cell) > 1 and cell[0] in "“„«‘" and cell[-1] == PAIRS[cell[0]] for cell in filled):
        inner = (f'"{cell.strip()[1:-1]}"' if cell.strip() else cell for cell in cells)
        return delimiter.join(inner) + line[len(line.rstrip("\r\n")) :]
    return line
