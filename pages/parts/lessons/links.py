"""Ways from a lesson into the pages, with everything set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.shared.state import ADDRESS, params_of
from pages.shared.state_codecs import READOUT_LAYER, zoom_text
from pages.shared.text import plain
from wombat_core.lessons.lesson import LessonError

from .engine import link_state

if TYPE_CHECKING:
    from wombat_core.lessons.lesson import Lesson, Link, Step, View

PAGES = "pages"
"""Where the app keeps its pages by title."""


def link_problems(lesson: Lesson) -> list[str]:
    """Links whose address says what the molecule pages cannot use, a sentence each with file and line."""
    found = []
    for step in lesson.steps:
        for link in step.links:
            _, problems = ADDRESS.parse(_params(step, link))
            line = step.lines.get("links", step.line)
            for problem in problems:
                reason = problem.removeprefix("The address says ").removesuffix("; the default is shown instead.")
                found.append(str(LessonError(lesson.file, line, f"the link '{link.title[:40]}' says {reason}.")))
    return found


def links(step: Step, key: str) -> None:
    """The step's own links."""
    for number, link in enumerate(step.links):
        state, _ = ADDRESS.parse(_params(step, link))
        others = {name: text for name, text in link.params.items() if name not in ADDRESS.names}
        _link(link.page, link.title, {**params_of(state), **others}, f"{key}-{number}")


def view_link(step: Step, view: View, key: str) -> None:
    """From a view to the page that shows more of it; nothing where there is none."""
    options = view.options
    state = link_state(step.situation, step.explainers)
    changes = {}
    if view.name == "layers":
        page, title = "layers", "All of it on the Layers page"
        layer = {"layer": 0 if options.get("layer") == READOUT_LAYER else options.get("layer")}
        changes = {**layer, "channel": options.get("channel"), "atom": options.get("atom")}
    elif view.name in ("path", "one-atom", "convergence"):
        page, title = "interpolation", "All of it on the Interpolation page"
        changes = {"part": view.name, **{name: options.get(name) for name in ("atom", "alpha", "held")}}
        if "zoom" in options:
            changes["zoom"] = zoom_text(*options["zoom"])
        if "watch" in options:
            changes["watch"] = tuple(options["watch"])
    elif view.name in ("heatmaps", "scores", "table", "compare-readouts"):
        page, title = "explore", "Open on the Explore page"
    else:
        return
    given = {name: value for name, value in changes.items() if value is not None}
    params = ADDRESS.params_of(ADDRESS.changed(state, **given))
    _link(page, title, params, key)


def _params(step: Step, link: Link) -> dict[str, str]:
    own = {name: text for name, text in link.params.items() if name in ADDRESS.names}
    state = link_state(step.situation, step.explainers)
    return {**params_of(state), **own}


def _link(page: str, title: str, params: dict[str, str], key: str) -> None:
    found = st.session_state.get(PAGES, {}).get(page)
    if found is None:
        st.caption(f"{plain(title)}: the page {page} is not there.")
        return
    with st.container(key=f"lesson-link-{key}", width="content"):
        st.page_link(found, label=plain(title), icon=":material/arrow_forward:", query_params=params)
