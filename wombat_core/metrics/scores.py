"""How well an explanation agrees with the ground truth: AUROC, average precision, the IQR criterion."""

from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from .ranking import auroc_and_average_precision

IQR_MARGIN = 1e-6


@dataclass(frozen=True)
class Scores:
    """The scores of one explanation; None where undefined, with the reason in ``why``.

    Attributes:
        auroc: area under the ROC curve of the atom scores against the ground truth.
        average_precision: likewise, average precision.
        ap_baseline: what average precision a constant answer gets, the share of ground-truth atoms.
        perfect: whether AUROC = 1.
        iqr_pass: on a molecule without the motif, whether no atom stands out.
        why: field name to the sentence that says why it is None.
    """

    auroc: float | None
    average_precision: float | None
    ap_baseline: float | None
    perfect: bool | None
    iqr_pass: bool | None
    why: dict[str, str]


def score(atom_scores: np.ndarray, truth: np.ndarray, no_truth: str | None = None) -> Scores:
    """Score one explanation.

    Args:
        atom_scores: [num_atoms], importance of every atom.
        truth: bool [num_atoms], the ground truth; all False on a molecule without the motif.
        no_truth: why there is no ground truth at all; nothing is scored then.

    Raises:
        InputError: there is not one score an atom.
    """
    atom_scores, truth = np.asarray(atom_scores, dtype=float), np.asarray(truth, dtype=bool)
    if atom_scores.shape != truth.shape or truth.ndim != 1:
        raise InputError(f"There are {atom_scores.size} scores for {truth.size} atoms; each atom needs one.")
    if no_truth is not None:
        fields = ("auroc", "average_precision", "ap_baseline", "perfect", "iqr_pass")
        return Scores(None, None, None, None, None, dict.fromkeys(fields, no_truth))
    if not truth.any():
        why = "The molecule does not contain the motif, so no atom is ground truth."
        ranking: dict[str, str] = dict.fromkeys(("auroc", "average_precision", "ap_baseline", "perfect"), why)
        return Scores(None, None, None, None, iqr_pass(atom_scores), ranking)
    whys: dict[str, str] = {"iqr_pass": "The IQR criterion is for molecules without the motif."}
    baseline = float(truth.mean())
    if truth.all():
        why = "Every atom is ground truth, so there is nothing to rank them above."
        whys |= dict.fromkeys(("auroc", "average_precision", "perfect"), why)
        return Scores(None, None, baseline, None, None, whys)
    auroc, average_precision = auroc_and_average_precision(atom_scores, truth)
    return Scores(auroc, average_precision, baseline, auroc == 1.0, None, whys)


def iqr_pass(atom_scores: np.ndarray) -> bool:
    """Whether no atom lies outside ``[q1 - 1.5 iqr, q3 + 1.5 iqr]``.

    q1 is the lower and q3 the higher interpolated quartile, ``iqr = q3 - q1 + 1e-6``.
    """
    if not len(atom_scores):
        return True
    # np.quantile with the methods "lower" and "higher" gives the same two and takes ten times longer.
    ranked, last = np.sort(atom_scores), len(atom_scores) - 1
    q1, q3 = ranked[last // 4], ranked[-(-3 * last // 4)]
    reach = 1.5 * (q3 - q1 + IQR_MARGIN)
    return bool(((atom_scores >= q1 - reach) & (atom_scores <= q3 + reach)).all())
