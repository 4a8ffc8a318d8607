"""The chosen explainers on molecules that have the motif, a row a molecule."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import engine
from pages.shared.answer_cards import atom_lines, truth_card
from pages.shared.guard import error_boundary
from pages.shared.molecule_cards import molecule_cards
from pages.shared.text import plain

from .molecules import with_motif
from .short_card import short_card

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
    for place, (text, name) in enumerate(texts):
        with error_boundary("The heatmaps"):
            own = replace(state, molecule=text, pattern=draft.id)
            case = engine.case(text, draft.id)
            answers = [engine.answer(own, each) for each in names]
            st.caption(f"**{plain(name or case.molecule.name or case.molecule.smiles)}**")
            molecule_cards(
                [_truth(case, own)] + [short_card(case, each, own, HEIGHT) for each in answers],
                atom_lines(case, answers, state.signed),
                None,
                key=f"author-heatmaps-{place}",
                columns=1 + len(names),
                big=state.present,
                picture_height=HEIGHT,
            )
    if len(state.explainers) > len(names):
        st.caption(f"The first {len(names)} of the {len(state.explainers)} chosen explainers.")


def _truth(case, state: State) -> dict:
    marked, num_atoms = int(case.truth.sum()), case.molecule.num_atoms
    return (
        truth_card(case, state, HEIGHT)
        | {"badge": None}
        | ({"message": f"{marked} of {num_atoms} atoms"} if marked else {})
    )
