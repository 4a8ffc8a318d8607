"""The Benchmark page in a real browser: a cell is chosen with the pointer and with the keyboard."""

import pytest
from playwright.sync_api import expect

from tests.browser import visit
from wombat_core.benchmark import run as running
from wombat_core.benchmark import runs
from wombat_core.benchmark.planning import make_plan
from wombat_core.explainers.registry import explainer

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def name() -> str:
    """A finished run, in the folder that the server looks at too."""
    methods = [explainer("integrated-gradients"), explainer("saliency")]
    runs.begin("clicked", make_plan(["5"], ["r1", "r2"], methods, limit=5))
    running.run(None, runs.folder_of("clicked"), resume=True)
    return "clicked"


@pytest.fixture
def tab(browser, server, name):
    with visit(browser, f"{server.url}/benchmark?run={name}&cell=5:saliency:r1") as tab:
        expect(tab.page.locator(".score-table td.selected")).to_be_visible()
        tab.settle()
        yield tab
        assert tab.outside == []


def test_a_click_and_an_arrow_choose_a_cell(tab):
    chosen = tab.page.locator(".st-key-bench-cell")
    expect(chosen).to_contain_text("Pattern 5, Saliency, r1")
    tab.page.locator('.score-table td[title*="Integrated gradients, r2"]').click()
    expect(chosen).to_contain_text("Pattern 5, Integrated gradients, r2")
    tab.page.locator(".score-table").press("ArrowRight")
    expect(chosen).to_contain_text("Pattern 5, Saliency, r1")


def test_the_molecules_behind_a_cell_open_in_failures(tab):
    tab.page.get_by_text("See the molecules").click()
    expect(tab.page.get_by_text("5 molecules looked at")).to_be_visible()
    assert "/failures?" in tab.page.url and "run=clicked" in tab.page.url
