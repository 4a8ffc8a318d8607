"""Lines and nodes of a drawn graph, as SVG and with Pillow alike."""

from dataclasses import dataclass
from html import escape

from .shapes import printable


@dataclass(frozen=True)
class Stroke:
    """A straight line with round ends."""

    start: tuple[float, float]
    end: tuple[float, float]
    line: str
    width: float

    def svg(self) -> str:
        (x1, y1), (x2, y2) = self.start, self.end
        return (
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{self.line}"'
            f' stroke-width="{self.width:.2g}" stroke-linecap="round"/>'
        )

    def paint(self, canvas, zoom: float) -> None:
        points = [zoom * value for value in (*self.start, *self.end)]
        canvas.line(points, self.line, max(1, round(self.width * zoom)))


@dataclass(frozen=True)
class Dot:
    """A filled circle, or a square where the node is in a motif, with what is told of it when pointed at."""

    x: float
    y: float
    radius: float
    fill: str
    line: str
    square: bool = False
    told: str = ""

    def svg(self) -> str:
        style = f'fill="{self.fill}" stroke="{self.line}" stroke-width="1"'
        told = f"<title>{escape(printable(self.told))}</title>" if self.told else ""
        if not self.square:
            return f'<circle cx="{self.x:.1f}" cy="{self.y:.1f}" r="{self.radius:.1f}" {style}>{told}</circle>'
        half = 0.9 * self.radius
        corner = f'x="{self.x - half:.1f}" y="{self.y - half:.1f}"'
        return f'<rect {corner} width="{2 * half:.1f}" height="{2 * half:.1f}" {style}>{told}</rect>'

    def paint(self, canvas, zoom: float) -> None:
        half = (0.9 if self.square else 1.0) * self.radius
        box = [zoom * side for side in (self.x - half, self.y - half, self.x + half, self.y + half)]
        (canvas.rectangle if self.square else canvas.ellipse)(box, self.fill, self.line, max(1, round(zoom)))
