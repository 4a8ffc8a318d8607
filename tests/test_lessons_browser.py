"""Lesson 4 in a real browser, from start to end, without any network; keys, marks, presenter's mode, handout."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser import Tab, visit
from wombat_core.drawing.depiction import depict
from wombat_core.lessons.reader import FOLDER, read_lesson
from wombat_core.molecules import from_smiles

pytestmark = pytest.mark.browser

PROBE = "Failed to load resource: the server responded with a status of 404 (Not Found)"
"""Streamlit looks for its health check below the page's own path first."""
NAME = "04-a-bystander-is-blamed"
LESSON = read_lesson(FOLDER / f"{NAME}.md")


@pytest.fixture
def tab(server, browser):
    with visit(browser, f"{server.url}/lessons?lesson={NAME}") as tab:
        expect(tab.page.get_by_role("heading", name=LESSON.steps[0].title)).to_be_visible()
        tab.settle()
        yield tab
        assert tab.outside == []
        assert own_errors(tab) == []


def own_errors(tab: Tab) -> list[str]:
    return [error for error in tab.errors if error != PROBE]


def marks(tab: Tab) -> Locator:
    return tab.page.locator(".lesson-marks .picture:visible")


def click_atoms(tab: Tab, *atoms: int) -> None:
    """Click atoms one right after the other."""
    box = marks(tab).bounding_box()
    drawn = depict(from_smiles(LESSON.steps[0].situation.molecule), width=560, height=330, numbers=True)
    scale = min(box["width"] / drawn.width, box["height"] / drawn.height)
    left = box["x"] + (box["width"] - drawn.width * scale) / 2
    top = box["y"] + (box["height"] - drawn.height * scale) / 2
    for atom in atoms:
        x, y = drawn.positions[atom]
        tab.page.mouse.click(left + scale * x, top + scale * y)


def test_lesson_4_from_start_to_end(tab):
    click_atoms(tab, 0, 1, 2, 7, 2)  # the last click takes a mark away
    expect(marks(tab)).to_have_attribute("data-marked", "0,1,7")
    tab.settle()
    for place, (number, revealed) in enumerate(LESSON.places):
        step = LESSON.steps[number - 1]
        expect(tab.page.get_by_role("heading", name=step.title, exact=True)).to_be_visible()
        expect(tab.page.get_by_text(f"step {number} of {len(LESSON.steps)}")).to_be_visible()
        expect(tab.page.get_by_role("alert")).to_have_count(0)
        if revealed and number == 1:
            expect(tab.page.get_by_text("too many C7")).to_be_visible()
            expect(tab.page.locator(".molecule-cards .picture:visible")).to_have_count(3)
        if step.ask == "choice" and not revealed:
            tab.page.locator(f".st-key-lesson-choice-{number}-{step.answer} button").click()
            tab.settle()
        if step.ask == "choice" and revealed:
            expect(tab.page.get_by_text("Your guess was right")).to_be_visible()
        if place < len(LESSON.places) - 1:
            tab.page.get_by_role("button", name=re.compile("^(.*Reveal|.*Next)$")).click()
            tab.settle()
    expect(tab.page.get_by_text("Your guesses")).to_be_visible()
    choices = [step for step in LESSON.steps if step.ask == "choice" and step.answer is not None]
    expect(tab.page.get_by_role("cell", name="right", exact=True)).to_have_count(len(choices))
    expect(tab.page.get_by_role("cell", name=re.compile("2 of 13 found"))).to_be_visible()
    tab.page.get_by_role("link", name=LESSON.steps[-1].links[0].title).click()
    tab.expect_address("/interpolation", "atom=7", "part=one-atom")


def test_keys_go_through_the_steps_but_leave_text_fields_and_pictures_alone(tab):
    page = tab.page
    page.keyboard.press("ArrowRight")
    tab.expect_address("revealed=1")
    tab.settle()
    page.keyboard.press("PageDown")
    tab.expect_address("step=2", without="revealed")
    tab.settle()
    page.keyboard.press("ArrowLeft")
    tab.expect_address("revealed=1", without="step")
    tab.settle()
    page.keyboard.press("PageUp")
    tab.expect_address(without="revealed")
    tab.settle()
    page.keyboard.press("ArrowLeft")  # nothing before the first place
    page.keyboard.press("Tab")
    marks(tab).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(marks(tab)).to_have_attribute("data-marked", "0")
    tab.settle()
    tab.expect_address(without="revealed")


def test_presenters_mode_fits_the_projector(tab):
    tab.page.get_by_role("button", name="Present", exact=True).click()
    tab.settle()
    expect(tab.page.get_by_test_id("stSidebar")).to_be_hidden()
    expect(tab.page.get_by_text("For the presenter")).to_be_visible()
    click_box = marks(tab).bounding_box()
    assert click_box["y"] + click_box["height"] <= 800
    tab.page.keyboard.press("ArrowRight")
    tab.expect_address("revealed=1", "present=1")
    tab.settle()
    last = tab.page.locator(".molecule-cards .picture:visible").last.bounding_box()
    assert last["y"] + last["height"] <= 800
    tab.page.get_by_role("button", name="Leave presentation").click()
    tab.expect_address(without="present")
    expect(tab.page.get_by_role("button", name="Copy link")).to_be_visible()


def test_the_handout_is_downloaded_and_opens_offline(tab, browser):
    with tab.page.expect_download() as download:
        tab.page.get_by_role("button", name="Handout").click()
    assert download.value.suggested_filename == f"{NAME}.html"
    path = Path(download.value.path())
    context = browser.new_context(offline=True)
    try:
        asked = []
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.set_content(path.read_text(encoding="utf-8"))
        expect(page.locator("section")).to_have_count(len(LESSON.steps))
        expect(page.get_by_role("heading", level=1)).to_have_text(LESSON.title)
        assert asked == []
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0
    finally:
        context.close()


def test_a_lesson_fits_a_narrow_window(server, browser):
    with visit(browser, f"{server.url}/lessons?lesson={NAME}&revealed=1", width=700) as tab:
        expect(tab.page.locator(".molecule-cards .picture:visible")).to_have_count(2)
        wide = tab.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0
        assert own_errors(tab) == []
