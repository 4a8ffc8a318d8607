"""Why a SMARTS does not compile, at its place in the SMARTS, and the nearest thing that would."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st
from rdkit import Chem

from pages.shared import engine
from pages.shared.text import plain
from wombat_core.compiler.nearest import nearest
from wombat_core.compiler.query import atom_spans
from wombat_core.errors import InputError

from .certificate import ask
from .draft import size_of

if TYPE_CHECKING:
    from .draft import Draft

AROUND = 40
"""Characters of a long SMARTS that are shown on either side of the place."""


def failure(draft: Draft) -> None:
    """The sentence, the place underlined, and a button for what compiles."""
    st.error(plain(draft.error))
    marked = underlined(draft.page.smarts, span_of(draft.error, draft.page.smarts))
    if marked:
        st.code(marked, language=None)
    found = _nearest(draft)
    if found is None:
        return

    def take() -> None:
        ask()
        draft.change(
            smarts=found.smarts, encoding=found.encoding, style=found.pattern.origin.style, root=None, depth=None
        )

    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="author-nearest"):
        st.markdown(
            plain(f"{found.change[0].upper()}{found.change[1:]}: {found.smarts} ({size_of(found.pattern)})"),
            width="content",
        )
        st.button("Take this", type="primary", on_click=take, key="author-take-nearest")


def span_of(error: InputError, smarts: str) -> tuple[int, int] | None:
    """The place in the SMARTS that an error is about, or None."""
    if span := getattr(error, "span", None):
        return span
    bond = getattr(error, "bond", None)
    if bond is None:
        return None
    mol = Chem.MolFromSmarts(smarts)
    spans = atom_spans(smarts, mol.GetNumAtoms()) if mol is not None else []
    ends = [spans[atom] for atom in bond if atom < len(spans) and spans[atom]]
    return (min(ends)[0], max(end for _, end in ends)) if ends else None


def underlined(smarts: str, span: tuple[int, int] | None) -> str:
    """Two lines: the SMARTS, and carets under the place; "" where there is none."""
    if span is None or not smarts.isprintable():
        return ""
    start, end = span
    first, last = max(0, start - AROUND), min(len(smarts), end + AROUND)
    before, after = "…" * (first > 0), "…" * (last < len(smarts))
    carets = " " * (len(before) + start - first) + "^" * max(1, end - start)
    return f"{before}{smarts[first:last]}{after}\n{carets}"


def _nearest(draft: Draft):
    return engine.get_engine().once("nearest", (draft.id,), lambda: nearest(draft.page.smarts, draft.page.encoding))
