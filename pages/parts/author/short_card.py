"""An explainer's heatmap with the one score that tells networks and molecules apart; Explore has all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pages.shared.answer_cards import answer_card

if TYPE_CHECKING:
    from pages.shared.engine import Answer, Case
    from pages.shared.state import State

SHOWN = ("AUROC",)


def short_card(case: Case, answer: Answer, state: State, height: int) -> dict[str, Any]:
    """The card of an answer with its AUROC alone; why there is no answer stays."""
    card = answer_card(case, answer, state, None, height)
    caption = [each for each in card.get("caption", ()) if each.get("label") in SHOWN]
    return card | {"caption": caption} | ({} if answer.problem else {"message": ""})
