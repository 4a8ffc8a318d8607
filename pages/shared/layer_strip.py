"""All layers at once: one small picture a layer, then the readout. Clickable, and it plays."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.shared.component import component, event_of
from pages.shared.text import compact

if TYPE_CHECKING:
    from wombat_core.drawing.depiction import Depiction

    from .layer_activations import Pass

ABOVE = 0.5
"""Channels above this value are marked."""

_component = component("layer_strip")


def strip_row(passed: Pass, id: str, title: str = "", hint: str = "") -> dict[str, Any]:
    """One whitebox's layers and readout."""
    miss = passed.decision.near_miss if passed.decision else None
    ended = min(miss.last_layer + 1, passed.depth + 1) if miss else 0
    cells = [_cell(passed, layer) for layer in range(1, passed.depth + 1)]
    if 0 < ended <= passed.depth and miss.steps:
        cells[ended - 1]["missing"] = f"{miss.steps[0].channel} missing"
    readouts = [[name, compact(float(value))] for name, value in passed.trace.readouts.items()]
    return {
        "id": id,
        "title": title,
        "hint": hint,
        "cells": cells,
        "readouts": readouts,
        "used": passed.model.readout,
        "lettered": passed.decision is not None,
        "missing": "no match" if ended == passed.depth + 1 else "",
    }


def layer_strip(
    rows: list[dict[str, Any]],
    picture: Depiction | None,
    selected: tuple[str, int] | None,
    key: str,
    on_change: Callable[[str, int], None],
    big: bool = False,
    play: bool = True,
) -> None:
    """Show the strip.

    Args:
        rows: of :func:`strip_row`.
        picture: the bare molecule; None: marks cannot be drawn, cells only say how many there are.
        selected: row id and layer (0: the readout).
        key: widget key.
        on_change: called with the row id and the layer before the rerun that a choice starts.
        big: for a projector.
        play: whether there are buttons that step through the layers of the only row.
    """

    def changed() -> None:
        chosen = st.session_state[key]["chosen"]
        known = {row["id"]: len(row["cells"]) for row in rows}
        if chosen["row"] in known and 0 <= int(chosen["layer"]) <= known[chosen["row"]]:
            on_change(chosen["row"], int(chosen["layer"]))

    _component(
        key=key,
        data={
            "rows": rows,
            "svg": picture.svg if picture else "",
            "positions": [] if picture is None else [[float(x), float(y)] for x, y in picture.positions],
            "radius": picture.atom_radius if picture else 0.0,
            "selected": list(selected) if selected else None,
            "event": event_of(key, "chosen"),
            "big": big,
            "play": play,
        },
        on_chosen_change=changed,
    )


def _cell(passed: Pass, layer: int) -> dict[str, Any]:
    """One layer: for every marked atom the letters of its channels, and whether one of them decided."""
    above = passed.tables[layer - 1] > ABOVE
    decided, names = passed.decided(layer), passed.names(layer)
    lettered = passed.decision is not None
    marks = []
    for atom in above.any(axis=1).nonzero()[0].tolist():
        channels = above[atom].nonzero()[0].tolist()
        letters = "".join(passed.letters[layer - 1][channel] for channel in channels) if lettered else ""
        marks.append([atom, letters, any((atom, channel) in decided for channel in channels)])
    active = int(above.any(axis=0).sum())
    return {
        "title": f"layer {layer}" if lettered else ("embedding h", "convolution z", "answer a")[layer - 1],
        "hint": f"{active} of {len(names)}" if lettered else "",
        "label": f"{active} of {len(names)} channels active, on {len(marks)} atom{'' if len(marks) == 1 else 's'}",
        "marks": marks,
        "missing": "",
    }
