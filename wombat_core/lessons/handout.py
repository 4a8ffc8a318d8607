"""A lesson as one HTML file: every step revealed, pictures inside, nothing from a network, made for printing."""

from html import escape

from ..errors import InputError
from .blocks import Block
from .engine import Engine, NotYet
from .handout_blocks import block_html
from .lesson import Lesson, Step, Text, View
from .markup import as_text, html_of, line_of
from .placeholders import filled
from .views import blocks_of

STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif; color: #1a1c22;
  background: #fff; max-width: 62rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .4rem; padding-top: .9rem; border-top: 1px solid #dfe2e8; }
h3 { font-size: .95rem; margin: 1rem 0 .2rem; color: #374151; }
h4 { font-size: .9rem; margin: 0 0 .2rem; }
p { margin: .4rem 0; }
code { font-size: .92em; background: #f3f4f7; padding: 0 .2em; border-radius: 3px; overflow-wrap: anywhere; }
.about, .note, figcaption, .legend span { color: #4b5563; font-size: .87rem; }
.cards { display: flex; flex-wrap: wrap; gap: .7rem; margin: .7rem 0; }
figure { margin: 0; padding: .5rem .6rem; border: 1px solid #dfe2e8; border-radius: 6px; max-width: 100%; }
figure svg, .legend svg { max-width: 100%; height: auto; display: block; }
.legend { display: flex; flex-wrap: wrap; align-items: center; gap: 1rem; }
table { border-collapse: collapse; margin: .7rem 0; font-size: .9rem; }
th, td { border-bottom: 1px solid #dfe2e8; padding: .2rem .7rem .2rem 0; text-align: left; vertical-align: top; }
th.number, td.number { text-align: right; padding: .2rem 0 .2rem 1.1rem; font-variant-numeric: tabular-nums; }
.question { border-left: 3px solid #1d4ed8; padding: .1rem 0 .1rem .8rem; margin: .7rem 0; }
.question li.right { font-weight: 600; }
.notes { background: #f6f7fa; border-radius: 6px; padding: .2rem .8rem; margin: .7rem 0; font-size: .9rem; }
@media print {
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  figure, table, .question, .notes { break-inside: avoid; }
  h1, h2, h3, h4 { break-after: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
@page { margin: 16mm 15mm; }
"""


def handout(lesson: Lesson, engine: Engine | None = None, notes: bool = False) -> str:
    """The lesson as HTML.

    Args:
        engine: computes the numbers; a page gives its own.
        notes: the presenter's notes too.

    Numbers and views whose explainer has no answer yet say so; so does a view that cannot be shown.
    """
    engine = engine or Engine()
    steps = "".join(_step(number, step, engine, notes) for number, step in enumerate(lesson.steps, start=1))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(lesson.title)}</title><style>{STYLE}</style></head><body>"
        f"<header><h1>{escape(lesson.title)}</h1><p>{escape(lesson.summary)}</p>"
        f'<p class="about">{lesson.minutes} minutes, {len(lesson.steps)} steps. WOMBAT explorer, lesson '
        f"{escape(lesson.name)}.</p></header>{steps}</body></html>\n"
    )


def _step(number: int, step: Step, engine: Engine, notes: bool) -> str:
    situation = step.situation
    about = f"{situation.molecule} · pattern {situation.pattern}, readout {situation.readout}"
    parts = [
        f'<section id="step-{number}"><h2>{number}. {escape(step.title)}</h2>',
        f'<p class="about"><code>{escape(about)}</code></p>',
        _text(step.text, step, engine),
        _blocks(step.before, step, engine),
        _question(step, engine),
        _blocks(step.view, step, engine),
        _text(step.reveal, step, engine),
    ]
    if notes and step.notes:
        parts.append(f'<div class="notes"><h3>For the presenter</h3>{_text(step.notes, step, engine)}</div>')
    if step.links:
        titles = "".join(f"<li>{escape(link.title)} <i>({escape(link.page)} page)</i></li>" for link in step.links)
        parts.append(f"<h3>On the pages</h3><ul>{titles}</ul>")
    return "".join(parts) + "</section>"


def _text(text: Text | None, step: Step, engine: Engine) -> str:
    return "" if text is None else html_of(_filled(text.text, step, engine))


def _filled(text: str, step: Step, engine: Engine) -> str:
    try:
        return filled(text, step.situation, engine, as_text)
    except InputError as error:
        return f"{text}\n\n{as_text(str(error))}"


def _question(step: Step, engine: Engine) -> str:
    if step.ask == "none":
        return ""
    items = ""
    for number, choice in enumerate(step.choices):
        right = ' class="right"' if number == step.answer else ""
        mark = " ✓" if number == step.answer else ""
        items += f"<li{right}>{line_of(_filled(choice, step, engine))}{mark}</li>"
    how = '<p class="note">Mark the atoms on the picture.</p>' if step.ask == "atoms" else ""
    told = f"<ol>{items}</ol>" if items else how
    return f'<div class="question"><p><b>{line_of(_filled(step.question, step, engine))}</b></p>{told}</div>'


def _blocks(view: View, step: Step, engine: Engine) -> str:
    try:
        return "".join(_block(block, step, engine) for block in blocks_of(view, step, engine))
    except NotYet:
        return '<p class="note">An explainer of this view has not been run yet; the page runs it.</p>'
    except InputError as error:
        return f'<p class="note">{escape(str(error))}</p>'


def _block(block: Block, step: Step, engine: Engine) -> str:
    return block_html(block, step, engine)
