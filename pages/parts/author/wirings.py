"""One molecule, many wirings: the motif compiled in every style and at every root, which all predict the same."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.shared import engine
from pages.shared.answer_cards import atom_lines
from pages.shared.guard import error_boundary
from pages.shared.molecule_cards import molecule_cards
from pages.shared.text import plain, title_of
from wombat_core.compiler.compile import roots
from wombat_core.compiler.styles import STYLES
from wombat_core.errors import InputError

from .draft import id_of, size_of
from .molecules import shown_molecule
from .short_card import short_card

if TYPE_CHECKING:
    from pages.shared.state import State

    from .draft import Draft

MOST_ROOTS, MOST_EXPLAINERS = 4, 2
HEIGHT, MOST_COLUMNS = 112, 6


def wirings(draft: Draft, state: State) -> None:
    """A column a wiring, a row an explainer."""
    text, why = shown_molecule(draft, state)
    if text is None:
        st.caption("No molecule with the motif is known yet; the certificate finds some.")
        return
    found = different(draft)
    st.caption(f"{why} All these networks predict the same; what explainers say of them differs.")
    names = state.explainers[:MOST_EXPLAINERS]
    if not names:
        st.caption("Choose explainers in the sidebar to see their heatmaps.")
    for name in names:
        with error_boundary("The wirings"):
            st.caption(f"**{title_of(name)}**, {state.readout}")
            _row(draft, replace(state, molecule=text), name, found)


def different(draft: Draft) -> list[tuple[str, str]]:
    """Wirings that differ, title and id: the draft's own, every style, then other roots in its style."""
    from wombat_core.compiler import pattern_of

    def search() -> list[tuple[str, str]]:
        page = draft.page
        tried = [(f"{page.style}, root {draft.pattern.origin.root}", page)]
        tried += [(style, replace(page, style=style, root=None)) for style in STYLES]
        tried += [(f"root {atom}", replace(page, root=atom)) for atom in roots(page.smarts)[: 2 * MOST_ROOTS]]
        known: dict[Any, tuple[str, str]] = {}
        others = 0
        for title, own in tried:
            try:
                pattern = pattern_of(id_of(own))
            except InputError:
                continue
            if pattern.layers in known or (title.startswith("root") and others == MOST_ROOTS):
                continue
            others += title.startswith("root")
            known[pattern.layers] = (title, id_of(own))
        return list(known.values())

    return engine.get_engine().once("wirings", (draft.id,), search)


def _row(draft: Draft, state: State, name: str, found: list[tuple[str, str]]) -> None:
    cards, shown, first = [], [], engine.case(state.molecule, draft.id)
    for title, id in found:
        own = replace(state, pattern=id)
        case, answer = engine.case(state.molecule, id), engine.answer(own, name)
        shown.append((title, answer))
        size = size_of(engine.pattern(id))
        cards.append(short_card(case, answer, own, HEIGHT) | {"title": title, "foot": plain_size(size)})
    molecule_cards(
        cards,
        atom_lines(first, [replace(answer, title=title) for title, answer in shown], state.signed),
        None,
        key=f"author-wirings-{name}",
        columns=max(3, len(found) if len(found) <= MOST_COLUMNS else -(-len(found) // 2)),
        big=state.present,
        picture_height=HEIGHT,
    )


def plain_size(size: str) -> str:
    """Layers and channels, short."""
    return (
        plain(size)
        .replace("\\", "")
        .replace(" layers", "L")
        .replace(" layer", "L")
        .replace(" channels", "C")
        .replace(" channel", "C")
    )
