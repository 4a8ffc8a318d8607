"""Atoms by channels with values, as a table in which a cell, a row or a column is selected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pages.shared.component import chosen_place, component, event_of
from pages.shared.text import compact
from wombat_core.drawing.colours import hex_of

_TINT = 0.2
"""Part of the colour scale that values above 0 have at least."""

_component = component("layer_table")


def tinted(values, limit: float) -> np.ndarray:
    """Values for colouring in which every one but 0 is far enough from it to be seen."""
    values = np.asarray(values, dtype=float)
    return np.sign(values) * np.where(values == 0, 0, np.maximum(np.abs(values), _TINT * limit))


def cell_text(value: float) -> str:
    """An activation in three significant digits, very large ones as a power of ten."""
    return compact(float(f"{value:.3g}"))


def layer_table(
    title: str,
    columns: Sequence[tuple[str, str]],
    rows: Sequence[str],
    values: np.ndarray,
    limit: float,
    selected: tuple[int, int],
    key: str,
    on_change: Callable[[int, int], None],
    signed: bool = False,
    marked: Sequence[tuple[int, int, str]] = (),
    height: int = 400,
    big: bool = False,
) -> None:
    """Show the table; zeros are left blank.

    Args:
        title: above it.
        columns: name and sentence of every column.
        rows: label of every atom.
        values: [num_atoms, num_columns].
        limit: the value with the strongest colour.
        selected: row and column.
        key: widget key.
        on_change: called with row and column before the rerun that a choice starts.
        signed: colours by sign.
        marked: row, column and reason of cells with a dashed frame.
        height: in CSS pixels; a longer table scrolls inside.
        big: for a projector.
    """

    def changed() -> None:
        if place := chosen_place(key, len(rows), len(columns)):
            on_change(*place)

    places = np.argwhere(values != 0).tolist()
    shades = hex_of(tinted([values[row, column] for row, column in places], limit), limit, signed) if places else []
    cells: list[list[Any]] = [
        [row, column, cell_text(float(values[row, column])), shade]
        for (row, column), shade in zip(places, shades, strict=True)
    ]
    _component(
        key=key,
        data={
            "title": title,
            "columns": [[name, sentence] for name, sentence in columns],
            "rows": list(rows),
            "cells": cells,
            "marked": [list(place) for place in marked],
            "selected": list(selected),
            "event": event_of(key, "chosen"),
            "height": height,
            "big": big,
        },
        on_chosen_change=changed,
    )
