"""The row above the cards that starts and follows explainers that run only when asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import streamlit as st

from .jobs import Bar, follow, start
from .text import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .jobs import Job


class Offered(Protocol):
    """An answer that may have to be asked for: ``offer`` is the job that computes it, or None."""

    name: str
    title: str
    offer: Job | None


def run_row(answers: Sequence[Offered]) -> None:
    """Buttons for what can be run, a bar and a stop button for what runs; nothing where nothing waits."""
    offered = [answer for answer in answers if answer.offer is not None]
    # One that has ended since its card was made is looked at once more, so that the page shows its answer.
    ready = [answer for answer in offered if answer.offer.state in ("new", "stopped", "failed")]
    if ready:
        with st.container(horizontal=True, gap="small", vertical_alignment="center", key="runs"):
            for answer in ready:
                _button(answer)
            if len(ready) > 1:
                st.button("Run all", on_click=start, args=[answer.offer for answer in ready], key="run-all")
    going = [answer for answer in offered if answer not in ready]
    if going:
        follow(*(Bar(answer.name, (answer.offer,)) for answer in going))


def _button(answer: Offered) -> None:
    job = answer.offer
    again = "" if job.state == "new" else " again"
    time_needed = f" · {job.estimate.time}" if job.estimate else ""
    st.button(
        f"Run {plain(answer.title)}{again}{time_needed}",
        help=f"It takes {plain(str(job.estimate))}." if job.estimate else "How long it takes is not known.",
        on_click=start,
        args=(job,),
        key=f"run-{answer.name}",
    )
