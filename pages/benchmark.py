"""How often explainers fail: whiteboxes by explainers over many molecules, beside the paper's tables."""

import streamlit as st

from pages.addresses.benchmark import BENCHMARK
from pages.parts.benchmark.molecules import molecules
from pages.parts.benchmark.new import new_run
from pages.parts.benchmark.paper import paper
from pages.parts.benchmark.results import results
from pages.shared.guard import error_boundary
from pages.shared.headline import headline
from pages.shared.state import State
from pages.shared.text import plain
from wombat_core.host import host

TITLES = {"results": "Results", "new": "New run", "paper": "The paper's tables", "molecules": "Molecules"}
QUESTIONS = {
    "results": "How often does each explainer find the motif?",
    "new": "A run: which whiteboxes, explainers and molecules?",
    "paper": "What the paper measured",
    "molecules": "Which molecules have or resemble a motif?",
}


def benchmark(state: State) -> None:
    """The page."""
    page, problems = BENCHMARK.read()
    if problems:
        st.warning(plain(" ".join(problems)))
    titles = {name: title for name, title in TITLES.items() if not (host().read_only and name == "new" != page.view)}
    headline(QUESTIONS[page.view], state, titles, BENCHMARK.bind(page, "view"))
    if page.view == "new":
        with error_boundary("The form"):
            new_run(state, page)
    elif page.view == "paper":
        with error_boundary("The paper's tables"):
            paper(state, page)
    elif page.view == "molecules":
        with error_boundary("The molecules"):
            molecules(state, page)
    else:
        with error_boundary("The results"):
            results(state, page)


if __name__ == "__main__":
    from pages.shared.as_script import run_app

    run_app()
