"""Where explainers go wrong: curated cases, and a search over real molecules."""

import streamlit as st

from pages.addresses.failures import FAILURES
from pages.parts.failures.cases import cases_view
from pages.parts.failures.controls import active, controls
from pages.parts.failures.gallery import gallery
from pages.parts.failures.patterns import patterns_view
from pages.parts.failures.search import follow, found_so_far, open_search, spec_of
from pages.shared.guard import error_boundary
from pages.shared.headline import headline
from pages.shared.state import State
from pages.shared.text import plain

SHOW_TITLES = {"cases": "Curated cases", "search": "Search", "patterns": "What failures share"}


def failures(state: State) -> None:
    """The page."""
    page, problems = FAILURES.read()
    if problems:
        st.warning(plain(" ".join(problems)))
    if page.view == "cases":
        headline(
            "Where explainers go wrong, case by case",
            state,
            SHOW_TITLES,
            FAILURES.bind(page, "view"),
            "Show",
            presented=True,
        )
        with error_boundary("The list of cases"):
            cases_view()
        return
    place = st.container()
    if not state.present:
        with error_boundary("The choice"):
            controls(state, page)
    search = None
    with error_boundary("The search"):
        search = open_search(spec_of(state, page), state, page)
    with place:
        headline(
            found_so_far(search, page, state), state, SHOW_TITLES, FAILURES.bind(page, "view"), "Show", presented=True
        )
    if search is None:
        return
    if page.least > page.most:
        st.warning(f"The filter asks for at least {page.least:,} and at most {page.most:,} heavy atoms: none has both.")
    with error_boundary("The progress"):
        follow(search, page)
    if words := active(page):
        st.caption(plain(f"Only molecules with {'; '.join(words)}."))
    if page.view == "patterns":
        with error_boundary("The comparison"):
            patterns_view(search, page)
        return
    with error_boundary("The gallery"):
        gallery(search, state, page)


if __name__ == "__main__":
    from pages.shared.as_script import run_app

    run_app()
