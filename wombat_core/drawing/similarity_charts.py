"""Charts of similarities to a motif (Plotly), from arrays (Figure S11)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from .chart_style import DASHES, SCREEN, SERIES, ChartStyle, laid_out

if TYPE_CHECKING:
    import plotly.graph_objects as go

BINS = 20
_FILL = 0.15


def similarity_chart(
    groups: Mapping[str, np.ndarray],
    *,
    measure: str = "Tversky",
    threshold: float | None = None,
    style: ChartStyle = SCREEN,
) -> go.Figure:
    """Histograms of similarities, one outline a group, as shares of the group, so that small groups are seen.

    Args:
        groups: name to similarities [molecules] in [0, 1]; groups without molecules are left out, and the
            others keep their colours.
        measure: the similarity's name, for the axis.
        threshold: similarity of a vertical line, such as 0.5, where hard negatives begin.
    """
    edges = np.linspace(0, 1, BINS + 1)
    figure = go.Figure()
    for number, (name, values) in enumerate(groups.items()):
        if not len(values):
            continue
        shares = similarity_shares(values)
        colour = SERIES[number % len(SERIES)]
        figure.add_scatter(
            x=np.repeat(edges, 2),
            y=np.concatenate([[0], np.repeat(shares, 2), [0]]),
            text=["", *np.repeat(_bin_names(edges), 2), ""],
            name=f"{name} ({len(values):,})",
            mode="lines",
            fill="tozeroy",
            fillcolor=f"rgba({', '.join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))}, {_FILL})",
            line={"color": colour, "width": style.line, "dash": DASHES[number % len(DASHES)], "simplify": False},
            hovertemplate=f"{name}<br>%{{text}}: %{{y:.1f}} %<extra></extra>",
        )
    laid_out(figure, style, f"{measure} similarity to the motif", "% of the group", (0, 1))
    figure.update_yaxes(rangemode="tozero")
    legend = {"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0, "font": {"size": style.font - 1}}
    figure.update_layout(showlegend=True, legend=legend)
    if threshold is not None:
        figure.add_vline(threshold, line={"color": style.ink, "width": style.line - 1}, name="threshold")
    return figure


def similarity_shares(values: np.ndarray) -> np.ndarray:
    """Percent of the similarities in each of the 20 bins, float [20]; a bin includes its lower edge, the last both."""
    # Similarities are ratios of small whole numbers and often lie on an edge, where rounding must not move them down.
    places = np.minimum((np.asarray(values, dtype=float) * BINS + 1e-9).astype(int), BINS - 1)
    return 100 * np.bincount(places, minlength=BINS) / len(values)


def _bin_names(edges: np.ndarray) -> list[str]:
    return [f"{low:.2f} to {high:.2f}" for low, high in pairwise(edges)]
