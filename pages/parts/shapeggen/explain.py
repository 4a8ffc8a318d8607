"""The Explain view: one node, its neighbourhood, the planted explanation beside each explainer's masks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from pages.shared.job_controls import run_row
from pages.shared.molecule_cards import molecule_cards

from . import engine
from .cards import answer_card, node_lines, truth_card
from .controls import methods_choice
from .jobs import stages
from .made import made_graph, made_network, training_line
from .state import MASKS, SHAPE, Shape

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from pages.shared.state import State
    from wombat_core.shapeggen.node_tasks import NodeTask

    from .engine import Graph

HEIGHT = 176
TITLES = {"node": "Nodes", "edge": "Edges", "feature": "Features"}


def explain(state: State, shape: Shape, beside: DeltaGenerator | None) -> None:
    """The view; ``beside`` takes what there is to say of the network."""
    graph = made_graph(shape)
    if graph is None:
        return
    network = made_network(shape, graph, state)
    if network is None:
        return
    shape = _checked(shape, graph)
    if not state.present:
        _controls(shape, graph)
    task = engine.node_task_of(network.key, shape.node, graph, network)
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="shape-facts"):
        _facts(shape, graph, task)
    training_line(shape, graph, network, state, beside)
    answers = [engine.answer(graph, network, shape.node, name) for name in shape.methods]
    work, shown = stages()
    with work:
        run_row(answers)
    with shown:
        _cards(state, shape, graph, task, answers)
        _legend(shape)


def _cards(state: State, shape: Shape, graph: Graph, task: NodeTask, answers: list[engine.Answer]) -> None:
    cards = [truth_card(shape, graph, task, HEIGHT)]
    cards += [answer_card(shape, graph, task, answer, HEIGHT) for answer in answers]
    nodes = task.truths[0].nodes.tolist()
    molecule_cards(
        cards,
        node_lines(shape, graph, task, answers),
        nodes.index(shape.near) if shape.near in nodes else None,
        key="shape-cards",
        columns=3 if len(cards) < 8 else 4,
        big=state.present,
        picture_height=HEIGHT,
        on_change=lambda place: SHAPE.write(near=None if place is None else nodes[place]),
    )


def _checked(shape: Shape, graph: Graph) -> Shape:
    """The value with a node that the graph has."""
    size = graph.planted.num_nodes
    tests = engine.test_nodes(graph)
    first = tests[0] if tests else 0
    if shape.node is None:
        return replace(shape, node=first)
    if shape.node >= size:
        st.warning(f"The address names node {shape.node}, but the graph's nodes are 0 to {size - 1:,}.")
        return replace(shape, node=first, near=None)
    return shape


def _controls(shape: Shape, graph: Graph) -> None:
    tests = np.array(engine.test_nodes(graph) or range(graph.planted.num_nodes))
    before, after = tests[tests < shape.node], tests[tests > shape.node]
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
            **SHAPE.bind(shape, "node"),
        )
        _go("shape-next", ":material/chevron_right:", following, "The next test node")
        st.button("Random", on_click=_random, args=(tests,), key="shape-random", help="Any test node")
        st.segmented_control(
            "Masks",
            MASKS,
            required=True,
            format_func=TITLES.get,
            label_visibility="collapsed",
            **SHAPE.bind(shape, "mask"),
        )
        st.toggle("Top 25 %", help="The mask that is scored, in place of raw scores", **SHAPE.bind(shape, "binary"))
        methods_choice(shape)


def _go(key: str, icon: str, node: int, hint: str) -> None:
    st.button("", icon=icon, on_click=SHAPE.write, kwargs={"node": node}, help=hint, key=key)


def _random(tests: np.ndarray) -> None:
    SHAPE.write(node=int(np.random.default_rng().choice(tests)))


def _facts(shape: Shape, graph: Graph, task: NodeTask) -> None:
    """The node in words, and the selected neighbour."""
    data, truth = graph.planted.data, task.truths[0]
    label, found = int(data.y[shape.node]), int(task.predicted[0])
    sure = task.probabilities[0][found]
    right = "right" if label == found else "wrong"
    part = "" if data.test_mask[shape.node] else ", not a test node"
    st.markdown(
        f"**Node {shape.node}**{part}: class {label}, predicted {found} with {sure:.2f}, {right}. {len(truth.nodes)}"
        f" nodes within {graph.planted.parameters.num_layers} hops.",
        width="content",
    )
    if shape.near is not None and shape.near != shape.node and shape.near in truth.nodes.tolist():
        st.button(
            f"Explain node {shape.near}", on_click=SHAPE.write, kwargs={"node": shape.near}, key="shape-explain-near"
        )


def _legend(shape: Shape) -> None:
    from wombat_core.drawing.legend import legend_svg

    nodes = shape.mask == "node"
    width = 370 if nodes else 260
    left, right = st.columns([width, 920 - width], gap="small", vertical_alignment="center")
    with left, st.container(key="legend"):
        st.image(legend_svg(1.0, False, width, ground_truth=nodes), width=width, alt="Colour scale")
    with right:
        marks = {
            "node": "Squares are in motifs, the cross-hair marks the node explained.",
            "edge": "Edges with a blue border are the ground truth, the cross-hair marks the node explained.",
            "feature": "Blue frames are the informative features, the ground truth.",
        }[shape.mask]
        if shape.binary and shape.mask == "edge":
            marks += " A pale edge is marked in one of its directions."
        st.caption(
            f"{marks} Each card has its own scale. GEA: Jaccard index of the {shape.rule} mask with the ground truth,"
            " higher is better. GEF: how far the answer moves when only the mask is shown, lower is better."
        )
