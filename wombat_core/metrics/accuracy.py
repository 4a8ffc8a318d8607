"""GEA, graph explanation accuracy (GraphXAI, Eq. 3 and 4)."""

from collections.abc import Iterable

import numpy as np


def jaccard(truth: np.ndarray, mask: np.ndarray) -> float:
    """``TP / (TP + FP + FN)`` of a mask against a ground truth, bool [entries] each (Eq. 3).

    Not defined, and given as nan, where both are empty. (The released code adds a tiny number below the line, which
    makes that case 0.)
    """
    truth, mask = np.asarray(truth, dtype=bool), np.asarray(mask, dtype=bool)
    either = int((truth | mask).sum())
    return int((truth & mask).sum()) / either if either else float("nan")


def gea(truths: Iterable[np.ndarray], mask: np.ndarray) -> float:
    """The best Jaccard index over all ground truths (Eq. 4); nan where there are none or all are undefined."""
    found = [value for value in (jaccard(truth, mask) for truth in truths) if not np.isnan(value)]
    return max(found, default=float("nan"))
