"""Line charts as plain SVG, for paper: no script, no fonts of their own."""

from collections.abc import Iterator, Mapping

import numpy as np

from .chart_style import DASHES, SCREEN, SERIES
from .colours import format_value
from .shapes import Text, svg_root, text_width

LEFT, RIGHT, TOP, BOTTOM = 58, 14, 10, 44
SIZE = 12
_SVG_DASHES = {"solid": "", "dash": "7 4", "dot": "2 3", "dashdot": "7 3 2 3"}


def line_chart_svg(
    x: np.ndarray,
    lines: Mapping[str, np.ndarray],
    *,
    x_title: str,
    y_title: str,
    title: str = "",
    width: int = 460,
    height: int = 260,
    zoom: tuple[float, float] | None = None,
    cursor: float | None = None,
    log_x: bool = False,
    log_y: bool = False,
    markers: bool = False,
    strong: str = "",
    apart: frozenset[str] = frozenset(),
) -> str:
    """A few named lines, or many quiet ones of which one stands out, as a self-contained SVG.

    Args:
        x: [points], lines: name to values [points]; NaN leaves a gap.
        title: accessible title of the picture.
        zoom: the range of x.
        cursor: x of a dotted vertical line.
        strong: the line that stands out; the others are quiet then, and so are more lines than have colours.
        apart: quiet lines that are dashed.
    """
    quiet = bool(strong) or len(lines) > len(SERIES)
    place_x = _Axis(*(zoom or _ends(x)), LEFT, width - RIGHT, log_x)
    values = np.concatenate([np.asarray(line, dtype=float) for line in lines.values()])
    top = TOP if quiet or len(lines) == 1 else TOP + 20
    place_y = _Axis(*_spread(values, log_y), height - BOTTOM, top, log_y)
    parts = [*_axes(place_x, place_y, x, x_title, y_title, width, height, top, log_x)]
    if cursor is not None and place_x.low <= cursor <= place_x.high:
        at = place_x(cursor)
        parts.append(_line(at, top, at, height - BOTTOM, "#0f766e", 1.5, "2 3"))
    order = sorted(lines, key=lambda name: name == strong)
    for number, name in enumerate(order):
        if name == strong:
            colour, dash, thickness = SCREEN.selected, "", 2.6
        elif quiet:
            away = name in apart
            colour, dash, thickness = (SCREEN.apart, "6 4", 1.4) if away else (SCREEN.quiet, "", 1.2)
        else:
            colour = SCREEN.ink if len(lines) == 1 else SERIES[number % len(SERIES)]
            dash, thickness = _SVG_DASHES[DASHES[number % len(DASHES)]], 2.0
        parts += _curve(x, np.asarray(lines[name], dtype=float), place_x, place_y, colour, dash, thickness, markers)
    if strong:
        parts.append(_name(strong, lines[strong], x, place_x, place_y))
    elif not quiet and len(lines) > 1:
        parts += _legend(list(lines))
    return svg_root(width, height, title or y_title, "".join(parts))


class _Axis:
    """From values to pixels."""

    def __init__(self, low: float, high: float, start: float, end: float, log: bool):
        self.low, self.high, self.log, self.start, self.end = low, high, log, start, end

    def __call__(self, value):
        low, high = (np.log10((self.low, self.high))) if self.log else (self.low, self.high)
        value = np.log10(value) if self.log else value
        return self.start + (value - low) / ((high - low) or 1.0) * (self.end - self.start)

    def ticks(self) -> list[float]:
        if self.log:
            powers = np.arange(np.ceil(np.log10(self.low) - 1e-9), np.floor(np.log10(self.high) + 1e-9) + 1)
            return (10.0**powers).tolist()
        rough = (self.high - self.low) / 5
        power = 10.0 ** np.floor(np.log10(rough))
        step = min((m * power for m in (1, 2, 5, 10)), key=lambda own: abs(own - rough))
        first = np.ceil(self.low / step - 1e-9)
        return (np.arange(first, np.floor(self.high / step + 1e-9) + 1) * step + 0.0).tolist()


