"""Going through a lesson by keyboard: left and right arrow, page up and page down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.shared.component import component

from .state import go

if TYPE_CHECKING:
    from wombat_core.lessons.lesson import Lesson

KEY = "lesson-keys"

_component = component("lesson_keys", view=False)


def lesson_keys(lesson: Lesson, place: int) -> None:
    """Listen to the keys. Nothing is shown.

    Args:
        place: the index of the place that the page shows.
    """

    def changed() -> None:
        wanted = st.session_state[KEY]["place"]
        if isinstance(wanted, int | float):
            go(lesson, int(wanted))

    _component(
        key=KEY,
        data={"place": place, "last": len(lesson.places) - 1},
        on_place_change=changed,
        height=1,
    )
