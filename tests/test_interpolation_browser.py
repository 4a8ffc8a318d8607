"""The Interpolation page in a real browser, without any network."""

import json
from contextlib import ExitStack

import pytest
from playwright.sync_api import Locator, expect

from tests.browser import Tab, visit

pytestmark = pytest.mark.browser


# Streamlit looks for itself below the address of a page first, and then where it is.
PROBE = "Failed to load resource: the server responded with a status of 404 (Not Found)"


@pytest.fixture
def open_page(server, browser):
    """Open the page with an address; outside requests and errors fail the test."""
    with ExitStack() as stack:
        tabs = []

        def enter(address: str, **options) -> Tab:
            tabs.append(stack.enter_context(visit(browser, f"{server.url}/interpolation?{address}", **options)))
            return tabs[-1]

        yield enter
        for tab in tabs:
            assert tab.outside == []
            assert [error for error in tab.errors if error != PROBE] == []


def charts(tab: Tab, count: int = 4) -> Locator:
    """The charts, all of them drawn."""
    found = tab.page.locator(".js-plotly-plot")
    expect(found).to_have_count(count)
    expect(tab.page.locator(".js-plotly-plot .main-svg .xtick").first).to_be_attached()
    tab.settle()
    return found


def cursors(tab: Tab) -> set[float]:
    """Where the cursors of all charts stand."""
    shapes = tab.page.evaluate(
        "() => [...document.querySelectorAll('.js-plotly-plot')].map(one => JSON.stringify(one.layout.shapes))"
    )
    return {shape["x0"] for each in shapes for shape in json.loads(each) if shape["line"]["color"] == "#0f766e"}


def molecule(tab: Tab) -> str:
    return tab.page.locator(".molecule-cards .picture svg").first.inner_html()


def test_the_alpha_slider_moves_every_cursor_and_colours_the_molecule(open_page):
    tab = open_page("zoom=0.9-1&common=1")
    charts(tab)
    assert cursors(tab) == {0.98}
    before = molecule(tab)
    slider = tab.page.get_by_role("slider", name="α of the cursor")
    slider.focus()
    for _ in range(4):
        slider.press("ArrowRight")
    expect(tab.page.get_by_text("Gathered up to α = 0.982")).to_be_visible()
    charts(tab)
    assert cursors(tab) == {0.982}
    assert molecule(tab) != before
    tab.expect_address("alpha=0.982")


def test_the_main_point_fits_a_projector(open_page):
    tab = open_page("zoom=0.9-1&atom=7")
    found = charts(tab)
    boxes = [found.nth(number).bounding_box() for number in range(4)]
    assert max(box["y"] + box["height"] for box in boxes) <= 800
    assert boxes[0]["y"] == boxes[1]["y"] and boxes[2]["y"] == boxes[3]["y"]
    assert min(box["width"] for box in boxes) > 280
    table = tab.page.locator(".st-key-completeness-card").bounding_box()
    assert table["y"] + table["height"] <= 800


def test_a_click_on_a_row_of_the_heatmap_selects_the_atom_everywhere(open_page):
    tab = open_page("zoom=0.9-1")
    heat = charts(tab).nth(2)
    # The tick of a row and the middle of the chart's plot: a point on the row of C5.
    row = heat.locator(".ytick text", has_text="C5").bounding_box()
    plot = heat.locator(".nsewdrag").bounding_box()
    tab.page.mouse.move(plot["x"] + plot["width"] / 2, row["y"] + row["height"] / 2)
    heat.locator(".hoverlayer .hovertext").first.wait_for()  # Plotly selects what it hovers
    tab.page.mouse.click(plot["x"] + plot["width"] / 2, row["y"] + row["height"] / 2)
    expect(tab.page.get_by_text("Where along the path does C5 get its credit?")).to_be_visible()
    tab.expect_address("atom=5")
    charts(tab)
    expect(tab.page.locator(".molecule-cards .picture").first).to_have_attribute("data-selected", "5")
    expect(heat.locator(".ytick text", has_text="▸ C5")).to_be_attached()


def test_one_atom_opens_and_can_be_moved(open_page):
    tab = open_page("zoom=0.9-1&atom=7")
    charts(tab)
    tab.page.locator(".st-key-open-one-atom button").click()
    expect(tab.page.get_by_text("What does C7 do, all else held?")).to_be_visible()
    charts(tab, 5)
    tab.expect_address("part=one-atom")
    expect(tab.page.get_by_text("A.6 of C13: 0.1208 → 0.1261").first).to_be_visible()
    slider = tab.page.get_by_role("slider", name="Everything else held at")
    slider.focus()
    slider.press("ArrowRight")
    expect(tab.page.get_by_text("Every other atom and all bonds are held at 0.99.")).to_be_visible()


def test_convergence_opens(open_page):
    tab = open_page("zoom=0.9-1")
    charts(tab)
    tab.page.get_by_role("radio", name="Convergence").or_(
        tab.page.get_by_role("button", name="Convergence", exact=True)
    ).first.click()
    expect(tab.page.get_by_text("How many steps does the integral need?")).to_be_visible()
    charts(tab, 2)
    expect(tab.page.get_by_role("cell", name="1.3019")).to_be_visible()


def test_activations_open_and_an_atom_of_the_molecule_can_be_chosen(open_page):
    tab = open_page("part=activations&layer=3&alpha=0.98")
    expect(tab.page.get_by_text("Atoms × channels at α = 0.98")).to_be_visible()
    picture = tab.page.locator(".molecule-cards .picture").first
    picture.focus()
    tab.page.keyboard.press("ArrowRight")
    tab.page.keyboard.press("Enter")
    tab.settle()
    tab.expect_address("atom=0")


def test_a_link_restores_the_page(open_page):
    link = "molecule=CC(C)=CCCC(C)CC%3DO&pattern=12&readout=r1&alpha=0.5&zoom=0-1&beside_f=slope&log=0&atom=2"
    tab = open_page(link)
    charts(tab)
    assert cursors(tab) == {0.5}
    titles = tab.page.evaluate(
        "() => [...document.querySelectorAll('.js-plotly-plot')].map(one => one.layout.yaxis.title.text)"
    )
    assert titles == ["F, r1", "dF/dα, r1", "", "attribution so far"]


def test_a_narrow_window_puts_the_molecule_below_and_scrolls_nothing_sideways(open_page):
    tab = open_page("zoom=0.9-1", width=700, height=900)
    found = charts(tab)
    assert found.nth(0).bounding_box()["width"] > 280
    card = tab.page.locator(".molecule-cards").first.bounding_box()
    assert card["y"] > found.nth(3).bounding_box()["y"] and card["width"] > 500
    assert tab.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
