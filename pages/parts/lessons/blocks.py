"""Blocks of lessons on the page: cards, tables, charts, layers."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from pages.shared import engine
from pages.shared.answer_cards import answer_card, atom_lines, truth_card
from pages.shared.chart_frame import show, style_of
from pages.shared.layer_activations import forward_pass, thumbnail
from pages.shared.layer_calculation import equations
from pages.shared.layer_strip import layer_strip, strip_row
from pages.shared.memory import remembered
from pages.shared.molecule_cards import molecule_cards
from pages.shared.pictures import WIDTH, scale_limit
from pages.shared.text import plain
from wombat_core.drawing.chart_style import SERIES
from wombat_core.drawing.charts import atom_lines as many_lines
from wombat_core.drawing.depiction import depict
from wombat_core.drawing.legend import legend_svg
from wombat_core.drawing.line_charts import named_lines
from wombat_core.lessons.blocks import Calculation, Card, Cards, Chart, Charts, Strip, Table, Train, Words
from wombat_core.whitebox.calculation import calculate
from wombat_core.whitebox.equations import EQUATIONS

from .cards import plain_card, small_card
from .engine import PageEngine, state_of
from .layout import WIDE, columns_of, is_above
from .train import train

if TYPE_CHECKING:
    import plotly.graph_objects as go
    from streamlit.delta_generator import DeltaGenerator

    from pages.shared.state import State
    from wombat_core.drawing.chart_style import ChartStyle
    from wombat_core.drawing.depiction import Depiction
    from wombat_core.lessons.lesson import Situation, Step

ATOM = "lesson-atom"
HEIGHTS = {1: 300, 2: 220, 4: 150, 5: 120}
"""Heights of pictures in CSS pixels for at most so many cards."""
LOW = 90
BESIDE_TABLE = 210
"""Where a table stands below the only picture."""
CHART_HEIGHT = 250


@dataclass(frozen=True)
class Frame:
    """What all blocks of a step share.

    Attributes:
        step: which.
        using: the engine of this run.
        key: start of the widgets' keys.
        above: a place of the page's width, above text and pictures.
        present: presentation mode.
        guess: atoms to show as a card of their own beside others; None for none.
        count: cards of all blocks.
        tables: whether there are tables below the cards.
    """

    step: Step
    using: PageEngine
    key: str
    above: DeltaGenerator
    present: bool = False
    guess: tuple[int, ...] | None = None
    count: int = 0
    tables: bool = False

    def state(self, situation: Situation, explainers=()) -> State:
        """The situation as the molecule pages have it."""
        return state_of(situation, explainers, self.step.show, present=self.present)


def show_blocks(blocks, frame: Frame) -> None:
    """All blocks of a view."""
    count = sum(len(block.cards) for block in blocks if isinstance(block, Cards))
    tables = any(isinstance(block, Table) for block in blocks)
    for number, block in enumerate(blocks):
        guess = frame.guess if number == 0 else None
        own = replace(frame, key=f"{frame.key}-{number}", guess=guess, count=count, tables=tables)
        with frame.above if is_above(block) else nullcontext():
            _WAYS[type(block)](block, own)
    if any(isinstance(block, Cards) and any(card.kind == "answer" for card in block.cards) for block in blocks):
        with frame.above if all(map(is_above, blocks)) else nullcontext():
            _legend(frame)


def _cards(block: Cards, frame: Frame) -> None:
    first = block.cards[0].situation
    case = engine.case(first.molecule, first.pattern)
    answers = {
        card: replace(answer, title=card.title or answer.title)
        for card in block.cards
        if card.kind == "answer"
        for answer in [frame.using.page_answer(card.situation, card.explainer)]
    }
    given = [answer for answer in answers.values() if not answer.problem]
    state = frame.state(first, frame.step.explainers)
    limit = scale_limit(given, state)
    count = max(frame.count, len(block.cards)) + (frame.guess is not None)
    height = next((height for most, height in HEIGHTS.items() if count <= most), LOW)
    if frame.tables:
        height = min(height, BESIDE_TABLE)
    cards = [_card(card, answers.get(card), frame, limit, height) for card in block.cards]
    if frame.guess is not None:
        cards.insert(0, _guess_card(first, frame, height))
    molecule_cards(
        cards,
        atom_lines(case, list(answers.values()), state.signed),
        st.session_state.get(ATOM),
        key=f"{frame.key}-cards",
        columns=columns_of(block, len(cards)),
        big=frame.present,
        picture_height=height,
        on_change=lambda atom: st.session_state.update({ATOM: atom}),
    )


def _card(card: Card, answer, frame: Frame, limit, height: int) -> dict:
    case = engine.case(card.situation.molecule, card.situation.pattern)
    state = frame.state(card.situation, frame.step.explainers)
    small = frame.count > WIDE
    if card.kind == "answer":
        return plain_card(answer_card(case, answer, state, limit, height), _is_null(answer), small)
    if card.kind == "truth":
        found = truth_card(case, state, height)
        found = {**small_card(found), "badge": None} if small else found
        return {**found, "title": card.title, "badge": None} if card.title else found
    return {"title": card.title or "Molecule", **picture(card.situation.molecule, None, state.numbers, height)}


def _is_null(answer: engine.ExplainerAnswer) -> bool:
    return not answer.problem and answer.is_null


def _guess_card(situation: Situation, frame: Frame, height: int) -> dict:
    marks = frame.guess
    told = "Nothing is marked." if not marks else f"{len(marks)} atom{'s' if len(marks) > 1 else ''} marked."
    if frame.present:
        told = ""
    return {
        "title": "Your guess",
        "message": told,
        **picture(situation.molecule, marks, "numbers" in frame.step.show, height),
    }


def picture(text: str, marked: tuple[int, ...] | None, numbers: bool, height: int, width: int = WIDTH) -> dict:
    """The molecule with marked atoms, as a card needs it."""
    drawn = depiction(text, marked, numbers, width, height)
    return {"svg": drawn.svg, "positions": drawn.positions, "radius": drawn.atom_radius}


@remembered(300)
def depiction(text: str, marked: tuple[int, ...] | None, numbers: bool, width: int, height: int) -> Depiction:
    """The molecule, coloured where it is marked."""
    molecule = engine.find(text).molecule
    scores = None
    if marked:
        scores = np.zeros(molecule.num_atoms)
        scores[list(marked)] = 1.0
    return depict(molecule, width=width, height=height, scores=scores, limit=1.6, numbers=numbers)


def _legend(frame: Frame) -> None:
    signed, rings = "signed" in frame.step.show, "rings" in frame.step.show
    common = "common" in frame.step.show
    with st.container(key="legend", horizontal=True, vertical_alignment="center", gap="small"):
        st.image(legend_svg(1.0, signed, 400, ground_truth=rings), width=400, alt="Colour scale")
        if not common:
            st.caption("1 is the largest value of each picture, **max**.", width="content")


def _table(table: Table, frame: Frame) -> None:
    def row(cells) -> str:
        return "| " + " | ".join(plain(cell) or " " for cell in cells) + " |"

    rule = "|" + "|".join(":--" if place < table.texts else "--:" for place in range(len(table.head))) + "|"
    with st.container(key=f"lesson-table-{frame.key}", gap=None):
        st.markdown("\n".join([row(table.head), rule, *map(row, table.rows)]))
        if table.note:
            st.caption(plain(table.note))


def _charts(block: Charts, frame: Frame) -> None:
    state = frame.state(frame.step.situation)
    style = replace(style_of(state, CHART_HEIGHT), big=frame.present)
    for number, chart in enumerate(block.charts):
        st.markdown(f"**{plain(chart.title)}**")
        show(_figure(chart, style), state, style, f"{frame.key}-{number}", chart.title)
        if chart.apart - {chart.strong}:
            st.caption("Dashed: atoms outside the ground truth.")


def _figure(chart: Chart, style: ChartStyle) -> go.Figure:
    names = list(chart.lines)
    if chart.strong or len(names) > len(SERIES):
        return many_lines(
            chart.x,
            np.column_stack(list(chart.lines.values())),
            names,
            y_title=chart.y_title,
            style=style,
            zoom=chart.zoom or (float(chart.x.min()), float(chart.x.max())),
            cursor=chart.cursor,
            selected=names.index(chart.strong) if chart.strong else None,
            apart=np.array([name in chart.apart for name in names]),
        )
    return named_lines(
        chart.x,
        chart.lines,
        x_title=chart.x_title,
        y_title=chart.y_title,
        style=style,
        zoom=chart.zoom,
        cursor=chart.cursor,
        markers=chart.markers,
        log_x=chart.log_x,
        log_y=chart.log_y,
    )


def _strip(block: Strip, frame: Frame) -> None:
    situation = block.situation
    passed = forward_pass(situation.molecule, situation.pattern, situation.readout)
    layer_strip(
        [strip_row(passed, situation.pattern)],
        thumbnail(situation.molecule),
        None if block.layer is None else (situation.pattern, block.layer),
        key=f"{frame.key}-strip",
        on_change=lambda row, layer: None,
        big=frame.present,
        play=False,
    )


def _calculation(block: Calculation, frame: Frame) -> None:
    situation = block.situation
    passed = forward_pass(situation.molecule, situation.pattern, situation.readout)
    _table(block.table, frame)
    if block.layer == 0:
        for number in (3, 4):
            st.latex(EQUATIONS[number].partition(",\\qquad")[0])
        return
    found = calculate(passed.model, passed.data, passed.trace, block.layer, block.channel, block.atom)
    if len(found.messages) <= 4:
        st.latex(equations(found))


def _words(block: Words, frame: Frame) -> None:
    st.markdown(plain(block.text))


_WAYS = {
    Cards: _cards,
    Table: _table,
    Charts: _charts,
    Strip: _strip,
    Calculation: _calculation,
    Words: _words,
    Train: lambda block, frame: train(block, frame.step, frame.key, frame.present, frame.using),
}
