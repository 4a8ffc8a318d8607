"""A figure for a publication: all cards with their captions and one legend, as SVG and PNG."""

import io
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace

from PIL import Image, ImageDraw

from .depiction import Depiction
from .legend import HEIGHT as LEGEND_HEIGHT
from .legend import legend_shapes
from .shapes import MEAN_GLYPH, Box, Text, svg_root

MARGIN = 16
GAP = 12
TITLE_SIZE = 18
CARD_TITLE_SIZE = 13
CAPTION_SIZE = 11.5


@dataclass(frozen=True)
class FigureCard:
    """A picture with a title above and lines of text below."""

    title: str
    depiction: Depiction
    captions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Legend:
    """What the legend explains; see :func:`wombat_core.drawing.legend.legend_shapes`. A note stands below it."""

    limit: float | None = None
    signed: bool = False
    ground_truth: bool = True
    selected: bool = False
    note: str = ""


def figure_svg(cards: Sequence[FigureCard], columns: int = 3, title: str = "", legend: Legend | None = None) -> str:
    """All cards in one self-contained SVG on white; texts are escaped."""
    width, height, shapes, pictures = _arrange(cards, columns, title, legend)
    body = "".join(shape.svg() for shape in shapes)
    for x, y, depiction in pictures:
        body += depiction.svg.replace("<svg ", f'<svg x="{x:.1f}" y="{y:.1f}" ', 1)
    return svg_root(width, height, title or "Figure", body)


def figure_png(
    cards: Sequence[FigureCard],
    columns: int = 3,
    title: str = "",
    legend: Legend | None = None,
    scale: float = 3.0,
) -> bytes:
    """The same figure as PNG with ``scale`` pixels for each pixel of the SVG."""
    width, height, shapes, pictures = _arrange(cards, columns, title, legend)
    image = Image.new("RGB", (round(width * scale), round(height * scale)), "white")
    canvas = ImageDraw.Draw(image)
    for shape in shapes:
        shape.paint(canvas, scale)
    for x, y, depiction in pictures:
        picture = Image.open(io.BytesIO(depiction.png(scale))).convert("RGB")
        image.paste(picture, (round(x * scale), round(y * scale)))
    buffer = io.BytesIO()
    image.save(buffer, "PNG", dpi=(96 * scale, 96 * scale))
    return buffer.getvalue()


def _arrange(cards, columns: int, title: str, legend: Legend | None):
    """Width, height, shapes, and depictions with their places, in pixels."""
    columns = max(1, min(columns, len(cards) or 1))
    card_width = 2 * GAP + max((card.depiction.width for card in cards), default=300)
    width = 2 * MARGIN + columns * card_width + (columns - 1) * GAP
    shapes: list = [Box(0, 0, 0, 0)]
    pictures = []
    y = float(MARGIN)
    for line in _wrap(title, width - 2 * MARGIN, TITLE_SIZE):
        shapes.append(Text(MARGIN, y + TITLE_SIZE, line, TITLE_SIZE, bold=True))
        y += TITLE_SIZE + 8
    for row in [cards[i : i + columns] for i in range(0, len(cards), columns)]:
        inner = card_width - 2 * GAP
        titles = [_wrap(card.title, inner, CARD_TITLE_SIZE) for card in row]
        captions = [[part for line in card.captions for part in _wrap(line, inner, CAPTION_SIZE)] for card in row]
        head = GAP + max(map(len, titles)) * (CARD_TITLE_SIZE + 4)
        picture = max(card.depiction.height for card in row)
        row_height = head + picture + max(map(len, captions)) * (CAPTION_SIZE + 4) + GAP
        for i, card in enumerate(row):
            x = MARGIN + i * (card_width + GAP)
            shapes.append(Box(x, y, card_width, row_height, line="#d1d5db", radius=6))
            for j, line in enumerate(titles[i]):
                place = y + GAP + (j + 1) * (CARD_TITLE_SIZE + 4) - 5
                shapes.append(Text(x + GAP, place, line, CARD_TITLE_SIZE, bold=True))
            pictures.append((x + (card_width - card.depiction.width) / 2, y + head, card.depiction))
            for j, line in enumerate(captions[i]):
                place = y + head + picture + (j + 1) * (CAPTION_SIZE + 4)
                shapes.append(Text(x + GAP, place, line, CAPTION_SIZE, "#374151"))
        y += row_height + GAP
    if legend is not None:
        drawn = legend_shapes(
            legend.limit,
            legend.signed,
            width - 2 * MARGIN,
            ground_truth=legend.ground_truth,
            selected=legend.selected,
        )
        shapes += [replace(shape, x=shape.x + MARGIN, y=shape.y + y) for shape in drawn]
        y += LEGEND_HEIGHT
        for line in _wrap(legend.note, width - 2 * MARGIN, CAPTION_SIZE):
            y += CAPTION_SIZE + 4
            shapes.append(Text(MARGIN, y, line, CAPTION_SIZE, "#374151"))
    height = y - (GAP if legend is None and cards else 0) + MARGIN
    shapes[0] = Box(0, 0, width, height, fill="#ffffff")
    return width, height, shapes, pictures


def _wrap(text: str, width: float, size: float) -> list[str]:
    return textwrap.wrap(text, max(8, int(width / (MEAN_GLYPH * size))))
