"""One lesson: where one stands, the step, and the way on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.shared.guard import error_boundary
from pages.shared.offers import run_row
from pages.shared.sidebar import leave_presentation
from pages.shared.text import plain
from wombat_core.errors import InputError
from wombat_core.lessons.blocks import Calculation, Cards
from wombat_core.lessons.check import told
from wombat_core.lessons.engine import NotYet
from wombat_core.lessons.handout import handout
from wombat_core.lessons.lesson import LessonError, Text, View

from . import guess as lesson_guess
from .blocks import Frame, show_blocks
from .engine import SLOW, PageEngine, Working, blocks
from .keys import lesson_keys
from .layout import is_above
from .links import links, view_link
from .state import ADDRESS, LessonState, forget, go, guess_of, place_of
from .working import working_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wombat_core.lessons.blocks import Block
    from wombat_core.lessons.lesson import Lesson, Step


def lesson_page(lesson: Lesson, here: LessonState) -> None:
    """The page of a lesson."""
    if here.step > len(lesson.steps):
        st.warning(f"The lesson has {len(lesson.steps)} steps; the last one is shown.")
    place = place_of(lesson, here)
    number, revealed = lesson.places[place]
    step, using = lesson.steps[number - 1], PageEngine()
    _head(lesson, place, here)
    with st.container(key="lesson-title"):
        st.subheader(plain(step.title), anchor=False)
    runs = st.container(key="lesson-runs", gap="small")
    with st.container(key="lesson-body", gap="small"), error_boundary("The step"):
        _step(lesson, number, step, revealed, using, here.present)
    if using.waiting:
        with runs, error_boundary("The list of runs"):
            run_row(list(using.waiting.values()))
    if step.notes and step.notes.text:
        with st.expander("For the presenter", key=f"lesson-notes-{number}"), error_boundary("The notes"):
            st.markdown(told(lesson, step, step.notes, using, plain))
    lesson_keys(lesson, place)


def _head(lesson: Lesson, place: int, here: LessonState) -> None:
    """The lesson's title, where one stands, and the buttons on and back."""
    number, last = lesson.places[place][0], len(lesson.places) - 1
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="lesson-head"):
        st.markdown(f"**{plain(lesson.title)}** :gray[· step {number} of {len(lesson.steps)}]", width="stretch")
        if not here.present:
            st.button("All lessons", on_click=ADDRESS.write, kwargs={"lesson": "", "step": 1, "revealed": False})
            _handout(lesson)
        else:
            leave_presentation()
        st.button(
            "Back",
            icon=":material/arrow_back:",
            on_click=go,
            args=(lesson, place - 1),
            disabled=place == 0,
            key="lesson-back",
            help="Left arrow",
        )
        reveals = place < last and lesson.places[place + 1] == (number, True)
        st.button(
            "Reveal" if reveals else "Next",
            icon=":material/visibility:" if reveals else ":material/arrow_forward:",
            on_click=go,
            args=(lesson, place + 1),
            disabled=place == last,
            type="primary",
            key="lesson-on",
            help="Right arrow",
        )
    with st.container(key="lesson-progress"):
        st.progress((place + 1) / (last + 1))


def _handout(lesson: Lesson) -> None:
    def make() -> str:
        return handout(lesson, PageEngine())

    st.download_button(
        "Handout",
        make,
        f"{lesson.name}.html",
        "text/html",
        on_click="ignore",
        key="lesson-handout",
        help="The whole lesson, revealed, as one HTML file to print or give away",
    )


