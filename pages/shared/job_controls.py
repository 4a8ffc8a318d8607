"""The row above the cards that starts, follows and stops explainers that run only when asked for."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.shared.text import plain

if TYPE_CHECKING:
    from pages.shared.engine import Answer, Offer

POLL = 0.5
"""Seconds between looks at what runs."""
PATIENCE = 2.0
"""Seconds that a click on Stop waits for the end."""


def run_row(answers: list[Answer]) -> None:
    """Buttons for what can be run, a bar and a stop button for what runs; nothing where nothing waits."""
    offered = [answer for answer in answers if answer.offer]
    ready = [answer for answer in offered if answer.offer.standing != "running"]
    running = [answer for answer in offered if answer.offer.standing == "running"]
    if ready:
        _buttons(ready)
    if running:
        st.fragment(_follow, run_every=POLL)(running)


def _buttons(ready: list[Answer]) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="runs"):
        for answer in ready:
            _button(answer)
        if len(ready) > 1:
            st.button("Run all", on_click=_start, args=([answer.offer for answer in ready],), key="run-all")


def _button(answer: Answer) -> None:
    offer = answer.offer
    again = "" if offer.standing == "new" else " again"
    time_needed = f" · {offer.estimate.time}" if offer.estimate else ""
    st.button(
        f"Run {plain(answer.title)}{again}{time_needed}",
        help=f"It takes {plain(str(offer.estimate))}." if offer.estimate else "How long it takes is not known.",
        on_click=_start,
        args=([offer],),
        key=f"run-{answer.name}",
    )


def _start(offers: list[Offer]) -> None:
    for offer in offers:
        offer.start(patience=0.5 / len(offers))


def _follow(running: list[Answer]) -> None:
    if not all(answer.offer.run.standing == "running" for answer in running):
        st.rerun()
    for answer in running:
        run = answer.offer.run
        text = f"{plain(answer.title)} · {_left(run.share, run.began)}"
        progress_row(answer.name, f"stop-{answer.name}", run.share, text, run.stop, PATIENCE)


def progress_row(name: str, button: str, share: float, text: str, stop: Callable[..., object], *args: Any) -> None:
    """How far something is, and a button that stops it.

    Args:
        name: of what runs, for the row's key.
        button: key of the button.
        share: from 0 to 1.
        text: on the bar, Markdown.
        stop, args: called, with these, by the button.
    """
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key=f"running-{name}"):
        st.progress(min(share, 1.0), text=text)
        st.button("Stop", icon=":material/stop:", on_click=stop, args=args, key=button)


def _left(share: float, began: float | None) -> str:
    """How far a run is, for people."""
    if began is None:
        return "waiting for its turn"
    passed = time.monotonic() - began
    if share < 0.02 or passed < 0.5:
        return f"{100 * share:.0f} %"
    return f"{100 * share:.0f} %, about {max(1, round(passed * (1 - share) / share))} s left"
