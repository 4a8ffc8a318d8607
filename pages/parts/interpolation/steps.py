"""Completeness and AUROC against the number of steps and the quadrature rule."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from pages.parts.interpolation import path_engine
from pages.shared.chart_frame import show, style_of
from pages.shared.state import State, bind
from wombat_core.drawing.line_charts import named_lines

from .export import files, head
from .words import auroc_sentence, fixed, is_rounding, signed

if TYPE_CHECKING:
    from pages.shared.engine import Case
    from wombat_core.paths.convergence import ConvergenceRow

HEIGHT = 285
RULES = {
    "gausslegendre": "Gauss-Legendre",
    "riemann_left": "Riemann, left",
    "riemann_right": "Riemann, right",
    "riemann_middle": "Riemann, middle",
    "riemann_trapezoid": "trapezoid",
    "exact": "exact",
}


def convergence_part(case: Case, state: State) -> None:
    """Two charts against steps, and the table."""
    with st.spinner("Integrating"):
        rows = path_engine.steps(state.molecule, state.pattern, state.readout, state.rules)
    with st.container(horizontal=True, gap="medium", vertical_alignment="center", key="path-controls"):
        st.caption("Integrated gradients from the all-zero baseline, atoms and bonds.", width="content")
        if not state.present:
            st.checkbox("All quadrature rules", **bind(state, "rules"))
            files("convergence", state, lambda: frame(rows), lambda: record(state, rows))
    with st.container(key="path-layout"):
        charts, side = st.columns([1.35, 1], gap="medium")
    with charts:
        _charts(case, state, rows)
    with side:
        _table(rows)
        st.markdown(sentence(rows))
        if why := auroc_sentence(case):
            st.caption(why)


def sentence(rows: list[ConvergenceRow]) -> str:
    """What more steps change, and what they do not."""
    exact, captum = rows[-1], [row for row in rows if row.method == "gausslegendre"]
    if abs(exact.total) < 1e-9 and all(abs(row.gap) < 1e-9 for row in rows):
        return (
            "F does not change between the baseline and the molecule, so the attributions are complete with any steps."
        )
    fifty = next(row for row in captum if row.steps == 50)
    told = (
        f"With 50 steps the attributions sum to **{fixed(fifty.total, 3)}**; "
        f"the exact integral gives **{fixed(exact.total, 3)}**."
    )
    if exact.auroc is None:
        return told
    if all(row.auroc is not None and abs(row.auroc - exact.auroc) < 5e-4 for row in captum if row.steps >= 50):
        if exact.auroc < 1:
            told += f" AUROC is {exact.auroc:.3f} from 50 steps on"
            return f"{told}: the ranking error is the method's, not the quadrature's."
        return f"{told} AUROC is 1 from 50 steps on: completeness is no measure of the ranking."
    return f"{told} AUROC goes from {fifty.auroc:.3f} to {exact.auroc:.3f}."


def _charts(case: Case, state: State, rows: list[ConvergenceRow]) -> None:
    style = style_of(state, HEIGHT)
    counts = np.array(sorted({row.steps for row in rows if row.steps}))
    by_rule: dict[str, list[ConvergenceRow]] = {}
    for row in rows[:-1]:
        by_rule.setdefault(RULES[row.method], []).append(row)
    options = {"x_title": "steps", "style": style, "markers": True, "log_x": True}
    st.markdown("**Completeness gap** |sum − (F(x) − F(0))|")
    gaps = {
        name: np.array([0.0 if is_rounding(row.gap, row.total - row.gap) else abs(row.gap) for row in own])
        for name, own in by_rule.items()
    }
    if any(values.any() for values in gaps.values()):
        figure = named_lines(counts, gaps, y_title="gap", log_y=True, **options)
        show(figure, state, style, "steps-gap", "Completeness gap against steps")
    else:
        st.info("The gap is 0 with every number of steps.")
    st.markdown("**AUROC** against the ground truth")
    if rows[-1].auroc is None:
        st.info(auroc_sentence(case) or "AUROC is undefined here.")
        return
    figure = named_lines(
        counts, {name: [row.auroc for row in own] for name, own in by_rule.items()}, y_title="AUROC", **options
    )
    figure.add_hline(rows[-1].auroc, line={"color": style.ink, "width": 1.5, "dash": "dot"})
    figure.add_annotation(
        x=np.log10(counts[0]),
        y=rows[-1].auroc,
        text="exact",
        showarrow=False,
        xanchor="left",
        yanchor="bottom",
        font={"size": style.font, "color": style.ink},
    )
    figure.update_yaxes(range=_around([row.auroc for row in rows]))
    show(figure, state, style, "steps-auroc", "AUROC against steps")


def _around(values: list[float | None]) -> tuple[float, float]:
    """An axis for AUROCs that shows small differences but does not blow up none."""
    known = [value for value in values if value is not None]
    return max(-0.02, min(known) - 0.1), min(1.03, max(known) + 0.1)


def _table(rows: list[ConvergenceRow]) -> None:
    shown = [row for row in rows if row.method in ("gausslegendre", "exact")]
    others = [row for row in rows if row not in shown and row.steps in (50, 500, 5000)]
    lines = ["| rule | steps | sum | gap | AUROC |", "|:---|---:|---:|---:|---:|"]
    for row in [*shown[:-1], *others, shown[-1]]:
        auroc = "–" if row.auroc is None else f"{row.auroc:.3f}"
        steps, gap = f"{row.steps:,}" if row.steps else "∞", signed(row.gap, row.total - row.gap)
        cells = [RULES[row.method], steps, fixed(row.total, 4), gap, auroc]
        lines.append("| " + " | ".join(f"**{cell}**" if row.steps is None else cell for cell in cells) + " |")
    with st.container(key="steps-table"):
        st.markdown("\n".join(lines))


def frame(rows: list[ConvergenceRow]):
    """One row a rule and number of steps."""
    import pandas as pd

    return pd.DataFrame([asdict(row) for row in rows])


def record(state: State, rows: list[ConvergenceRow]) -> dict:
    """The same as JSON."""
    return {**head(state), "rows": [asdict(row) for row in rows]}
