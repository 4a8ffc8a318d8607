"""GraphXAI's synthetic graphs: generate one, explain its nodes, compare explainers."""

from pathlib import Path

import streamlit as st

from pages.parts.shapeggen.compare import compare
from pages.parts.shapeggen.explain import explain
from pages.parts.shapeggen.generate import generate
from pages.parts.shapeggen.made import graph_bar, refused
from pages.parts.shapeggen.state import METRICS, SHAPE
from pages.shared.guard import one_sentence
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
    shape, problems = SHAPE.read()
    if problems:
        st.warning(plain(" ".join(problems)))
    headline(QUESTIONS[shape.shape], state, TITLES, SHAPE.bind(shape, "shape"))
    # Studies and molecules have graphs of their own.
    own = shape.shape != "compare" or shape.study == METRICS
    beside = None
    if own and not state.present:
        with one_sentence("The controls"):
            beside = graph_bar(shape, network=shape.shape != "generate")
    if own:
        try:
            _ = shape.parameters
        except InputError as error:
            refused(shape, str(error))
            return
    with st.container(key=f"shape-view-{shape.shape}"), one_sentence("The view"):
        _VIEWS[shape.shape](state, shape, beside)


if __name__ == "__main__":
    from pages.shared.as_script import run_app

    run_app()
