"""The legend of a heatmap: its colours, the numbers at their ends, and what the marks mean."""

from .colours import GROUND_TRUTH, SELECTED, format_value, hex_of
from .shapes import Box, Ring, Text, svg_root, text_width

STRIPS = 60
HEIGHT = 34
SIZE = 12
WIDE = 1.15  # browsers may show a wider font than the one measured


def legend_shapes(
    limit: float | None,
    signed: bool = False,
    width: float = 360,
    *,
    ground_truth: bool = True,
    selected: bool = False,
) -> list:
    """The shapes of a legend, ``width`` wide and ``HEIGHT`` high (pixels).

    Args:
        limit: the value with the strongest colour; None leaves the colour bar out.
        signed: the bar runs from -limit to limit, not from 0 to limit.
        ground_truth: explain the ring.
        selected: explain the mark of the selected atom.
    """
    shapes, x = [], 0.0
    marks = []
    if ground_truth:
        marks.append((Ring, "ground truth"))
    if selected:
        marks.append((Box, "selected"))
    marks_width = sum(40 + text_width(words, SIZE) for _, words in marks)
    if limit is not None:
        left, right = ("negative", "positive") if signed else ("least", "most important")
        left_width, right_width = WIDE * text_width(left, SIZE), WIDE * text_width(right, SIZE)
        bar = min(240.0, max(60.0, width - marks_width - left_width - right_width - 16))
        shapes.append(Text(left_width, 14, left, SIZE, "#374151", "end"))
        x = left_width + 8
        strip = bar / STRIPS
        start = -limit if signed else 0.0
        values = [start + (limit - start) * (i + 0.5) / STRIPS for i in range(STRIPS)]
        for i, colour in enumerate(hex_of(values, limit, signed)):
            # Strips overlap by half a pixel: no hairlines between them when a browser scales the picture.
            shapes.append(Box(x + i * strip, 5, strip + (0.5 if i < STRIPS - 1 else 0), 10, fill=colour))
        shapes.append(Box(x, 5, bar, 10, line="#9ca3af"))
        ends = [start, 0.0, limit] if signed else [start, limit]
        for i, end in enumerate(ends):
            place = x + bar * i / (len(ends) - 1)
            shapes.append(Text(place, 28, format_value(end), SIZE - 1, "#4b5563", "middle"))
        x += bar + 8
        shapes.append(Text(x, 14, right, SIZE, "#374151"))
        x += right_width + 16
    for kind, words in marks:
        if kind is Ring:
            shapes.append(Ring(x + 8, 10, 6.5, GROUND_TRUTH))
        else:
            shapes.append(Box(x + 2, 4, 12, 12, line=SELECTED))
        shapes.append(Text(x + 20, 14, words, SIZE, "#374151"))
        x += 40 + text_width(words, SIZE)
    return shapes


def legend_svg(
    limit: float | None,
    signed: bool = False,
    width: float = 360,
    *,
    ground_truth: bool = True,
    selected: bool = False,
) -> str:
    """The legend as a self-contained SVG; arguments as for :func:`legend_shapes`."""
    shapes = legend_shapes(limit, signed, width, ground_truth=ground_truth, selected=selected)
    return svg_root(width, HEIGHT, "Colour scale", "".join(shape.svg() for shape in shapes))
