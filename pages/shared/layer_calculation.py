"""One activation taken apart: every message with its three factors, the sum, the bias, the ReLU."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.shared.state import write
from pages.shared.text import compact
from wombat_core.drawing.motif import motif_svg
from wombat_core.molecules.features import encoding_named
from wombat_core.whitebox.equations import EQUATIONS
from wombat_core.whitebox.pieces import pieces

from .layer_decision import aligned, near_miss_links

if TYPE_CHECKING:
    from wombat_core.whitebox.calculation import Calculation, Message
    from wombat_core.whitebox.flow import Activation
    from wombat_core.whitebox.pieces import Piece

    from .layer_activations import Pass
    from .layer_focus import Focus

_MOST_MESSAGES = 12
_MOST_LINKS = 6


def calculation_panel(passed: Pass, focus: Focus) -> None:
    """Eq. 1 and 2 with the numbers of one atom and one channel, and the ways on and back."""
    from wombat_core.whitebox.calculation import calculate

    if passed.decision is None:
        _numbers(passed, focus)
        return
    found = calculate(passed.model, passed.data, passed.trace, focus.layer, focus.channel, focus.atom)
    st.markdown(f"**{found.name} at {found.label} = {compact(found.value)}** :gray[Eq. 1 and 2]")
    piece = pieces(passed.model.pattern)[focus.layer - 1][focus.channel]
    st.caption(found.reading.sentence)
    if piece.smarts is not None and focus.layer > 1:
        st.caption(f"Stands for: {piece.words}")
    if found.note:
        st.caption(found.note)
    st.latex(equations(found))
    if len(found.messages) > _MOST_MESSAGES:
        st.caption(f"{len(found.messages) - _MOST_MESSAGES} more messages are not written out; the sum has them.")
    _links(passed, focus, found)
    with st.container(horizontal=True, gap="small", key="layer-more"):
        with st.popover("Weights"):
            _weights(passed, focus)
        with st.popover("All channels"):
            _channels(passed, focus.layer)
        with st.popover("Piece"):
            _piece(passed.names(focus.layer)[focus.channel], piece)


def equations(found: Calculation) -> str:
    """Eq. 1 of every message and Eq. 2, aligned; why a message is zero stands beside it."""
    lines = [line for message in found.messages[:_MOST_MESSAGES] for line in _message(message)]
    head, symbols, value = found.latex[-1].split("=", 2)
    lines.append(rf"{head}&={symbols}=\mathbf{{{value}}}")
    return aligned(lines)


def _message(message: Message) -> list[str]:
    head, symbols, numbers = message.latex.split("=", 2)
    why = rf"\quad\small\color{{gray}}\text{{{message.reason}}}" if message.reason else ""
    return [f"{head}&={symbols}", f"&={numbers}{why}"]


def _links(passed: Pass, focus: Focus, found: Calculation) -> None:
    from wombat_core.whitebox.flow import sources, targets

    where = (passed.model, passed.data, passed.trace, focus.layer, focus.atom, focus.channel)
    on, back = targets(*where), sources(*where)
    if found.value and focus.layer == passed.depth:
        p = float(passed.trace.products[focus.atom])
        st.caption(f"Carried on to p of {found.label} = {compact(p)}" + (", the product of its channels" if p else ""))
        with st.container(horizontal=True, gap="small", key="layer-on"):
            st.button("Readout", key="on-readout", on_click=write, kwargs={"layer": 0, "atom": focus.atom})
    elif on:
        st.caption("Carried on to")
        _activations(passed, on, "on")
    elif found.value:
        st.caption("Carried on to nothing: no message of the next layer reads it and is above 0.")
    if back:
        st.caption("Follow it backwards")
        _activations(passed, back, "back")
    if not found.value and passed.decision.near_miss:
        near_miss_links(passed)


def _activations(passed: Pass, places: list[Activation], key: str) -> None:
    with st.container(horizontal=True, gap="small", key=f"layer-{key}"):
        for layer, atom, channel in places[:_MOST_LINKS]:
            st.button(
                f"{passed.names(layer)[channel]} at {passed.labels[atom]}",
                key=f"{key}-{layer}-{atom}-{channel}",
                on_click=write,
                kwargs={"layer": layer, "channel": passed.letters[layer - 1][channel], "atom": atom},
            )
        if len(places) > _MOST_LINKS:
            st.caption(f"and {len(places) - _MOST_LINKS} more", width="content")


def _weights(passed: Pass, focus: Focus) -> None:
    convolution = passed.model.convolutions[focus.layer - 1]
    notation = passed.model.pattern.layers[focus.layer - 1][focus.channel]
    encoding = encoding_named(passed.model.pattern.encoding)
    inputs = encoding.atom_names if focus.layer == 1 else passed.names(focus.layer - 1)
    rows = []
    for part, weights, names, term in (
        ("self", convolution.own, inputs, notation.self_term),
        ("neighbour", convolution.neighbour, inputs, notation.neighbour_term),
        ("bond", convolution.bond, encoding.bond_names, notation.bond_term),
    ):
        own = weights[focus.channel].tolist()
        for name, weight in zip(names, own, strict=True):
            if weight:
                rows.append({"part": part, "written": term.text, "reads": name, "weight": weight})
    rows.append({"part": "bias", "written": "", "reads": "", "weight": float(notation.bias)})
    st.latex(EQUATIONS[1])
    st.latex(EQUATIONS[2])
    st.dataframe(rows, hide_index=True, height=min(320, 37 + 35 * len(rows)), key="layer-weights")
    st.caption("Weights that are not listed are 0.")


def _channels(passed: Pass, layer: int) -> None:
    lines = []
    own = pieces(passed.model.pattern)[layer - 1]
    for name, sentence, piece in zip(passed.names(layer), passed.sentences[layer - 1], own, strict=True):
        words = f" :gray[({piece.words})]" if layer > 1 else ""
        lines.append(f"- **{name}**: {sentence}{words}")
    st.markdown("\n".join(lines))


def _piece(name: str, piece: Piece) -> None:
    """The piece of the motif that a channel stands for: drawn, as a SMARTS and in words."""
    st.markdown(f"**{name}** {piece.words}")
    if piece.smarts is None:
        st.caption(piece.reason)
        return
    # A condition inside $() is no atom that could be drawn.
    if "$(" not in piece.smarts and piece.smarts != "*":
        st.image(motif_svg(piece.smarts, 320, 110), width=320, alt=f"The piece {piece.smarts}")
    st.code(piece.smarts, language=None, wrap_lines=True)
    st.caption(piece.reason or "Its own atom comes first. It is above 0 exactly there, on molecules without rings.")


def _numbers(passed: Pass, focus: Focus) -> None:
    """One entry of a network without channels to follow."""
    from wombat_core.whitebox.kind import kind_of

    place = (focus.layer, focus.channel, focus.atom)
    found = kind_of(passed.model).take_apart(passed.model, passed.data, passed.trace, *place)
    name, label = passed.names(focus.layer)[focus.channel], passed.labels[focus.atom]
    st.markdown(f"**{name} at {label} = {compact(found.value)}**")
    st.latex(found.equation)
    st.caption(f"{found.meaning} In this column, with the numbers of {label}:")
    st.latex(aligned(found.latex))
