"""Charts of a walk along the path (Plotly), from arrays: curves, atoms by alpha, atoms as lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from .chart_style import POWERS, SCREEN, ChartStyle, add_cursor, laid_out, told
from .colours import common_limit, plotly_scale

if TYPE_CHECKING:
    import plotly.graph_objects as go

MAX_COLUMNS = 600
"""Alphas that a chart draws at most, more than it has pixels."""

MAX_TARGETS = 3000
DECADES = 5
"""A logarithmic axis shows so many decades below its largest value."""


def curve(
    alphas: np.ndarray,
    values: np.ndarray,
    *,
    y_title: str,
    style: ChartStyle = SCREEN,
    zoom: tuple[float, float] = (0, 1),
    cursor: float | None = None,
    kinks: np.ndarray | None = None,
) -> go.Figure:
    """F or its slope along the path.

    Args:
        alphas, values: [points].
        y_title: what the values are.
        zoom: the alphas that are shown.
        cursor: alpha of the vertical line.
        kinks: alphas where F bends, drawn as small marks on the axis.
    """
    shown = within(alphas, zoom)
    low, high = _spread(values[shown])
    figure = go.Figure(
        go.Scatter(
            x=alphas[shown],
            y=values[shown],
            mode="lines",
            line={"color": style.ink, "width": style.line, "simplify": False},
            hovertemplate="α = %{x:.4f}<br>%{y}<extra></extra>",
        )
    )
    kinks = np.zeros(0) if kinks is None else kinks[within(kinks, zoom)]
    if len(kinks):
        figure.add_scatter(
            x=kinks,
            y=np.full(len(kinks), low),
            mode="markers",
            marker={"symbol": "triangle-up", "size": 8, "color": style.quiet},
            hovertemplate="F bends at α = %{x:.4f}<extra></extra>",
            cliponaxis=False,
        )
    laid_out(figure, style, "α", y_title, zoom)
    figure.update_yaxes(range=(low, high))
    if cursor is not None:
        add_cursor(figure, cursor, style)
    return figure


def atom_heatmap(
    alphas: np.ndarray,
    values: np.ndarray,
    labels: Sequence[str],
    *,
    order: np.ndarray | None = None,
    name: str = "gradient × input",
    style: ChartStyle = SCREEN,
    zoom: tuple[float, float] = (0, 1),
    cursor: float | None = None,
    selected: int | None = None,
) -> go.Figure:
    """One row an atom, one column an alpha, coloured by value: white at zero, orange above, purple below.

    Args:
        alphas: [points], values: [points, atoms], labels: [atoms].
        order: the atoms from the top row down; all of them, by number, where None.
        selected: the atom whose row is framed.

    Every row has invisible points whose ``customdata`` is the atom, for clicks.
    """
    order = np.arange(values.shape[1]) if order is None else order
    shown = _thinned(within(alphas, zoom))
    table = values[shown][:, order].T.astype(np.float32)
    limit = common_limit(table.ravel()) or 1.0
    negative = bool((table < 0).any())
    names = [labels[int(atom)] for atom in order]
    figure = go.Figure(
        go.Heatmap(
            x=alphas[shown],
            y=np.arange(len(order)),
            z=table,
            zmin=-limit if negative else 0,
            zmax=limit,
            colorscale=plotly_scale(signed=negative),
            colorbar={"thickness": 10, "outlinewidth": 0, "nticks": 5, "tickfont": {"size": style.font - 2}, **POWERS},
            hoverinfo="skip",
        )
    )
    _targets(figure, alphas[shown], np.tile(np.arange(len(order)), (len(shown), 1)).T, table, order, names, name, style)
    laid_out(figure, style, "α", "", zoom)
    every, size = _row_labels(len(order), style)
    ticks = np.arange(0, len(order), every)
    if selected in order:
        row = int(np.flatnonzero(order == selected)[0])
        ticks = np.append(ticks[np.abs(ticks - row) >= every], row)
    figure.update_yaxes(
        range=(len(order) - 0.5, -0.5),
        tickvals=ticks,
        ticktext=[_marked(names[int(row)], order[row] == selected) for row in ticks],
        tickfont={"size": size},
        showgrid=False,
    )
    figure.update_xaxes(showgrid=False)
    if selected in order:
        figure.add_hrect(row - 0.5, row + 0.5, line={"color": style.selected, "width": 2}, fillcolor="rgba(0,0,0,0)")
    if cursor is not None:
        add_cursor(figure, cursor, style)
    return figure


def atom_lines(
    alphas: np.ndarray,
    values: np.ndarray,
    labels: Sequence[str],
    *,
    y_title: str,
    style: ChartStyle = SCREEN,
    zoom: tuple[float, float] = (0, 1),
    cursor: float | None = None,
    selected: int | None = None,
    apart=None,
    log: bool = False,
) -> go.Figure:
    """One line an atom, the selected one in colour and named.

    Arguments as :func:`atom_heatmap`, and:

    Args:
        apart: [atoms] booleans; true atoms have a dashed line in another colour.
        log: a logarithmic axis over five decades, with absolute values.
    """
    shown = _thinned(within(alphas, zoom), MAX_COLUMNS if values.shape[1] <= 60 else 200)
    x, table = alphas[shown], values[shown].T
    drawn = _lines_to_draw(table, selected)
    if log:
        table = np.where(table == 0, np.nan, np.abs(table))
    figure = go.Figure()
    outside = np.zeros(len(table), dtype=bool) if apart is None else np.asarray(apart, dtype=bool)
    for colour, dash, group in ((style.quiet, "solid", ~outside), (style.apart, "dash", outside)):
        others = [atom for atom in drawn if atom != selected and group[atom]]
        if not others:
            continue
        gap = np.full((len(others), 1), np.nan)
        figure.add_scatter(
            x=np.tile(np.append(x, np.nan), len(others)),
            y=np.hstack([table[others], gap]).ravel().astype(np.float32),
            mode="lines",
            line={"color": colour, "width": style.line / 2, "dash": dash},
            hoverinfo="skip",
        )
    if selected in drawn:
        figure.add_scatter(
            x=x,
            y=table[selected],
            mode="lines",
            line={"color": style.selected, "width": style.line + 0.5},
            hoverinfo="skip",
        )
    _targets(figure, x, table[drawn], table[drawn], drawn, [labels[atom] for atom in drawn], y_title, style)
    laid_out(figure, style, "α", y_title, zoom)
    low, high = _spread(table[drawn])
    if log:
        top = np.nanmax(table) if np.isfinite(table).any() else 1.0
        figure.update_yaxes(type="log", range=(np.log10(top) - DECADES, np.log10(top) + 0.2), dtick=1)
    else:
        figure.update_yaxes(range=(low, high))
    if selected is not None and selected in drawn:
        _name_line(figure, x, table[selected], labels[selected], style, log)
    if cursor is not None:
        add_cursor(figure, cursor, style)
    return figure


def within(alphas: np.ndarray, zoom: tuple[float, float]) -> np.ndarray:
    """Indices of the alphas in a range, both ends included."""
    low, high = zoom
    return np.flatnonzero((alphas >= low - 1e-12) & (alphas <= high + 1e-12))


def _thinned(indices: np.ndarray, most: int = MAX_COLUMNS) -> np.ndarray:
    """At most so many of the indices, evenly, the last one included."""
    if len(indices) <= most:
        return indices
    return indices[np.unique(np.linspace(0, len(indices) - 1, most).round().astype(int))]


def _row_labels(rows: int, style: ChartStyle) -> tuple[int, int]:
    """Every how many rows of a heatmap are labelled, and the size of the type: small type comes before gaps."""
    row_height = max(1, style.height - 50) / max(1, rows)
    if row_height >= (14 if style.big else 7.5):
        return 1, min(style.font - 1, max(8, int(row_height)))
    return int(np.ceil((style.font + 2) / row_height)), style.font - 1


def _lines_to_draw(table: np.ndarray, selected: int | None) -> np.ndarray:
    """Atoms [lines] of a table [atoms, points]; of those that are zero everywhere the selected or first one stands."""
    still = ~np.logical_or.reduce(table, axis=1)
    drawn = np.flatnonzero(~still)
    one = selected if selected is not None and still[selected] else (np.flatnonzero(still)[0] if still.any() else None)
    return drawn if one is None else np.sort(np.append(drawn, one))


def _spread(values: np.ndarray) -> tuple[float, float]:
    """The range of an axis: all finite values and a little air; never empty."""
    finite = values[np.isfinite(values)]
    low, high = (min(0.0, finite.min()), finite.max()) if finite.size else (0.0, 1.0)
    air = 0.06 * ((high - low) or 1.0)
    return float(low - (air if low < 0 else air / 3)), float(high + air)


def _targets(figure, x, rows, values, atoms, names, what, style) -> None:
    """Invisible points over rows [atoms, points] that answer to pointing and clicking."""
    if not len(atoms) or not len(x):
        return
    some = _thinned(np.arange(len(x)), max(2, min(48, MAX_TARGETS // len(atoms))))
    count = len(some)
    marker = {"size": 9, "color": style.selected, "opacity": 0}
    figure.add_trace(
        go.Scatter(
            x=np.tile(x[some], len(atoms)),
            y=rows[:, some].ravel(),
            customdata=np.repeat(np.asarray(atoms), count),
            text=[
                f"{name}<br>α = {x[at]:.4f}<br>{what} {told(number)}"
                for name, row in zip(names, values, strict=True)
                for at, number in zip(some, row[some].tolist(), strict=True)
            ],
            mode="markers",
            marker=marker,
            selected={"marker": {"opacity": 0}},
            unselected={"marker": {"opacity": 0}},
            hovertemplate="%{text}<extra></extra>",
        )
    )


def _name_line(figure, x, line, label, style, log) -> None:
    """Write the atom's name at the end of its line."""
    finite = np.flatnonzero(np.isfinite(line))
    if len(finite):
        y = float(line[finite[-1]])
        figure.add_annotation(
            x=float(x[finite[-1]]),
            y=np.log10(y) if log else y,
            text=f"<b>{label}</b>",
            showarrow=False,
            xanchor="right",
            yanchor="top",
            bgcolor="rgba(20,22,28,.75)" if style.dark else "rgba(255,255,255,.8)",
            font={"size": style.font, "color": style.selected},
        )


def _marked(name: str, selected: bool) -> str:
    return f"<b>▸ {name}</b>" if selected else name
