"""GES, graph explanation instability (GraphXAI, Eq. 6): how far the mask moves when the input hardly does."""

from collections.abc import Iterable

import numpy as np


def cosine_distance(a: np.ndarray, b: np.ndarray) -> float:
    """``D``, 1 - cos of two masks [entries]; 0 for two empty masks, 1 where one of them is empty."""
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    length = np.linalg.norm(a) * np.linalg.norm(b)
    if not length:
        return float(a.any() or b.any())
    # Rounding leaves two equal masks a little apart.
    return 0.0 if np.array_equal(a, b) else float(1 - a @ b / length)


def ges(mask: np.ndarray, perturbed: Iterable[np.ndarray]) -> float:
    """The largest distance to the masks of the perturbed copies that keep the prediction (Eq. 6); nan without any."""
    return max((cosine_distance(mask, other) for other in perturbed), default=float("nan"))
