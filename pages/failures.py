"""Where explainers go wrong: curated cases, and a search over real molecules."""

import streamlit as st

from pages.shared.failure.cases import cases_view
from pages.shared.failure.controls import active, controls
from pages.shared.failure.gallery import gallery
from pages.shared.failure.patterns import patterns_view
from pages.shared.failure.search import follow, headline, open_search, spec_of
from pages.shared.failure.state import HUNT, SHOWS, Hunt
from pages.shared.guard import one_sentence
from pages.shared.sidebar import leave_presentation
from pages.shared.state import State
from pages.shared.text import plain

SHOW_TITLES = {"cases": "Curated cases", "search": "Search", "patterns": "What failures share"}


def failures(state: State) -> None:
    """The page."""
    hunt, problems = HUNT.read()
    if problems:
        st.warning(plain(" ".join(problems)))
    if hunt.show == "cases":
        _headline("Where explainers go wrong, case by case", state, hunt)
        with one_sentence("The list of cases"):
            cases_view()
        return
    place = st.container()
    if not state.present:
        with one_sentence("The choice"):
            controls(state, hunt)
    search = None
    with one_sentence("The search"):
        search = open_search(spec_of(state, hunt), state, hunt)
    with place:
        _headline(headline(search, hunt, state), state, hunt)
    if search is None:
        return
    if hunt.least > hunt.most:
        st.warning(f"The filter asks for at least {hunt.least:,} and at most {hunt.most:,} heavy atoms: none has both.")
    with one_sentence("The progress"):
        follow(search, hunt)
    if words := active(hunt):
        st.caption(plain(f"Only molecules with {'; '.join(words)}."))
    if hunt.show == "patterns":
        with one_sentence("The comparison"):
            patterns_view(search, hunt)
        return
    with one_sentence("The gallery"):
        gallery(search, state, hunt)


def _headline(text: str, state: State, hunt: Hunt) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", key="headline"):
        st.subheader(text, anchor=False)
        if state.present:
            leave_presentation()
        else:
            st.segmented_control(
                "Show",
                SHOWS,
                required=True,
                format_func=SHOW_TITLES.get,
                label_visibility="collapsed",
                **HUNT.bind(hunt, "show"),
            )


if __name__ == "__main__":
    from pages.shared.as_script import run_app

    run_app()
