"""The neighbourhood of a node of a generated graph: heat on nodes and edges, the ground truth by shape."""

import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from ..errors import InputError
from . import colours
from .graph_shapes import Dot, Stroke
from .shapes import Box, Ring, svg_root

LINE = "#8b93a1"
"""The outline of a node and an edge without a score."""

# Lengths in node radii.
RING = 1.45
CENTRE = 2.0
EDGE_HEAT = 0.9
EDGE_TRUTH = 1.5


@dataclass(frozen=True, eq=False)
class NeighbourhoodPicture:
    """A drawn neighbourhood; what a card needs of it is named as in :class:`wombat_core.drawing.depiction.Depiction`.

    Attributes:
        width, height: size in pixels.
        svg: an ``<svg>`` element without XML header, ids or scripts.
        positions: [n, 2] centres of the nodes in pixels, y downwards.
        atom_radius: radius of a node in pixels, for hit targets.
    """

    width: int
    height: int
    svg: str
    positions: np.ndarray
    atom_radius: float
    _shapes: tuple

    def png(self, scale: float = 2.0) -> bytes:
        """The same picture as PNG, ``round(scale * width)`` by ``round(scale * height)`` pixels."""
        image = Image.new("RGB", (round(self.width * scale), round(self.height * scale)), "white")
        canvas = ImageDraw.Draw(image)
        for shape in self._shapes:
            shape.paint(canvas, scale)
        file = io.BytesIO()
        image.save(file, "PNG")
        return file.getvalue()


def draw_neighbourhood(
    places: np.ndarray,
    edge_index: np.ndarray,
    *,
    width: int = 300,
    height: int = 240,
    scores=None,
    edge_scores=None,
    limit: float | None = None,
    signed: bool = False,
    ground_truth=None,
    edge_truth=None,
    planted=None,
    fills: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    selected: int | None = None,
    title: str = "Neighbourhood",
) -> NeighbourhoodPicture:
    """Draw the L-hop subgraph of a node, which is its node 0 and has a cross-hair of its own.

    Args:
        places: [n, 2] of :func:`wombat_core.drawing.graph_layout.neighbourhood_layout`; the same for every picture.
        edge_index: [2, e] both directions; an edge is drawn once.
        width, height: size in pixels.
        scores: [n] attributions of nodes; None or NaN leaves a node white.
        edge_scores: [e] attributions of edges; the two directions of an edge are averaged.
        limit: the attribution with the strongest colour; None: the largest one here.
        signed: colour by sign (purple to orange) instead of by absolute value (white to orange).
        ground_truth: [n] booleans; true nodes get a ring.
        edge_truth: [e] booleans; true edges get a blue border.
        planted: [n] booleans; nodes of a motif are squares.
        fills: [n] colours in place of scores, such as those of classes.
        names: [n] what is told of a node that is pointed at.
        selected: a node with a dark outline.
        title: accessible title.

    Raises:
        InputError: an argument has another length than the graph has nodes (or edges).
    """
    n, e = len(places), edge_index.shape[1]
    scores, edge_scores = colours.as_scores(scores), colours.as_scores(edge_scores)
    for name, values, expected in (
        ("scores", scores, n),
        ("edge_scores", edge_scores, e),
        ("ground_truth", ground_truth, n),
        ("edge_truth", edge_truth, e),
        ("planted", planted, n),
        ("fills", fills, n),
        ("names", names, n),
    ):
        if values is not None and len(values) != expected:
            raise InputError(f"The drawing needs {expected} {name}, one each, and got {len(values)}.")
    one, other, both = _undirected(edge_index)
    edge_scores = None if edge_scores is None else np.array([edge_scores[pair].mean() for pair in both])
    edge_truth = np.zeros(len(both), bool) if edge_truth is None else np.array([any(edge_truth[p]) for p in both], bool)
    limit = colours.common_limit(scores, edge_scores) if limit is None else limit
    spots, radius = _fit(places, width, height)
    points = [tuple(spot) for spot in spots.tolist()]
    shapes: list = [Box(0, 0, width, height, fill="#ffffff")]
    shapes += [
        Stroke(points[a], points[b], colours.GROUND_TRUTH, EDGE_TRUTH * radius)
        for a, b, true in zip(one, other, edge_truth, strict=True)
        if true
    ]
    shapes += _edges(points, one, other, edge_scores, edge_truth, limit, signed, radius)
    shapes += _nodes(points, radius, scores, limit, signed, ground_truth, planted, fills, names, selected)
    if n:
        shapes += _cross_hair(points[0], radius)
    svg = svg_root(width, height, title, "".join(shape.svg() for shape in shapes))
    return NeighbourhoodPicture(width, height, svg, spots, radius, tuple(shapes))


