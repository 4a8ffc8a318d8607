"""AUROC and average precision of one molecule, counted level by level.

The same numbers as scikit-learn's ``roc_auc_score`` and ``average_precision_score``, whose checks of the input take a
hundred times longer than the few dozen atoms of a molecule themselves.
"""

from typing import Any

import numpy as np

from ..errors import InputError


def auroc(atom_scores: Any, truth: Any) -> float:
    """Area under the ROC curve of atom scores against a ground truth; atoms that score alike share a rank.

    Args:
        atom_scores: [num_atoms] finite numbers.
        truth: [num_atoms] booleans.

    Raises:
        InputError: the lengths differ, a score is not finite, or all atoms or none are ground truth.

    >>> auroc([0.9, 0.1, 0.8, 0.3], [True, False, False, True])
    0.75
    """
    return _both(atom_scores, truth)[0]


def average_precision(atom_scores: Any, truth: Any) -> float:
    """Average precision of atom scores against a ground truth; arguments and errors as :func:`auroc`.

    A constant answer gets the share of ground-truth atoms.

    >>> average_precision([1, 1, 1, 1], [True, False, False, False])
    0.25
    """
    return _both(atom_scores, truth)[1]


def _both(atom_scores: Any, truth: Any) -> tuple[float, float]:
    scores, marked = np.asarray(atom_scores, dtype=np.float64), np.asarray(truth, dtype=bool)
    if scores.shape != marked.shape or scores.ndim != 1:
        raise InputError(f"There are scores {list(scores.shape)} for a ground truth {list(marked.shape)}; one an atom.")
    if not np.isfinite(scores).all():
        raise InputError("Atom scores must be finite numbers.")
    if marked.all() or not marked.any():
        raise InputError("The ranking is undefined: all atoms are ground truth, or none is.")
    return auroc_and_average_precision(scores, marked)


def auroc_and_average_precision(atom_scores: np.ndarray, truth: np.ndarray) -> tuple[float, float]:
    """Both scores of a ranking; atoms that score alike share a level.

    Args:
        atom_scores: [num_atoms], finite.
        truth: bool [num_atoms], with both values.

    Raises:
        ValueError: a score is not finite.
    """
    if not np.isfinite(atom_scores).all():
        raise ValueError("Atom scores must be finite numbers.")
    levels, level = np.unique(-atom_scores, return_inverse=True)
    true = np.bincount(level, truth, len(levels))
    false = np.bincount(level, ~truth, len(levels))
    true_so_far, false_so_far = true.cumsum(), false.cumsum()
    all_true, all_false = true_so_far[-1], false_so_far[-1]
    above = true @ (all_false - false_so_far + false / 2)
    precision = true_so_far / (true_so_far + false_so_far)
    return float(above / (all_true * all_false)), float(true @ precision / all_true)


def random_average_precision(num_atoms: int, num_truth: int) -> float:
    """The mean average precision of random scores without ties, over all orders of the atoms.

    The atom of rank k is ground truth in num_truth of num_atoms orders, and then the k - 1 above it hold
    (k - 1) (num_truth - 1) / (num_atoms - 1) others on average. It lies above the share of ground-truth atoms, which
    is what a constant answer gets.

    Raises:
        ValueError: ``num_truth`` is not from 1 to ``num_atoms``.

    >>> round(random_average_precision(11, 7), 3)
    0.71
    """
    if not 1 <= num_truth <= num_atoms:
        raise ValueError("There must be from 1 to num_atoms ground-truth atoms.")
    rank = np.arange(1, num_atoms + 1)
    others = (num_truth - 1) / max(1, num_atoms - 1)
    return float(np.mean((1 + (rank - 1) * others) / rank))
