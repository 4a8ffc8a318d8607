"""The paper's tables, as printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.addresses.benchmark import BENCHMARK, BenchmarkState
from pages.shared.score_table import Column, ScoreCell, score_table
from pages.shared.text import plain, title_of
from wombat_core.drawing.score_charts import score_colour
from wombat_core.published import metrics, table, tables

if TYPE_CHECKING:
    from pages.shared.state import State
    from wombat_core.published import Published, PublishedTable

_SCORES = ("auroc", "average_precision", "perfect_rate", "iqr_pass_rate", "ap_baseline", "all_perfect", "auroc_bound")


def paper(state: State, page: BenchmarkState) -> None:
    """The view: one table at a time."""
    titles = {each.number: f"{each.title}: {each.caption}" for each in tables()}
    st.selectbox("Table", list(titles), format_func=titles.get, **BENCHMARK.bind(page, "table"))
    shown = table(page.table)
    about_whiteboxes = {cell.pattern for cell in shown.numbers} != {None}
    score_table(
        shown.title,
        {"pattern": "Pattern", "explainer": "Explainer", "metric": ""}[shown.rows_are],
        [Column(*_heads(shown, place)) for place in range(len(shown.columns))],
        [(_row(shown, name), "") for name in shown.rows],
        [[_cell(cell, about_whiteboxes) for cell in row] for row in shown.cells],
        key=f"paper-{shown.number}",
        on_change=lambda row, column: None,
        height=470,
        big=state.present,
    )
    sets = {cell.set.name: cell.set for cell in shown.numbers if cell.set is not None}
    explained: dict[str, dict[str, None]] = {}
    for cell in shown.numbers:
        if cell.set is not None and cell.explainer:
            explained.setdefault(cell.set.name, {})[title_of(cell.explainer)] = None
    lines = [shown.note] if shown.note else []
    for each in sets.values():
        whose = f"{', '.join(explained.get(each.name, {}))}: " if len(sets) > 1 and each.name in explained else ""
        title = each.title if whose else f"{each.title[0].upper()}{each.title[1:]}"
        lines.append(f"{whose}{title}. {each.note}".strip())
    if shown.rows_are == "pattern" and shown.number != "S8b":
        lines.append(
            "Only the first rows of this table are printed in the source at hand; the others are missing here."
        )
    lines.append("From D. Matuszek, B. Zieliński, T. Danel, D. Rymarczyk, WOMBAT, arXiv 2610.00713 (2026).")
    st.caption(plain(" ".join(lines)))


def _heads(shown: PublishedTable, place: int) -> tuple[str, str, str]:
    """Group, title and sentence of a column."""
    first = shown.cells[0][place]
    if shown.rows_are != "explainer" and first.explainer and len({cell.explainer for cell in shown.cells[0]}) > 1:
        several = len({cell.readout for cell in shown.cells[0]}) > 1
        metrics = {cell.metric.name for cell in shown.cells[0] if cell.explainer}
        title = (first.readout or "") if several else first.metric.title if len(metrics) > 1 else ""
        return title_of(first.explainer), title, first.metric.title
    return "", shown.columns[place], first.metric.title


def _row(shown: PublishedTable, name: str) -> str:
    if shown.rows_are == "explainer":
        return title_of(name)
    return metrics()[name].title if shown.rows_are == "metric" else name


def _cell(cell: Published, coloured: bool) -> ScoreCell:
    counted = "molecules" in cell.metric.unit or cell.metric.unit == "number"
    if cell.metric.name in ("all_perfect",) or "yes" in cell.metric.unit:
        value = "yes" if cell.value else "no"
    elif counted:
        value = f"{cell.value:,.0f}"
    elif cell.metric.name == "smarts_disagreement_rate":
        value = f"{100 * cell.value:.2f} %"
    else:
        value = f"{cell.value:.3f}"
    below = f"± {cell.stderr:.3f}" if cell.stderr is not None else ""
    number = f", {cell.num_molecules:,} molecules" if cell.num_molecules else ""
    where = f" over {cell.set.title}{number}" if cell.set is not None else ""
    about = ", ".join(
        part
        for part in (cell.pattern and f"Pattern {cell.pattern}", cell.explainer and title_of(cell.explainer))
        if part
    )
    colour = score_colour(cell.value) if coloured and cell.metric.name in _SCORES else None
    return ScoreCell(
        value, [below] if below else [], colour, f"{about}: {cell.metric.title} {value} {below}{where}".strip()
    )
