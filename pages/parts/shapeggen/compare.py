"""The Compare view: which question, then its table or chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.addresses.shapeggen import SHAPEGGEN, ShapeGGenState
from pages.addresses.shapeggen_codecs import METRICS, MOLECULES, studies

from .made import made_graph, made_network, training_line
from .metrics import metrics
from .molecules import molecules
from .studies import show_study

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from pages.shared.state import State

TITLES = {
    METRICS: "Five metrics",
    "homophily": "Homophily",
    "motif": "House or triangle",
    "features": "Informative features",
    "fairness": "Fairness",
    MOLECULES: "Molecules",
}


def compare(state: State, page: ShapeGGenState, beside: DeltaGenerator | None) -> None:
    """The view; ``beside`` takes what there is to say of the network."""
    if not state.present:
        st.segmented_control(
            "Question",
            studies(),
            required=True,
            format_func=TITLES.get,
            label_visibility="collapsed",
            **SHAPEGGEN.bind(page, "study"),
        )
    if page.study == MOLECULES:
        molecules(state, page)
    elif page.study != METRICS:
        show_study(state, page)
    else:
        graph = made_graph(page)
        network = None if graph is None else made_network(page, graph, state)
        if network is not None:
            training_line(page, graph, network, state, beside)
            metrics(state, page, graph, network)
