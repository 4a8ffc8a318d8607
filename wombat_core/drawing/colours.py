"""The two colour scales of every heatmap, and the marks that lie on top of them.

Absolute attributions run from white (zero) to a deep orange, signed ones from purple over white to the
same orange: ColorBrewer's *Oranges* and *Purples*, which colour-blind people can tell apart and which
keep their order in greyscale print. Both stop before their darkest steps, so that a black atom symbol
on any colour keeps a contrast of 4.5 to 1 (WCAG 2, level AA).
"""

from collections.abc import Iterable
from typing import overload

import numpy as np

SEQUENTIAL = ("#ffffff", "#fee8d3", "#fdd0a2", "#fdae6b", "#fd8d3c", "#f16913", "#d94801")
"""White to deep orange, for absolute attributions."""

DIVERGING = (
    "#7a72b4",
    "#9e9ac8",
    "#bcbddc",
    "#dadaeb",
    "#ffffff",
    "#fdd0a2",
    "#fdae6b",
    "#f16913",
    "#d94801",
)
"""Purple (negative) over white (zero) to deep orange (positive), for signed attributions."""

GROUND_TRUTH = "#1d4ed8"
"""The blue of the ground-truth rings."""

SELECTED = "#111827"
"""The near black of the mark at the selected atom."""

"""Atom symbols and bonds."""

MAP_NUMBER = "#7e22ce"
"""The purple of a molecule's own map numbers, which are not the atoms' numbers."""

FADED = "#c3c9d2"
"""Atoms and bonds that are greyed out."""


def scale(signed: bool = False) -> tuple[str, ...]:
    """The evenly spaced stops (``#rrggbb``) of the scale for signed or for absolute values."""
    return DIVERGING if signed else SEQUENTIAL


def plotly_scale(signed: bool = False) -> list[list]:
    """The same scale as a Plotly ``colorscale``; use it with range [-limit, limit] or [0, limit]."""
    stops = scale(signed)
    return [[i / (len(stops) - 1), stop] for i, stop in enumerate(stops)]


def common_limit(*scores) -> float:
    """The largest finite absolute value among arrays of scores (None is skipped); 0 if there is none."""
    finite = [np.abs(array[np.isfinite(array)]) for array in map(as_scores, scores) if array is not None]
    return max((float(array.max()) for array in finite if array.size), default=0.0)


@overload
def as_scores(values: None) -> None: ...
@overload
def as_scores(values: Iterable) -> np.ndarray: ...
def as_scores(values: Iterable | None) -> np.ndarray | None:
    """Scores as a float array in which missing ones (None) are NaN; None stays None."""
    if values is None:
        return None
    return np.array([np.nan if v is None else v for v in values], dtype=float)


def colour_of(values, limit: float | None = None, signed: bool = False) -> np.ndarray:
    """Colours of scores.

    Args:
        values: [n] scores; unsigned scales take their absolute values. None, NaN and infinities are white.
        limit: the value with the strongest colour, stronger ones are clipped; None: the largest one here.
            With limit 0 everything is white.
        signed: use the diverging scale over [-limit, limit] in place of [0, limit].

    Returns:
        [n, 3] red, green and blue in [0, 1].
    """
    values = as_scores(np.ravel(values))
    limit = common_limit(values) if limit is None else abs(float(limit))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        fraction = values / limit
    fraction = np.where(np.isfinite(values) & np.isfinite(fraction), fraction, 0.0)
    fraction = (np.clip(fraction, -1, 1) + 1) / 2 if signed else np.minimum(np.abs(fraction), 1)
    stops = np.array([rgb(stop) for stop in scale(signed)])
    places = np.linspace(0, 1, len(stops))
    return np.stack([np.interp(fraction, places, stops[:, channel]) for channel in range(3)], axis=1)


def hex_of(values, limit: float | None = None, signed: bool = False) -> list[str]:
    """The colours of :func:`colour_of` as ``#rrggbb``."""
    return [to_hex(colour) for colour in colour_of(values, limit, signed)]


def rgb(colour: str) -> tuple[float, float, float]:
    """``#rrggbb`` as red, green and blue in [0, 1]."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


def to_hex(colour) -> str:
    """Red, green and blue in [0, 1] as ``#rrggbb``."""
    return "#" + "".join(f"{round(255 * float(part)):02x}" for part in colour)


def format_value(value: float) -> str:
    """A score in at most three significant figures, with a real minus sign."""
    return f"{value:.3g}".replace("-", "\N{MINUS SIGN}")
