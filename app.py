"""WOMBAT explorer: `streamlit run app.py`."""

from pathlib import Path

import streamlit as st

from pages.author import author
from pages.benchmark import benchmark
from pages.explore import explore
from pages.failures import failures
from pages.interpolation import interpolation
from pages.layers import layers
from pages.lessons import lessons
from pages.shapeggen import shapeggen
from pages.shared import unheard
from pages.shared.guard import error_boundary
from pages.shared.jobs import page_first
from pages.shared.sidebar import sidebar
from pages.shared.state import read
from pages.shared.text import plain
from wombat_core.errors import InputError
from wombat_core.host import host

ASSETS = Path(__file__).resolve().parent / "assets"
OF_ONE_MOLECULE = {"Explore", "Layers", "Interpolation", "Author"}
WITH_EXPLAINERS = {"Explore", "Author"}
WITH_OWN_WHITEBOX = {"Author"}

st.set_page_config("WOMBAT explorer", page_icon=str(ASSETS / "logo.svg"), layout="wide", initial_sidebar_state=280)
st.html(ASSETS / "style.css")
try:
    SHOWN = host().pages
except InputError as error:  # a server with other settings than its owner wrote down shows nothing
    st.error(plain(error))
    st.stop()
unheard.begin()
state, problems = read()


def page(function, title: str, **options):
    """A page that takes the state; whatever goes wrong in it is one sentence."""

    def run() -> None:
        if problems:
            # Many sentences scroll in their box and leave the page its place.
            with st.container(height=96 if len(problems) > 3 else "content", border=False):
                st.warning(plain(" ".join(problems)))
        if title != "Explore" and title.lower() not in SHOWN:
            st.info(f"The page {title} is not shown on this server.")
            return
        with error_boundary("The page"), page_first():
            function(state)

    return st.Page(run, title=title, **{"url_path": function.__name__, **options})


def spellings(title: str) -> set[str]:
    """Ways to write a page's name in an address."""
    return {title.lower(), title, title.capitalize(), title.upper()}


FUNCTIONS = {
    "Explore": explore,
    "Layers": layers,
    "Interpolation": interpolation,
    "Failures": failures,
    "Benchmark": benchmark,
    "Author": author,
    "ShapeGGen": shapeggen,
    "Lessons": lessons,
}
# The first page is at the root; the name it has besides must not be one of those below.
pages = [page(explore, "Explore", default=True, url_path="first")]
pages += [page(function, title) for title, function in FUNCTIONS.items() if title != "Explore"]
# A page under another spelling stays there: a redirect would be a step in the history that cannot be taken back.
respelt = [
    page(FUNCTIONS[each.title], each.title, url_path=name, visibility="hidden")
    for each in pages
    for name in sorted(spellings(each.title) - {each.url_path})
]
st.session_state["pages"] = {each.title.lower(): each for each in pages}  # for links between pages
chosen = st.navigation(pages + respelt, position="hidden")
if state.present:
    st.html(ASSETS / "presentation.css")
else:
    st.logo(str(ASSETS / "logo.svg"), size="large")
    with error_boundary("The sidebar"):
        sidebar(
            state,
            [
                chosen if each.title == chosen.title else each
                for each in pages
                if each.title == "Explore" or each.title.lower() in SHOWN
            ],
            chosen.title in OF_ONE_MOLECULE,
            chosen.title in WITH_EXPLAINERS,
            chosen.title not in WITH_OWN_WHITEBOX,
        )
chosen.run()
