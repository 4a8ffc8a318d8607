"""What to search for, among what, and which of the findings are shown."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from pages.addresses.failures import ALONE, BENCHMARK, FAILURES, MOST_ATOMS, FailuresState
from pages.shared.settings import HEIGHT, settings_popover
from pages.shared.sidebar import READOUTS
from pages.shared.state import State, bind
from pages.shared.state_codecs import explainers_of
from pages.shared.text import plain, title_of
from pages.shared.whiteboxes import whitebox_ids, whitebox_name
from wombat_core.explainers.registry import names
from wombat_core.failures.kinds import KINDS, Filter, kind
from wombat_core.failures.sets import sets_for
from wombat_core.molecules.features import element_slots

if TYPE_CHECKING:
    from wombat_core.failures.kinds import Filter

SETS = {
    (True, "positives"): "Published positives",
    (True, "library"): "Library, all with the motif",
    (False, "library"): "Library, 2,000 without the motif",
    (False, "hard"): "Library, close to the motif",
    (True, "file"): "Your file",
    (False, "file"): "Your file",
    (True, BENCHMARK): "A benchmark run",
    (False, BENCHMARK): "A benchmark run",
}
CHARGES = {
    "any": "any charge or none",
    "charged": "a charged atom somewhere",
    "neutral": "no charged atom",
    "motif": "a charged atom in the motif",
}
RINGS = {"any": "anywhere", "in": "motif in a ring", "out": "motif in no ring"}
FILTERS = ("least", "most", "elements", "charge", "ring", "named")


def controls(state: State, page: FailuresState) -> None:
    """Whitebox, explainers, kind of failure, molecules and filters, in the sidebar."""
    contains = kind(page.failure).contains
    sets = (*sets_for(state.pattern, contains), *([BENCHMARK] if page.run else []))
    with st.sidebar, st.container(gap="small", key="failure-controls"):
        whitebox, readout = st.columns([2, 1], gap="small")
        whitebox.selectbox("Whitebox", whitebox_ids(state.pattern), format_func=whitebox_name, **bind(state, "pattern"))
        readout.selectbox("Readout", list(READOUTS), **bind(state, "readout"))
        st.selectbox("Explainer", names(), format_func=title_of, **FAILURES.bind(page, "explainer"))
        st.selectbox(
            "Compared with",
            [ALONE, *names()],
            format_func=lambda name: "no other" if name == ALONE else title_of(name),
            **FAILURES.bind(page, "against"),
        )
        st.selectbox(
            "Failure", list(KINDS), format_func=lambda name: KINDS[name].title, **FAILURES.bind(page, "failure")
        )
        st.caption(plain(kind(page.failure).meaning))
        st.selectbox(
            "Molecules",
            sets,
            format_func=lambda name: SETS[contains, name],
            **FAILURES.bind(page, "molecules", show=lambda name: name if name in sets else sets[0]),
        )
        with st.container(horizontal=True, gap="small", key="failure-more"):
            _filters(page)
            chosen = [name for name in (page.explainer, page.against) if name != ALONE]
            settings_popover(replace(state, explainers=explainers_of(chosen)))


def _filters(page: FailuresState) -> None:
    count = len(active(page))
    label = f"Filters ({count})" if count else "Filters"
    popover = st.popover(label, width="content", key="filters", on_change="rerun")
    with popover, st.container(height=HEIGHT, border=False, key="filters-body"):
        # A widget in a closed popover is not on the page, see `settings`.
        if not popover.open:
            return
        least, most = st.columns(2, gap="small")
        least.number_input("Heavy atoms, least", 1, MOST_ATOMS, **FAILURES.bind(page, "least"))
        most.number_input("most", 1, MOST_ATOMS, **FAILURES.bind(page, "most"))
        st.multiselect("With these elements", _symbols(), **FAILURES.bind(page, "elements", show=list, take=tuple))
        st.selectbox("Charge", list(CHARGES), format_func=CHARGES.get, **FAILURES.bind(page, "charge"))
        st.selectbox("Ring", list(RINGS), format_func=RINGS.get, **FAILURES.bind(page, "ring"))
        st.text_input("Name or SMILES contains", max_chars=200, **FAILURES.bind(page, "named"))
        if active(page):
            st.button("Clear the filters", on_click=clear, key="filters-clear")


def clear() -> None:
    """Take all filters away."""
    FAILURES.write(**{name: getattr(FailuresState(), name) for name in FILTERS})


def active(page: FailuresState) -> list[str]:
    """The filters that are set, in words."""
    words = []
    if (page.least, page.most) != (1, MOST_ATOMS):
        words.append(f"{page.least:,} to {page.most:,} heavy atoms")
    if page.elements:
        words.append(f"with {', '.join(page.elements)}")
    if page.charge != "any":
        words.append(CHARGES[page.charge])
    if page.ring != "any":
        words.append(RINGS[page.ring])
    if page.named:
        words.append(f"“{page.named}” in name or SMILES")
    return words


def filter_of(page: FailuresState) -> Filter:
    """The filter that the engine takes."""
    return Filter(**{name: getattr(page, name) for name in FILTERS})


def _symbols() -> list[str]:
    common = ["C", "N", "O", "S", "P", "F", "Cl", "Br", "I", "Si", "B", "Na", "K"]
    return common + [symbol for symbol in element_slots() if symbol not in common and symbol != "H"]
