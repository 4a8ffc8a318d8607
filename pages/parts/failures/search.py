"""A search for failures on its page: what it looks at, how far it is, and its findings as cards."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import streamlit as st

from pages.addresses.failures import ALONE, BENCHMARK, FAILURES, FailuresState
from pages.shared.failures_link import molecules_of_run
from pages.shared.jobs import Bar, problems, start
from pages.shared.jobs import follow as follow_job
from pages.shared.state import State
from pages.shared.text import plain, title_of
from wombat_core.explainers.registry import explainer_taking
from wombat_core.failures.kinds import by_kind, kind
from wombat_core.failures.sets import sets_for

from .cards import network
from .controls import SETS, filter_of
from .runs import Search, search_of
from .upload import user_file

if TYPE_CHECKING:
    from wombat_core.failures.kinds import Sorted
    from wombat_core.failures.search import Spec

MANY_STEPS = 500
FEW = 30
"""Molecules of a run that are searched unasked; a pattern has no more published positives."""
PATIENCE = 3.0
"""Seconds that a page waits for a short search."""


def spec_of(state: State, page: FailuresState) -> Spec:
    """What the page searches.

    Raises:
        InputError: a setting that an explainer does not take.
    """
    from wombat_core.failures.search import Spec

    contains = kind(page.failure).contains
    sets = sets_for(state.pattern, contains)

    def made(name: str):
        return explainer_taking(name, state.settings(name))

    return Spec(
        state.pattern,
        state.readout,
        made(page.explainer),
        None if page.against in (ALONE, page.explainer) else made(page.against),
        contains,
        "file" if _of_run(page) else page.molecules if page.molecules in sets else sets[0],
    )


def _of_run(page: FailuresState) -> bool:
    return page.molecules == BENCHMARK and bool(page.run)


def open_search(spec: Spec, state: State, page: FailuresState) -> Search | None:
    """The search of the page, begun where it is short; None where a file is missing."""
    if _of_run(page):
        search = search_of(spec, *molecules_of_run(state, page))
        if search.state == "new" and _is_short(spec) and search.total <= FEW:
            start(search.job, patience=PATIENCE)
        return search
    if page.molecules == BENCHMARK:
        there = plain(SETS[spec.contains, spec.among])
        st.warning(f"The address asks for a benchmark run and names none; this is “{there}”.")
    if spec.among == "file":
        file = user_file(page.file)
        if file is not None and file.digest != page.file:
            FAILURES.write(file=file.digest)
        return file and search_of(spec, file.molecules, file.digest)
    search = search_of(spec)
    if spec.among == "positives" and search.state == "new" and _is_short(spec):
        start(search.job, patience=PATIENCE)
    return search


def _is_short(spec: Spec) -> bool:
    """Whether a search of a few molecules begins unasked; a link with many steps is not enough."""
    methods = [each for each in (spec.explainer, spec.against) if each is not None]
    return not spec.costly and all(getattr(each, "steps", 0) <= MANY_STEPS for each in methods)


def sorted_findings(search: Search, page: FailuresState) -> Sorted:
    """What was found so far, by the chosen way of failing and within the filters."""
    return by_kind(list(search.findings), kind(page.failure), filter_of(page))


def follow(search: Search, page: FailuresState) -> None:
    """How far the search is, and the buttons that start and stop it."""
    if search.job.is_active:
        since = time.monotonic()
        bar = Bar("search", (search.job,), lambda: _found_words(search, page), lambda: _share(search))
        follow_job(bar, has_news=lambda: _has_news(search, since))
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="runs-search"):
        problems({"": search.job})
        if search.state != "done":
            label = "Search" if search.state == "new" else "Go on"
            st.button(label, type="primary", on_click=start, args=(search.job,), key="failure-start")
        st.caption(plain(_status(search, sorted_findings(search, page))), width="content")


def _status(search: Search, found: Sorted) -> str:
    from wombat_core.failures.uncounted import uncounted

    if search.state == "new":
        long = "" if not search.spec.costly else " An explainer that samples takes long: it can be stopped at any time."
        return f"Nothing has been searched yet.{long}"
    parts = [_looked_at(search)]
    judged = len(found.failed) + len(found.passed)
    if judged:
        parts.append(f"{len(found.failed):,} of {judged:,} {'fails' if judged == 1 else 'fail'}")
    others = search.done - len(search.findings) - len(search.left_out)
    if why := uncounted(found, search.left_out, others, search.spec.contains):
        parts.append(f"not counted: {why}")
    return " · ".join(parts)


def _looked_at(search: Search) -> str:
    if search.state == "done":
        return f"{search.done:,} {'molecule' if search.done == 1 else 'molecules'} looked at"
    if not search.done:
        return "Stopped before anything was looked at"
    return f"Stopped after {search.done:,} of {search.total:,} {'molecule' if search.total == 1 else 'molecules'}"


def _has_news(search: Search, since: float) -> bool:
    """Whether the cards are made anew, at longer and longer intervals."""
    began, now = search.job.began, time.monotonic()
    return bool(search.findings) and now - since > max(2.0, since - (began or since))


def _found_words(search: Search, page: FailuresState) -> str:
    return f"{_counted(search)} · {len(sorted_findings(search, page).failed):,} failures found"


def looked_at(search: Search) -> bool:
    """Whether any molecule has been looked at; says so where none has."""
    from wombat_core.failures.uncounted import nothing_there

    if search.done:
        return True
    if search.total == 0:
        st.info(f"{plain(nothing_there(search.spec))} Choose other molecules.")
    elif search.state == "stopped":
        st.info("Nothing has been looked at yet: the search was stopped too early. “Go on” continues it.")
    return False


def _share(search: Search) -> float:
    return 0.0 if not search.total else search.done / search.total


def _counted(search: Search) -> str:
    if search.total is None:
        return "Choosing the molecules"
    return f"{search.done:,} of {search.total:,} {'molecule' if search.total == 1 else 'molecules'}"


def found_so_far(search: Search | None, page: FailuresState, state: State) -> str:
    """What the search says, in a line."""
    where = network(state.pattern, state.readout)
    title = title_of(page.explainer)
    if search is None or search.state in ("new", "waiting", "running"):
        return f"{title} on {where}"
    found = sorted_findings(search, page)
    judged = len(found.failed) + len(found.passed)
    if not judged:
        return f"{title} on {where}"
    return f"{title} on {where}: {len(found.failed):,} of {judged:,} {'fails' if judged == 1 else 'fail'}"
