"""Cards as lessons show them: only what the texts of lessons speak of."""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from pages.shared.answer_cards import GRAPHXAI

_LEFT_OUT = tuple(GRAPHXAI.values())
_VIEW_BOX = re.compile(r"viewBox=(['\"])[^'\"]*\1")
NULL = "Every atom scores alike."
MARGIN = 2.6
"""Around the outermost atoms, in radii of an atom: room for their numbers."""


def plain_card(card: Mapping[str, Any], is_null: bool, small: bool = False) -> dict[str, Any]:
    """An explainer's card without its running time and GraphXAI's scores. Why an answer is null, the lesson says."""
    if not card.get("svg"):
        return dict(card)
    shown = [part for part in card.get("caption") or () if part.get("label") not in _LEFT_OUT]
    plain = {**card, "caption": shown, "foot": "", "message": NULL if is_null else card["message"]}
    return small_card(plain) if small else plain


def small_card(card: Mapping[str, Any]) -> dict[str, Any]:
    """A card for narrow columns: the picture without its empty edges, the numbers without hints, no sentence."""
    numbers = [{**part, "hint": ""} for part in card.get("caption") or ()]
    return {**cropped(card), "caption": numbers, "message": ""}


def cropped(card: Mapping[str, Any]) -> dict[str, Any]:
    """A card whose picture ends a little beyond its outermost atoms; positions keep their meaning."""
    if not card.get("svg"):
        return dict(card)
    places, margin = np.asarray(card["positions"], dtype=float), MARGIN * card["radius"]
    low, high = places.min(axis=0) - margin, places.max(axis=0) + margin
    box = " ".join(f"{value:.1f}" for value in (*low, *(high - low)))
    return {**card, "svg": _VIEW_BOX.sub(f'viewBox="{box}"', card["svg"], count=1)}
