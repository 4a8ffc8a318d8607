"""The row of a view that is being computed: how far it is, and a way to stop it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.shared.job_controls import POLL, progress_row

if TYPE_CHECKING:
    from .engine import Working


def working_row(working: Working) -> None:
    """Follow the work and show its result when it is there; a stopped one can be started again."""
    if working.run.standing == "running":
        st.fragment(_follow, run_every=POLL)(working)
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="runs"):
        st.caption("Stopped, without a result.", width="content")
        st.button("Compute again", on_click=working.again, key="lesson-compute")


def _follow(working: Working) -> None:
    run = working.run
    if run.standing != "running":
        st.rerun()
    progress_row("lesson-view", "lesson-stop", run.share, f"Computing · {100 * run.share:.0f} %", run.stop)
