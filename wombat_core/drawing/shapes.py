"""Texts, boxes and circles that legends and figures are made of, as SVG and with Pillow alike."""

from dataclasses import dataclass
from html import escape

from PIL import ImageFont

FONT = "system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"
MEAN_GLYPH = 0.54  # mean width of a letter in font sizes, on the safe side


@dataclass(frozen=True)
class Text:
    """A line of text; ``x, y`` is the start, middle or end of its baseline."""

    x: float
    y: float
    text: str
    size: float = 12
    colour: str = "#111827"
    anchor: str = "start"
    bold: bool = False

    def svg(self) -> str:
        weight = ' font-weight="600"' if self.bold else ""
        return (
            f'<text x="{self.x:.2f}" y="{self.y:.2f}" font-family="{FONT}" font-size="{self.size:g}"{weight} '
            f'fill="{self.colour}" text-anchor="{self.anchor}">{escape(printable(self.text))}</text>'
        )

    def paint(self, canvas, zoom: float) -> None:
        font = _font(self.size * zoom)
        anchor = {"start": "ls", "middle": "ms", "end": "rs"}[self.anchor]
        place = (self.x * zoom, self.y * zoom)
        stroke = {"stroke_width": 0.025 * self.size * zoom} if self.bold else {}
        text = printable(self.text)
        if isinstance(font, ImageFont.FreeTypeFont) and font.getname()[0] == "Aileron":
            text = text.replace("\N{MINUS SIGN}", "-")
        canvas.text(place, text, self.colour, font, anchor, **stroke)


@dataclass(frozen=True)
class Box:
    """A rectangle, filled or outlined."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None = None
    line: str | None = None
    radius: float = 0

    def svg(self) -> str:
        return (
            f'<rect x="{self.x:.2f}" y="{self.y:.2f}" width="{self.width:.2f}" height="{self.height:.2f}" '
            f'rx="{self.radius:g}" fill="{self.fill or "none"}" stroke="{self.line or "none"}"/>'
        )

    def paint(self, canvas, zoom: float) -> None:
        corners = [self.x, self.y, self.x + self.width, self.y + self.height]
        scaled = [zoom * corner for corner in corners]
        canvas.rounded_rectangle(scaled, self.radius * zoom, self.fill, self.line, max(1, round(zoom)))


@dataclass(frozen=True)
class Ring:
    """A circle that is not filled."""

    x: float
    y: float
    radius: float
    line: str
    width: float = 1.8

    def svg(self) -> str:
        return (
            f'<circle cx="{self.x:.2f}" cy="{self.y:.2f}" r="{self.radius:g}" fill="none" '
            f'stroke="{self.line}" stroke-width="{self.width:g}"/>'
        )

    def paint(self, canvas, zoom: float) -> None:
        outer = self.radius + self.width / 2
        box = [self.x - outer, self.y - outer, self.x + outer, self.y + outer]
        canvas.ellipse([zoom * side for side in box], None, self.line, round(self.width * zoom))


def _font(size: float):
    """A common system font, since Pillow's own knows no Greek; else Pillow's own."""
    for name in ("DejaVuSans.ttf", "Arial.ttf", "arial.ttf", "LiberationSans-Regular.ttf"):
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)


def printable(text: str) -> str:
    """Text without the control characters that XML forbids."""
    return "".join(c if c.isprintable() else " " for c in text)


def text_width(text: str, size: float) -> float:
    """About the width of a line, whatever font shows it."""
    return MEAN_GLYPH * size * len(text)


def svg_root(width: float, height: float, title: str, body: str) -> str:
    """An ``<svg>`` element that can be inlined or nested: no XML header, no ids, scalable."""
    title = escape(printable(title))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" role="img"><title>{title}</title>{body}</svg>'
    )
