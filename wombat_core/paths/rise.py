"""Where along the path F changes."""

from collections.abc import Iterable

import numpy as np

SHARE = 0.99
_AIR = 0.15
_ROUND = 0.005


def rise(alphas: np.ndarray, values: np.ndarray, share: float = SHARE) -> tuple[float, float] | None:
    """The shortest range of ``alphas`` over which F gains ``share`` of what it gains between the first and the last.

    Args:
        alphas: [points], ascending. values: F, [points].

    Returns:
        Both ends, at points of the grid; None where F ends as it began. A loss counts as a gain of -F.
    """
    gain = values[-1] - values[0]
    if abs(gain) <= 1e-9 * max(1.0, np.abs(values).max()):
        return None
    gained = (values - values[0]) / gain
    # The first point up to which F has gained enough, seen from every start.
    highest = np.maximum.accumulate(gained)
    ends = np.searchsorted(highest, gained + share - 1e-12)
    starts = np.arange(len(alphas))
    valid = (ends < len(alphas)) & (ends > starts)
    widths = np.where(valid, alphas[np.minimum(ends, len(alphas) - 1)] - alphas, np.inf)
    start = int(widths.argmin())
    return (float(alphas[start]), float(alphas[ends[start]])) if np.isfinite(widths[start]) else None


def changing_range(alphas: np.ndarray, outputs: Iterable[np.ndarray]) -> tuple[float, float]:
    """A round range of alphas in which every one of ``outputs`` makes 99 % of all its ups and downs.

    (0, 1) where none of them changes.
    """
    low, high = 1.0, 0.0
    for values in outputs:
        moved = np.append(0.0, np.abs(np.diff(values)).cumsum())
        if moved[-1] > 0:
            low = min(low, float(alphas[np.flatnonzero(moved <= (1 - SHARE) / 2 * moved[-1])[-1]]))
            high = max(high, float(alphas[np.flatnonzero(moved >= (1 + SHARE) / 2 * moved[-1])[0]]))
    if low >= high:
        return 0.0, 1.0
    air = _AIR * (high - low)
    ends = np.floor((low - air) / _ROUND) * _ROUND, np.ceil((high + air) / _ROUND) * _ROUND
    return round(max(0.0, float(ends[0])), 6), round(min(1.0, float(ends[1])), 6)
