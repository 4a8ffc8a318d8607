"""The pass over the library that the Molecules view needs once: its button, its progress, its stop."""

from __future__ import annotations

import streamlit as st

from pages.shared import runs
from pages.shared.job_controls import PATIENCE, POLL, progress_row
from pages.shared.text import plain

KEY = "library-overview"
FAILED = "The pass over the library failed; the details are in the server's log."


def follow() -> None:
    """The button, or how far the pass is; the page runs again when it has ended."""
    run = runs.run_of(KEY)
    if run is not None and run.standing == "running":
        st.fragment(_progress, run_every=POLL)(run)
        return
    if run is not None and run.standing == "failed":
        st.error(plain(FAILED if run.problem == runs.UNEXPECTED else run.problem))
    st.markdown(
        "For every pattern: how many molecules of the library have its motif, how many resemble it without having it, "
        "how similar to it they are, and where its two SMARTS disagree. That takes one pass over the library, and is "
        "kept for the next time."
    )
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="runs"):
        st.button(f"Compute, about {_seconds()} s", type="primary", on_click=_start, key="bench-library-start")
        if run is not None and run.standing == "stopped":
            st.caption("Stopped; nothing of the pass was kept.", width="content")


def _seconds() -> int:
    """For a quiet machine; a page that has read the library already leaves the smaller part."""
    from wombat_core.screening.library_pass import kept_library

    return 15 if kept_library() is None else 3


def _start() -> None:
    runs.start(KEY, _work)


def _work() -> dict:
    from wombat_core.screening.overview import overview

    overview()
    return {}


def _progress(run: runs.Run) -> None:
    if run.standing != "running":
        st.rerun()
    progress_row("library", "bench-library-stop", run.share, _words(run), run.stop, PATIENCE)


def _words(run: runs.Run) -> str:
    if run.began is None:
        return "Waiting for its turn"
    return f"Reading the library · {100 * run.share:.0f} %" if run.share < 1 else "Comparing the two SMARTS"
