"""The Author page in a real browser, without any network."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from tests.browser import visit

pytestmark = pytest.mark.browser


def test_a_motif_of_the_address_goes_to_all_pages(server, browser):
    with visit(browser, f"{server.url}/author") as tab:
        page = tab.page
        expect(page.get_by_role("heading", name="aldehyde: 1 layer, 2 channels")).to_be_visible()
        # A link alone starts no certificate: the library takes long where no run has read it yet.
        page.goto(f"{server.url}/author?{urlencode({'author.smarts': 'CC(=O)N'})}")
        tab.settle()
        expect(page.get_by_text("root atom 1")).to_be_visible()
        cards = page.locator(".st-key-author-pieces article, .st-key-author-pieces .card")
        expect(cards).to_have_count(7)
        assert cards.first.bounding_box()["y"] < 500  # the channels are on the first screen
        page.get_by_role("button", name="Use on all pages").click()
        tab.expect_address("pattern=smarts")
        tab.settle()
        # The button's hint lies above the page as long as the mouse is on the button.
        page.mouse.move(900, 790)
        expect(page.get_by_role("tooltip")).to_have_count(0)
        page.get_by_role("link", name="Layers").press("Enter")
        expect(page.locator(".layer-strip")).to_be_visible()
        tab.expect_address("/layers", "pattern=smarts")
        assert tab.outside == [] and [line for line in tab.errors if "404 (Not Found)" not in line] == []


def test_what_does_not_compile_is_said_at_its_place(server, browser):
    query = urlencode({"author.smarts": "CC[13C](=O)O"})
    with visit(browser, f"{server.url}/author?{query}", width=1024, height=700) as tab:
        page = tab.page
        expect(page.get_by_text("asks for an isotope")).to_be_visible()
        expect(page.get_by_text("^^^^^")).to_be_visible()
        page.get_by_role("button", name="Take this").click()
        expect(page.get_by_role("heading", name="CC[C](=O)O")).to_be_visible()
        stop = page.get_by_role("button", name="Stop")
        if stop.count():
            stop.click()
        assert tab.outside == [] and [line for line in tab.errors if "404 (Not Found)" not in line] == []
