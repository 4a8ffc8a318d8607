"""Means with standard errors over the nodes or molecules that were explained."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .fairness import gegf

RESAMPLINGS = 200


@dataclass(frozen=True)
class Summary:
    """A mean over nodes or molecules.

    Attributes:
        mean: nan where it is undefined everywhere.
        error: its standard error; nan for fewer than two.
        count: on how many the metric is defined.
    """

    mean: float
    error: float
    count: int

    def __str__(self) -> str:
        return f"{self.mean:.3f} ± {self.error:.3f}" if self.count else "undefined"


def of_values(values: Sequence[float]) -> Summary:
    """The mean of the defined values, and its standard error ``s / sqrt(n)``."""
    known = np.asarray(values, dtype=np.float64)
    known = known[~np.isnan(known)]
    if not len(known):
        return Summary(float("nan"), float("nan"), 0)
    error = known.std(ddof=1) / len(known) ** 0.5 if len(known) > 1 else float("nan")
    return Summary(float(known.mean()), float(error), len(known))


def of_gaps(predictions: np.ndarray, masked: np.ndarray, protected: np.ndarray, positive: int, seed: int) -> Summary:
    """GEGF of all nodes together, with the standard deviation over 200 resamplings of the nodes as its error."""
    value = gegf(predictions, masked, protected, positive)
    if np.isnan(value):
        return Summary(value, float("nan"), 0)
    random = np.random.default_rng(seed)
    draws = (random.integers(len(predictions), size=len(predictions)) for _ in range(RESAMPLINGS))
    found = np.array([gegf(predictions[drawn], masked[drawn], protected[drawn], positive) for drawn in draws])
    # A small sample may be drawn without one of the groups.
    found = found[~np.isnan(found)]
    error = float(found.std(ddof=1)) if len(found) > 1 else float("nan")
    return Summary(value, error, len(predictions))
