"""The dialog for a graph of one's own: every parameter with what it does to the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.addresses.shapeggen import SHAPEGGEN, ShapeGGenState
from pages.addresses.shapeggen_codecs import changes_of
from pages.shared.guard import error_boundary
from pages.shared.text import plain
from wombat_core.errors import InputError
from wombat_core.settings import settings_of
from wombat_core.shapeggen.graph_settings import GraphSettings

if TYPE_CHECKING:
    from wombat_core.settings import Setting

HEIGHT = 560
COLUMNS = 4
OWN_MOTIF = "edges of my own"


def open_parameters() -> None:
    """Forget what an earlier dialog held."""
    for key in [key for key in st.session_state if str(key).startswith("shape-own-")]:
        del st.session_state[key]


@st.dialog("Parameters of the graph", width="large")
def parameters_dialog(page: ShapeGGenState) -> None:
    """Nothing changes on the page before *Use these*."""
    with error_boundary("The form"):
        _form(page)


def _form(page: ShapeGGenState) -> None:
    from wombat_core.shapeggen import preset

    own = preset(page.preset).as_dict() | dict(page.changes)
    with st.container(height=HEIGHT, border=False, key="shape-own-body"):
        values = _numbers(own) | _readings(own)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        used = st.button("Use these", type="primary", key="shape-own-use")
        if st.button("Back to the preset", key="shape-own-reset", disabled=not page.changes):
            SHAPEGGEN.write(changes=())
            st.rerun()
    if used:
        try:
            preset(page.preset).changed(**values)
        except InputError as error:
            st.error(plain(error))
            return
        SHAPEGGEN.write(changes=changes_of(page.preset, values))
        st.rerun()


def _settings() -> list[Setting]:
    """All but the motif and the seed, which have their own places."""
    return [each for name, each in settings_of(GraphSettings).items() if name not in ("motif", "seed")]


def _motif(own: str) -> str:
    from wombat_core.shapeggen import MOTIFS

    index = list(MOTIFS).index(own) if own in MOTIFS else len(MOTIFS)
    named = st.selectbox("S, motif", [*MOTIFS, OWN_MOTIF], index=index, key="shape-own-motif")
    if named != OWN_MOTIF:
        st.caption("The page that is planted; a node's class counts how many of them it sees.")
        return named
    edges = "" if own in MOTIFS else own
    return st.text_input(
        "Its edges",
        edges,
        max_chars=2000,
        key="shape-own-edges",
        placeholder="0-1,1-2,2-0",
        label_visibility="collapsed",
        help="Pairs of node numbers with commas between them",
    )


def _numbers(own: dict[str, Any]) -> dict[str, Any]:
    """The motif and the eleven numbers, four in a row."""
    values: dict[str, Any] = {}
    columns = st.columns(COLUMNS, gap="small")
    with columns[0]:
        values["motif"] = _motif(own["motif"])
    numbers = [each for each in _settings() if not each.choices]
    for place, setting in enumerate(numbers, start=1):
        name = setting.name
        if place % COLUMNS == 0:
            columns = st.columns(COLUMNS, gap="small")
        with columns[place % COLUMNS]:
            whole = isinstance(own[name], int)
            options = {"step": 1} if whole else {"step": 0.1 if name != "p" else 0.001, "format": "%.6g"}
            found = st.number_input(setting.title, value=own[name], key=f"shape-own-{name}", **options)
            values[name] = own[name] if found is None else found
            st.caption(setting.meaning)
    return values


def _readings(own: dict[str, Any]) -> dict[str, Any]:
    st.markdown("**Where the paper and its released code differ**")
    values = {}
    for place, setting in enumerate(each for each in _settings() if each.choices):
        name = setting.name
        if place % 3 == 0:
            columns = st.columns(3, gap="small")
        with columns[place % 3]:
            options = list(setting.choices)
            index = options.index(own[name]) if own[name] in options else 0
            words = setting.words.get
            values[name] = st.selectbox(setting.title, options, index, format_func=words, key=f"shape-own-{name}")
    return values
