"""What the Benchmark page shows, as a value beside the ``State`` in the address."""

from dataclasses import dataclass, replace
from typing import Any

from pages.shared.address import Address
from pages.shared.codecs import FLAG, number, one_of, plain, text

BOARDS = ("results", "new", "paper", "molecules")
SETS = ("positives", "library", "negatives", "hard-negatives", "file")
MOST_EACH = 100_000


@dataclass(frozen=True)
class Board:
    """Everything that a link to the page carries, beside explainers and settings of the ``State``.

    Attributes:
        board: results, the form of a new run, the paper's tables, or the sets of molecules.
        run: name of the run; "" for the latest.
        score: one of ``wombat_core.benchmark.beside.SCORES``.
        cell: pattern, explainer and readout of the chosen cell with colons between them, or "".
        chart: bars in place of the table.
        table: number of the paper's table.
        over, under: patterns and readouts of a new run.
        molecules: its set.
        most_each: molecules a pattern at most; 0 for all.
        measure: how similar molecules are to a motif, see ``wombat_core.screening.similarity.MEASURES``.
    """

    board: str = "results"
    run: str = ""
    score: str = "auroc"
    cell: str = ""
    chart: bool = False
    table: str = "S7"
    over: tuple[str, ...] = ("1", "2", "4", "5", "12")
    under: tuple[str, ...] = ("r1", "r2")
    molecules: str = "positives"
    most_each: int = 100
    measure: str = "tversky"


def changed(board: Board, /, **changes: Any) -> Board:
    """The value after a change; a cell belongs to its run."""
    if changes.get("run", board.run) != board.run:
        changes = {"cell": "", **changes}
    return replace(board, **changes)


def _scores() -> list[str]:
    from wombat_core.benchmark.beside import SCORES

    return list(SCORES)


def _tables() -> list[str]:
    from wombat_core.published import tables

    return [table.number for table in tables()]


def _measures() -> tuple[str, ...]:
    from wombat_core.screening.similarity import MEASURES

    return MEASURES


def patterns_of(ids) -> tuple[str, ...]:
    """Ids in the catalogue's order, each once."""
    from wombat_core.whitebox.catalogue import patterns

    return tuple(id for id in patterns() if id in set(ids))


def _patterns(text: str) -> tuple[str, ...]:
    from wombat_core.whitebox.catalogue import patterns

    names = [] if text in ("", "none") else text.split(",")
    for name in names:
        one_of(patterns)(name)
    return patterns_of(names)


def _readouts(text: str) -> tuple[str, ...]:
    names = [] if text in ("", "none") else text.split(",")
    for name in names:
        one_of(lambda: ("r1", "r2"))(name)
    return tuple(name for name in ("r1", "r2") if name in names)


def _joined(names: tuple[str, ...]) -> str:
    return ",".join(names) or "none"


BOARD = Address(
    Board,
    {
        "board": plain(one_of(lambda: BOARDS)),
        "run": plain(text),
        "score": plain(one_of(_scores)),
        "cell": plain(text),
        "chart": FLAG,
        "table": plain(one_of(_tables)),
        "over": (_patterns, _joined),
        "under": (_readouts, _joined),
        "molecules": plain(one_of(lambda: SETS)),
        "most_each": plain(number(0, MOST_EACH)),
        "measure": plain(one_of(_measures)),
    },
    changed,
)
