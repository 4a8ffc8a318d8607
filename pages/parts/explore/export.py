"""What can be taken away: pictures, a figure, the attributions, the whole case."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.shared.answer_cards import answer_card, truth_card
from pages.shared.pictures import answer_picture, not_drawn, truth_picture
from pages.shared.state import State

from .atom_table import atom_frame

if TYPE_CHECKING:
    from pages.shared.engine import Case, ExplainerAnswer
    from wombat_core.drawing.figure import FigureCard, Legend

OWN_SCALES = "Each card has its own scale: 1 is its largest value, max."


def stem(state: State) -> str:
    """Start of every file name: pattern and readout, nothing of the user's text."""
    return f"wombat-pattern-{state.pattern}-{state.readout}"


def case_record(case: Case, answers: list[ExplainerAnswer], state: State) -> dict[str, Any]:
    """The whole case: molecule, verdict, settings, and one object an explainer as the terminal prints it."""
    return {
        "smiles": case.molecule.smiles,
        "name": case.molecule.name,
        "formula": case.formula,
        "pattern": case.pattern.id,
        "smarts": case.pattern.smarts,
        "predictions": case.predictions,
        "contains_motif": case.contains_motif,
        "left_out": list(case.left_out),
        "ground_truth": case.truth.astype(int).tolist(),
        "settings": state.settings(),
        "address": asdict(state),
        "explanations": [answer.record for answer in answers if not answer.problem],
        "not_explained": {answer.name: answer.problem for answer in answers if answer.problem},
    }


def figure_cards(case: Case, answers: list[ExplainerAnswer], state: State, limit: float | None) -> list[FigureCard]:
    """The cards of the page as those of a figure; explainers without an answer are left out."""
    from wombat_core.drawing.figure import FigureCard

    cards = [
        FigureCard("Ground truth", truth_picture(case, state), (truth_card(case, state)["message"],)),
    ]
    for answer in answers:
        if not answer.problem:
            content = answer_card(case, answer, state, limit)
            scores = "  ".join(
                " ".join(filter(None, (part.get("label"), part.get("value"), part.get("hint"))))
                for part in content["caption"]
            )
            lines = (content["badge"]["text"], scores, content["message"])
            picture = answer_picture(case, answer, state, limit)
            cards.append(FigureCard(answer.title, picture, tuple(filter(None, lines))))
    return cards


def figure_legend(answers: list[ExplainerAnswer], state: State, limit: float | None) -> Legend:
    """The scale as on the page: with its numbers where all cards share it, else from 0 to 1."""
    from wombat_core.drawing.figure import Legend

    if all(answer.problem for answer in answers):
        return Legend(None)
    if limit is None:
        return Legend(1.0, state.signed, note=OWN_SCALES)
    return Legend(limit, state.signed)


def export(case: Case, answers: list[ExplainerAnswer], state: State, limit: float | None) -> None:
    """Download buttons. The files are made when asked for."""
    from wombat_core.drawing.figure import figure_png, figure_svg

    name = stem(state)
    why = not_drawn(case)
    cards = [] if why else figure_cards(case, answers, state, limit)
    title = f"{case.pattern.title}, {state.readout}: {case.molecule.name or case.molecule.smiles}"
    legend = figure_legend(answers, state, limit)
    st.markdown("**All cards in one figure, and the numbers**")
    with st.container(horizontal=True, gap="small"):
        if cards:
            _button("Figure, SVG", lambda: figure_svg(cards, 3, title, legend), f"{name}.svg", "image/svg+xml")
            _button("Figure, PNG", lambda: figure_png(cards, 3, title, legend), f"{name}.png", "image/png")
        _button(
            "Attributions, CSV",
            lambda: atom_frame(case, answers, state.signed).to_csv(index=False),
            f"{name}.csv",
            "text/csv",
        )
        _button(
            "Whole case, JSON",
            lambda: json.dumps(case_record(case, answers, state), indent=1, allow_nan=False),
            f"{name}.json",
            "application/json",
        )
    if not cards:
        st.caption(why)
        return
    st.markdown("**Single cards**")
    names = ["ground-truth", *(answer.name for answer in answers if not answer.problem)]
    for part, card in zip(names, cards, strict=True):
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.markdown(card.title, width=220)
            picture = card.depiction
            _button("SVG", lambda p=picture: p.svg, f"{name}-{part}.svg", "image/svg+xml")
            _button("PNG", lambda p=picture: p.png(3), f"{name}-{part}.png", "image/png")


def _button(label: str, data, file_name: str, mime: str) -> None:
    st.download_button(label, data, file_name, mime, on_click="ignore", key=f"download-{file_name}")
