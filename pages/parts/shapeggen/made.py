"""The graph and the network of the address: made at once where that is quick, else offered, and followed meanwhile."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from pages.addresses.shapeggen import NETWORKS, SHAPEGGEN, ShapeGGenState
from pages.shared.chart_frame import style_of
from pages.shared.jobs import SOON, Bar, follow, problems, start
from pages.shared.text import plain, seconds
from wombat_core.drawing.chart_style import toolbar
from wombat_core.drawing.line_charts import named_lines

from . import engine
from .parameters import open_parameters, parameters_dialog

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from pages.shared.state import State
    from wombat_core.networks.training import Training

PATIENCE = 3.0
"""Seconds that a page waits before it shows a bar."""
CURVE_HEIGHT = 230


def graph_bar(page: ShapeGGenState, network: bool) -> DeltaGenerator | None:
    """Which graph and, where ``network``, which network: the row of controls below the headline.

    Returns:
        Its end, for what there is to say of the network.
    """
    from wombat_core.shapeggen import PRESETS

    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="shape-bar"):
        st.selectbox(
            "Graph",
            list(PRESETS),
            format_func=preset_title,
            help=_presets_help(),
            width=250,
            **SHAPEGGEN.bind(page, "preset"),
        )
        st.number_input("Seed", 0, 2**31 - 1, step=1, width=110, **SHAPEGGEN.bind(page, "graph_seed"))
        number = len(page.changes)
        label = f"Parameters · {number} changed" if number else "Parameters"
        if st.button(label, on_click=open_parameters, key="shape-parameters"):
            parameters_dialog(page)
        if network:
            st.segmented_control(
                "Network", NETWORKS, required=True, format_func=str.upper, **SHAPEGGEN.bind(page, "network")
            )
            return st.container(horizontal=True, gap="small", vertical_alignment="center", key="shape-training")
    return None


def preset_title(name: str) -> str:
    """What the page calls a preset."""
    base = name.removesuffix("-500")
    return f"{base}, about 500 nodes" if base != name else f"{base}, the paper's size"


def _presets_help() -> str:
    from wombat_core.shapeggen import PRESETS
    from wombat_core.shapeggen.presets import summary

    return "\n".join(f"- **{name}**: {summary(name)}" for name in PRESETS if not name.endswith("-500"))


def made_graph(page: ShapeGGenState) -> engine.Graph | None:
    """The graph, or None: then the page says how to come by it.

    Raises:
        InputError: the parameters do not go together.
    """
    parameters = page.parameters
    found = engine.graph_job(parameters)
    size = engine.size_of(parameters)
    if found.state == "new" and engine.graph_seconds(parameters) - engine.LOADING <= SOON:
        start(found, patience=PATIENCE)
    if found.answer is not None:
        return found.answer
    if found.is_active:
        follow(Bar("shape-graph", (found,)))
        return None
    problems({"The graph": found})
    if found.state != "failed":
        needed = duration(engine.graph_seconds(parameters))
        st.markdown(f"This graph will have about {size:,} nodes. Generating it takes {needed}.")
        again = " again" if found.state == "stopped" else ""
        st.button(f"Generate{again} · {needed}", type="primary", on_click=start, args=(found,), key="shape-generate")
    return None


def made_network(page: ShapeGGenState, graph: engine.Graph, state: State) -> engine.Network | None:
    """The trained network, or None: then the page says how to come by it, or shows how it learns."""
    from wombat_core.shapeggen.predictor import training_seconds

    found = engine.training_job(graph, page)
    settings = engine.training_settings(page)
    takes = training_seconds(graph.planted.num_nodes, page.network, settings.epochs)
    if found.state == "new" and takes <= SOON:
        start(found, patience=PATIENCE / 2)
    if found.answer is not None:
        return found.answer
    title = f"{page.network.upper()}, {settings.epochs:,} epochs"
    if found.is_active:

        def watch() -> None:
            losses = list(found.told.losses) if found.told else []
            if losses:
                loss_chart(losses, settings.epochs, state, "shape-live")

        follow(Bar("shape-training", (found,)), watch=watch)
        return None
    problems({"The training": found})
    needed = duration(2 * takes)
    st.markdown(
        f"Explainers need a trained network: {title}, {graph.planted.num_nodes:,} nodes. Training takes {needed}."
    )
    again = " again" if found.state != "new" else ""
    st.button(f"Train{again} · {needed}", type="primary", on_click=start, args=(found,), key="shape-train")
    return None


def training_line(
    page: ShapeGGenState, graph: engine.Graph, network: engine.Network, state: State, beside: DeltaGenerator | None
) -> None:
    """How good the network is, and a popover with its loss and settings; nothing where there is no place for it."""
    if beside is None:
        return
    training = network.training
    test = training.scores.get("test")
    with beside:
        if test is not None:
            guessing = graph.planted.statistics.largest_class
            st.markdown(
                f"Test accuracy **{test.accuracy:.2f}** (guessing {guessing:.2f}), F1 **{test.f1:.2f}**",
                width="content",
            )
        popover = st.popover("Training", key="shape-training-more", on_change="rerun")
        with popover:
            if popover.open:
                _training(page, training, state)


def _training(page: ShapeGGenState, training: Training, state: State) -> None:
    from wombat_core.networks.training import PUBLISHED

    lines = ["| part | nodes | accuracy | F1 |", "|:--|--:|--:|--:|"]
    titles = {"train": "training", "val": "validation", "test": "test"}
    for split, own in training.scores.items():
        lines.append(f"| {titles[split]} | {own.size:,} | {own.accuracy:.3f} | {own.f1:.3f} |")
    st.markdown("\n".join(lines))
    loss_chart(list(training.losses), training.settings.epochs, state, "shape-loss")
    st.caption(f"{training.settings.epochs:,} epochs of Adam, trained in {seconds(training.seconds)}.")
    left, right = st.columns(2, gap="small")
    with left:
        own = PUBLISHED[page.network].epochs
        st.number_input(
            "Epochs",
            1,
            100_000,
            help=f"The paper trains {own:,}.",
            **SHAPEGGEN.bind(page, "epochs", show=lambda value: value or own, take=lambda value: _epochs(value, own)),
        )
    with right:
        st.number_input("Seed of its weights", 0, 2**31 - 1, **SHAPEGGEN.bind(page, "train_seed"))


def _epochs(value: int | None, own: int) -> int:
    return 0 if value in (None, own) else value


def loss_chart(losses: list[float], epochs: int, state: State, key: str) -> None:
    """The loss of the training set, epoch by epoch."""
    style = style_of(state, CURVE_HEIGHT)
    # A thousand points say no more than two hundred do.
    every = max(1, len(losses) // 200)
    figure = named_lines(
        np.arange(1, len(losses) + 1)[::every],
        {"loss": np.array(losses)[::every]},
        x_title="epoch",
        y_title="loss",
        style=style,
        zoom=(1, max(epochs, 2)),
    )
    st.plotly_chart(
        figure, key=key, config=toolbar("shapeggen-loss", style), width="stretch", alt="Loss of the training set"
    )


def duration(value: float) -> str:
    """An estimate, for people."""
    if value < 90:
        step = 1 if value < 10 else 5
        return f"about {step * math.ceil(value / step)} s"
    return f"about {math.ceil(value / 60)} min"


def refused(page: ShapeGGenState, problem: str) -> None:
    """Parameters of the address that do not go together, and the way back."""
    st.error(plain(problem))
    st.button("Back to the preset", on_click=SHAPEGGEN.write, kwargs={"changes": ()}, key="shape-back")
