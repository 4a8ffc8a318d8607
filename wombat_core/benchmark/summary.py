"""From rows to the numbers one quotes: means with standard errors, one cell a whitebox and explainer.

The summary is a function of the rows alone, to the last bit, whatever order they came in: sums are exact
(``math.fsum``), and wall times stay out of it.
"""

import math
from dataclasses import dataclass

from .store import Store


@dataclass(frozen=True)
class Cell:
    """The rows of one whitebox and one explainer; a number is None where no molecule gives it.

    Rates are shares in [0, 1]. A standard error is that of a mean, ``sd / sqrt(n)`` (None for one molecule), or of a
    share, ``sqrt(p (1 - p) / n)``.

    Attributes:
        pattern, readout, explainer, settings: names, and the settings as canonical JSON.
        molecules: the set they come from, for people, with limit and seed.
        num_molecules: rows there are; ``with_motif`` of them contain the motif.
        left_out: molecules that the benchmark leaves out (no bonds, high valences), ``unreadable``: records that are no
            molecules. Neither has rows.
        problems: molecules that the explainer gave no answer for; they count in no score.
        undefined: answered molecules with the motif of which every atom is ground truth, so that AUROC is undefined.
        scored: molecules behind AUROC, AP, its baseline, the perfect and the misranked rate.
        auroc, auroc_se, average_precision, average_precision_se: means and standard errors.
        ap_baseline: mean of the AP of a constant answer, over the scored molecules.
        perfect_rate, perfect_se: share with AUROC = 1.
        misranked_rate: share in which an atom outside the ground truth scores above one inside.
        null_rate: share of answered molecules with the motif whose atoms all score alike.
        negatives: answered molecules without the motif, those behind the IQR rate.
        iqr_pass_rate, iqr_pass_se: share of them that passes the IQR criterion.
        null_rate_negatives: share of them whose atoms all score alike.
        accuracy: of the whitebox itself, the share of predictions that agree with the relaxed SMARTS.
    """

    pattern: str
    readout: str
    explainer: str
    settings: str
    molecules: str
    num_molecules: int
    with_motif: int
    left_out: int
    unreadable: int
    problems: int
    undefined: int
    scored: int
    auroc: float | None
    auroc_se: float | None
    average_precision: float | None
    average_precision_se: float | None
    ap_baseline: float | None
    perfect_rate: float | None
    perfect_se: float | None
    misranked_rate: float | None
    null_rate: float | None
    negatives: int
    iqr_pass_rate: float | None
    iqr_pass_se: float | None
    null_rate_negatives: float | None
    accuracy: float | None


SCORES = {
    "AUROC": ("auroc", "auroc_se"),
    "AP": ("average_precision", "average_precision_se"),
    "AP baseline": ("ap_baseline", None),
    "perfect": ("perfect_rate", "perfect_se"),
    "null": ("null_rate", None),
    "IQR pass": ("iqr_pass_rate", "iqr_pass_se"),
    "accuracy": ("accuracy", None),
}
"""Columns of the tables for people: what a :class:`Cell` calls the score, and its standard error."""
NUMBERS = {"molecules": "num_molecules", "scored": "scored", "negatives": "negatives", "problems": "problems"}
"""Likewise, columns that count."""


def summarise(store: Store) -> list[Cell]:
    """One cell a task of the run, in the order of the plan, over the rows there are so far."""
    return [_cell(store, task) for task in range(len(store.plan.tasks))]


_COUNTS = {
    "rows": "1",
    "with_motif": "contains_motif",
    "problems": "problem IS NOT NULL",
    "positives": "contains_motif AND problem IS NULL",
    "scored": "auroc IS NOT NULL",
    "perfect": "perfect",
    "misranked": "misranked",
    "null_positives": "contains_motif AND null_answer",
    "negatives": "iqr_pass IS NOT NULL",
    "iqr_pass": "iqr_pass",
    "null_negatives": "NOT contains_motif AND null_answer",
    "predicted": "prediction IS NOT NULL",
    "right": "(prediction > 0.5) = contains_motif",
}


def _cell(store: Store, place: int) -> Cell:
    task = store.plan.tasks[place]
    count = dict(zip(_COUNTS, store.tally(place, list(_COUNTS.values())), strict=True))
    left_out, unreadable = store.left_out(place)
    auroc, auroc_se = _mean(store, place, "auroc")
    precision, precision_se = _mean(store, place, "average_precision")
    baseline, _ = _mean(store, place, "ap_baseline", "auroc IS NOT NULL")
    perfect, perfect_se = _share(count["perfect"], count["scored"])
    iqr_pass, iqr_pass_se = _share(count["iqr_pass"], count["negatives"])
    return Cell(
        pattern=task.pattern,
        readout=task.readout,
        explainer=task.explainer,
        settings=task.settings,
        molecules=store.plan.title,
        num_molecules=count["rows"],
        with_motif=count["with_motif"],
        left_out=left_out,
        unreadable=unreadable,
        problems=count["problems"],
        undefined=count["positives"] - count["scored"],
        scored=count["scored"],
        auroc=auroc,
        auroc_se=auroc_se,
        average_precision=precision,
        average_precision_se=precision_se,
        ap_baseline=baseline,
        perfect_rate=perfect,
        perfect_se=perfect_se,
        misranked_rate=_share(count["misranked"], count["scored"])[0],
        null_rate=_share(count["null_positives"], count["positives"])[0],
        negatives=count["negatives"],
        iqr_pass_rate=iqr_pass,
        iqr_pass_se=iqr_pass_se,
        null_rate_negatives=_share(count["null_negatives"], count["negatives"])[0],
        accuracy=_share(count["right"], count["predicted"])[0],
    )


def _mean(store: Store, place: int, column: str, where: str = "1") -> tuple[float | None, float | None]:
    """Mean and its standard error, over streamed values."""
    number = sum(1 for _ in store.values(place, column, where))
    if not number:
        return None, None
    mean = math.fsum(store.values(place, column, where)) / number
    if number == 1:
        return mean, None
    squares = math.fsum((value - mean) ** 2 for value in store.values(place, column, where))
    return mean, math.sqrt(squares / (number - 1) / number)


def _share(part: int, whole: int) -> tuple[float | None, float | None]:
    """A share and its standard error."""
    if not whole:
        return None, None
    share = part / whole
    return share, math.sqrt(share * (1 - share) / whole)
