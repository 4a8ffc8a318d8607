"""Blocks of views on paper: inlined SVG and tables."""

from collections.abc import Callable
from html import escape

import numpy as np

from ..drawing.colours import common_limit
from ..drawing.depiction import depict
from ..drawing.legend import legend_svg
from ..drawing.plain_chart import line_chart_svg
from ..errors import InputError
from .blocks import Block, Calculation, Card, Cards, Charts, Strip, Table, Train, Words
from .engine import Answer, Engine
from .lesson import Step
from .views_scores import verdict

WIDTH, HEIGHT = 280, 200
CHART_WIDTH = 440
SMALL_WIDTH, SMALL_HEIGHT = 190, 130
ACTIVE = 0.5


def block_html(block: Block, step: Step, engine: Engine) -> str:
    """One block as HTML; what cannot be had says so in its place.

    Raises:
        InputError: it cannot be drawn.
    """
    return _WAYS[type(block)](block, step, engine)


def _cards(block: Cards, step: Step, engine: Engine) -> str:
    answers = [card for card in block.cards if card.kind == "answer"]
    figures = "".join(_card(card, step, engine) for card in block.cards)
    note = ""
    if answers:
        signed = "signed" in step.show
        scale = legend_svg(1.0, signed, 420)
        note = f'<div class="legend">{scale}<span>1 is the largest value of each picture.</span></div>'
    return f'<div class="cards">{figures}</div>{note}'


def _card(card: Card, step: Step, engine: Engine) -> str:
    molecule, truth = engine.molecule(card.situation.molecule), engine.truth(card.situation)
    picture = {"width": WIDTH, "height": HEIGHT, "numbers": "numbers" in step.show}
    if card.kind != "answer":
        rings = truth if card.kind == "truth" else None
        title = card.title or ("Ground truth" if card.kind == "truth" else "Molecule")
        told = f"{int(truth.sum())} of {len(truth)} atoms" if card.kind == "truth" else ""
        return _figure(title, depict(molecule, ground_truth=rings, **picture).svg, told)
    title = card.title or engine.title(card.explainer)
    try:
        answer = engine.answer(card.situation, card.explainer)
    except InputError as error:
        return _figure(title, "", str(error))
    signed = "signed" in step.show
    values = answer.signed_atoms if signed else answer.atoms
    bonds = (answer.signed_bonds if signed else answer.bonds) if "bonds" in step.show else None
    svg = depict(
        molecule,
        scores=values,
        bond_scores=bonds,
        limit=common_limit(values, bonds),
        signed=signed,
        ground_truth=truth if "rings" in step.show else None,
        notes=[f"{value:.3g}" for value in values] if "values" in step.show else None,
        **picture,
    ).svg
    return _figure(title, svg, _told(answer))


def _told(answer: Answer) -> str:
    scores, parts = answer.scores, [verdict(answer)]
    if scores.auroc is not None:
        parts += [f"AUROC {scores.auroc:.3f}", f"AP {scores.average_precision:.3f}"]
    if not answer.is_null:
        parts.append(f"max {float(np.abs(answer.atoms).max()):.3g}")
    return " · ".join(parts)


def _figure(title: str, svg: str, told: str) -> str:
    return f"<figure><h4>{escape(title)}</h4>{svg}<figcaption>{escape(told)}</figcaption></figure>"


def table_html(table: Table) -> str:
    """A table; columns of numbers are aligned to the right."""

    def cell(place: int, text: str, tag: str) -> str:
        number = "" if place < table.texts else ' class="number"'
        return f"<{tag}{number}>{escape(text)}</{tag}>"

    def row(cells, tag: str) -> str:
        return f"<tr>{''.join(cell(place, text, tag) for place, text in enumerate(cells))}</tr>"

    body = "".join(row(cells, "td") for cells in table.rows)
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    return f"<table><thead>{row(table.head, 'th')}</thead><tbody>{body}</tbody></table>{note}"


def _charts(block: Charts, step: Step, engine: Engine) -> str:
    figures = []
    for chart in block.charts:
        options = {key: value for key, value in vars(chart).items() if key not in ("x", "lines", "title")}
        svg = line_chart_svg(chart.x, chart.lines, title=chart.title, width=CHART_WIDTH, **options)
        told = f"Blue: {chart.strong}." if chart.strong else ""
        if chart.apart - {chart.strong}:
            told += " Dashed: outside the ground truth."
        figures.append(_figure(chart.title, svg, told))
    return f'<div class="cards">{"".join(figures)}</div>'


def _strip(block: Strip, step: Step, engine: Engine) -> str:
    """One small molecule a layer: every atom that is active in it, with the letters of its channels."""
    trace, molecule = engine.trace(block.situation), engine.molecule(block.situation.molecule)
    figures = []
    for layer in trace.layers:
        values = layer.activations.numpy()
        active = values > ACTIVE
        letters = [name.split(".")[0] if len(name) < 6 else "" for name in layer.channels]
        notes = ["".join(np.array(letters)[row]) or None for row in active]
        svg = depict(
            molecule,
            width=SMALL_WIDTH,
            height=SMALL_HEIGHT,
            scores=np.where(active.any(axis=1), 1.0, 0.0),
            limit=2.0,
            notes=notes,
        ).svg
        told = f"{int(active.any(axis=0).sum())} of {len(layer.channels)} channels active"
        figures.append(_figure(f"Layer {layer.layer}", svg, told))
    readouts = ", ".join(f"{name} = {float(value):.4g}" for name, value in trace.readouts.items())
    return f'<div class="cards">{"".join(figures)}</div><p class="note">Readout: {escape(readouts)}</p>'


def _train(block: Train, step: Step, engine: Engine) -> str:
    return '<p class="note">A network is trained here on the page; what it learns is not part of the handout.</p>'


_WAYS: dict[type, Callable[..., str]] = {
    Cards: _cards,
    Table: lambda block, step, engine: table_html(block),
    Charts: _charts,
    Strip: _strip,
    Calculation: lambda block, step, engine: table_html(block.table),
    Words: lambda block, step, engine: f"<p>{escape(block.text)}</p>",
    Train: _train,
}
