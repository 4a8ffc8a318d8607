"""The Layers page in a real browser, without any network."""

import time
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, expect

from tests.browser import Tab, visit
from wombat_core.molecules.positives import positives

pytestmark = pytest.mark.browser


@pytest.fixture
def page_of(server, browser):
    """Opens the page under an address; nothing outside may be asked for and no script may fail."""
    open_tabs = []

    def opened(width: int = 1280, **params: str) -> Tab:
        context = visit(browser, f"{server.url}/layers?{urlencode(params)}", width=width)
        tab = context.__enter__()
        open_tabs.append((context, tab))
        expect(strip(tab)).to_be_visible()
        tab.settle()
        return tab

    yield opened
    for context, tab in open_tabs:
        # Streamlit's page looks for its server below the page's own path before it finds it at the root.
        errors = [line for line in tab.errors if "404 (Not Found)" not in line]
        outside = list(tab.outside)
        context.__exit__(None, None, None)
        assert outside == [] and errors == []


def strip(tab: Tab) -> Locator:
    return tab.page.locator(".layer-strip")


def table(tab: Tab) -> Locator:
    return tab.page.locator(".layer-table")


def calculation(tab: Tab) -> Locator:
    return tab.page.locator(".st-key-calculation")


def headline(tab: Tab) -> Locator:
    return tab.page.locator(".st-key-headline h3")


def test_playing_through_the_layers_of_pattern_3_ends_at_the_readout(page_of):
    tab = page_of(pattern="3", molecule=positives()[3][0])
    expect(strip(tab).locator(".cell")).to_have_count(8)
    strip(tab).get_by_role("button", name="Play through the layers").click()
    for layer in range(2, 8):
        expect(headline(tab)).to_contain_text(f"Layer {layer} of 7")
    expect(headline(tab)).to_contain_text("Readout r2")
    expect(strip(tab)).to_have_attribute("data-playing", "false")
    tab.expect_address("layer=readout")


def test_the_keyboard_steps_through_the_layers(page_of):
    tab = page_of()
    strip(tab).get_by_role("button", name="layer 1").focus()
    tab.page.keyboard.press("ArrowRight")
    expect(headline(tab)).to_contain_text("Layer 2 of 6")
    tab.settle()
    tab.page.keyboard.press("ArrowRight")
    expect(headline(tab)).to_contain_text("Layer 3 of 6")


def test_an_atom_chosen_in_the_picture_is_calculated_and_marked_in_the_table(page_of):
    tab = page_of(layer="3", channel="C")
    picture = tab.page.locator(".molecule-cards .picture")
    letters = picture.locator(".drawing text", has_text="B.3")
    expect(letters).to_have_count(1)
    picture.focus()
    tab.page.keyboard.press("Home")
    for _ in range(9):
        tab.page.keyboard.press("ArrowRight")
    tab.page.keyboard.press("Enter")
    expect(calculation(tab)).to_contain_text("C.3 at C9 = 0")
    expect(table(tab)).to_have_attribute("data-row", "9")
    tab.settle()
    tab.expect_address("atom=9", "channel=C")


def test_a_cell_of_the_table_is_calculated_and_its_links_are_followed(page_of):
    tab = page_of(layer="3")
    table(tab).locator("td[data-row='5'][data-column='3']").click()
    expect(calculation(tab)).to_contain_text("D.3 at C5 = 1")
    expect(calculation(tab)).to_contain_text("N4 is no D.2, double bond")
    expect(tab.page.locator(".molecule-cards .picture")).to_have_attribute("data-selected", "5")
    calculation(tab).get_by_role("button", name="C.4 at C5").click()
    expect(headline(tab)).to_contain_text("Layer 4 of 6")
    expect(calculation(tab)).to_contain_text("C.4 at C5 =")
    tab.settle()
    table(tab).locator("thead th[data-column='1']").click()
    expect(calculation(tab)).to_contain_text("B.4 at C5")
    calculation(tab).get_by_role("button", name="Weights").click()
    expect(tab.page.get_by_test_id("stPopoverBody")).to_contain_text("not listed are 0")


def test_a_shared_link_restores_layer_channel_and_atom(page_of):
    tab = page_of(layer="3", channel="D", atom="13")
    expect(calculation(tab)).to_contain_text("D.3 at C13 = 0")
    expect(strip(tab)).to_have_attribute("data-layer", "3")
    expect(table(tab)).to_have_attribute("data-row", "13")
    expect(table(tab)).to_have_attribute("data-column", "3")
    link = tab.page.url
    assert page_of(layer="3", channel="D", atom="13").page.url == link


@pytest.mark.parametrize(
    "params",
    [
        {"layer": "3", "channel": "D"},
        {"molecule": "caffeine", "layer": "3"},
        {"layer": "readout"},
        {"layer": "3", "present": "1"},
        {"molecule": "citronellal", "pattern": "12", "compare": "1"},
    ],
)
def test_the_main_point_fits_a_projector(page_of, params):
    tab = page_of(**params)
    parts = tab.page.locator(".layer-strip, .layer-table, .molecule-cards, .st-key-calculation")
    for box in [one.bounding_box() for one in parts.all()]:
        assert box["y"] + box["height"] <= 800
        assert box["x"] + box["width"] <= 1280
    cells = strip(tab).locator(".cell").all()
    for cell in cells:
        assert cell.evaluate("one => one.scrollWidth <= one.clientWidth + 1"), "nothing sticks out of a cell"


@pytest.mark.parametrize("params, least", [({}, 11), ({"present": "1"}, 13)])
def test_letters_on_a_long_flat_molecule_can_be_read(page_of, params, least):
    tab = page_of(molecule="CCCCCCCC(=O)NNC(=O)C(C)C", pattern="3", **params)
    letters = strip(tab).locator(".picture text")
    expect(letters.first).to_be_visible()
    sizes = letters.evaluate_all("all => all.map((one) => one.getAttribute('font-size') * one.getScreenCTM().a)")
    assert len(sizes) > 40 and min(sizes) >= least - 0.2


def test_a_narrow_window_stacks_the_parts(page_of):
    tab = page_of(width=700, layer="3")
    assert tab.page.evaluate("() => document.documentElement.scrollWidth") <= 700
    expect(calculation(tab)).to_contain_text("Eq. 1 and 2")


def test_a_variant_opens_at_the_layer_that_is_chosen(page_of):
    tab = page_of(molecule="citronellal", pattern="12")
    tab.page.get_by_text("Compare the variants").click()
    expect(strip(tab).locator(".row")).to_have_count(4)
    tab.settle()
    strip(tab).locator(".row").nth(2).locator(".cell").nth(1).click()
    expect(headline(tab)).to_contain_text("Layer 2 of 3")
    tab.settle()
    tab.expect_address("pattern=12-moving", without="compare")


def test_250_atoms_answer_in_a_second_once_they_are_drawn(page_of):
    tab = page_of(pattern="3", molecule="C" * 130 + "C(=O)NN" * 30, layer="2")
    cells = strip(tab).locator(".cell")
    cells.nth(2).click()
    expect(headline(tab)).to_contain_text("Layer 3 of 7")
    tab.settle()
    cells.nth(1).click()
    expect(headline(tab)).to_contain_text("Layer 2 of 7")
    tab.settle()
    start = time.monotonic()
    cells.nth(2).click()
    expect(headline(tab)).to_contain_text("Layer 3 of 7")
    print(f"a warm change of layer took {time.monotonic() - start:.2f} s")
    frame = table(tab).locator(".frame")
    assert frame.evaluate("one => one.scrollHeight > one.clientHeight")
