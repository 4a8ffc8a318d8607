"""A table of the paper, as printed."""

from ..published import Published, metrics
from ..published import table as published_table
from .arguments import PublishedTable
from .blocks import Block, Table
from .engine import Engine
from .fact import number
from .lesson import Step
from .view import view


@view("published")
def published(engine: Engine, step: Step, table: PublishedTable) -> list[Block]:
    """The table of that number. What is asked of benchmarks (Table 1) stands in its columns, not in its rows."""
    found = published_table(table)
    rows = [[_cell(cell) for cell in row] for row in found.cells]
    names, columns = list(found.rows), list(found.columns)
    if found.rows_are == "metric":
        titles = [metrics()[name].title for name in names]
        names, columns, rows = columns, titles, [list(column) for column in zip(*rows, strict=True)]
    told = tuple((name, *row) for name, row in zip(names, rows, strict=True))
    note = " ".join(part for part in (f"{found.title} of the paper: {_lower(found.caption)}.", found.note) if part)
    return [Table(("", *columns), told, note=note)]


def _cell(cell: Published) -> str:
    if cell.metric.unit.startswith("1 yes"):
        return "yes" if cell.value else "no"
    error = "" if cell.stderr is None else f" ± {number(cell.stderr, None, 4)}"
    return f"{number(cell.value, None, 4)}{error}"


def _lower(caption: str) -> str:
    return caption[:1].lower() + caption[1:]
