"""The card grid: one pointer, one selection, in every card."""

import math

import pytest
from playwright.sync_api import Locator, expect
from streamlit.testing.v1 import AppTest

from pages.shared import molecule_cards as module
from tests.browser import ROOT, Tab, streamlit_server, visit

NUM_PICTURES = 5  # of six cards, one has a message instead


def test_a_tone_outside_the_list_is_refused():
    with pytest.raises(ValueError, match="purple"):
        module._card({"title": "A", "badge": {"text": "x", "tone": "purple"}})


def test_a_position_that_is_not_finite_is_refused():
    with pytest.raises(ValueError, match="card 'A' has an atom position"):
        module._card({"title": "A", "positions": [[0, 0], [math.nan, 1]]})


def test_a_selected_atom_outside_the_molecule_counts_as_none():
    assert [module._in_range(atom, 3) for atom in (None, -1, 0, 2, 3)] == [None, None, 0, 2, None]


def test_the_page_runs_without_a_browser():
    app = AppTest.from_file(str(ROOT / "tests/apps/cards_app.py")).run()
    assert not app.exception
    app.button[1].click().run()
    assert not app.exception
    assert app.text[0].value.startswith("selected 2, run 2")


@pytest.fixture(scope="module")
def server():
    with streamlit_server(ROOT / "tests/apps/cards_app.py") as server:
        yield server


@pytest.fixture
def tab(server, browser):
    with visit(browser, server.url) as tab:
        expect(pictures(tab)).to_have_count(NUM_PICTURES)
        yield tab
        assert tab.outside == []
        assert tab.errors == []
        assert "registered" not in server.log()
        assert "Traceback" not in server.log()


def pictures(tab: Tab) -> Locator:
    return tab.page.locator(".molecule-cards .picture:visible")


def lit(tab: Tab, what: str) -> set[str]:
    """The values of `data-hover` or `data-selected` over all pictures; one value when they agree."""
    return set(pictures(tab).evaluate_all(f"all => all.map(one => one.dataset.{what})"))


def place(tab: Tab, atom: int, card: int, num_atoms: int = 7) -> tuple[float, float]:
    """Where the atom of the test page's ring is on the screen."""
    box = pictures(tab).nth(card).bounding_box()
    scale = min(box["width"] / 300, box["height"] / 200)
    angle = 2 * math.pi * atom / num_atoms
    x, y = 90 * math.cos(angle), 70 * math.sin(angle)
    return box["x"] + box["width"] / 2 + scale * x, box["y"] + box["height"] / 2 + scale * y


def python_says(tab: Tab, text: str) -> None:
    expect(tab.page.get_by_test_id("stText")).to_contain_text(text)


@pytest.mark.browser
def test_hovering_lights_the_atom_up_in_every_card_without_a_rerun(tab):
    tip = tab.page.get_by_role("tooltip")
    expect(tip).to_be_hidden()
    tab.page.mouse.move(*place(tab, 3, card=1))
    assert lit(tab, "hover") == {"3"}
    expect(tip).to_be_visible()
    expect(tip).to_contain_text("0.03 (rank 4 of 7)")
    expect(tip).to_contain_text("<i>saliency</i>")  # as text
    tab.page.mouse.move(5, 5)
    assert lit(tab, "hover") == {""}
    expect(tip).to_be_hidden()
    python_says(tab, "selected None, run 1")


@pytest.mark.browser
def test_the_tooltip_stays_in_the_window(tab):
    for card in range(NUM_PICTURES):
        for atom in range(7):
            x, y = place(tab, atom, card)
            tab.page.mouse.move(x, y)
            box = tab.page.get_by_role("tooltip").bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= 1280, (card, atom)
            assert box["y"] >= 0 and box["y"] + box["height"] <= 800, (card, atom)
            assert not box["x"] <= x <= box["x"] + box["width"], "the tooltip covers its atom"


@pytest.mark.browser
def test_a_click_selects_everywhere_and_a_second_click_deselects(tab):
    tab.page.mouse.click(*place(tab, 5, card=3))
    python_says(tab, "selected 5, run 2, heard (5,)")
    assert lit(tab, "selected") == {"5"}
    tab.page.mouse.click(*place(tab, 5, card=0))
    python_says(tab, "selected None, run 3, heard (5, None)")
    assert lit(tab, "selected") == {""}


@pytest.mark.browser
def test_the_last_of_two_quick_clicks_wins(tab):
    tab.page.mouse.click(*place(tab, 1, card=0))
    tab.page.mouse.click(*place(tab, 4, card=0))
    python_says(tab, "selected 4")
    tab.settle()
    assert lit(tab, "selected") == {"4"}


