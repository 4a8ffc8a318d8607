"""WOMBAT explorer: `streamlit run app.py`."""

from pathlib import Path

import streamlit as st

from pages.benchmark import benchmark
from pages.explore import explore
from pages.failures import failures
from pages.interpolation import interpolation
from pages.layers import layers
from pages.lessons import lessons
from pages.shapeggen import shapeggen
from pages.shared.guard import one_sentence
from pages.shared.sidebar import sidebar
from pages.shared.state import read
from pages.shared.text import plain

ASSETS = Path(__file__).resolve().parent / "assets"
OF_ONE_MOLECULE = {"Explore", "Layers", "Interpolation"}
WITH_EXPLAINERS = {"Explore"}

st.set_page_config("WOMBAT explorer", page_icon=str(ASSETS / "logo.svg"), layout="wide", initial_sidebar_state=280)
st.html(ASSETS / "style.css")
state, problems = read()


def page(function, title: str, **options):
    """A page that takes the state; whatever goes wrong in it is one sentence."""

    def run() -> None:
        if problems:
            # Many sentences scroll in their box and leave the page its place.
            with st.container(height=96 if len(problems) > 3 else "content", border=False):
                st.warning(plain(" ".join(problems)))
        with one_sentence("The page"):
            function(state)

    return st.Page(run, title=title, url_path=function.__name__, **options)


pages = [
    page(explore, "Explore", default=True),
    page(layers, "Layers"),
    page(interpolation, "Interpolation"),
    page(failures, "Failures"),
    page(benchmark, "Benchmark"),
    page(shapeggen, "ShapeGGen"),
    page(lessons, "Lessons"),
]
st.session_state["pages"] = {each.title.lower(): each for each in pages}  # for links between pages
chosen = st.navigation(pages, position="hidden")
if state.present:
    st.html(ASSETS / "presentation.css")
else:
    st.logo(str(ASSETS / "logo.svg"), size="large")
    with one_sentence("The sidebar"):
        sidebar(state, pages, chosen.title in OF_ONE_MOLECULE, chosen.title in WITH_EXPLAINERS)
chosen.run()
