"""The dialog for a graph of one's own: every parameter with what it does to the graph."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.addresses.shapeggen import SHAPEGGEN, ShapeGGenState
from pages.addresses.shapeggen_codecs import changes_of
from pages.shared.guard import one_sentence
from pages.shared.text import plain
from wombat_core.errors import InputError

HEIGHT = 560
COLUMNS = 4
OWN_MOTIF = "edges of my own"

NUMBERS = {
    "num_subgraphs": ("N_s, subgraphs", "How many copies of the motif are planted, each with nodes of its own around."),
    "subgraph_size": (
        "n_s, subgraph size",
        "Expected nodes of a subgraph: more give more leaves on the nodes of each motif.",
    ),
    "p": ("p, joining", "Probability that an edge joins two subgraphs: higher gives more edges, and more of class 1."),
    "num_classes": ("K, classes", "A node sees 1 to K motifs next to it; its class is that number less one."),
    "num_features": ("n_f, features", "Features of a node: informative, redundant, and the protected one."),
    "num_informative": ("n_i, informative", "Features that depend on the class: the ground truth of feature masks."),
    "class_separation": ("s_f, separation", "How far the classes lie apart in the informative features."),
    "num_clusters": ("c_f, clusters", "Clusters a class has in the informative features: more are harder to learn."),
    "protected_noise": ("phi, noise", "Share of nodes whose protected feature is not the class: 0.5 tells nothing."),
    "homophily": ("eta, homophily", "Above 0 neighbours of one class get alike redundant features, below 0 unlike."),
    "num_layers": ("L, layers", "Convolutions of the network, and hops of a node's ground truth."),
}
READINGS = {
    "connection": (
        "Joining probability",
        {"p": "p, as printed (alg. 2)", "2p": "1 - (1 - p)², the released code's, and Table 6's edges"},
    ),
    "motif_bound": ("Most motifs a node sees", {"K": "K (alg. 2)", "two": "two, whatever K (code)"}),
    "truth": (
        "Ground truth of a node",
        {"l-hop": "motif nodes within L hops (eq. 2)", "one-hop": "only of motifs next to it (code)"},
    ),
    "protected": (
        "Protected feature",
        {"flipped-label": "class, flipped with phi (alg. 1)", "random": "random (code)"},
    ),
    "homophily_pairs": (
        "Unconnected pairs driven apart",
        {"different-label": "of two classes (alg. 3)", "same-label": "of one class (code)"},
    ),
    "split": (
        "Training, validation, test",
        {"disjoint": "disjoint (paper)", "overlapping": "three draws that overlap (code)"},
    ),
}


def open_parameters() -> None:
    """Forget what an earlier dialog held."""
    for key in [key for key in st.session_state if str(key).startswith("shape-own-")]:
        del st.session_state[key]


@st.dialog("Parameters of the graph", width="large")
def parameters_dialog(page: ShapeGGenState) -> None:
    """Nothing changes on the page before *Use these*."""
    with one_sentence("The form"):
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
    for place, (name, (label, meaning)) in enumerate(NUMBERS.items(), start=1):
        if place % COLUMNS == 0:
            columns = st.columns(COLUMNS, gap="small")
        with columns[place % COLUMNS]:
            whole = isinstance(own[name], int)
            options = {"step": 1} if whole else {"step": 0.1 if name != "p" else 0.001, "format": "%.6g"}
            found = st.number_input(label, value=own[name], key=f"shape-own-{name}", **options)
            values[name] = own[name] if found is None else found
            st.caption(meaning)
    return values


def _readings(own: dict[str, Any]) -> dict[str, Any]:
    st.markdown("**Where the paper and its released code differ**")
    values = {}
    for place, (name, (label, answers)) in enumerate(READINGS.items()):
        if place % 3 == 0:
            columns = st.columns(3, gap="small")
        with columns[place % 3]:
            options = list(answers)
            index = options.index(own[name]) if own[name] in options else 0
            values[name] = st.selectbox(label, options, index, format_func=answers.get, key=f"shape-own-{name}")
    return values