@pytest.mark.browser
def test_the_keyboard_walks_selects_and_clears(tab):
    live = tab.page.locator(".molecule-cards [aria-live]")
    pictures(tab).nth(1).focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        tab.page.keyboard.press(key)
    assert lit(tab, "hover") == {"2"}
    expect(live).to_contain_text("C2: element C")
    expect(tab.page.get_by_role("tooltip")).to_be_visible()
    tab.page.keyboard.press("Enter")
    python_says(tab, "selected 2, run 2")
    expect(live).to_have_text("C2 selected")
    tab.page.keyboard.press("ArrowLeft")
    tab.page.keyboard.press("Space")
    python_says(tab, "selected 1, run 3")
    tab.page.keyboard.press("Escape")
    python_says(tab, "selected None, run 4")
    assert lit(tab, "selected") == lit(tab, "hover") == {""}
    assert pictures(tab).nth(1).get_attribute("aria-label") == "Integrated gradients, 7 atoms"
    tab.page.keyboard.press("Tab")
    focused = pictures(tab).evaluate_all("all => all.findIndex(one => one.matches(':focus'))")
    assert focused == 2, "one tab stop a card"


@pytest.mark.browser
def test_python_overrides_and_can_clear_right_after_a_click(tab):
    tab.page.mouse.click(*place(tab, 6, card=2))
    python_says(tab, "selected 6")
    tab.page.get_by_text("Select atom 2", exact=True).click()
    python_says(tab, "selected 2")
    expect(pictures(tab).first).to_have_attribute("data-selected", "2")
    tab.page.mouse.click(*place(tab, 6, card=2))
    python_says(tab, "selected 6")
    tab.page.get_by_text("Clear", exact=True).click()
    python_says(tab, "selected None")
    expect(pictures(tab).first).to_have_attribute("data-selected", "")


@pytest.mark.browser
def test_a_rerun_keeps_the_elements_the_hover_and_the_selection(tab):
    tab.page.mouse.click(*place(tab, 4, card=0))
    python_says(tab, "run 2")
    tab.settle()
    pictures(tab).evaluate_all("all => { window.before = all.map(one => one.querySelector('.drawing')) }")
    tab.page.mouse.move(*place(tab, 3, card=0))
    # A click with the mouse would end the hover.
    tab.page.get_by_role("button", name="Rerun").dispatch_event("click")
    python_says(tab, "selected 4, run 3")
    tab.settle()
    assert lit(tab, "hover") == {"3"}
    assert lit(tab, "selected") == {"4"}
    same = "all => all.every((one, i) => one.querySelector('.drawing') === window.before[i])"
    assert pictures(tab).evaluate_all(same)


@pytest.mark.browser
def test_another_molecule_is_drawn_in_the_same_cards(tab):
    tab.page.mouse.click(*place(tab, 6, card=0))
    python_says(tab, "selected 6")
    tab.settle()
    pictures(tab).evaluate_all("all => { window.before = all }")
    tab.page.get_by_label("Atoms", exact=True).fill("5")
    tab.page.get_by_label("Atoms", exact=True).press("Enter")
    python_says(tab, "selected None")  # there is no atom 6 any more
    expect(pictures(tab).first.locator(".drawing circle")).to_have_count(5)
    assert lit(tab, "selected") == {""}
    assert pictures(tab).evaluate_all("all => all.every((one, i) => one === window.before[i])")
    tab.page.mouse.move(*place(tab, 3, card=1, num_atoms=5))
    expect(tab.page.get_by_role("tooltip")).to_contain_text("rank 4 of 5")


@pytest.mark.browser
def test_a_tap_selects_and_shows_the_tooltip(server, browser):
    with visit(browser, server.url, has_touch=True) as tab:
        expect(pictures(tab)).to_have_count(NUM_PICTURES)
        tab.page.touchscreen.tap(*place(tab, 2, card=0))
        python_says(tab, "selected 2")
        expect(tab.page.get_by_role("tooltip")).to_contain_text("C2")


@pytest.mark.browser
def test_texts_are_never_markup(tab):
    assert tab.page.get_by_text("<b>Saliency</b>").count() == 1
    assert tab.page.locator(".molecule-cards b").count() == 0
    expect(tab.page.get_by_text("GNNExplainer was stopped after 30 s.")).to_be_visible()


@pytest.mark.browser
@pytest.mark.parametrize("width, columns", [(1280, 3), (960, 2), (500, 1)])
def test_the_columns_and_the_height_follow_the_width(server, browser, width, columns):
    with visit(browser, server.url, width=width) as tab:
        expect(pictures(tab)).to_have_count(NUM_PICTURES)
        cards = tab.page.locator(".molecule-cards .card")
        boxes = [cards.nth(i).bounding_box() for i in range(6)]
        assert len({round(box["x"]) for box in boxes}) == columns
        last = max(box["y"] + box["height"] for box in boxes)
        text = tab.page.get_by_test_id("stText").bounding_box()
        assert 0 <= text["y"] - last < 40, "what follows stands right below the last card"
        if columns == 3:
            assert last < 800, "six cards fit the page"
            tops = {round(pictures(tab).nth(i).bounding_box()["y"]) for i in range(3)}
            assert len(tops) == 1, "pictures of a row are level"


@pytest.mark.browser
def test_an_atom_given_at_the_start_is_selected(server, browser):
    with visit(browser, f"{server.url}/?atom=3") as tab:
        expect(pictures(tab)).to_have_count(NUM_PICTURES)
        assert lit(tab, "selected") == {"3"}
        python_says(tab, "selected 3, run 1")
