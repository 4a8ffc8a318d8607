"""Scores as a table in which a cell is selected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import NamedTuple

from .component import chosen_place, component, event_of

_component = component("score_table")


class ScoreCell(NamedTuple):
    """A cell: its number, smaller lines below it, its colour (``#rrggbb`` or None), and all of it in words."""

    value: str
    below: Sequence[str]
    colour: str | None
    hint: str


class Column(NamedTuple):
    """A column: the head it shares with its neighbours ("" for none), its own title, a sentence."""

    group: str
    title: str
    hint: str = ""


def score_table(
    label: str,
    corner: str,
    columns: Sequence[Column],
    rows: Sequence[tuple[str, str]],
    cells: Sequence[Sequence[ScoreCell | None]],
    key: str,
    on_change: Callable[[int, int], None],
    selected: tuple[int, int] | None = None,
    height: int = 420,
    big: bool = False,
) -> None:
    """Show the table.

    Args:
        label: what it is, for screen readers.
        corner: what its rows are.
        columns: its columns, those that share a group beside each other.
        rows: title and sentence of every row.
        cells: row by row; None leaves a cell empty.
        key: widget key.
        on_change: called with row and column before the rerun that a choice starts.
        selected: row and column, or None.
        height: in CSS pixels; a longer table scrolls inside.
        big: for a projector.
    """

    def changed() -> None:
        if place := chosen_place(key, len(rows), len(columns)):
            on_change(*place)

    _component(
        key=key,
        data={
            "label": label,
            "corner": corner,
            "groups": [[group, len(list(own))] for group, own in groupby(columns, key=lambda each: each.group)],
            "columns": [[each.title, each.hint] for each in columns],
            "rows": [list(row) for row in rows],
            "cells": [[None if cell is None else list(cell) for cell in row] for row in cells],
            "selected": None if selected is None else list(selected),
            "event": event_of(key, "chosen"),
            "height": height,
            "big": big,
        },
        on_chosen_change=changed,
    )
