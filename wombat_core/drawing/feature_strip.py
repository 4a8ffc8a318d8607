"""Importance of the features of a node's neighbourhood as bars, the informative ones marked."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from ..errors import InputError
from . import colours
from .shapes import Box, Text, printable, svg_root

LABEL = 9
MOST_LABELS = 40
"""Features up to which each bar has its number below it."""


@dataclass(frozen=True)
class _Column:
    """A place for a bar, with what is told of the feature when it is pointed at."""

    box: Box
    told: str

    def svg(self) -> str:
        return self.box.svg().replace("/>", f"><title>{escape(printable(self.told))}</title></rect>")


def feature_strip_svg(
    scores: np.ndarray | None,
    informative: np.ndarray,
    names: Sequence[str],
    *,
    width: int = 300,
    height: int = 150,
    limit: float | None = None,
    title: str = "Features",
) -> str:
    """A bar a feature, as high as its importance and coloured by it; informative features stand in blue frames.

    Args:
        scores: [features] importance, not negative; None draws the frames alone.
        informative: [features] booleans, the ground truth.
        names: [features] what is told of a feature that is pointed at.
        width, height: size in pixels.
        limit: the importance of a full bar; None: the largest one here.
        title: accessible title.

    Raises:
        InputError: the lengths differ.
    """
    size = len(informative)
    if len(names) != size or (scores is not None and len(scores) != size):
        raise InputError(f"The drawing needs {size} scores and names, one a feature.")
    values = np.zeros(size) if scores is None else np.nan_to_num(np.abs(colours.as_scores(scores)))
    limit = colours.common_limit(values) if limit is None else limit
    shades = colours.hex_of(values, limit)
    step = (width - 12) / max(size, 1)
    gap = min(4.0, 0.25 * step)
    top, bottom = 8.0, height - (LABEL + 9 if size <= MOST_LABELS else 8)
    shapes: list = [Box(0, 0, width, height, fill="#ffffff")]
    for place in range(size):
        left, wide = 6 + place * step + gap / 2, step - gap
        tall = (bottom - top - 4) * min(values[place] / limit, 1.0) if limit else 0.0
        if tall:
            line = "#8b93a1" if step > 6 else None
            shapes.append(Box(left + 2, bottom - 2 - tall, max(wide - 4, 0.5), tall, fill=shades[place], line=line))
        line = colours.GROUND_TRUTH if informative[place] else "#e1e4ea"
        frame = Box(left, top, wide, bottom - top, fill="transparent", line=line, radius=2)
        told = names[place] if scores is None else f"{names[place]}: {colours.format_value(values[place])}"
        shapes.append(_Column(frame, told))
        if informative[place]:
            shapes.append(Box(left + 0.8, top + 0.8, max(wide - 1.6, 0.2), bottom - top - 1.6, line=line, radius=1.5))
        if size <= MOST_LABELS:
            shapes.append(Text(left + wide / 2, height - 5, str(place), LABEL, "#4b5563", "middle"))
    return svg_root(width, height, title, "".join(shape.svg() for shape in shapes))
