"""The path: F, its slope, every atom's gradient, and what they add up to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from pages.parts.interpolation import path_engine
from pages.shared.chart_frame import label, labels, molecule_card, show, style_of
from pages.shared.state import ATOM_CHARTS, F_CHARTS, State, bind, write
from pages.shared.text import compact, plain
from wombat_core.drawing.charts import atom_heatmap, atom_lines, curve
from wombat_core.drawing.colours import common_limit
from wombat_core.errors import InputError

from .words import (
    absence_sentence,
    auroc_sentence,
    fixed,
    gain_sentence,
    gap_sentence,
    moved_sentences,
    nothing_happens,
    readout_sentence,
    signed,
    still_sentence,
)

if TYPE_CHECKING:
    from pages.shared.engine import Case
    from wombat_core.drawing.chart_style import ChartStyle
    from wombat_core.paths.path import Path

HEIGHT = 288
TITLE_HEIGHT = 34
MAX_ROWS = 60


def path_part(case: Case, state: State, path: Path, zoom: tuple[float, float], alpha: float) -> None:
    """Four charts with one cursor, and the molecule beside them."""
    with st.container(key="path-layout"):
        charts, side = st.columns([2.05, 1], gap="medium")
    with charts:
        if nothing_happens(path):
            st.info(plain(still_sentence(case, path)))
        if len(path.outputs) == 1 or any(np.ptp(values) for values in path.outputs.values()) or path.slope.any():
            _charts(case, state, path, zoom, alpha)
    with side:
        _gathered(case, state, path, alpha)
        if not nothing_happens(path):
            _one_atom(case, state)
            _completeness(case, state)


def _charts(case: Case, state: State, path: Path, zoom: tuple[float, float], alpha: float) -> None:
    style = style_of(state, HEIGHT)
    own = path.model.readout
    others = [name for name in path.outputs if name != own]
    left, right = st.columns(2, gap="small")
    options = {"style": style, "zoom": zoom, "cursor": alpha}
    with left:
        _title(f"F(αx), readout {own}")
        figure = curve(path.alphas, path.outputs[own], y_title=f"F, {own}", kinks=path.kinks, **options)
        show(figure, state, style, "path-f", f"F along the path, readout {own}")
    with right:
        with st.container(height=TITLE_HEIGHT, border=False, vertical_alignment="center"):
            beside = _choice(
                state,
                "f_chart",
                F_CHARTS if others else F_CHARTS[1:],
                {"other": f"F(αx), {', '.join(others)}", "slope": "Slope dF/dα"},
            )
        if beside == "other":
            figure = curve(path.alphas, path.outputs[others[0]], y_title=f"F, {others[0]}", **options)
            show(figure, state, style, "path-other", f"F along the path, readout {others[0]}")
        else:
            figure = curve(path.alphas, path.slope, y_title=f"dF/dα, {own}", kinks=path.kinks, **options)
            show(figure, state, style, "path-slope", f"Slope of F along the path, readout {own}")
    left, right = st.columns(2, gap="small")
    with left:
        _heatmap(case, state, path, zoom, alpha, style)
    with right:
        _lines(case, state, path, zoom, alpha, style)


def _heatmap(case: Case, state: State, path: Path, zoom: tuple[float, float], alpha: float, style: ChartStyle) -> None:
    few = case.molecule.num_atoms <= MAX_ROWS
    _title("Gradient × input of every atom" if few else f"Gradient × input, the strongest {MAX_ROWS} atoms")
    if not path.atom_gradients.any():
        st.info("Every atom's gradient is 0 at every α.")
        return
    order = np.argsort(-np.abs(path.gathered_atoms[-1]), kind="stable")
    kept = order[:MAX_ROWS]
    if state.atom is not None and state.atom not in kept:
        kept = np.append(kept[:-1], state.atom)
    figure = atom_heatmap(
        path.alphas,
        path.atom_gradients,
        labels(case),
        order=kept,
        style=style,
        zoom=zoom,
        cursor=alpha,
        selected=state.atom,
    )
    show(figure, state, style, "path-heat", "Gradient times input, atoms by alpha", selects=True)


def _lines(case: Case, state: State, path: Path, zoom: tuple[float, float], alpha: float, style: ChartStyle) -> None:
    titles = {"cumulative": "Gathered up to α", "gradients": "Gradient × input"}
    with st.container(horizontal=True, gap="small", vertical_alignment="center", height=TITLE_HEIGHT, border=False):
        beside = _choice(state, "atom_chart", ATOM_CHARTS, titles)
        if not state.present:
            st.checkbox("log", **bind(state, "log"))
    values = path.gathered_atoms if beside == "cumulative" else path.atom_gradients
    if not values.any():
        st.info("No atom gathers anything along this path.")
        return
    figure = atom_lines(
        path.alphas,
        values,
        labels(case),
        y_title="attribution so far" if beside == "cumulative" else "gradient × input",
        style=style,
        zoom=zoom,
        cursor=alpha,
        selected=state.atom,
        apart=~case.truth if case.truth.any() else None,
        log=state.log,
    )
    show(figure, state, style, f"path-{beside}", f"{titles[beside]}, one line an atom", selects=True)


def _title(text: str) -> None:
    """The title of a chart, as high as a choice of charts."""
    with st.container(height=TITLE_HEIGHT, border=False, vertical_alignment="center"):
        st.markdown(f"**{text}**")


def _choice(state: State, name: str, options: tuple[str, ...], titles: dict[str, str]) -> str:
    """The title of a chart that shows one of several things."""
    chosen = getattr(state, name) if getattr(state, name) in options else options[0]
    if state.present or len(options) == 1:
        st.markdown(f"**{titles[chosen]}**", width="content")
        return chosen
    st.segmented_control(
        "Chart",
        options,
        required=True,
        format_func=titles.get,
        label_visibility="collapsed",
        width="content",
        **bind(state, name),
    )
    return chosen


def _gathered(case: Case, state: State, path: Path, alpha: float) -> None:
    """The molecule, coloured by what its atoms have gathered, on the scale of what they gather in the end."""
    gathered = path_engine.at(path, path.gathered_atoms, alpha)
    gradients = path_engine.at(path, path.atom_gradients, alpha)
    lines = [
        [
            (f"gathered at α = {alpha:g}", compact(gathered[atom])),
            ("gathered in the end", compact(path.gathered_atoms[-1, atom])),
            ("gradient × input", compact(gradients[atom])),
            ("ground truth", "yes" if case.truth[atom] else "no"),
        ]
        for atom in range(case.molecule.num_atoms)
    ]
    shown = gathered if state.signed else np.abs(gathered)
    so_far, whole = common_limit(gathered), common_limit(path.gathered_atoms[-1])
    sentences = [gain_sentence(path), gap_sentence(path), readout_sentence(state, path)]
    if not path.baseline.is_zero:
        sentences.append(f"Baseline: {path.baseline.title.lower()}, a choice that changes all attributions.")
    molecule_card(
        case,
        state,
        f"Gathered up to α = {alpha:g}",
        shown,
        (whole if state.common else so_far) or 1.0,
        lines,
        " ".join(filter(None, sentences)) if not nothing_happens(path) else "",
        "path-molecule",
        caption=[
            {"label": "strongest colour", "value": compact(whole if state.common else so_far)},
            {"label": "in the end", "value": compact(whole)},
        ],
    )
    if not state.present:
        st.checkbox("Colours on the scale of the end", **bind(state, "common"))


def _one_atom(case: Case, state: State) -> None:
    """The selected atom alone, in two or three sentences."""
    with st.container(border=True, key="one-atom-card", gap="small"):
        if why_not := path_engine.unmovable(state.molecule, state.pattern):
            st.markdown(f"**One atom** · {plain(why_not)}")
            return
        if state.atom is None:
            st.markdown("**One atom** · click one to see what it does while all else is held")
            return
        name = label(case, state.atom)
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.markdown(f"**One atom: {name}** :gray[all else held at {state.held:g}]", width="content")
            if not state.present:
                st.button("Open", on_click=write, kwargs={"part": "one-atom"}, key="open-one-atom")
        try:
            watch, _ = path_engine.followed(state.molecule, state.pattern, state.readout, state.atom, state.held)
            moved = path_engine.moved(
                state.molecule, state.pattern, state.readout, state.atom, state.held, 0.0, 1.0, 101, watch[:2]
            )
        except InputError as error:
            st.markdown(plain(str(error)))
            return
        sentences = moved_sentences(case, moved)
        if not case.truth[state.atom]:
            sentences.append(absence_sentence(case, state))
        st.markdown("  \n".join(plain(sentence) for sentence in sentences))


def _completeness(case: Case, state: State) -> None:
    """A few rows of the convergence."""
    with st.container(border=True, key="completeness-card", gap="small"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.markdown("**Completeness** :gray[from all zero]", width="content")
            if not state.present:
                st.button("Open", on_click=write, kwargs={"part": "convergence"}, key="open-convergence")
        rows = path_engine.steps(state.molecule, state.pattern, state.readout, False, short=True)
        lines = ["| steps | sum | gap | AUROC |", "|---:|---:|---:|---:|"]
        for row in rows:
            auroc = "–" if row.auroc is None else f"{row.auroc:.3f}"
            steps, gap = f"{row.steps:,}" if row.steps else "exact", signed(row.gap, row.total - row.gap)
            cells = [steps, fixed(row.total, 3), gap, auroc]
            lines.append("| " + " | ".join(f"**{cell}**" if row.steps is None else cell for cell in cells) + " |")
        st.markdown("\n".join(lines))
        if why := auroc_sentence(case):
            st.caption(why)
