"""A grid of cards of different molecules: picture, scores, and links that open a page with everything set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import streamlit as st

from pages.shared import engine
from pages.shared.component import component
from pages.shared.memory import remembered
from pages.shared.state import State, params_of
from pages.shared.whiteboxes import whitebox_title
from wombat_core.drawing.legend import legend_svg
from wombat_core.drawing.thumbnail import thumbnail
from wombat_core.molecules.molecule import from_smiles

if TYPE_CHECKING:
    import numpy as np

PAGES = {"explore": "Explore", "layers": "Layers", "interpolation": "Interpolation"}
WIDTH, HEIGHT = 240, 150
LETTERED = 60
"""Heavy atoms above which a picture has no letters: they could not be read."""
MAX_DRAWN = 1000
"""Heavy atoms of the largest molecule that a card shows."""

_component = component("failure_cards")


def failure_cards(cards: Sequence[Mapping[str, Any]], *, key: str, width: int = 215, height: int = HEIGHT) -> None:
    """Show cards. Their links are plain ones: they can be opened beside this page, and Back comes back to it.

    Args:
        cards: made by :func:`card`.
        key: widget key, unique on the page.
        width: least width of a card in CSS pixels; as many stand beside each other as have room.
        height: of each picture.
    """
    _component(key=key, data={"cards": list(cards), "width": width, "height": height})


def card(
    title: str,
    *,
    svg: str | None,
    states: Mapping[str, State],
    hint: str = "",
    badge: tuple[str, str] | None = None,
    scores: Sequence[tuple[str, str, str]] = (),
    lines: Sequence[str] = (),
    foot: str = "",
    instead: str = "",
) -> dict[str, Any]:
    """One card.

    Args:
        title, hint: its heading, and what pointing at that shows.
        svg: the picture, our own; None: ``instead`` takes its place.
        states: what each page opens with, by the page's name.
        badge: a text and its tone, "bad", "info" or "neutral".
        scores: names, values and what stands behind them.
        lines: sentences.
        foot: a short text at the end.
    """
    return {
        "title": title,
        "hint": hint,
        "badge": {"text": badge[0], "tone": badge[1]} if badge else None,
        "svg": svg or "",
        "instead": instead,
        "scores": [list(score) for score in scores],
        "lines": list(lines),
        "links": [_link(page, state) for page, state in states.items()],
        "foot": foot,
    }


def _link(page: str, state: State) -> dict[str, str]:
    params = params_of(state)
    # The first page has no name in the address; relative, so that it works below any folder of the server.
    address = f"./{'' if page == 'explore' else page}{'?' if params else ''}{urlencode(params)}"
    return {"title": PAGES[page], "address": address}


@remembered(2000)
def picture(key: tuple, smiles: str, height: int, _scores: np.ndarray | None, _truth: np.ndarray) -> str:
    """The molecule as SVG, with rings for the ground truth and one explainer's heat.

    Args:
        key: what tells the heat from another's on the same molecule.
    """
    from wombat_core.drawing.depiction import depict

    molecule = from_smiles(smiles)
    if molecule.num_atoms > LETTERED:
        return thumbnail(molecule, WIDTH, height, _scores, _truth)
    return depict(molecule, width=WIDTH, height=height, scores=_scores, ground_truth=_truth).svg


def network(id: str, readout: str) -> str:
    """A whitebox and its readout, where it has a choice of them."""
    shown = engine.pattern(id)
    return f"{whitebox_title(id)}, {readout}" if shown.layers else whitebox_title(id)


def scale(words: str) -> None:
    """What colours and rings mean."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="center", key="legend"):
        st.image(legend_svg(1.0, False, 400), width=400, alt="Colour scale")
        st.caption(words, width="content")
