"""The sidebar that all molecule pages share: molecule, whitebox, readout, explainers, what to show."""

import csv
from functools import cache
from pathlib import Path

import streamlit as st

from wombat_core.explainers.registry import explainer_class, names, problems

from . import engine
from .copy_link import copy_link
from .draw import draw_dialog, open_drawing
from .settings import HEIGHT, settings_popover
from .state import State, bind, params_of, write
from .state_codecs import explainers_of
from .text import plain, title_of
from .upload import upload_dialog
from .whiteboxes import whitebox_ids, whitebox_name

EXAMPLES_FILE = Path(__file__).resolve().parents[2] / "assets" / "examples.csv"
WITHOUT_MOTIF = ("caffeine", "aspirin", "glucose", "benzene")
READOUTS = {
    "r1": "r1, max: the strongest atom alone decides; F can exceed 1 (Eq. 3).",
    "r2": "r2, saturating: F is at most 1, where its gradient vanishes (Eq. 4).",
}
SHOW = {
    "rings": ("Ground truth", "a blue ring around every atom that the network has to look at"),
    "numbers": ("Atom numbers", "indices in the order of the input, from 0"),
    "values": ("Atom values", "every atom's attribution, on molecules of up to 60 heavy atoms"),
    "bonds": ("Bonds", "colour them too, by the attributions of both directions"),
    "signed": ("Signed", "sums of attributions (purple to orange) in place of sums of absolute ones"),
    "common": ("Common scale", "one scale for all cards in place of one a card"),
}


def sidebar(state: State, pages: list, molecule: bool = True, explainers: bool = True, whitebox: bool = True) -> None:
    """The whole sidebar.

    Args:
        state: the state of this run.
        pages: pages to link to; they get the state along.
        molecule: whether the page is about one molecule and one whitebox.
        explainers: whether it shows explainers and heatmaps.
        whitebox: whether the whitebox is chosen here, not on the page.
    """
    with st.sidebar:
        with st.container(gap=None, key="page-links"):
            for page in pages:
                st.page_link(page, query_params=params_of(state))
        if molecule:
            _molecule(state)
            if whitebox:
                _whitebox(state)
            _readout(state)
        if explainers:
            _explainers(state)
            _show(state)
        with st.container(horizontal=True, gap="small", key="links"):
            copy_link("copy-link")
            st.button("Present", on_click=write, kwargs={"present": True}, help="Larger type, no controls")


def _molecule(state: State) -> None:
    st.text_input(
        "Molecule",
        placeholder="SMILES, name or CAS number",
        help="A SMILES, a name such as carnitine, or a CAS number",
        **bind(state, "molecule"),
    )
    with st.container(horizontal=True, gap="small", key="molecule-sources"):
        with st.popover("Examples"):
            _examples(state)
        if st.button("Draw", on_click=open_drawing):
            draw_dialog()
        if st.button("Upload"):
            upload_dialog()


def _examples(state: State) -> None:
    from wombat_core.molecules.positives import positives

    shown = engine.pattern(state.pattern)
    motif = shown.variant_of or shown.id
    if published := positives().get(int(motif), []) if motif.isdigit() else None:
        _choice(f"Published molecules with the motif of Pattern {motif}", published, f"published-{motif}")
    if named := _examples_by_pattern().get(motif):
        _choice("Named molecules with it", named, f"named-{motif}")
    others = [name for name in WITHOUT_MOTIF if name not in (named or ())]
    _choice("Other molecules", others, f"other-{motif}")


def _choice(label: str, options: list[str], key: str) -> None:
    def take() -> None:
        chosen = st.session_state[key]
        # Nothing stays chosen, so that the same example can be taken again.
        st.session_state[key] = None
        if chosen:
            write(molecule=chosen)

    st.selectbox(label, options, index=None, key=key, on_change=take, placeholder="Choose")


@cache
def _examples_by_pattern() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    with open(EXAMPLES_FILE, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["pattern"], []).append(row["name"])
    return found


def _whitebox(state: State) -> None:
    def title(id: str) -> str:
        layers = engine.pattern(id).num_layers
        return f"{whitebox_name(id)} · {layers} layer{'s' if layers > 1 else ''}"

    st.selectbox(
        "Whitebox",
        whitebox_ids(state.pattern),
        format_func=title,
        help="A network whose weights were set by hand to detect one motif",
        **bind(state, "pattern"),
    )
    shown = engine.pattern(state.pattern)
    with st.container(key="motif", gap=None):
        st.image(_motif(shown.krfp), width="stretch", alt=f"The motif of {shown.title}")
    # Three backticks, so that one in the SMARTS ends nothing.
    st.caption(f"``` {shown.smarts} ```" if "`" in shown.smarts else f"`{shown.smarts}`")


def _readout(state: State) -> None:
    known = engine.pattern(state.pattern).readouts
    if len(known) == 1:
        st.caption(f"This network has its own readout ({known[0]}).")
        return
    st.segmented_control(
        "Readout",
        list(READOUTS),
        required=True,
        format_func={"r1": "r1 max", "r2": "r2 saturating"}.get,
        **bind(state, "readout"),
    )
    st.caption(READOUTS[state.readout])


@cache
def _motif(smarts: str) -> str:
    from wombat_core.drawing.motif import motif_svg

    return motif_svg(smarts, 248, 66)


def _explainers(state: State) -> None:
    for problem in problems():
        st.warning(plain(f"An explainer of your own is left out: {problem}"))
    with st.container(key="explainers", gap="small"):
        st.markdown("Explainers")
        label = f"{len(state.explainers)} of {len(names())} chosen"
        choice = st.popover(label, width="stretch", key="explainers-choice", on_change="rerun")
        with choice, st.container(height=HEIGHT, border=False, key="explainers-body"):
            if choice.open:
                _choose_explainers(state)


def _choose_explainers(state: State) -> None:
    st.pills(
        "Explainers",
        names(),
        selection_mode="multi",
        format_func=title_of,
        label_visibility="collapsed",
        **bind(state, "explainers", show=list, take=explainers_of),
    )
    for name in names():
        st.caption(f"**{plain(title_of(name))}**: {plain(explainer_class(name).summary)}")


def _show(state: State) -> None:
    with st.container(key="show", gap=None):
        st.markdown("Show", help="\n".join(f"- **{label}**: {meaning}" for label, meaning in SHOW.values()))
        left, right = st.columns(2, gap="small")
        for number, (name, (label, _)) in enumerate(SHOW.items()):
            with left if number % 2 == 0 else right:
                st.checkbox(label, **bind(state, name))
    settings_popover(state)


def leave_presentation() -> None:
    """The way out of presentation mode, for the top of every page."""
    st.button("Leave presentation", on_click=write, kwargs={"present": False}, key="leave")


def offer(found: engine.Lookup) -> None:
    """Why a text is no molecule, and what to try instead."""
    st.error(plain(found.problem))
    if found.suggestions:
        with st.container(horizontal=True, gap="small", key="suggestions"):
            for text in found.suggestions[:8]:
                st.button(plain(text), on_click=write, kwargs={"molecule": text}, key=f"suggest-{text}")
