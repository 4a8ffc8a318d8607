"""The figure with all cards."""

import io
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from PIL import Image

from wombat_core.drawing import colours
from wombat_core.drawing.depiction import depict
from wombat_core.drawing.figure import FigureCard, Legend, figure_png, figure_svg
from wombat_core.molecules.molecule import from_smiles

HOSTILE = "</text><script>alert(1)</script> & <b>"


@pytest.fixture(scope="module")
def cards():
    molecule = from_smiles("CC(=O)O", name=HOSTILE)
    pictures = [depict(molecule, scores=np.arange(4), ground_truth=[True] * 4) for _ in range(5)]
    return [
        FigureCard(f"Explainer {i}", picture, ("AUROC 0.923", HOSTILE)[: 1 + i % 2])
        for i, picture in enumerate(pictures)
    ]


def size(svg: str) -> tuple[float, float]:
    root = ET.fromstring(svg)
    return float(root.get("width")), float(root.get("height"))


def test_svg_nests_every_card_inside_its_bounds(cards):
    svg = figure_svg(cards, 3, HOSTILE, Legend(0.5, selected=True))
    root = ET.fromstring(svg)
    width, height = size(svg)
    nested = [child for child in root if child.tag.endswith("}svg")]
    assert len(nested) == 5
    corners = np.array([(float(child.get("x")), float(child.get("y"))) for child in nested])
    assert len(np.unique(corners, axis=0)) == 5
    assert (corners >= 0).all() and (corners <= [width - 300, height - 240]).all()
    assert len(np.unique(corners[:, 1])) == 2
    assert "<script" not in svg
    texts = [element.text for element in root.iter() if element.tag.endswith("}text")]
    assert {"Explainer 0", "AUROC 0.923", HOSTILE, "0.5", "ground truth", "selected"} <= set(texts)


def test_a_note_stands_below_the_legend(cards):
    plain, noted = (figure_svg(cards, 3, "", Legend(1.0, note=note)) for note in ("", "Each card has its own scale."))
    assert "Each card has its own scale." in noted and size(noted)[1] > size(plain)[1]


def test_png_has_the_size_of_the_svg_and_its_colours(cards):
    width, height = size(figure_svg(cards, 2, "Title", Legend(1.0)))
    image = Image.open(io.BytesIO(figure_png(cards, 2, "Title", Legend(1.0), scale=2)))
    assert image.size == (round(2 * width), round(2 * height))
    pixels = np.asarray(image.convert("RGB"))
    assert (pixels[0] == 255).all() and (pixels[:, -1] == 255).all()
    blue = np.array(colours.rgb(colours.GROUND_TRUTH)) * 255
    assert (np.abs(pixels - blue).max(axis=2) < 3).sum() > 500


def test_long_titles_and_captions_are_wrapped(cards):
    long = FigureCard("word " * 40, cards[0].depiction, ("caption " * 40,))
    short = size(figure_svg(cards[:1]))
    wrapped = size(figure_svg([long]))
    assert wrapped[0] == short[0]
    assert wrapped[1] > short[1] + 60


def test_no_cards_is_an_empty_figure():
    assert ET.fromstring(figure_svg([])).get("role") == "img"
    assert Image.open(io.BytesIO(figure_png([], scale=1))).size[0] > 0
