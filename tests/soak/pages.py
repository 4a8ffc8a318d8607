"""Hostile addresses on every page, and visitors who come together."""

import random
import time
from urllib.parse import quote, urlencode

from streamlit.logger import set_log_level
from streamlit.testing.v1 import AppTest

from pages.addresses.author import AUTHOR
from pages.addresses.benchmark import BENCHMARK
from pages.addresses.failures import FAILURES
from pages.addresses.shapeggen import SHAPEGGEN
from pages.shared.state import ADDRESS
from tests.browser import ROOT, chromium, streamlit_server, visit
from tests.soak.counts import Counts
from wombat_core.errors import InputError

PAGES = ("explore", "layers", "interpolation", "failures", "benchmark", "author", "shapeggen", "lessons")
HOSTILE = (
    *("<script>alert(1)</script>", "javascript:alert(1)", "[a](javascript:alert(1))", "![](https://example.org/x.png)"),
    *("../../../../etc/passwd", "/dev/zero", "file:///etc/passwd", "\x00", "%00", "\u202egnp.exe", "\u200b", "🙂" * 50),
    *(
        "-1",
        "0",
        "1e999",
        "NaN",
        "9" * 400,
        "0x10",
        "١٢",
        "1,2,,3",
        ";;;",
        "'; DROP TABLE runs; --",
        "{{7*7}}",
        "${7*7}",
    ),
    *("True", "None", "all", "a" * 5000, "C" * 5000, "C1" + "C" * 3900 + "1", "[" * 3000, "smarts:" + "(" * 500),
    *("smarts:[$([$([$(C)])])]", "smarts:C|root=99|style=x", "__class__", "C(=O)N" * 600, "CC=O", "5", "12-leaf"),
)


ADDRESSES = {"failures": FAILURES, "benchmark": BENCHMARK, "author": AUTHOR, "shapeggen": SHAPEGGEN}


def _names(page: str) -> list[str]:
    own = ADDRESSES[page].names if page in ADDRESSES else ()
    return [*ADDRESS.names, *own, "lesson", "step", "alpha", "zoom", "layer", "channel"]


def addresses(number: int, seed: int) -> Counts:
    """Addresses with one to four hostile values, page by page in turn."""
    set_log_level("ERROR")
    found, own = Counts("hostile addresses"), random.Random(seed)
    for turn in range(number):
        page = PAGES[turn % len(PAGES)]
        params = {name: own.choice(HOSTILE) for name in own.sample(_names(page), own.randint(1, 4))}
        start = time.perf_counter()
        try:
            app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300)
            for name, value in params.items():
                app.query_params[name] = value
            app.switch_page(f"pages/{page}.py")
            app.run()
            told = [each.value for kind in (app.error, app.warning) for each in kind]
            if app.exception or any("unexpected error" in each for each in told):
                found.fail([each.value for each in app.exception] or told, (page, params))
            else:
                found.add("pages with a sentence" if told else "pages without one")
        except (InputError, Exception) as error:
            found.fail(error, (page, params))
        found.took(time.perf_counter() - start, (page, params))
    return found


VISITED = ("CC=O", "NC(=O)NN", "c1ccccc1O", "ClCCN(C)CCCl", "CC(C)C(=O)O", "OCC=C", "C#N", "CSCC")


def visitors(number: int, seed: int) -> Counts:
    """Visitors side by side, each of whom has to see the molecule and whitebox of the own address, and no error."""
    found, own = Counts("visitors"), random.Random(seed)
    with streamlit_server(ROOT / "app.py") as server, chromium() as browser:
        tabs = []
        for place in range(6):
            molecule, pattern = VISITED[place], str(own.randint(1, 14))
            address = urlencode({"molecule": molecule, "pattern": pattern}, quote_via=quote)
            context = visit(browser, f"{server.url}/?{address}")
            tabs.append((context, context.__enter__(), molecule))
        for turn in range(number):
            for _, tab, molecule in tabs:
                page, pattern = own.choice(("", "layers", "interpolation")), str(own.randint(1, 14))
                address = urlencode({"molecule": molecule, "pattern": pattern}, quote_via=quote)
                tab.page.goto(f"{server.url}/{page}?{address}", wait_until="commit")
            for _, tab, molecule in tabs:
                tab.settle()
                shown = tab.page.get_by_role("textbox", name="Molecule").input_value()
                seen = tab.page.get_by_test_id("stException").count()
                if shown != molecule or seen:
                    found.fail(f"{shown!r} and {seen} exceptions", (turn, molecule))
                else:
                    found.add("pages seen")
        for context, tab, _ in tabs:
            found.add("addresses asked for outside", len(tab.outside))
            for error in tab.errors:
                found.fail(error, "the browser's console") if "404 (Not Found)" not in error else None
            context.__exit__(None, None, None)
        if "Traceback" in server.log():
            found.fail("a traceback", server.log()[-2000:])
    return found
