"""What a view is made of: pictures, tables, charts. Pages and handouts draw the same blocks in their own ways."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from .lesson import Situation


@dataclass(frozen=True)
class Card:
    """A picture of the molecule.

    Attributes:
        situation: of what.
        kind: "molecule" (bare), "truth" or "answer".
        explainer: whose answer.
        title: above it; empty for the usual one.
    """

    situation: Situation
    kind: str
    explainer: str = ""
    title: str = ""


@dataclass(frozen=True)
class Cards:
    """Cards of one molecule beside each other."""

    cards: tuple[Card, ...]
    columns: int = 3


@dataclass(frozen=True)
class Table:
    """A table of texts; the first ``texts`` columns are words, the others numbers. ``note`` stands below it."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    texts: int = 1
    note: str = ""


@dataclass(frozen=True, eq=False)
class Chart:
    """Lines over x.

    Attributes:
        title: above the chart.
        x: [points].
        lines: name to values [points]; NaN leaves a gap.
        x_title, y_title: of the axes.
        zoom: the range of x that is shown.
        cursor: x of a vertical line.
        log_x, log_y: logarithmic axes.
        markers: mark the points.
        strong: the line that stands out where the others are quiet; empty where all are alike.
        apart: quiet lines that are dashed.
    """

    title: str
    x: np.ndarray
    lines: Mapping[str, np.ndarray]
    x_title: str
    y_title: str
    zoom: tuple[float, float] | None = None
    cursor: float | None = None
    log_x: bool = False
    log_y: bool = False
    markers: bool = False
    strong: str = ""
    apart: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Charts:
    """Charts beside each other."""

    charts: tuple[Chart, ...]


@dataclass(frozen=True)
class Strip:
    """The layers of the network, one picture each; ``layer`` is the one in question (0: the readout, None: no one)."""

    situation: Situation
    layer: int | None = None


@dataclass(frozen=True)
class Calculation:
    """One activation, or the readout (layer 0), taken apart; ``table`` has the same numbers without formulas."""

    situation: Situation
    layer: int
    channel: int
    atom: int
    table: Table


@dataclass(frozen=True)
class Words:
    """A sentence."""

    text: str


@dataclass(frozen=True)
class Train:
    """A GIN to train on the labels of the situation's pattern, then explained beside the whitebox."""

    situation: Situation
    explainers: tuple[str, ...]
    options: Mapping[str, int] = field(default_factory=dict)


Block = Cards | Table | Charts | Strip | Calculation | Words | Train
