"""A molecule on which atoms are marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.shared.component import component, event_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wombat_core.drawing.depiction import Depiction

_component = component("lesson_marks")


def lesson_marks(
    picture: Depiction,
    labels: Sequence[str],
    marked: Sequence[int],
    *,
    key: str,
    on_change: Callable[[list[int]], None],
    big: bool = False,
) -> None:
    """Show the molecule; a click on an atom marks it, a second one takes the mark away.

    Args:
        picture: the bare molecule.
        labels: of the atoms, in their order.
        marked: the marked atoms.
        key: widget key.
        on_change: called with all marked atoms before the rerun that a click starts.
        big: larger type, for a projector.
    """

    def changed() -> None:
        atoms = st.session_state[key]["marked"]["atoms"]
        on_change([int(atom) for atom in dict.fromkeys(atoms) if 0 <= int(atom) < len(labels)])

    _component(
        key=key,
        data={
            "svg": picture.svg,
            "positions": [[float(x), float(y)] for x, y in picture.positions],
            "radius": float(picture.atom_radius),
            "labels": list(labels),
            "marked": list(marked),
            "event": event_of(key, "marked"),
            "height": picture.height,
            "big": big,
        },
        on_marked_change=changed,
    )
