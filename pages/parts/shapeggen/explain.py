"""The Explain view: one node, its neighbourhood, the planted explanation beside each explainer's masks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from pages.addresses.shapeggen import MASKS, SHAPEGGEN, ShapeGGenState
from pages.shared.jobs import stages
from pages.shared.molecule_cards import molecule_cards
from pages.shared.offers import run_row
from wombat_core.drawing.legend import legend_svg

from . import engine
from .cards import answer_card, node_lines, truth_card
from .controls import methods_choice
from .made import made_graph, made_network, training_line

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from pages.shared.state import State
    from wombat_core.shapeggen.node_tasks import NodeTask

    from .engine import Graph

HEIGHT = 176
TITLES = {"node": "Nodes", "edge": "Edges", "feature": "Features"}


def explain(state: State, page: ShapeGGenState, beside: DeltaGenerator | None) -> None:
    """The view; ``beside`` takes what there is to say of the network."""
    graph = made_graph(page)
    if graph is None:
        return
    network = made_network(page, graph, state)
    if network is None:
        return
    page = _checked(page, graph)
    if not state.present:
        _controls(page, graph)
    task = engine.node_task_of(network.key, page.node, graph, network)
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="shape-facts"):
        _facts(page, graph, task)
    training_line(page, graph, network, state, beside)
    answers = [engine.answer(graph, network, page.node, name) for name in page.methods]
    work, shown = stages()
    with work:
        run_row(answers)
    with shown:
        _cards(state, page, graph, task, answers)
        _legend(page)


def _cards(state: State, page: ShapeGGenState, graph: Graph, task: NodeTask, answers: list[engine.NodeAnswer]) -> None:
    cards = [truth_card(page, graph, task, HEIGHT)]
    cards += [answer_card(page, graph, task, answer, HEIGHT) for answer in answers]
    nodes = task.truths[0].nodes.tolist()
    molecule_cards(
        cards,
        node_lines(page, graph, task, answers),
        nodes.index(page.neighbour) if page.neighbour in nodes else None,
        key="shape-cards",
        columns=3 if len(cards) < 8 else 4,
        big=state.present,
        picture_height=HEIGHT,
        on_change=lambda place: SHAPEGGEN.write(neighbour=None if place is None else nodes[place]),
    )


def _checked(page: ShapeGGenState, graph: Graph) -> ShapeGGenState:
    """The value with a node that the graph has."""
    size = graph.planted.num_nodes
    tests = engine.test_nodes(graph)
    first = tests[0] if tests else 0
    if page.node is None:
        return replace(page, node=first)
    if page.node >= size:
        st.warning(f"The address names node {page.node}, but the graph's nodes are 0 to {size - 1:,}.")
        return replace(page, node=first, neighbour=None)
    return page


def _controls(page: ShapeGGenState, graph: Graph) -> None:
    tests = np.array(engine.test_nodes(graph) or range(graph.planted.num_nodes))
    before, after = tests[tests < page.node], tests[tests > page.node]
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="shape-controls"):
        previous = int(before[-1] if len(before) else tests[-1])
        following = int(after[0] if len(after) else tests[0])
        _go("shape-previous", ":material/chevron_left:", previous, "The test node before")
        st.number_input(
            "Node",
            0,
            graph.planted.num_nodes - 1,
            step=1,
            label_visibility="collapsed",
            width=110,
            **SHAPEGGEN.bind(page, "node"),
        )
        _go("shape-next", ":material/chevron_right:", following, "The next test node")
        st.button("Random", on_click=_random, args=(tests,), key="shape-random", help="Any test node")
        st.segmented_control(
            "Masks",
            MASKS,
            required=True,
            format_func=TITLES.get,
            label_visibility="collapsed",
            **SHAPEGGEN.bind(page, "mask"),
        )
        st.toggle("Top 25 %", help="The mask that is scored, in place of raw scores", **SHAPEGGEN.bind(page, "binary"))
        methods_choice(page)


def _go(key: str, icon: str, node: int, hint: str) -> None:
    st.button("", icon=icon, on_click=SHAPEGGEN.write, kwargs={"node": node}, help=hint, key=key)


def _random(tests: np.ndarray) -> None:
    SHAPEGGEN.write(node=int(np.random.default_rng().choice(tests)))


def _facts(page: ShapeGGenState, graph: Graph, task: NodeTask) -> None:
    """The node in words, and the selected neighbour."""
    data, truth = graph.planted.data, task.truths[0]
    label, found = int(data.y[page.node]), int(task.predicted[0])
    sure = task.probabilities[0][found]
    right = "right" if label == found else "wrong"
    part = "" if data.test_mask[page.node] else ", not a test node"
    st.markdown(
        f"**Node {page.node}**{part}: class {label}, predicted {found} with {sure:.2f}, {right}. {len(truth.nodes)}"
        f" nodes within {graph.planted.parameters.num_layers} hops.",
        width="content",
    )
    if page.neighbour is not None and page.neighbour != page.node and page.neighbour in truth.nodes.tolist():
        st.button(
            f"Explain node {page.neighbour}",
            on_click=SHAPEGGEN.write,
            kwargs={"node": page.neighbour},
            key="shape-explain-near",
        )


def _legend(page: ShapeGGenState) -> None:
    nodes = page.mask == "node"
    width = 370 if nodes else 260
    left, right = st.columns([width, 920 - width], gap="small", vertical_alignment="center")
    with left, st.container(key="legend"):
        st.image(legend_svg(1.0, False, width, ground_truth=nodes), width=width, alt="Colour scale")
    with right:
        marks = {
            "node": "Squares are in motifs, the cross-hair marks the node explained.",
            "edge": "Edges with a blue border are the ground truth, the cross-hair marks the node explained.",
            "feature": "Blue frames are the informative features, the ground truth.",
        }[page.mask]
        if page.binary and page.mask == "edge":
            marks += " A pale edge is marked in one of its directions."
        st.caption(
            f"{marks} Each card has its own scale. GEA: Jaccard index of the {page.rule} mask with the ground truth,"
            " higher is better. GEF: how far the answer moves when only the mask is shown, lower is better."
        )
