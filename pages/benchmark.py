"""How often explainers fail: whiteboxes by explainers over many molecules, beside the paper's tables."""

import streamlit as st

from pages.parts.benchmark.molecules import molecules
from pages.parts.benchmark.new import new_run
from pages.parts.benchmark.paper import paper
from pages.parts.benchmark.results import results
from pages.parts.benchmark.state import BOARD
from pages.shared.guard import one_sentence
from pages.shared.headline import headline
from pages.shared.state import State
from pages.shared.text import plain

TITLES = {"results": "Results", "new": "New run", "paper": "The paper's tables", "molecules": "Molecules"}
QUESTIONS = {
    "results": "How often does each explainer find the motif?",
    "new": "A run: which whiteboxes, explainers and molecules?",
    "paper": "What the paper measured",
    "molecules": "Which molecules have or resemble a motif?",
}


def benchmark(state: State) -> None:
    """The page."""
    board, problems = BOARD.read()
    if problems:
        st.warning(plain(" ".join(problems)))
    headline(QUESTIONS[board.board], state, TITLES, BOARD.bind(board, "board"))
    if board.board == "new":
        with one_sentence("The form"):
            new_run(state, board)
    elif board.board == "paper":
        with one_sentence("The paper's tables"):
            paper(state, board)
    elif board.board == "molecules":
        with one_sentence("The molecules"):
            molecules(state, board)
    else:
        with one_sentence("The results"):
            results(state, board)


if __name__ == "__main__":
    from pages.shared.as_script import run_app

    run_app()
