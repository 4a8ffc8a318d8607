"""The row of controls above the charts: alpha, zoom, baseline, points."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts.interpolation import path_engine
from pages.shared.state import State, bind, write
from pages.shared.state_codecs import AUTOMATIC
from wombat_core.errors import InputError

from .export import download

if TYPE_CHECKING:
    from wombat_core.paths.path import Path

ZOOMS = {AUTOMATIC: "auto", "0-1": "0 – 1", "0.9-1": "0.9 – 1"}
POINTS = (101, 201, 401, 1001, 2001)
BASELINES = {"zero": "all zero", "mean-atom": "mean atom", "bonds-kept": "bonds kept"}
BASELINE_HELP = (
    "Where the path starts, which is a choice: another baseline asks another question and gives other attributions. "
    "*Mean atom*: every atom and bond is the average of the library's. *Without N*: the molecule, "
    "the features of its N atoms set to zero."
)


def controls(state: State, zoom: tuple[float, float], path: Path | None) -> float:
    """The row; returns the alpha of the cursor, which lies inside the zoom."""
    alpha = min(max(state.alpha, zoom[0]), zoom[1])
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key="path-controls"):
        if path is not None and state.part != "one-atom":
            alpha = _cursor(state, zoom, alpha)
        if state.part == "one-atom":
            _slider("Everything else held at", "held", state.held, (0.0, 1.0), 0.01)
        if state.present:
            return alpha
        if state.part != "activations":
            _zoom(state)
        if state.part != "one-atom":
            _baseline(state)
        if state.part != "activations":
            options = sorted({*POINTS, state.points})
            st.selectbox("Points", options, width=95, **bind(state, "points"))
            if path is not None and state.part != "one-atom" and (most := path_engine.points_of(state)) < state.points:
                st.caption(f"{most:,} on a molecule of this size", width="content")
        if path is not None and state.part == "path":
            download(state, path)
    return alpha


def _cursor(state: State, zoom: tuple[float, float], alpha: float) -> float:
    width = zoom[1] - zoom[0]
    step = 0.005 if width >= 0.5 else 0.0005 if width >= 0.02 else 0.0001
    return _slider("α of the cursor", "alpha", alpha, zoom, step)


def _slider(title: str, name: str, value: float, ends: tuple[float, float], step: float) -> float:
    key = f"slider-{name}-{ends[0]}-{ends[1]}"
    if st.session_state.get(key) != value:
        st.session_state[key] = value
    return st.slider(
        title,
        *ends,
        step=step,
        format="%.4f" if step < 0.001 else "%.3f",
        width=320,
        key=key,
        on_change=lambda: write(**{name: round(st.session_state[key], 6)}),
    )


def _zoom(state: State) -> None:
    options = list(dict.fromkeys([*ZOOMS, state.zoom]))
    st.segmented_control(
        "Zoom",
        options,
        required=True,
        format_func=lambda zoom: ZOOMS.get(zoom, zoom.replace("-", " – ")),
        width="content",
        **bind(state, "zoom"),
    )


def _baseline(state: State) -> None:
    known = ["zero"]
    with contextlib.suppress(InputError):
        known = path_engine.baselines(state.molecule, state.pattern)
    st.selectbox(
        "Baseline",
        list(dict.fromkeys([*known, state.baseline])),
        format_func=lambda name: BASELINES.get(name, name.replace("-", " ")),
        width=140,
        help=BASELINE_HELP,
        **bind(state, "baseline"),
    )