def _ends(values: np.ndarray) -> tuple[float, float]:
    return float(values.min()), float(values.max())


def _spread(values: np.ndarray, log: bool) -> tuple[float, float]:
    finite = values[np.isfinite(values) & ((values > 0) | (not log))]
    if not finite.size:
        return (1.0, 10.0) if log else (0.0, 1.0)
    low, high = _ends(finite)
    if log:
        return low / 1.5, high * 1.5
    low = min(0.0, low)
    air = 0.06 * ((high - low) or 1.0)
    return (low - air if low < 0 else 0.0), high + air


def _axes(place_x, place_y, x, x_title, y_title, width, height, top, log_x) -> Iterator[str]:
    bottom = height - BOTTOM
    for tick in place_y.ticks():
        y = place_y(tick)
        yield _line(LEFT, y, width - RIGHT, y, SCREEN.grid)
        yield Text(LEFT - 6, y + 4, format_value(tick), SIZE - 1, "#374151", "end").svg()
    for tick in x.tolist() if log_x else place_x.ticks():
        at = place_x(tick)
        yield _line(at, bottom, at, bottom + 4, SCREEN.quiet)
        label = f"{tick:,.0f}" if log_x else f"{tick:g}" if abs(tick) > 1e-12 else "0"
        yield Text(at, bottom + 17, label, SIZE - 1, "#374151", "middle").svg()
    yield _line(LEFT, bottom, width - RIGHT, bottom, SCREEN.quiet)
    yield _line(LEFT, top, LEFT, bottom, SCREEN.quiet)
    yield Text((LEFT + width - RIGHT) / 2, height - 8, x_title, SIZE, "#111827", "middle").svg()
    upright = Text(0, 0, y_title, SIZE, "#111827", "middle").svg()
    yield f'<g transform="translate(13 {(top + bottom) / 2:.1f}) rotate(-90)">{upright}</g>'


def _curve(x, values, place_x, place_y, colour, dash, thickness, markers) -> Iterator[str]:
    """One polyline for every stretch without a gap, cut at the ends of the axes."""
    good = np.isfinite(values) & (x >= place_x.low - 1e-12) & (x <= place_x.high + 1e-12)
    if place_y.log:
        good &= values > 0
    for run in np.split(np.arange(len(x)), np.flatnonzero(~good)):
        run = run[good[run]]
        if not len(run):
            continue
        places = list(zip(place_x(x[run]), place_y(values[run]), strict=True))
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
        broken = f' stroke-dasharray="{dash}"' if dash else ""
        yield (
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{thickness:g}" '
            f'stroke-linejoin="round"{broken}/>'
        )
        if markers:
            yield from (f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.4" fill="{colour}"/>' for a, b in places)


def _line(x1, y1, x2, y2, colour, thickness=1.0, dash="") -> str:
    broken = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
        f'stroke="{colour}" stroke-width="{thickness:g}"{broken}/>'
    )


def _name(name, values, x, place_x, place_y) -> str:
    values = np.asarray(values, dtype=float)
    good = np.flatnonzero(np.isfinite(values) & (x <= place_x.high + 1e-12) & ((values > 0) | (not place_y.log)))
    last = good[-1] if len(good) else 0
    y = float(place_y(values[last])) if len(good) else TOP + 12
    return Text(float(place_x(x[last])) - 4, y - 6, name, SIZE, SCREEN.selected, "end", bold=True).svg()


def _legend(names: list[str]) -> Iterator[str]:
    at = float(LEFT)
    for number, name in enumerate(names):
        dash = _SVG_DASHES[DASHES[number % len(DASHES)]]
        yield _line(at, TOP + 6, at + 24, TOP + 6, SERIES[number % len(SERIES)], 2.0, dash)
        yield Text(at + 29, TOP + 10, name, SIZE, "#111827").svg()
        at += 29 + 1.15 * text_width(name, SIZE) + 16
