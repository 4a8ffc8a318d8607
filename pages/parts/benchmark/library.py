"""The pass over the library that the Molecules view needs once: its button, its progress, its stop."""

from __future__ import annotations

import streamlit as st

from pages.shared.jobs import UNEXPECTED, Bar, Job, follow, get_job, start
from pages.shared.text import plain

KEY = "library-overview"
FAILED = "The pass over the library failed; the details are in the server's log."


def follow_pass() -> None:
    """The button, or how far the pass is; the page runs again when it has ended."""
    job = library_job()
    if job.is_active:
        follow(Bar("library", (job,), lambda: _words(job)))
        return
    if job.state == "failed":
        st.error(plain(FAILED if job.problem == UNEXPECTED else job.problem))
    st.markdown(
        "For every pattern: how many molecules of the library have its motif, how many resemble it without having it, "
        "how similar to it they are, and where its two SMARTS disagree. That takes one pass over the library, and is "
        "kept for the next time."
    )
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="runs-library"):
        st.button(
            f"Compute, about {_seconds()} s", type="primary", on_click=start, args=(job,), key="bench-library-start"
        )
        if job.state == "stopped":
            st.caption("Stopped; nothing of the pass was kept.", width="content")


def _seconds() -> int:
    """For a quiet machine; a page that has read the library already leaves the smaller part."""
    from wombat_core.screening.library_pass import kept_library

    return 15 if kept_library() is None else 3


def library_job() -> Job:
    """The work; its answer says only that it is done, since the core keeps what it has found."""
    return get_job("library", KEY, again=True).of(_work)


def _work() -> bool:
    from wombat_core.screening.overview import overview

    overview()
    return True


def _words(job: Job) -> str:
    return f"Reading the library · {100 * job.share:.0f} %" if job.share < 1 else "Comparing the two SMARTS"
