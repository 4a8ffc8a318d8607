"""A grid of molecule pictures in which pointing at an atom lights it up in every picture."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from .component import component

TONES = ("good", "bad", "neutral", "info", "warn")

_component = component("molecule_cards")


def molecule_cards(
    cards: Sequence[Mapping[str, Any]],
    atoms: Sequence[Mapping[str, Any]],
    selected: int | None,
    *,
    key: str,
    columns: int = 3,
    big: bool = False,
    picture_height: int = 200,
    on_change: Callable[[int | None], None] | None = None,
) -> int | None:
    """Show cards of one molecule and return the selected atom (None: no atom).

    The page owns the selection: it passes the atom it holds and stores what comes back, at once or through
    `on_change`. A click since the last run wins over `selected`; in every other run `selected` is shown.

    Args:
        cards: one mapping a card. `title` (required); `badge` = {text, tone}, tone one of `TONES`; `svg`, a
            trusted SVG text with a viewBox; `positions`, [num_atoms, 2] in viewBox units; `radius` of an atom
            in viewBox units; `caption`, mappings {label, value, hint}; `foot`, a short text at the bottom
            right; `message`, a sentence below the picture, or in its place where there is no `svg`.
        atoms: one mapping an atom, in atom order: `title` ("C7") and `lines`, pairs (name, value).
        selected: index of the selected atom; an index outside the molecule counts as None.
        key: widget key, unique on the page, without "__".
        columns: columns on a wide page; narrow ones show two, then one.
        big: larger type, for a projector.
        picture_height: height of each picture in CSS pixels.
        on_change: called with the atom (or None) before the rerun that a click starts.

    Raises:
        ValueError: a position that is not finite, or a badge tone that is not one of `TONES`.
    """

    def changed() -> None:
        if on_change is not None:
            on_change(_in_range(st.session_state[key]["selected"]["atom"], len(atoms)))

    # The state of the last run: a click changes it, and the picture has to know whether its click was heard.
    event = (st.session_state.get(key) or {}).get("selected") or {}
    handled = f"{key}-handled"
    atom = _in_range(selected, len(atoms))
    if event and event["event"] != st.session_state.get(handled):
        atom = _in_range(event["atom"], len(atoms))
        st.session_state[handled] = event["event"]

    _component(
        key=key,
        data={
            "cards": [_card(card) for card in cards],
            "atoms": [_atom(one) for one in atoms],
            "selected": atom,
            "event": event.get("event"),
            "columns": max(1, int(columns)),
            "big": bool(big),
            "height": int(picture_height),
        },
        on_selected_change=changed,
    )
    return atom


def _in_range(atom: Any, num_atoms: int) -> int | None:
    return int(atom) if atom is not None and 0 <= int(atom) < num_atoms else None


def _card(card: Mapping[str, Any]) -> dict[str, Any]:
    badge = card.get("badge")
    if badge and badge.get("tone", "neutral") not in TONES:
        raise ValueError(f"badge tone {badge['tone']!r} of card {card['title']!r} is not one of {', '.join(TONES)}")
    positions = card.get("positions")
    positions = [] if positions is None else [[float(x), float(y)] for x, y in positions]
    if not all(math.isfinite(value) for position in positions for value in position):
        raise ValueError(f"card {card['title']!r} has an atom position that is not finite")
    return {
        "title": str(card["title"]),
        "badge": {"text": str(badge["text"]), "tone": badge.get("tone", "neutral")} if badge else None,
        "svg": str(card.get("svg") or ""),
        "positions": positions,
        "radius": float(card.get("radius") or 0),
        "caption": [
            {part: _text(item.get(part)) for part in ("label", "value", "hint")} for item in card.get("caption") or ()
        ],
        "foot": _text(card.get("foot")),
        "message": _text(card.get("message")),
    }


def _atom(atom: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "title": str(atom["title"]),
        "lines": [[str(name), _text(value)] for name, value in atom.get("lines") or ()],
    }


def _text(value: Any) -> str:
    return "" if value is None else str(value)
