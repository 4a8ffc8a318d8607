"""A generated graph as a whole: labels by colour, motifs by shape (Plotly)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from .chart_style import SCREEN, ChartStyle
from .colours import GROUND_TRUTH

if TYPE_CHECKING:
    import plotly.graph_objects as go

LABELS = ("#0f766e", "#a78bda", "#b45309", "#0891b2", "#be185d", "#4d7c0f")
"""Colours of classes 0, 1, ...; none is a colour of the heatmaps' orange or of the ground truth's rings."""

MANY = 2000
"""Nodes above which the browser's graphics card draws."""


def overview_figure(
    places: np.ndarray,
    edge_index: np.ndarray,
    labels: np.ndarray,
    motif: np.ndarray,
    subgraph: np.ndarray,
    *,
    selected: int | None = None,
    style: ChartStyle = SCREEN,
) -> go.Figure:
    """All nodes and edges; classes by colour, motif nodes as squares, the others as small circles.

    Args:
        places: [n, 2], see :func:`wombat_core.drawing.graph_layout.overview_layout`.
        edge_index: [2, 2 * edges], both directions.
        labels: [n] 0 to K - 1.
        motif: [n] the planted copy of each node, or -1.
        subgraph: [n] the subgraph of each node; edges within one are drawn stronger than those between.
        selected: a node to mark.

    Returns:
        A figure whose points carry their node as ``customdata``. Above :data:`MANY` nodes it is drawn with WebGL.
    """
    many = len(places) > MANY
    scatter = go.Scattergl if many else go.Scatter
    source, target = edge_index[:, edge_index[0] < edge_index[1]]
    inner = subgraph[source] == subgraph[target]
    figure = go.Figure()
    opacity = {False: 0.9, True: float(np.clip(60 / np.sqrt(max(len(source), 1)), 0.12, 0.5)) / (2.5 if many else 1)}
    for name, chosen, faint in (("joining edge", ~inner, True), ("edge", inner, False)):
        x, y = _segments(places, source[chosen], target[chosen])
        line = {"color": style.quiet, "width": 0.6 if faint else 1.2}
        figure.add_trace(
            scatter(
                x=x, y=y, mode="lines", line=line, opacity=opacity[faint], hoverinfo="skip", name=name, showlegend=False
            )
        )
    size = float(np.clip(90 / np.sqrt(max(len(places), 1)), 2.5, 9)) * (1.3 if style.big else 1)
    for label in range(int(labels.max(initial=-1)) + 1):
        for planted in (True, False):
            chosen = np.flatnonzero((labels == label) & ((motif >= 0) == planted))
            motifs = f"{label + 1} motif{'s' * (label > 0)}"
            marker = {
                "color": LABELS[label % len(LABELS)],
                "size": size * (1.25 if planted else 0.9),
                "symbol": "square" if planted else "circle",
                "line": {"width": 0},
            }
            figure.add_trace(
                scatter(
                    x=places[chosen, 0],
                    y=places[chosen, 1],
                    mode="markers",
                    marker=marker,
                    customdata=chosen,
                    name=f"class {label} (sees {motifs}), {'in a motif' if planted else 'outside'}",
                    hovertemplate=f"node %{{customdata}}<br>class {label}, sees {motifs}<extra></extra>",
                )
            )
    if selected is not None:
        marker = {
            "symbol": "circle-open",
            "size": max(3 * size + 6, 18),
            "color": GROUND_TRUTH if not style.dark else "#7aa2ff",
        }
        marker["line"] = {"width": 2.5}
        # Of the kind of the other traces: what WebGL draws would cover it.
        figure.add_trace(
            scatter(
                x=places[[selected], 0],
                y=places[[selected], 1],
                mode="markers",
                marker=marker,
                name=f"node {selected}",
                hoverinfo="skip",
            )
        )
    _bare(figure, style)
    return figure


def _segments(places: np.ndarray, source: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The x and y of one line that jumps from edge to edge."""
    gap = np.full(len(source), np.nan)
    x, y = (np.stack([places[source, axis], places[target, axis], gap], axis=1).ravel() for axis in (0, 1))
    return x, y


def _bare(figure: go.Figure, style: ChartStyle) -> None:
    """No axes: a place on paper means nothing."""
    hidden = {"visible": False, "showgrid": False, "zeroline": False}
    figure.update_xaxes(**hidden)
    figure.update_yaxes(**hidden, scaleanchor="x", scaleratio=1)
    figure.update_layout(
        height=style.height,
        margin={"l": 0, "r": 0, "t": 0, "b": 0},
        font={"size": style.font, "color": style.ink},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        hovermode="closest",
        dragmode="pan",
        legend={"orientation": "h", "yanchor": "top", "y": 0, "x": 0, "itemsizing": "constant"},
    )