def _step(lesson: Lesson, number: int, step: Step, revealed: bool, using: PageEngine, present: bool) -> None:
    """Text on the left, pictures on the right; what needs the width of the page above both, and then what the reveal
    says takes the place of the pictures."""
    for name in step.explainers:  # those that take long begin now
        using.page_answer(step.situation, name)
    view = step.view if revealed else step.before
    if not revealed and step.view.name in SLOW:
        _found(lesson, number, step.view, using)
    asks_atoms = step.ask == "atoms" and not revealed
    if asks_atoms and view.name == "molecule":  # it is there to be marked
        view = View()
    found, problem = _found(lesson, number, view, using)
    if asks_atoms:  # the molecule is there already
        found = [block for block in found if not _is_bare(block)]
    above = st.container(key="lesson-above")
    alone = not (problem or asks_atoms or any(not is_above(block) for block in found))
    two = not alone or (revealed and found)
    with st.container(key="lesson-beside" if two else "lesson-alone"):
        left, right = st.columns([1, _right(found, alone) if two else 0.001], gap="medium")
    with left:
        _words(lesson, number, step, revealed, using, present)
    with right if alone and two else left:
        _revealed(lesson, number, step, revealed, using)
    marked = tuple(guess_of(lesson, number).get("atoms", ())) if revealed and step.ask == "atoms" else ()
    key = f"lesson-{number}-{'after' if revealed else 'before'}"
    with right:
        if problem:
            _instead(problem)
        if asks_atoms:
            lesson_guess.ask_atoms(lesson, number, step, using, present)
        with error_boundary("The view"):
            show_blocks(found, Frame(step, using, key, above, present, marked or None))
        if found and not present and two:
            view_link(step, view, f"{number}-view")
    if found and not present and not two:
        view_link(step, view, f"{number}-view")


def _right(found: Sequence[Block], alone: bool) -> float:
    """The width of the right column, where that of the left one is 1."""
    if any(isinstance(block, Calculation) for block in found):
        return 1.05
    return 1.25 if alone else 1.45


def _is_bare(block: Block) -> bool:
    return isinstance(block, Cards) and all(card.kind == "molecule" for card in block.cards)


def _found(lesson: Lesson, number: int, view: View, using: PageEngine) -> tuple[Sequence[Block], InputError | None]:
    """The blocks of a view, or why there are none."""
    try:
        with st.spinner("Computing"):
            return blocks(lesson, number, view, using), None
    except NotYet as waits:
        return (), waits
    except InputError as error:
        return (), LessonError(lesson.file, lesson.steps[number - 1].line, str(error))


def _instead(problem: InputError) -> None:
    """What stands in the place of a view."""
    if isinstance(problem, Working):
        working_row(problem)
    else:
        st.info(plain(problem))


def _words(lesson: Lesson, number: int, step: Step, revealed: bool, using: PageEngine, present: bool) -> None:
    """The text and the question."""
    if not (present and revealed and step.reveal is not None):  # a projector has no room for both
        _write(lesson, step, step.text, using)
    if step.ask != "none":
        line = step.lines.get("question", step.line)
        with st.container(key="lesson-question"):
            st.markdown(f"**{told(lesson, step, Text(step.question, line), using, plain)}**")
        if step.ask == "choice":
            lesson_guess.ask_choice(lesson, number, step, using, revealed, present)


def _revealed(lesson: Lesson, number: int, step: Step, revealed: bool, using: PageEngine) -> None:
    """What became of the guess, the text after the reveal, the links."""
    if revealed:
        with error_boundary("The guess"):
            lesson_guess.verdict(lesson, number, step, using)
        _write(lesson, step, step.reveal, using)
    if number == len(lesson.steps):
        with error_boundary("The summary"):
            lesson_guess.summary(lesson, using)
    if step.links:
        with st.container(key="lesson-links", gap=None):
            links(step, f"{number}-own")
    if number == len(lesson.steps):
        st.button("Begin again", on_click=_again, args=(lesson,), key="lesson-again")


def _write(lesson: Lesson, step: Step, text: Text | None, using: PageEngine) -> None:
    if text is not None and text.text:
        st.markdown(told(lesson, step, text, using, plain))


def _again(lesson: Lesson) -> None:
    forget(lesson)
    go(lesson, 0)
