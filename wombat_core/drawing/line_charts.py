"""Charts of a few named lines (Plotly), from arrays: one atom moved, convergence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from .chart_style import DASHES, SCREEN, SERIES, ChartStyle, add_cursor, laid_out

if TYPE_CHECKING:
    import plotly.graph_objects as go


def named_lines(
    x: np.ndarray,
    lines: Mapping[str, np.ndarray],
    *,
    x_title: str,
    y_title: str,
    style: ChartStyle = SCREEN,
    zoom: tuple[float, float] | None = None,
    cursor: float | None = None,
    markers: bool = False,
    log_x: bool = False,
    log_y: bool = False,
) -> go.Figure:
    """A few lines with a legend; values that a logarithmic axis cannot show, and None, are left out.

    Args:
        x: [points], lines: name to values [points].
        zoom: the range of x.
        cursor: x of a vertical line.
        markers: mark the points.
        log_x, log_y: logarithmic axes.
    """
    figure = go.Figure()
    for number, (name, values) in enumerate(lines.items()):
        values = np.array([np.nan if value is None else value for value in values], dtype=float)
        figure.add_scatter(
            x=x,
            y=np.where(values > 0, values, np.nan) if log_y else values,
            name=name,
            mode="lines+markers" if markers else "lines",
            marker={"size": style.font / 2},
            line={
                "color": style.ink if len(lines) == 1 else SERIES[number % len(SERIES)],
                "width": style.line,
                "simplify": False,
                "dash": DASHES[number % len(DASHES)],
            },
            hovertemplate=f"{name}<br>%{{x}}: %{{y}}<extra></extra>",
        )
    laid_out(figure, style, x_title, y_title, zoom)
    if log_x:
        figure.update_xaxes(type="log", tickvals=x, ticktext=[f"{value:,}" for value in x], tickangle=0, range=None)
    if log_y:
        figure.update_yaxes(type="log", dtick=1)
    if len(lines) > 1:
        legend = {"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0, "font": {"size": style.font - 1}}
        figure.update_layout(showlegend=True, legend=legend)
    if cursor is not None:
        add_cursor(figure, cursor, style)
    return figure
