"""The row of a view that is being computed: how far it is, and a way to stop it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.shared.jobs import Bar, follow, start

if TYPE_CHECKING:
    from .engine import Working


def working_row(working: Working) -> None:
    """Follow the work and show its result when it is there; a stopped one can be started again."""
    if working.job.is_active:
        follow(Bar("lesson-view", (working.job,)))
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="runs-numbers"):
        stopped = working.job.state != "new"
        st.caption("Stopped, without a result." if stopped else "This takes some seconds.", width="content")
        st.button("Compute again" if stopped else "Compute", on_click=start, args=(working.job,), key="lesson-compute")
