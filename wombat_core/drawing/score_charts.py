"""Scores of explainers as points with standard errors, the paper's beside them; the colours of score tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from plotly.subplots import make_subplots

from .chart_style import SCREEN, SERIES, ChartStyle, laid_out
from .colours import rgb, to_hex

if TYPE_CHECKING:
    import plotly.graph_objects as go

LANDMARKS = ((0.5, "#e7907a"), (0.65, "#f8d3c6"), (0.85, "#d5ead9"), (1.0, "#79bf91"))
"""The landmarks of Tables S7 and S8: red up to 0.50, pale red at 0.65, light green at 0.85, green at 1.00."""


def score_colour(value: float | None) -> str | None:
    """The colour of a score as in Tables S7 and S8 of the paper; None where there is none."""
    if value is None:
        return None
    places = [place for place, _ in LANDMARKS]
    stops = np.array([rgb(colour) for _, colour in LANDMARKS])
    return to_hex([np.interp(value, places, stops[:, channel]) for channel in range(3)])


@dataclass(frozen=True)
class Point:
    """One score: its panel, line and colour, its standard error, the paper's value, what the pointer says of it."""

    panel: str
    line: str
    series: str
    value: float
    error: float | None = None
    paper: float | None = None
    hint: str = ""


def score_chart(points: Sequence[Point], x_title: str, style: ChartStyle = SCREEN) -> go.Figure:
    """Points with standard errors on one line each, panels side by side; the paper's values as open diamonds.

    Args:
        points: in the order of lines, panels and series.
        x_title: what the values are; they lie between 0 and 1.
    """
    panels, lines, series = (
        list(dict.fromkeys(getattr(point, name) for point in points)) for name in ("panel", "line", "series")
    )
    figure = make_subplots(
        rows=1, cols=max(len(panels), 1), shared_yaxes=True, subplot_titles=panels, horizontal_spacing=0.03
    )
    for point_panel, panel in enumerate(panels, start=1):
        for number, name in enumerate(series):
            own = [point for point in points if (point.panel, point.series) == (panel, name)]
            # Points of one line stand a little above each other, the first at the top.
            shift = 0.7 * ((len(series) - 1) / 2 - number) / max(len(series), 1)
            heights = [len(lines) - 1 - lines.index(point.line) + shift for point in own]
            colour, symbol = SERIES[number % len(SERIES)], "circle" if number < len(SERIES) else "square"
            hints = {"customdata": [point.hint for point in own], "hovertemplate": "%{customdata}<extra></extra>"}
            figure.add_scatter(
                x=[point.value for point in own],
                y=heights,
                mode="markers",
                name=name,
                legendgroup=name,
                showlegend=point_panel == 1,
                marker={"color": colour, "symbol": symbol, "size": 7},
                error_x={"type": "data", "array": [point.error or 0 for point in own], "thickness": 1.2, "width": 2},
                row=1,
                col=point_panel,
                **hints,
            )
            printed = [(point, height) for point, height in zip(own, heights, strict=True) if point.paper is not None]
            figure.add_scatter(
                x=[point.paper for point, _ in printed],
                y=[height for _, height in printed],
                mode="markers",
                showlegend=False,
                marker={"color": colour, "symbol": "diamond-open", "size": 11, "line": {"width": 1.4}},
                customdata=[point.hint for point, _ in printed],
                hovertemplate="%{customdata}<extra></extra>",
                row=1,
                col=point_panel,
            )
    if any(point.paper is not None for point in points):
        figure.add_scatter(
            x=[None],
            y=[None],
            mode="markers",
            name="the paper",
            marker={"color": style.ink, "symbol": "diamond-open", "size": 10},
        )
    laid_out(figure, style, x_title, "", (-0.03, 1.03))
    figure.update_yaxes(
        tickvals=list(range(len(lines))), ticktext=lines[::-1], range=(-0.6, len(lines) - 0.4), showgrid=False, ticks=""
    )
    for place in range(len(lines) - 1):
        figure.add_hline(place + 0.5, line={"color": style.grid, "width": 1})
    figure.update_annotations(font={"size": style.font, "color": style.ink})
    figure.update_layout(
        showlegend=True,
        margin={"t": 26},
        legend={"orientation": "v", "y": 1, "yanchor": "top", "font": {"size": style.font}},
    )
    return figure
