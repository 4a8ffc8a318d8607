"""The Explore page in a real browser, without any network."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser import Tab, visit

pytestmark = pytest.mark.browser


@pytest.fixture
def tab(server, browser):
    with visit(browser, server.url) as tab:
        expect(pictures(tab)).to_have_count(6)
        tab.settle()
        yield tab
        assert tab.outside == []
        assert tab.errors == []


def pictures(tab: Tab) -> Locator:
    return tab.page.locator(".molecule-cards .picture:visible")


def enter(tab: Tab, text: str) -> None:
    field = tab.page.get_by_role("textbox", name="Molecule")
    field.fill(text)
    field.press("Enter")
    tab.settle()


def select_by_keyboard(tab: Tab, presses: int) -> None:
    """Select the atom that so many presses of an arrow key reach."""
    pictures(tab).first.focus()
    for _ in range(presses):
        tab.page.keyboard.press("ArrowRight")
    tab.page.keyboard.press("Enter")
    tab.settle()


def test_a_molecule_is_entered_and_its_heatmaps_appear(tab):
    enter(tab, "carnitine")
    expect(tab.page.get_by_text("C7H15NO3")).to_be_visible()
    tab.expect_address("molecule=carnitine")
    tab.page.get_by_role("button", name="chosen").click()
    tab.page.get_by_role("button", name="Random", exact=True).click()
    expect(pictures(tab)).to_have_count(5)
    tab.settle()
    tab.expect_address("explainers=")


def test_the_main_point_fits_a_projector(tab):
    last = pictures(tab).nth(5).bounding_box()
    assert last["y"] + last["height"] < 760
    legend = tab.page.locator(".st-key-legend").bounding_box()
    assert legend["y"] + legend["height"] <= 800


def test_an_atom_selected_in_a_card_is_selected_everywhere_and_in_the_address(tab):
    select_by_keyboard(tab, 8)
    expect(pictures(tab).nth(5)).to_have_attribute("data-selected", "7")
    expect(tab.page.get_by_text("Selected: C7")).to_be_visible()
    tab.expect_address("atom=7")
    tab.page.get_by_test_id("stDataFrame").screenshot()
    tab.page.keyboard.press("Escape")
    tab.settle()
    tab.expect_address(without="atom")


def test_a_row_of_the_table_selects_the_atom_in_the_cards(tab):
    table = tab.page.get_by_test_id("stDataFrame")
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    tab.page.mouse.click(box["x"] + 16, box["y"] + 35 * 3 + 15)
    expect(pictures(tab).first).to_have_attribute("data-selected", "2")
    tab.settle()
    tab.expect_address("atom=2")
    select_by_keyboard(tab, 1)  # from atom 2 to atom 3
    expect(pictures(tab).first).to_have_attribute("data-selected", "3")
    tab.settle()
    expect(pictures(tab).first).to_have_attribute("data-selected", "3")
    tab.expect_address("atom=3")


def test_a_shared_link_shows_the_same(server, browser, tab):
    enter(tab, "carvone")
    tab.page.get_by_text("Atom numbers", exact=True).click()
    tab.settle()
    select_by_keyboard(tab, 3)
    link = tab.page.url
    with visit(browser, link) as other:
        expect(pictures(other)).to_have_count(6)
        expect(other.page.get_by_role("textbox", name="Molecule")).to_have_value("carvone")
        expect(other.page.get_by_role("checkbox", name="Atom numbers")).to_be_checked()
        expect(pictures(other).nth(3)).to_have_attribute("data-selected", "2")
        assert other.page.url == link
        assert other.errors == []


def test_explainers_run_when_asked_show_progress_and_stop(server, browser):
    with visit(browser, f"{server.url}/?explainers=subgraphx,pg-explainer&seed=7") as tab:
        page = tab.page
        expect(pictures(tab)).to_have_count(1, timeout=60_000)
        page.get_by_role("button", name="Run SubgraphX").click()
        expect(pictures(tab)).to_have_count(2)
        page.get_by_role("button", name="Run PGExplainer").click()
        expect(page.locator(".st-key-running-pg-explainer").get_by_role("progressbar")).to_be_visible()
        expect(page.get_by_text(re.compile(r"PGExplainer · [1-9]\d* %"))).to_be_visible(timeout=30_000)
        page.get_by_role("button", name="Stop").click()
        expect(page.get_by_text("PGExplainer was stopped at")).to_be_visible()
        expect(page.get_by_role("button", name="Run PGExplainer again")).to_be_visible()
        assert tab.errors == []


def test_a_setting_is_changed_and_written_to_the_address(server, browser):
    with visit(browser, f"{server.url}/?explainers=saliency,gnn-explainer") as tab:
        tab.page.get_by_role("button", name="Settings").click()
        for name, value, part in (("epochs", "50", "set=gnn-explainer.epochs%3A50"), ("Steps", "60", "steps=60")):
            field = tab.page.get_by_role("spinbutton", name=name)
            field.fill(value)
            field.press("Enter")
            expect(tab.page).to_have_url(re.compile(part))
        expect(tab.page).to_have_url(re.compile("steps=60.*set=gnn-explainer.epochs%3A50"))
        expect(tab.page.get_by_role("spinbutton", name="Samples")).to_have_value("100")
        assert tab.errors == []


def test_going_back_takes_the_page_back(tab):
    enter(tab, "ethanol")
    expect(tab.page.get_by_text("C2H6O")).to_be_visible()
    enter(tab, "benzene")
    expect(tab.page.get_by_text("C6H6")).to_be_visible()
    tab.page.go_back()
    expect(tab.page.get_by_text("C2H6O")).to_be_visible()
    expect(tab.page.get_by_role("textbox", name="Molecule")).to_have_value("ethanol")


def test_copy_link_fills_the_clipboard(server, browser):
    with visit(browser, f"{server.url}/?pattern=8", permissions=["clipboard-read", "clipboard-write"]) as tab:
        tab.page.get_by_role("button", name="Copy link").click()
        expect(tab.page.get_by_role("button", name="Copied")).to_be_visible()
        assert tab.page.evaluate("navigator.clipboard.readText()") == tab.page.url


def test_copy_link_shows_the_link_where_there_is_no_clipboard(tab):
    tab.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')) }")
    tab.page.get_by_role("button", name="Copy link").click()
    expect(tab.page.get_by_role("textbox", name="Link to this page")).to_have_value(tab.page.url)


def test_the_3d_view_draws_offline(tab):
    tab.page.get_by_text("3D", exact=True).click()
    frame = tab.page.frame_locator("iframe[title='The molecule in space']")
    expect(frame.locator("canvas").first).to_be_visible()
    expect(frame.get_by_role("alert")).to_be_hidden()
    expect(tab.page.get_by_text("this installation's own copy")).to_be_visible()
    tab.expect_address("view=3d")


@pytest.mark.parametrize(
    "button, name, start",
    [
        ("Figure, SVG", "wombat-pattern-5-r2.svg", b"<svg "),
        ("Figure, PNG", "wombat-pattern-5-r2.png", b"\x89PNG"),
        ("Attributions, CSV", "wombat-pattern-5-r2.csv", b"atom,element,"),
        ("Whole case, JSON", "wombat-pattern-5-r2.json", b"{"),
    ],
)
def test_files_are_exported(server, browser, button, name, start):
    with visit(browser, f"{server.url}/?view=export&explainers=saliency") as tab:
        with tab.page.expect_download() as download:
            tab.page.get_by_role("button", name=button).click()
        assert download.value.suggested_filename == name
        assert Path(download.value.path()).read_bytes().startswith(start)
        assert tab.errors == []


def test_presentation_mode_and_the_way_out(tab):
    tab.page.get_by_role("button", name="Present", exact=True).click()
    tab.settle()
    expect(tab.page.get_by_test_id("stSidebar")).to_be_hidden()
    legend = tab.page.locator(".st-key-legend").bounding_box()
    assert legend["y"] + legend["height"] <= 800
    tab.page.get_by_role("button", name="Leave presentation").click()
    tab.settle()
    expect(tab.page.get_by_role("textbox", name="Molecule")).to_be_visible()
    tab.expect_address(without="present")


def test_text_of_people_is_shown_as_it_is(tab):
    enter(tab, "<img src=x onerror=alert(1)> :red[x] $a$ *b*")
    alert = tab.page.get_by_role("alert")
    expect(alert).to_contain_text("<img src=x onerror=alert(1)> :red[x] $a$ *b*")
    assert alert.locator("img, em, .katex").count() == 0


def test_a_molecule_is_drawn_offline(server, browser):
    with visit(browser, f"{server.url}/?molecule=ethanol") as tab:
        tab.page.get_by_role("button", name="Draw", exact=True).click()
        editor = tab.page.frame_locator("iframe[title^='streamlit_ketcher']")
        expect(editor.get_by_role("button", name="Apply")).to_be_visible()
        editor.locator("svg text:visible", has_text="O").first.wait_for()  # ethanol is there
        editor.get_by_role("button", name="Cyclopropane (T)").click()
        box = tab.page.locator("iframe[title^='streamlit_ketcher']").bounding_box()
        tab.page.mouse.click(box["x"] + box["width"] * 0.7, box["y"] + box["height"] * 0.6)
        editor.get_by_role("button", name="Apply").click()
        expect(tab.page.get_by_role("dialog")).to_be_hidden()
        expect(tab.page.get_by_text("C5H12O")).to_be_visible()
        assert tab.outside == [], "the errors of the editor itself are not ours"


def test_a_file_is_uploaded_its_column_chosen_and_a_molecule_opened(tab):
    tab.page.get_by_role("button", name="Upload", exact=True).click()
    content = "first,second\n" + "CCO,CCN\nCCC,CCF\n"
    file = {"name": "two.csv", "mimeType": "text/csv", "buffer": content.encode()}
    tab.page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(file)
    dialog = tab.page.get_by_role("dialog")
    expect(dialog.get_by_text("several columns that could hold SMILES")).to_be_visible()
    dialog.get_by_role("combobox").click()
    tab.page.get_by_role("option", name="second").click()
    expect(dialog.get_by_text("2 molecules.")).to_be_visible()
    tab.settle()
    box = dialog.get_by_test_id("stDataFrame").bounding_box()
    tab.page.mouse.click(box["x"] + 16, box["y"] + 35 * 2 + 15)
    expect(tab.page.get_by_role("textbox", name="Molecule")).to_have_value("CCF")
    expect(dialog).to_be_hidden()