def _undirected(edge_index: np.ndarray) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """The two ends of every edge once, and the columns of its two directions."""
    ends = np.sort(np.asarray(edge_index), axis=0)
    pairs, place = np.unique(ends, axis=1, return_inverse=True)
    order = np.argsort(place.ravel(), kind="stable")
    starts = np.searchsorted(place.ravel()[order], np.arange(1, pairs.shape[1]))
    return pairs[0], pairs[1], np.split(order, starts) if pairs.shape[1] else []


def _fit(places: np.ndarray, width: int, height: int) -> tuple[np.ndarray, float]:
    """Places in pixels, as large as the picture allows, turned on its side where that is larger; the node radius."""
    if not len(places):
        return np.zeros((0, 2)), 6.0
    if (np.ptp(places[:, 0]) < np.ptp(places[:, 1])) == (width > height):
        places = places[:, ::-1]
    middle = (places.min(axis=0) + places.max(axis=0)) / 2
    span = np.maximum(np.ptp(places, axis=0), 1e-9)
    radius = float(np.clip(0.16 * np.sqrt(width * height / len(places)), 2.2, 9))
    room = np.array([width, height]) - 2 * (CENTRE * radius + 3)
    zoom = min(float((room / span).min()), 0.22 * min(width, height))
    spots = (places - middle) * zoom * (1, -1) + np.array([width, height]) / 2
    return spots, radius


def _edges(points, one, other, scores, truth, limit, signed, radius) -> list[Stroke]:
    """Paler edges first, so that strong ones lie on top where they meet; pale ones keep a thin grey line."""
    thin = max(0.22 * radius, 0.8)
    if scores is None:
        heat = np.zeros(len(one))
        shades = ["#ffffff"] * len(one)
    else:
        heat = np.nan_to_num(np.abs(scores), nan=0.0, posinf=0.0)
        shades = colours.hex_of(scores, limit, signed)
    found = []
    for index in np.argsort(heat, kind="stable"):
        a, b = points[one[index]], points[other[index]]
        if scores is not None or truth[index]:
            found.append(Stroke(a, b, shades[index], EDGE_HEAT * radius))
        if heat[index] <= 0.25 * abs(limit):
            found.append(Stroke(a, b, LINE, thin))
    return found


def _nodes(points, radius, scores, limit, signed, truth, planted, fills, names, selected) -> list:
    shades = ["#ffffff"] * len(points) if scores is None else colours.hex_of(scores, limit, signed)
    shades = shades if fills is None else fills
    found = []
    for index, (x, y) in enumerate(points):
        told = "" if names is None else names[index]
        square = bool(planted is not None and planted[index])
        outline = colours.SELECTED if index == selected else LINE
        if truth is not None and truth[index]:
            found.append(Ring(x, y, RING * radius, colours.GROUND_TRUTH, max(0.28 * radius, 1.0)))
        found.append(Dot(x, y, radius, shades[index], outline, square, told))
    return found


def _cross_hair(centre: tuple[float, float], radius: float) -> list[Stroke]:
    """Four short strokes around the node that is explained."""
    (x, y), near, far = centre, 1.7 * radius, 2.6 * radius
    return [
        Stroke((x + near * dx, y + near * dy), (x + far * dx, y + far * dy), colours.SELECTED, max(0.35 * radius, 1.4))
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
    ]
