"""What the Benchmark page shows, as a value beside the ``State`` in the address."""

from dataclasses import dataclass, replace
from typing import Any

from pages.shared.address import Address, param
from pages.shared.codecs import FLAG, TEXT, choice, in_order, several, whole
from pages.shared.state_codecs import WHITEBOXES
from wombat_core.published import tables

VIEWS = ("results", "new", "paper", "molecules")
SETS = ("positives", "library", "negatives", "hard-negatives", "file")
READOUTS = ("r1", "r2")
MOST_EACH = 100_000


def _scores() -> list[str]:
    from wombat_core.benchmark.beside import SCORES

    return list(SCORES)


def _tables() -> list[str]:
    return [table.number for table in tables()]


def _measures() -> tuple[str, ...]:
    from wombat_core.screening.similarity import MEASURES

    return MEASURES


@dataclass(frozen=True)
class BenchmarkState:
    """Everything that a link to the page carries, beside explainers and settings of the ``State``."""

    view: str = param(
        "results",
        choice(lambda: VIEWS),
        "results, the form of a new run, the paper's tables, or the sets of molecules",
        "board",
    )
    run: str = param("", TEXT, 'name of the run; "" for the latest')
    score: str = param("auroc", choice(_scores), "which score the table shows")
    cell: str = param("", TEXT, 'pattern, explainer and readout of the chosen cell with colons between them, or ""')
    chart: bool = param(False, FLAG, "bars in place of the table")
    table: str = param("S7", choice(_tables), "number of the paper's table")
    patterns: tuple[str, ...] = param(("1", "2", "4", "5", "12"), WHITEBOXES, "whiteboxes of a new run", "over")
    readouts: tuple[str, ...] = param(
        READOUTS, several(choice(lambda: READOUTS), in_order(lambda: READOUTS)), "readouts of a new run", "under"
    )
    molecules: str = param("positives", choice(lambda: SETS), "set of molecules of a new run")
    most_each: int = param(100, whole(0, MOST_EACH), "molecules a pattern at most; 0 for all")
    measure: str = param("tversky", choice(_measures), "how similar molecules are to a motif")


def changed(state: BenchmarkState, /, **changes: Any) -> BenchmarkState:
    """The value after a change; a cell belongs to its run."""
    if changes.get("run", state.run) != state.run:
        changes = {"cell": "", **changes}
    return replace(state, **changes)


BENCHMARK = Address(BenchmarkState, "benchmark", changed)
