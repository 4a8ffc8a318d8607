"""Our numbers beside the paper's: one table of whiteboxes by explainers for one score."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..published import Published, published
from .summary import Cell


@dataclass(frozen=True)
class Score:
    """One score of the summary.

    Attributes:
        name: the field of :class:`wombat_core.benchmark.summary.Cell`.
        title: for people.
        meaning: a sentence.
        error: the field with its standard error, or None.
        count: the field with the number of molecules behind it.
        higher_is_better: whether a high one is a good one; None where that is neither.
    """

    name: str
    title: str
    meaning: str
    error: str | None
    count: str
    higher_is_better: bool | None = True


SCORES = {
    score.name: score
    for score in (
        Score(
            "auroc",
            "AUROC",
            "Mean area under the ROC curve of the atoms' importance against the ground truth; 0.5 ranks nothing.",
            "auroc_se",
            "scored",
        ),
        Score(
            "average_precision",
            "Average precision",
            "Mean average precision; a constant answer gets the share of ground-truth atoms (the baseline).",
            "average_precision_se",
            "scored",
        ),
        Score("perfect_rate", "Perfect", "Share of answers with AUROC = 1.", "perfect_se", "scored"),
        Score(
            "misranked_rate",
            "Misranked",
            "Share of answers in which an atom outside the ground truth scores above one inside.",
            None,
            "scored",
            False,
        ),
        Score(
            "null_rate",
            "Null",
            "Share of answers on the motif in which every atom scores alike.",
            None,
            "scored",
            False,
        ),
        Score(
            "iqr_pass_rate",
            "IQR pass",
            "Share of molecules without the motif on which no atom stands out.",
            "iqr_pass_se",
            "negatives",
        ),
        Score(
            "accuracy",
            "Whitebox accuracy",
            "Share of molecules on which the network itself agrees with its SMARTS.",
            None,
            "num_molecules",
        ),
    )
}


@dataclass(frozen=True)
class Entry:
    """One cell of the table.

    Attributes:
        cell: our numbers.
        value, error: of the score, or None where no molecule gives it.
        molecules: how many are behind it.
        paper: what the paper prints, or None.
    """

    cell: Cell
    value: float | None
    error: float | None
    molecules: int
    paper: Published | None


@dataclass(frozen=True)
class Beside:
    """A table of one score.

    Attributes:
        score: which one.
        patterns: the rows.
        columns: (explainer, readout) of every column.
        entries: by (pattern, explainer, readout); missing where the run does not have it.
    """

    score: Score
    patterns: tuple[str, ...]
    columns: tuple[tuple[str, str], ...]
    entries: dict[tuple[str, str, str], Entry]


def beside(cells: Sequence[Cell], score: str) -> Beside:
    """The summary of a run as a table of one score, with the paper's numbers where it has any.

    The paper's are over other molecules than ours, and say so themselves (``Published.set``).

    Args:
        cells: of :func:`wombat_core.benchmark.summary.summarise`.
        score: one of ``SCORES``.
    """
    wanted = SCORES[score]
    entries = {}
    for cell in cells:
        value, number = getattr(cell, wanted.name), getattr(cell, wanted.count)
        error = getattr(cell, wanted.error) if wanted.error else None
        entries[cell.pattern, cell.explainer, cell.readout] = Entry(cell, value, error, number, _paper(cell, score))
    patterns = tuple(dict.fromkeys(cell.pattern for cell in cells))
    columns = dict.fromkeys((cell.explainer, cell.readout) for cell in cells)
    order = {name: place for place, name in enumerate(dict.fromkeys(cell.explainer for cell in cells))}
    return Beside(wanted, patterns, tuple(sorted(columns, key=lambda each: (order[each[0]], each[1]))), entries)


def _paper(cell: Cell, score: str) -> Published | None:
    """The most precise of the numbers that the paper prints: one with a standard error before one without."""
    if score not in ("auroc", "average_precision", "perfect_rate", "iqr_pass_rate"):
        return None
    found = published(cell.pattern, cell.readout, cell.explainer, score)
    return next((each for each in found if each.stderr is not None), found[0] if found else None)
