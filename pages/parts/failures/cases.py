"""The curated cases as cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.shared import engine
from pages.shared.state import ADDRESS, State, changed
from wombat_core.errors import InputError
from wombat_core.explainers.estimate import estimate
from wombat_core.explainers.registry import explainer_class, explainer_taking
from wombat_core.ground_truth import ground_truth

from .cards import MAX_DRAWN, PAGES, card, failure_cards, network, picture, scale

if TYPE_CHECKING:
    import numpy as np

    from wombat_core.failures.curated import CuratedCase

HEIGHT = 132
QUICK = 1.0
"""Seconds that an explainer may take for its heat to be on the card without being asked for."""


def cases_view() -> None:
    """All cases, those of the paper first, as the file has them."""
    from wombat_core.failures.curated import cases

    with st.spinner("Explaining the cases"):
        cards = [_card(case) for case in cases()]
    scale("Heat of the explainer named on the card; each picture has its own scale.")
    failure_cards(cards, key="cases", width=290, height=HEIGHT)


def state_of(case: CuratedCase) -> tuple[State, list[str]]:
    """What the case opens with, and what of it the pages cannot use, a sentence each."""
    params = {
        "molecule": f"{case.molecule} {case.name}".strip(),
        "pattern": case.pattern,
        "readout": case.readout,
        "explainers": case.explainers,
        **case.settings,
        **case.opened,
    }
    return ADDRESS.parse({name: _text(value) for name, value in params.items()})


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return ",".join(value) if isinstance(value, list | tuple) else str(value)


def _card(case: CuratedCase) -> dict[str, Any]:
    opens, _ = state_of(case)
    other = changed(
        State(), **{name: getattr(opens, name) for name in ("molecule", "pattern", "readout", "explainers")}
    )
    states = {case.page: opens} | {page: other for page in PAGES if page != case.page}
    kind = explainer_class(case.shown)
    truth, scores = _explained(case.id, _is_quick(case), case)
    heat = kind.title if scores is not None else f"{kind.title} runs when asked for"
    shown = (
        {"svg": picture((case.id, scores is not None), case.molecule, HEIGHT, scores, truth)}
        if len(truth) <= MAX_DRAWN
        else {"svg": None, "instead": f"{len(truth):,} heavy atoms"}
    )
    return card(
        case.title,
        badge=(case.kind, "info"),
        hint=case.name or case.molecule,
        states=states,
        scores=[("", heat, ""), ("", "", network(case.pattern, case.readout))],
        lines=[case.see, case.why],
        foot=case.source.split(",")[0].split(";")[0],
        **shown,
    )


def _is_quick(case: CuratedCase) -> bool:
    """Whether the explainer that the card shows answers about at once, as PGExplainer does where it is trained."""
    shown = explainer_taking(case.shown, case.settings)
    if not shown.expensive:
        return True
    try:
        expected = estimate(shown, engine.whitebox(case.pattern, case.readout), case.read().num_atoms)
    except InputError:
        return False
    return expected is not None and expected.seconds <= QUICK


@st.cache_resource(show_spinner=False)
def _explained(id: str, quick: bool, _case: CuratedCase) -> tuple[np.ndarray, np.ndarray | None]:
    """Ground truth, and the importance of every atom to the explainer that the card shows, or None where it is slow."""
    from wombat_core.explanation import explain

    molecule = _case.read()
    model = engine.whitebox(_case.pattern, _case.readout)
    if not quick:
        return ground_truth(molecule, model.pattern), None
    [explanation] = explain([molecule], model, explainer_taking(_case.shown, _case.settings))
    return explanation.truth, explanation.attribution.atom_scores
