"""GraphXAI's synthetic graphs: generate one, explain its nodes, compare explainers."""

from pathlib import Path

import streamlit as st

from pages.addresses.shapeggen import SHAPEGGEN
from pages.addresses.shapeggen_codecs import METRICS
from pages.parts.shapeggen.compare import compare
from pages.parts.shapeggen.explain import explain
from pages.parts.shapeggen.generate import generate
from pages.parts.shapeggen.made import graph_bar, refused
from pages.shared.guard import error_boundary
from pages.shared.headline import headline
from pages.shared.state import State
from pages.shared.text import plain
from wombat_core.errors import InputError

STYLE = Path(__file__).resolve().parents[1] / "assets" / "shapeggen.css"
TITLES = {"generate": "Generate", "explain": "Explain", "compare": "Compare"}
QUESTIONS = {
    "generate": "A random graph with planted motifs",
    "explain": "Does the explainer find what was planted?",
    "compare": "Which explainer is right, faithful, stable and fair?",
}
_VIEWS = {"generate": generate, "explain": explain, "compare": compare}


def shapeggen(state: State) -> None:
    """The page."""
    st.html(STYLE)
    page, problems = SHAPEGGEN.read()
    if problems:
        st.warning(plain(" ".join(problems)))
    headline(QUESTIONS[page.view], state, TITLES, SHAPEGGEN.bind(page, "view"))
    # Studies and molecules have graphs of their own.
    own = page.view != "compare" or page.study == METRICS
    beside = None
    if own and not state.present:
        with error_boundary("The controls"):
            beside = graph_bar(page, network=page.view != "generate")
    if own:
        try:
            _ = page.parameters
        except InputError as error:
            refused(page, str(error))
            return
    with st.container(key=f"shape-view-{page.view}"), error_boundary("The view"):
        _VIEWS[page.view](state, page, beside)


if __name__ == "__main__":
    from pages.shared.as_script import run_app

    run_app()
