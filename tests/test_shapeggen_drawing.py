"""Pictures of generated graphs: the overview, and the neighbourhood of a node with masks."""

import io
import time
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from wombat_core.drawing import colours
from wombat_core.drawing.graph_layout import neighbourhood_layout, overview_layout
from wombat_core.drawing.graphs import LABELS, overview_figure
from wombat_core.drawing.neighbourhood import draw_neighbourhood
from wombat_core.errors import InputError
from wombat_core.shapeggen import PRESETS, generate
from wombat_core.shapeggen.structure import build_structure

SMALL = PRESETS["SG-Base-500"].changed(homophily=0.0)
SVG = "{http://www.w3.org/2000/svg}"
# Node 0 hangs on a triangle 1-2-3.
TRIANGLE = np.array([[0, 1, 1, 2, 2, 3, 3, 1], [1, 0, 2, 1, 3, 2, 1, 3]])


@pytest.fixture(scope="module")
def small():
    data = generate(SMALL).data
    return {name: data[name].numpy() for name in ("edge_index", "y", "motif", "subgraph_id")}


def drawn(graph, **options):
    places = overview_layout(graph["edge_index"], graph["subgraph_id"], graph["motif"])
    return overview_figure(
        places, graph["edge_index"], graph["y"], graph["motif"], graph["subgraph_id"], **options
    ), places


def test_overview_shows_every_node_once_by_class_and_shape(small):
    figure, places = drawn(small, selected=17)
    points = [trace for trace in figure.data if trace.mode == "markers" and trace.customdata is not None]
    assert sorted(node for trace in points for node in trace.customdata) == list(range(len(small["y"])))
    for trace in points:
        nodes = np.asarray(trace.customdata)
        (label,) = set(small["y"][nodes])
        (planted,) = set(small["motif"][nodes] >= 0)
        assert trace.marker.color == LABELS[label]
        assert trace.marker.symbol == ("square" if planted else "circle")
        assert np.array_equal(np.stack([trace.x, trace.y], axis=1), places[nodes])
    assert (figure.data[-1].x[0], figure.data[-1].y[0]) == tuple(places[17])


def test_overview_draws_every_edge_once(small):
    figure, _ = drawn(small)
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    assert sum(int(np.isnan(np.asarray(trace.x, float)).sum()) for trace in lines) == small["edge_index"].shape[1] // 2


def test_every_planted_copy_has_the_same_upright_picture(small):
    _, places = drawn(small)
    first = None
    for copy in range(5):
        shape = places[small["motif"] == copy]
        shape = shape - shape.mean(axis=0)
        first = shape if first is None else first
        assert shape == pytest.approx(first, abs=1e-9)
    # A house stands on its floor: its roof alone is on top.
    heights = np.sort(first[:, 1])
    assert heights[1] - heights[0] < 0.1 and heights[4] - heights[3] > 0.1


def test_subgraphs_do_not_lie_over_each_other(small):
    _, places = drawn(small)
    copies = np.unique(small["subgraph_id"])
    centres = np.array([places[small["motif"] == copy].mean(axis=0) for copy in copies])
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2) + 9 * np.eye(len(centres))
    assert apart.min() > 1.2
    assert len(np.unique(np.round(places, 6), axis=0)) == len(places)


def test_the_papers_size_is_laid_out_in_seconds_and_drawn_by_the_graphics_card():
    found = build_structure(PRESETS["SG-Base"], np.random.default_rng(0))
    start = time.process_time()
    places = overview_layout(found.edge_index, found.subgraph, found.motif)
    assert time.process_time() - start < 10
    figure = overview_figure(places, found.edge_index, found.labels, found.motif, found.subgraph)
    assert {trace.type for trace in figure.data} == {"scattergl"}
    assert np.isfinite(places).all() and len(np.unique(places.round(6), axis=0)) > 0.99 * len(places)


