"""Controls that the Explain and Compare views share: explainers, nodes, and a button that says how long it takes."""

from __future__ import annotations

import streamlit as st

from pages.addresses.shapeggen import MOST_NODES, SHAPEGGEN, ShapeGGenState
from pages.addresses.shapeggen_codecs import method_names, methods_of
from pages.shared.jobs import Job, start
from pages.shared.text import title_of
from wombat_core.shapeggen.node_explainers import explaining_seconds

from .made import duration


def methods_choice(page: ShapeGGenState) -> None:
    """The popover with all explainers."""
    known = method_names()
    label = f"{len(page.methods)} of {len(known)} explainers"
    popover = st.popover(label, key="shape-methods", on_change="rerun")
    with popover:
        if popover.open:
            st.pills(
                "Explainers",
                known,
                selection_mode="multi",
                format_func=title_of,
                wrap=True,
                **SHAPEGGEN.bind(page, "methods", show=list, take=methods_of),
            )


def run_nodes(page: ShapeGGenState) -> None:
    """How many test nodes."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center", width="content"):
        st.markdown("Test nodes", width="content")
        st.number_input(
            "Test nodes",
            1,
            MOST_NODES,
            step=10,
            width=120,
            label_visibility="collapsed",
            **SHAPEGGEN.bind(page, "test_nodes"),
        )


def seconds_of(explainer: str, nodes: int, rounds: int) -> float:
    """About how long an explainer takes for so many nodes, each explained so many times."""
    return 1 + explaining_seconds(explainer, nodes, rounds)


def run_button(jobs: list[Job], label: str, needed: float, key: str) -> None:
    """A button that starts all jobs; short work is over when the page comes back."""
    again = " again" if any(each.state in ("stopped", "failed") for each in jobs) else ""
    st.button(f"{label}{again} · {duration(needed)}", type="primary", on_click=start, args=jobs, key=key)
