"""Where one stands in the lessons, as a part of the address; and the guesses of this session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.shared.address import Address, param
from pages.shared.codecs import FLAG, TEXT, whole

if TYPE_CHECKING:
    from wombat_core.lessons.lesson import Lesson

_GUESSES = "lesson-guesses"
_WALKED = "lesson-walked"


@dataclass(frozen=True)
class LessonState:
    """What a link to a lesson carries."""

    lesson: str = param("", TEXT, 'name of the file without its ending; "" for the list')
    step: int = param(1, whole(1, 999), "from 1")
    revealed: bool = param(False, FLAG, "whether the step is")
    present: bool = param(False, FLAG, "presentation mode")


# Links to lessons are copied by hand from a wall or a sheet, so their names stand alone; none is another page's.
ADDRESS = Address(LessonState)


def go(lesson: Lesson, place: int) -> None:
    """Go to one of the lesson's places; an index beyond them stays at the end."""
    places = lesson.places
    step, revealed = places[min(max(place, 0), len(places) - 1)]
    st.session_state[_WALKED] = True
    ADDRESS.write(lesson=lesson.name, step=step, revealed=revealed)


def is_walked() -> bool:
    """Whether somebody walks through lessons here: a link alone begins no work that takes long."""
    return _WALKED in st.session_state


def place_of(lesson: Lesson, state: LessonState) -> int:
    """The index of the place at which the address stands."""
    places = lesson.places
    step = min(state.step, len(lesson.steps))
    return places.index((step, state.revealed)) if (step, state.revealed) in places else places.index((step, False))


def guess_of(lesson: Lesson, number: int) -> dict[str, Any]:
    """This session's guess at a step: "atoms", a list of them in the order of marking, or "choice", an index."""
    return st.session_state.setdefault(_GUESSES, {}).setdefault(_key(lesson, number), {})


def forget(lesson: Lesson) -> None:
    """Begin the lesson anew."""
    kept = st.session_state.get(_GUESSES, {})
    for key in [key for key in kept if key[0] == lesson.name]:
        del kept[key]


def _key(lesson: Lesson, number: int) -> tuple:
    # With what was asked: a guess at a step that has been edited since is none.
    step = lesson.steps[number - 1]
    return lesson.name, number, step.ask, step.situation.molecule, step.choices
