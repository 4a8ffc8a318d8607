"""Every layer's activations at one alpha."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.parts.interpolation import path_engine
from pages.shared.chart_frame import labels, molecule_card
from pages.shared.layer_activations import forward_pass
from pages.shared.layer_table import layer_table
from pages.shared.state import State, write
from pages.shared.text import compact

if TYPE_CHECKING:
    from pages.shared.engine import Case
    from wombat_core.paths.path import Path

HEIGHT = 500


def activations_part(case: Case, state: State, path: Path, alpha: float) -> None:
    """The molecule coloured by one channel, beside the table of all channels of its layer."""
    found = path_engine.layers_at(state.molecule, state.pattern, path.model.readout, state.baseline, alpha)
    # Layer 0 is the readout on the Layers page, which reads the last layer.
    depth = min(state.layer or len(found), len(found))
    layer = found[depth - 1]
    values = layer.activations.numpy()
    whole = forward_pass(state.molecule, state.pattern, state.readout)
    name = f"{state.channel}.{depth}"
    column = layer.channels.index(name) if name in layer.channels else int(abs(values).max(axis=0).argmax())
    limit = max(whole.limit(depth), float(abs(values).max(initial=0)))
    if len(found) > 1 and not state.present:
        st.segmented_control(
            "Layer",
            list(range(1, len(found) + 1)),
            default=depth,
            required=True,
            format_func=lambda number: f"Layer {number}",
            label_visibility="collapsed",
            key=f"activations-layer-{depth}",
            on_change=lambda: write(layer=st.session_state[f"activations-layer-{depth}"]),
        )
    with st.container(key="path-layout"):
        left, right = st.columns([1, 1.5], gap="medium")
    with left:
        molecule_card(
            case,
            state,
            f"{layer.channels[column]} at α = {alpha:g}",
            values[:, column],
            limit,
            [
                [(name, compact(value)) for name, value in zip(layer.channels, row, strict=True)]
                for row in values.tolist()
            ],
            "Every atom's activation; choose another channel in the table.",
            "activations-molecule",
            height=HEIGHT - 70,
            width=400,
        )
    with right:
        sentences = whole.sentences[depth - 1]
        layer_table(
            f"Atoms × channels at α = {alpha:g}",
            [(name, sentence.replace("`", "")) for name, sentence in zip(layer.channels, sentences, strict=True)],
            labels(case),
            values,
            limit,
            (state.atom, column),
            key="activations-table",
            on_change=lambda atom, channel: write(
                atom=atom, layer=depth, channel=layer.channels[min(channel, len(layer.channels) - 1)][0].upper()
            ),
            signed=bool((values < 0).any()),
            height=HEIGHT,
            big=state.present,
        )
