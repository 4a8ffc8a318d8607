"""What all charts have in common: type, colours, axes, and what their toolbar offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .colours import GROUND_TRUTH

if TYPE_CHECKING:
    import plotly.graph_objects as go

CURSOR = "#0f766e"
"""The cursor on the path: a green that no scale of the heatmaps contains."""

SERIES = (GROUND_TRUTH, "#d94801", "#0f766e", "#7a72b4", "#b45309", "#0891b2", "#be185d", "#4d7c0f")
"""Colours of lines that are told apart by name; each also has its own dashes."""

DASHES = ("solid", "dash", "dot", "dashdot")


POWERS = {"exponentformat": "power", "minexponent": 5}
"""How axes and colour bars write numbers: from a million on as powers of ten, never as "k" or "B"."""

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class ChartStyle:
    """How a chart looks on its page.

    Attributes:
        dark: whether the page is dark.
        big: larger type and thicker lines, for a projector.
        height: pixels.
    """

    dark: bool = False
    big: bool = False
    height: int = 270

    @property
    def ink(self) -> str:
        return "#e8eaf0" if self.dark else "#1a1c22"

    @property
    def quiet(self) -> str:
        return "#6b7280" if self.dark else "#a3aab5"

    @property
    def apart(self) -> str:
        """The colour of atoms outside the ground truth."""
        return "#fd8d3c" if self.dark else "#c2410c"

    @property
    def selected(self) -> str:
        """The colour of the selected atom's line."""
        return "#7aa2ff" if self.dark else "#1d4ed8"

    @property
    def grid(self) -> str:
        return "#2b303b" if self.dark else "#e8ebf0"

    @property
    def font(self) -> int:
        return 16 if self.big else 13

    @property
    def line(self) -> float:
        return 3.5 if self.big else 2.5


SCREEN = ChartStyle()
"""The style of a light page."""


def laid_out(
    figure: go.Figure, style: ChartStyle, x_title: str, y_title: str, x_range: tuple[float, float] | None = None
) -> go.Figure:
    """Give a figure its axes, type and margins; its background is the page's."""
    axis = {
        "showgrid": True,
        "gridcolor": style.grid,
        "zeroline": False,
        "ticks": "outside",
        "ticklen": 4,
        "tickcolor": style.quiet,
        "linecolor": style.quiet,
        "showline": True,
        "tickfont": {"size": style.font - 1, "color": style.ink},
        "automargin": True,
        **POWERS,
    }
    text = {"size": style.font, "color": style.ink}
    figure.update_xaxes(**axis, title={"text": x_title, "font": text, "standoff": 4}, range=x_range)
    figure.update_yaxes(**axis, title={"text": y_title, "font": text, "standoff": 4})
    figure.update_layout(
        height=style.height,
        margin={"l": 8, "r": 12, "t": 8, "b": 8, "pad": 0},
        font={"size": style.font, "color": style.ink},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        showlegend=False,
        hovermode="closest",
        dragmode=False,
    )
    return figure


def add_cursor(figure: go.Figure, alpha: float, style: ChartStyle) -> None:
    """The vertical line at one alpha."""
    figure.add_vline(alpha, line={"color": CURSOR, "width": style.line - 0.5, "dash": "dot"}, name="cursor")


def told(value: float) -> str:
    """A number of a hover text, very large and very small ones as a power of ten."""
    mantissa, _, exponent = (f"{value:.3e}" if abs(value) >= 1e6 else f"{value:.4g}").partition("e")
    mantissa = mantissa.replace("-", "\N{MINUS SIGN}")
    return f"{mantissa}×10{str(int(exponent)).translate(_RAISED)}" if exponent else mantissa


def toolbar(file_name: str, style: ChartStyle) -> dict[str, Any]:
    """Plotly's ``config``: the toolbar saves the chart as PNG and resets its axes, and nothing else.

    Args:
        file_name: of the saved picture, without its ending.
    """
    return {
        "displaylogo": False,
        "scrollZoom": False,
        "modeBarButtons": [["toImage", "zoom2d", "resetScale2d"]],
        "toImageButtonOptions": {"format": "png", "filename": file_name, "scale": 3},
    }
