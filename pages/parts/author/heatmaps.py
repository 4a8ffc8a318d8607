"""The chosen explainers on molecules that have the motif, a row a molecule."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import engine
from pages.shared.answer_cards import answer_card, atom_lines, truth_card
from pages.shared.guard import error_boundary
from pages.shared.molecule_cards import molecule_cards
from pages.shared.text import plain

from .molecules import with_motif

if TYPE_CHECKING:
    from pages.shared.state import State

    from .draft import Draft

MOST_EXPLAINERS = 3
HEIGHT = 118


def heatmaps(draft: Draft, state: State) -> None:
    """Ground truth and heatmaps of up to three positives."""
    texts = with_motif(draft)
    if not texts:
        st.caption("No molecule with the motif is known yet; the certificate finds some.")
        return
    names = state.explainers[:MOST_EXPLAINERS]
    if not names:
        st.caption("Choose explainers in the sidebar to see their heatmaps.")
    for place, text in enumerate(texts):
        with error_boundary("The heatmaps"):
            own = replace(state, molecule=text, pattern=draft.id)
            case = engine.case(text, draft.id)
            answers = [engine.answer(own, name) for name in names]
            st.caption(f"**{plain(case.molecule.name or case.molecule.smiles)}**")
            molecule_cards(
                [truth_card(case, own, HEIGHT)] + [answer_card(case, each, own, None, HEIGHT) for each in answers],
                atom_lines(case, answers, state.signed),
                None,
                key=f"author-heatmaps-{place}",
                columns=1 + len(names),
                big=state.present,
                picture_height=HEIGHT,
            )
    if len(state.explainers) > len(names):
        st.caption(f"The first {len(names)} of the {len(state.explainers)} chosen explainers.")
