"""Guess first: atoms marked on the molecule or an answer picked, and what became of it after the reveal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from pages.shared.text import plain
from wombat_core.errors import InputError
from wombat_core.lessons.atoms import overlap, strongest
from wombat_core.lessons.check import told
from wombat_core.lessons.lesson import Text

from .blocks import depiction
from .marks import lesson_marks
from .state import guess_of

if TYPE_CHECKING:
    from wombat_core.lessons.lesson import Lesson, Step

    from .engine import PageEngine

HEIGHT = 330


def choice_texts(lesson: Lesson, step: Step, using: PageEngine) -> list[str]:
    """The choices with their numbers, in Markdown."""
    line = step.lines.get("choices", step.line)
    return [told(lesson, step, Text(choice, line), using, plain) for choice in step.choices]


def ask_choice(lesson: Lesson, number: int, step: Step, using: PageEngine, revealed: bool, present: bool) -> None:
    """The choices as buttons; after the reveal as lines with marks, on a projector only the guess and the right one."""
    guess = guess_of(lesson, number)
    if revealed:
        _answers(step, choice_texts(lesson, step, using), guess.get("choice"), present)
        return

    def take(place: int) -> None:
        guess["choice"] = place

    with st.container(key="lesson-choices", gap="small"):
        for place, text in enumerate(choice_texts(lesson, step, using)):
            st.button(
                text,
                key=f"lesson-choice-{number}-{place}",
                type="primary" if guess.get("choice") == place else "secondary",
                width="stretch",
                on_click=take,
                args=(place,),
            )


def _answers(step: Step, texts: list[str], chosen: int | None, present: bool) -> None:
    """The choices after the reveal."""
    lines = []
    for place, text in enumerate(texts):
        right = place == step.answer
        if present and step.answer is not None and not right and place != chosen:
            continue
        icon = ":material/radio_button_unchecked:"
        if step.answer is not None and (right or place == chosen):
            icon = ":green[:material/check:]" if right else ":red[:material/close:]"
        own = " ".join(text.split())
        lines.append(f"{icon} {f'**{own}**' if right else own}{' · your guess' if place == chosen else ''}")
    with st.container(key="lesson-answers"):
        st.markdown("  \n".join(lines))


@st.fragment
def ask_atoms(lesson: Lesson, number: int, step: Step, using: PageEngine, present: bool) -> None:
    """The molecule to mark atoms on."""
    guess = guess_of(lesson, number)
    height = HEIGHT + 60 if present else HEIGHT
    lesson_marks(
        depiction(step.situation.molecule, None, "numbers" in step.show, 560, height),
        using.labels(step.situation),
        guess.get("atoms", ()),
        key=f"lesson-marks-{number}",
        on_change=lambda atoms: guess.update(atoms=atoms),
        big=present,
    )


def verdict(lesson: Lesson, number: int, step: Step, using: PageEngine) -> None:
    """What became of the guess, after the reveal."""
    guess = guess_of(lesson, number)
    if step.ask == "choice":
        _choice_verdict(step, guess)
    elif step.ask == "atoms":
        _atoms_verdict(step, guess.get("atoms", []), using)


def _choice_verdict(step: Step, guess: dict) -> None:
    if "choice" not in guess:
        st.caption("No guess.")
    elif step.answer is not None:
        right = guess["choice"] == step.answer
        st.markdown(":green-badge[Your guess was right]" if right else ":red-badge[Your guess was not right]")


def _atoms_verdict(step: Step, marked: list[int], using: PageEngine) -> None:
    truth = np.flatnonzero(using.truth(step.situation)).tolist()
    labels = using.labels(step.situation)
    if not marked:
        st.caption("No atom was marked.")
        return
    found = overlap(marked, truth)
    if not truth:
        st.markdown(f":gray-badge[No atom is ground truth here] You marked {len(marked)}.")
        return
    parts = [f"**{len(found.hits)} of {len(truth)}** ground-truth atoms marked"]
    if found.missed:
        parts.append(f"missed {plain(', '.join(labels[atom] for atom in found.missed))}")
    if found.extra:
        parts.append(f"too many {plain(', '.join(labels[atom] for atom in found.extra))}")
    st.markdown("; ".join(parts) + ".")
    rows = ["| overlap (Jaccard) | your guess | ground truth |", "|:--|--:|--:|"]
    rows.append(f"| ground truth | **{found.jaccard:.2f}** | |")
    for name in step.explainers:
        rows.append(_explainer_row(step, name, marked, truth, using))
    with st.container(key="lesson-table-overlap", gap=None):
        st.markdown("\n".join(rows))
        if step.explainers:
            st.caption(f"Of an explainer its {len(truth)} strongest atoms count, as many as are ground truth.")


def _explainer_row(step: Step, name: str, marked: list[int], truth: list[int], using: PageEngine) -> str:
    title = plain(using.title(name))
    try:
        answer = using.answer(step.situation, name)
    except InputError:
        return f"| {title} | … | … |"
    if answer.is_null:
        return f"| {title} | null | null |"
    top = strongest(answer.atoms, len(truth))
    return f"| {title} | {overlap(marked, top).jaccard:.2f} | {overlap(top, truth).jaccard:.2f} |"


def summary(lesson: Lesson, using: PageEngine) -> None:
    """All guesses of the lesson, for its last step."""
    rows = []
    for number, step in enumerate(lesson.steps, start=1):
        guess = guess_of(lesson, number)
        if step.ask == "atoms":
            told_, result = _summary_atoms(step, guess.get("atoms", []), using)
        elif step.ask == "choice":
            told_, result = _summary_choice(lesson, step, guess, using)
        else:
            continue
        rows.append(f"| {number}. {plain(step.title)} | {told_} | {result} |")
    if rows:
        with st.container(key="lesson-table-summary", gap=None):
            st.markdown("**Your guesses**")
            st.markdown("\n".join(["| step | guess | result |", "|:--|:--|:--|", *rows]))
            st.caption("Kept for this session on this machine, nowhere else.")


def _summary_atoms(step: Step, marked: list[int], using: PageEngine) -> tuple[str, str]:
    if not marked:
        return "none", "–"
    truth = np.flatnonzero(using.truth(step.situation)).tolist()
    found = overlap(marked, truth)
    return f"{len(marked)} atoms", f"{len(found.hits)} of {len(truth)} found, Jaccard {found.jaccard:.2f}"


def _summary_choice(lesson: Lesson, step: Step, guess: dict, using: PageEngine) -> tuple[str, str]:
    if "choice" not in guess:
        return "none", "–"
    text = choice_texts(lesson, step, using)[guess["choice"]].replace("|", "\\|")
    if step.answer is None:
        return text, "open"
    return text, "right" if guess["choice"] == step.answer else "not right"
