"""One atom's features scaled while everything else is held (Figures 6b, 6c, S2b)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from pages.parts.interpolation import path_engine
from pages.shared.chart_frame import label, molecule_card, show, style_of
from pages.shared.state import State, write
from pages.shared.state_codecs import ACTIVATION, AUTOMATIC, MAX_WATCHED, zoom_range
from pages.shared.text import plain
from wombat_core.drawing.charts import within
from wombat_core.drawing.line_charts import named_lines
from wombat_core.errors import InputError

from .export import files, head
from .words import moved_sentences, presence_sentence

if TYPE_CHECKING:
    from pages.shared.engine import Case
    from wombat_core.paths.one_atom import OneAtom

HEIGHT = 280
BESIDE_EACH_OTHER = 3


def atom_part(case: Case, state: State) -> None:
    """F under both readouts, the activations, and the molecule to choose the atom in."""
    why_not = path_engine.unmovable(state.molecule, state.pattern)
    refused = path_engine.refused(state.molecule, state.pattern, state.watch)
    for sentence in dict.fromkeys(refused.values()):
        st.warning(plain(f"The address follows an activation that is left out: {sentence}"))
    with st.container(key="path-layout"):
        charts, side = st.columns([2.05, 1], gap="medium")
    with side:
        molecule_card(
            case,
            state,
            "Which atom moves" if state.atom is None or why_not else f"{label(case, state.atom)} moves",
            None,
            None,
            [[("ground truth", "yes" if marked else "no")] for marked in case.truth],
            "" if why_not or state.atom is None else f"Every other atom and all bonds are held at {state.held:g}.",
            "one-atom-molecule",
            height=250,
        )
    if why_not:
        charts.info(plain(why_not))
        return
    if state.atom is None:
        charts.info("Click an atom in the molecule: its features are then scaled from 0 to 1.")
        return
    try:
        first, options = path_engine.followed(state.molecule, state.pattern, state.readout, state.atom, state.held)
        with side:
            usable = tuple(name for name in state.watch if name not in refused)
            watch = _watch(state, usable or first, options)
        zoom = (0.0, 1.0) if state.zoom == AUTOMATIC else zoom_range(state.zoom)
        moved = path_engine.moved(
            state.molecule, state.pattern, state.readout, state.atom, state.held, *zoom, state.points, watch
        )
    except InputError as error:
        charts.info(plain(str(error)))
        return
    with side:
        sentences = [presence_sentence(case, moved, state.readout), *moved_sentences(case, moved)]
        st.markdown("  \n".join(plain(sentence) for sentence in sentences))
        if not state.present:
            files(f"atom-{state.atom}", state, lambda: _frame(moved), lambda: _record(state, moved))
    with charts:
        _charts(case, state, moved, zoom)


def _charts(case: Case, state: State, moved: OneAtom, zoom: tuple[float, float]) -> None:
    style = style_of(state, HEIGHT)
    shown = within(moved.scales, zoom)
    scale = f"scale of {label(case, moved.atom)}"
    options = {"x_title": scale, "zoom": zoom, "style": style, "cursor": moved.alpha}
    for column, readout in zip(st.columns(2, gap="small"), (state.readout, _other(state.readout)), strict=True):
        with column:
            st.markdown(f"**F, readout {readout}**")
            figure = named_lines(
                moved.scales[shown], {readout: moved.outputs[readout][shown]}, y_title=f"F, {readout}", **options
            )
            show(figure, state, style, f"atom-{readout}", f"F under {readout} while one atom is scaled")
    st.markdown("**Activations on the way**")
    if not moved.watched:
        st.info("No activation is followed; choose some beside the charts.")
        return
    lines = {f"{channel} of {label(case, atom)}": values[shown] for (channel, atom), values in moved.watched.items()}
    if len(lines) > BESIDE_EACH_OTHER:
        figure = named_lines(moved.scales[shown], lines, y_title="activation", **options)
        show(figure, state, style, "atom-watched", "Activations while one atom is scaled")
    else:
        # Each on an axis of its own: what matters is how it grows, not how large it is.
        for column, (name, values) in zip(st.columns(len(lines), gap="small"), lines.items(), strict=True):
            with column:
                figure = named_lines(moved.scales[shown], {name: values}, y_title=name, **options)
                show(figure, state, style, f"atom-{name.replace(' ', '-')}", f"{name} while one atom is scaled")
    st.caption(
        f"The dotted line is where nothing is disturbed: {label(case, moved.atom)} at {moved.alpha:g} like all else."
    )


def _other(readout: str) -> str:
    return {"r1": "r2", "r2": "r1"}[readout]


def _watch(state: State, watch: tuple[str, ...], options: tuple[str, ...]) -> tuple[str, ...]:
    """The activations to follow, chosen or typed in."""
    if state.present:
        return watch
    # The address's own names, so that the widget forgets what was typed and is left out.
    key = "watch-" + "-".join([*watch, "of", *state.watch])

    def take() -> None:
        typed = [name.strip().upper().replace(" ", "") for name in st.session_state[key]]
        good = [name for name in typed if re.fullmatch(ACTIVATION, name)]
        if len(good) < len(typed):
            st.session_state["watch-refused"] = True
        write(watch=tuple(dict.fromkeys(good))[:MAX_WATCHED])

    st.multiselect(
        "Activations",
        list(dict.fromkeys([*watch, *options]))[:400],
        default=list(watch),
        accept_new_options=True,
        max_selections=MAX_WATCHED,
        key=key,
        on_change=take,
        help="Channel, layer and atom. Those that depend on the atom are listed; any other can be typed, as A.6:13.",
    )
    if st.session_state.pop("watch-refused", False):
        st.warning("An activation is written as channel, layer and atom, such as A.6:13.")
    return watch


def _frame(moved: OneAtom):
    import pandas as pd

    columns = {"scale": moved.scales, **{f"F {name}": values for name, values in moved.outputs.items()}}
    return pd.DataFrame(columns | {f"{channel}:{atom}": values for (channel, atom), values in moved.watched.items()})


def _record(state: State, moved: OneAtom) -> dict:
    return {
        **head(state),
        "atom": moved.atom,
        "alpha": moved.alpha,
        "scales": moved.scales.tolist(),
        "outputs": {name: np.asarray(values).tolist() for name, values in moved.outputs.items()},
        "watched": [
            {"channel": channel, "atom": atom, "activations": values.tolist()}
            for (channel, atom), values in moved.watched.items()
        ],
    }
