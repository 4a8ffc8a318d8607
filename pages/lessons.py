"""Guided lessons on the pitfalls of explainable AI: guess, reveal, see why, try it yourself."""

from pathlib import Path

import streamlit as st

from pages.parts.lessons.files import Broken, lessons_of
from pages.parts.lessons.list import lesson_list
from pages.parts.lessons.page import lesson_page
from pages.parts.lessons.state import ADDRESS
from pages.shared.guard import error_boundary
from pages.shared.state import State
from pages.shared.text import plain
from wombat_core.lessons.lesson import Lesson

STYLE = Path(__file__).resolve().parents[1] / "assets" / "lessons.css"


def lessons(state: State) -> None:
    """The page."""
    st.html(STYLE)
    here, problems = ADDRESS.read()
    if problems:
        st.warning(plain(" ".join(problems)))
    with st.spinner("Reading the lessons"):
        known = lessons_of()
    chosen = next((lesson for lesson in known if is_called(lesson, here.lesson)), None)
    if here.lesson and chosen is None:
        st.warning(f"There is no lesson {plain(here.lesson[:60])}; these are the lessons there are.")
    if chosen is None:
        lesson_list(known, here)
    elif isinstance(chosen, Broken):
        st.subheader("This lesson cannot be shown", anchor=False)
        st.error("  \n".join(map(plain, chosen.problem.splitlines())))
        st.button("All lessons", on_click=ADDRESS.write, kwargs={"lesson": ""}, key="lesson-all")
    else:
        with error_boundary("The lesson"):
            lesson_page(chosen, here)


def is_called(lesson: Lesson | Broken, word: str) -> bool:
    """Whether a word of the address is a lesson's name, or the number with which its name begins."""
    own = lesson.name.partition("-")[0]
    return lesson.name == word or (own.isdecimal() and word.isdecimal() and int(own) == int(word))


if __name__ == "__main__":
    from pages.shared.as_script import run_app

    run_app()
