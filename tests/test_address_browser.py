"""Addresses in a real browser: every page under every spelling of its name, and changes that follow each other fast."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import ROOT, streamlit_server, visit

pytestmark = pytest.mark.browser

LINKS = [
    ("explore?molecule=ethanol&numbers=1", "C2H6O"),
    ("Layers?pattern=8&layer=2", "Layer 2"),
    ("Failures?show=cases&explainer=random", "Curated cases"),
    ("Benchmark?board=paper&table=S4", "What the paper measured"),
    ("Shapeggen?shapeggen.graph_seed=3", "Seed"),
    ("Lessons?lesson=01-model-or-explainer&step=2", "2"),
]


def test_every_page_opens_under_its_title_with_its_parameters(browser):
    """On a server of its own: its first visitor comes by a link that is no file's name."""
    with streamlit_server(ROOT / "app.py") as server:
        for link, words in LINKS:
            with visit(browser, f"{server.url}/{link}") as tab:
                expect(tab.page.get_by_text(re.compile(re.escape(words))).first).to_be_visible()
                tab.settle()
                expect(tab.page.get_by_text("Page not found")).to_have_count(0)
                assert tab.page.url == f"{server.url}/{link}", "the address stays as it was written"
                # Streamlit looks for its server below a page's address first.
                assert [error for error in tab.errors if "404 (Not Found)" not in error] == []
        assert "Traceback" not in server.log()


def test_of_two_changes_within_one_round_trip_neither_is_lost(server, browser):
    """Messages from the server are held back: the browser makes the second change without having heard of the first."""
    with visit(browser, f"{server.url}/?explainers=none") as tab:
        held, release = [], []

        def relay(socket):
            upstream = socket.connect_to_server()
            upstream.on_message(lambda data: held.append((socket, data)) if release == ["hold"] else socket.send(data))

        tab.page.route_web_socket(re.compile("/_stcore/stream"), relay)
        tab.page.goto(f"{server.url}/?explainers=saliency")
        tab.settle()
        expect(tab.page.locator(".molecule-cards .picture:visible")).to_have_count(2)
        tab.settle()
        release.append("hold")
        tab.page.get_by_text("Atom numbers", exact=True).click()
        tab.page.wait_for_timeout(1500)
        assert "numbers" not in tab.page.url, "the browser has not heard of it"
        tab.page.get_by_text("Signed", exact=True).click()
        tab.page.wait_for_timeout(1500)
        release.clear()
        for socket, data in held:
            socket.send(data)
        tab.settle()
        tab.expect_address("numbers=1", "signed=1", "explainers=saliency")
        expect(tab.page.get_by_role("checkbox", name="Atom numbers")).to_be_checked()
        expect(tab.page.get_by_role("checkbox", name="Signed")).to_be_checked()
        assert tab.errors == []


def test_going_back_at_once_takes_the_change_back(server, browser):
    with visit(browser, f"{server.url}/?explainers=saliency") as tab:
        tab.page.get_by_text("Atom numbers", exact=True).click()
        tab.expect_address("numbers=1")
        tab.page.go_back()
        expect(tab.page.get_by_role("checkbox", name="Atom numbers")).not_to_be_checked()
        tab.expect_address(without="numbers")
        tab.page.get_by_text("Signed", exact=True).click()
        tab.expect_address("signed=1", without="numbers")
