"""AUROC and average precision of one molecule, counted level by level.

The same numbers as scikit-learn's ``roc_auc_score`` and ``average_precision_score``, whose checks of the input take a
hundred times longer than the few dozen atoms of a molecule themselves.
"""

import numpy as np


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
