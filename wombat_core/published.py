"""The tables of the WOMBAT paper as data (``published.yaml``), to put beside one's own numbers."""

from dataclasses import dataclass
from functools import cache

import yaml

from .data import data_file
from .registry import no_such
from .whitebox.catalogue import pattern as known_pattern

PUBLISHED_FILE = data_file("published.yaml")


@dataclass(frozen=True)
class Metric:
    """What a number measures: its name, as in :class:`wombat_core.benchmark.summary.Cell` where that has it, in words,
    and its unit."""

    name: str
    title: str
    unit: str


@dataclass(frozen=True)
class MoleculeSet:
    """The molecules behind a number: how many by pattern id, where the paper counts them, and where it does."""

    name: str
    title: str
    molecules: dict[str, int]
    note: str = ""


@dataclass(frozen=True)
class Published:
    """One cell of a table.

    Attributes:
        value: as printed, shares in [0, 1]; yes is 1 and no is 0.
        stderr: the standard error, where one is printed.
        table: number of the table ("S3"; "S8b" is the figure's).
        metric: what it measures.
        set: over which molecules; None in PublishedTable 1.
        pattern, readout, explainer: in this repository's names; None where the number depends on none.
    """

    value: float
    stderr: float | None
    table: str
    metric: Metric
    set: MoleculeSet | None = None
    pattern: str | None = None
    readout: str | None = None
    explainer: str | None = None

    @property
    def num_molecules(self) -> int | None:
        """Molecules behind the number, where the paper counts them."""
        return None if self.set is None or self.pattern is None else self.set.molecules.get(self.pattern)


@dataclass(frozen=True)
class PublishedTable:
    """A table of the paper; what it does not print of a pattern or explainer has no row or column.

    Attributes:
        number: "1", "2", "S1" to "S10", or "S8b" for the bars of that figure.
        caption: what it shows, in our words.
        note: what one must know to quote it, or "".
        rows_are: what the rows are: "pattern", "explainer" or "metric".
        rows, columns: their names.
        cells: row by row.
    """

    number: str
    caption: str
    note: str
    rows_are: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Published, ...], ...]

    @property
    def title(self) -> str:
        return f"{'Figure' if self.number[-1].isalpha() else 'Table'} {self.number}"

    @property
    def numbers(self) -> list[Published]:
        """All cells, row by row."""
        return [cell for row in self.cells for cell in row]


@cache
def metrics() -> dict[str, Metric]:
    """What the paper's numbers measure, by name."""
    return {name: Metric(name, *words) for name, words in _facts()["metrics"].items()}


@cache
def tables() -> list[PublishedTable]:
    """The paper's tables, in its order, and Figure S8b's means at the end."""
    return [_table(number, entry) for number, entry in _facts()["tables"].items()]


def table(number: str) -> PublishedTable:
    """The table of that number, such as "2" or "S3".

    Raises:
        InputError: there is none; the sentence lists those there are.
    """
    known = {entry.number: entry for entry in tables()}
    if number not in known:
        raise no_such("table", number, known, " here")
    return known[number]


def published(pattern: str, readout: str, explainer: str | None, metric: str) -> list[Published]:
    """What the paper prints of a whitebox, an explainer and a metric, in the order of its tables; often nothing.

    A number that depends on no explainer (the baseline of AP) or no readout (of flucarb) is found under each.

    Args:
        pattern: id of a whitebox.
        readout: "r1" or "r2".
        explainer: its name, or None for what depends on none.
        metric: one of :func:`metrics`.

    Raises:
        InputError: there is no such whitebox or metric.
    """
    id = known_pattern(pattern).id
    if metric not in metrics():
        raise no_such("metric", metric, metrics(), " in the paper's tables")
    return [
        cell
        for cell in _by_pattern().get(id, ())
        if cell.metric.name == metric and cell.readout in (None, readout) and cell.explainer in (None, explainer)
    ]


@cache
def _by_pattern() -> dict[str, list[Published]]:
    found: dict[str, list[Published]] = {}
    for entry in tables():
        for cell in entry.numbers:
            if cell.pattern is not None:
                found.setdefault(cell.pattern, []).append(cell)
    return found


@cache
def _facts() -> dict:
    return yaml.safe_load(PUBLISHED_FILE.read_text(encoding="utf-8"))


@cache
def _sets() -> dict[str, MoleculeSet]:
    return {
        name: MoleculeSet(
            name,
            entry["title"],
            {str(id): number for id, number in entry.get("molecules", {}).items()},
            entry.get("note", ""),
        )
        for name, entry in _facts()["sets"].items()
    }


def _table(number: str, entry: dict) -> PublishedTable:
    whole, rows_are = entry.get("all", {}), entry["rows_are"]
    # A row is the list of its cells, or a mapping that says what they are about and holds that list.
    rows = {str(name): row if isinstance(row, dict) else {"cells": row} for name, row in entry["rows"].items()}
    cells = tuple(
        tuple(
            _cell(number, printed, whole | row | column | {rows_are: name})
            for printed, column in zip(row["cells"], entry["columns"], strict=True)
        )
        for name, row in rows.items()
    )
    columns = tuple(_name(column) for column in entry["columns"])
    return PublishedTable(number, entry["caption"], entry.get("note", ""), rows_are, tuple(rows), columns, cells)


def _cell(number: str, text: str | float, about: dict[str, str]) -> Published:
    value, _, error = str(text).partition("±")
    return Published(
        float(value),
        float(error) if error else None,
        number,
        metrics()[about["metric"]],
        _sets()[about["set"]] if "set" in about else None,
        about.get("pattern"),
        about.get("readout"),
        about.get("explainer"),
    )


def _name(column: dict[str, str]) -> str:
    """What a column is about, in words."""
    if "title" in column:
        return column["title"]
    parts = [column[key] for key in ("explainer", "readout") if key in column]
    if "metric" in column:
        parts.append(metrics()[column["metric"]].title)
    return ", ".join(parts)
