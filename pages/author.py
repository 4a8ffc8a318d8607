"""Your own whitebox in a minute: a motif as SMARTS, its network, its certificate, its explanations."""

from pathlib import Path

import streamlit as st

from pages.addresses.author import AUTHOR
from pages.parts.author.atoms import atoms
from pages.parts.author.certificate import Certified, certificate_view, certified, follow_certificate
from pages.parts.author.controls import controls
from pages.parts.author.draft import Draft, open_draft, size_of
from pages.parts.author.failure import failure
from pages.parts.author.heatmaps import heatmaps
from pages.parts.author.network import network
from pages.parts.author.wirings import wirings
from pages.shared.guard import error_boundary
from pages.shared.headline import headline
from pages.shared.state import State
from pages.shared.text import plain

STYLE = Path(__file__).resolve().parents[1] / "assets" / "author.css"
TITLES = {
    "network": "Network",
    "heatmaps": "Heatmaps",
    "wirings": "Wirings",
    "certificate": "Certificate",
    "atoms": "Pick atoms",
}


def author(state: State) -> None:
    """The page."""
    st.html(STYLE)
    page, problems = AUTHOR.read()
    if problems:
        st.warning(plain(" ".join(problems)))
    with st.spinner("Compiling"):
        draft = open_draft(state, page)
    found = certified(draft)
    headline(verdict(draft, found), state, TITLES, AUTHOR.bind(page, "view"), presented=True)
    if not state.present:
        with error_boundary("The choice"):
            controls(draft, state)
    if page.view == "atoms":
        with error_boundary("The molecule"):
            atoms(draft, state)
        return
    if draft.pattern is None:
        with error_boundary("The SMARTS"):
            failure(draft)
        return
    with error_boundary("The certificate"):
        follow_certificate(draft)
        if page.view == "certificate":
            certificate_view(draft, found)
    if page.view == "heatmaps":
        with error_boundary("The heatmaps"):
            heatmaps(draft, state)
    elif page.view == "wirings":
        with error_boundary("The wirings"):
            wirings(draft, state)
    elif page.view == "network":
        network(draft, state)


def verdict(draft: Draft, found: Certified | None) -> str:
    """The headline."""
    name = plain(draft.name)
    if draft.pattern is None:
        return f"{name} does not compile"
    return f"{name}: {found.certificate.sentence if found else size_of(draft.pattern)}"


if __name__ == "__main__":
    from pages.shared.as_script import run_app

    run_app()
