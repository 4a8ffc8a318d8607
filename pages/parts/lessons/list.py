"""The list of lessons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.shared.sidebar import leave_presentation
from pages.shared.text import plain
from wombat_core.lessons.reader import Broken

from .state import LessonState, go

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wombat_core.lessons.lesson import Lesson

COLUMNS = 3


def lesson_list(known: Sequence[Lesson | Broken], here: LessonState) -> None:
    """A card a lesson; broken ones say why."""
    with st.container(horizontal=True, horizontal_alignment="distribute", key="headline"):
        st.subheader("Lessons: what can go wrong with an explanation?", anchor=False)
        if here.present:
            leave_presentation()
    st.caption(
        "Each takes a class through one pitfall, on networks whose rule is known: guess first, then reveal what the "
        "explainers say. Arrow keys go through the steps."
    )
    if not known:
        st.info("There are no lessons: no file in the folder of lessons has a name that begins with a number.")
    for start in range(0, len(known), COLUMNS):
        columns = st.columns(COLUMNS, gap="small")
        for column, number in zip(columns, range(start, min(start + COLUMNS, len(known))), strict=False):
            with column, st.container(border=True, key=f"lesson-card-{number}", gap="small"):
                _card(known[number], number)


def _card(lesson: Lesson | Broken, number: int) -> None:
    if isinstance(lesson, Broken):
        st.markdown(f"**{plain(lesson.path.name)}** :orange-badge[cannot be shown]")
        with st.container(height=110, border=False):
            st.caption("  \n".join(map(plain, lesson.problem.splitlines())))
        return
    st.button(plain(lesson.title), on_click=go, args=(lesson, 0), key=f"lesson-open-{number}", type="tertiary")
    st.markdown(plain(lesson.summary))
    count = len(lesson.steps)
    st.caption(f"{lesson.minutes} minutes · {count} step{'s' if count > 1 else ''}")
