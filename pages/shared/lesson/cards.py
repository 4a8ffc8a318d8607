"""Cards as lessons show them: only what the texts of lessons speak of."""

from collections.abc import Mapping
from typing import Any

_LEFT_OUT = ("GEA", "GEF")


def plain_card(card: Mapping[str, Any]) -> dict[str, Any]:
    """An explainer's card without its running time and GraphXAI's scores."""
    shown = [part for part in card.get("caption") or () if part.get("label") not in _LEFT_OUT]
    return {**card, "caption": shown, "foot": ""}