@pytest.mark.parametrize("size", [4, 150])
def test_neighbourhood_layout_is_repeatable_with_its_node_at_the_origin(size):
    edges = TRIANGLE
    if size > 4:
        more = np.array([[1 + node % 3, node] for node in range(4, size)]).T
        edges = np.concatenate([TRIANGLE, more, more[::-1]], axis=1)
    before = np.random.get_state()[1].copy()
    places = neighbourhood_layout(edges, size)
    assert np.array_equal(places, neighbourhood_layout(edges, size))
    assert (np.random.get_state()[1] == before).all()
    assert places[0].tolist() == [0, 0] and places.shape == (size, 2)
    assert np.median(np.linalg.norm(places[edges[0]] - places[edges[1]], axis=1)) == pytest.approx(1)


def test_neighbourhood_marks_truth_by_shape_and_scores_by_colour():
    places = neighbourhood_layout(TRIANGLE, 4)
    truth, edge_truth = [False, True, True, True], TRIANGLE.min(axis=0) > 0
    picture = draw_neighbourhood(
        places,
        TRIANGLE,
        scores=[0.0, 1.0, 0.5, None],
        ground_truth=truth,
        edge_truth=edge_truth,
        planted=truth,
        names=["a", "b", "<c>", "d"],
    )
    root = ElementTree.fromstring(picture.svg)
    rings = [each for each in root.iter(f"{SVG}circle") if each.get("stroke") == colours.GROUND_TRUTH]
    assert len(rings) == 3
    centres = sorted((float(ring.get("cx")), float(ring.get("cy"))) for ring in rings)
    assert np.array(centres) == pytest.approx(np.array(sorted(picture.positions[1:].tolist())), abs=0.06)
    borders = [each for each in root.iter(f"{SVG}line") if each.get("stroke") == colours.GROUND_TRUTH]
    assert len(borders) == 3
    squares = [each for each in root.iter(f"{SVG}rect") if each.get("stroke") not in (None, "none")]
    assert [each.get("fill") for each in squares] == [colours.SEQUENTIAL[-1], *colours.hex_of([0.5, 0], 1.0)]
    told = [each.text for each in root.iter(f"{SVG}title")]
    assert told == ["Neighbourhood", "a", "b", "<c>", "d"]


def test_both_directions_of_an_edge_make_one_line():
    places = neighbourhood_layout(TRIANGLE, 4)
    edge_scores = np.array([1.0, 0.0, 0.2, 0.2, 0, 0, 0, 0])  # 0-1 has 1 and 0: 0.5 on average
    picture = draw_neighbourhood(places, TRIANGLE, edge_scores=edge_scores)
    lines = [each.get("stroke") for each in ElementTree.fromstring(picture.svg).iter(f"{SVG}line")]
    assert lines.count(colours.SEQUENTIAL[-1]) == 1
    assert lines.count(colours.hex_of([0.2], 0.5)[0]) == 1


def test_every_spot_is_inside_and_png_is_the_same_picture():
    places = neighbourhood_layout(TRIANGLE, 4)
    picture = draw_neighbourhood(places, TRIANGLE, scores=[1, 0, 0, 0], width=200, height=120)
    assert (picture.positions > picture.atom_radius).all()
    assert (picture.positions < np.array([200, 120]) - picture.atom_radius).all()
    image = Image.open(io.BytesIO(picture.png(2)))
    assert image.size == (400, 240)
    x, y = (2 * picture.positions[0]).astype(int)
    assert image.getpixel((int(x), int(y))) == tuple(round(255 * part) for part in colours.rgb(colours.SEQUENTIAL[-1]))


def test_one_node_alone_can_be_drawn():
    places = neighbourhood_layout(np.zeros((2, 0), dtype=int), 1)
    picture = draw_neighbourhood(places, np.zeros((2, 0), dtype=int), scores=[1.0])
    assert picture.positions.tolist() == [[150, 120]]


def test_wrong_lengths_are_one_sentence():
    places = neighbourhood_layout(TRIANGLE, 4)
    with pytest.raises(InputError, match="needs 8 edge_scores, one each, and got 3"):
        draw_neighbourhood(places, TRIANGLE, edge_scores=[1, 2, 3])
