"""The five metrics of explainers on test nodes: the controls, and the work in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.addresses.shapeggen import MASKS, SHAPEGGEN, ShapeGGenState
from pages.shared.jobs import Bar, Job, follow, get_job, problems, stages
from pages.shared.text import title_of
from wombat_core.shapeggen.node_explainers import node_explainer

from .controls import methods_choice, run_button, run_nodes, seconds_of
from .engine import own_copy
from .scores import scores

if TYPE_CHECKING:
    from pages.shared.state import State
    from wombat_core.shapeggen.evaluate import EvaluationRow, Options

    from .engine import Graph, Network

RULES = {
    "top-25%": "the top 25 %, as in the paper",
    "above-0.8": "above 0.8, the code's for nodes",
    "above-0.1-max": "above a tenth of the highest, the code's for graphs",
}
DIRECTIONS = {"printed": "as printed (Eq. 5)", "reversed": "reversed, as in the code"}
FLIPS = {"node": "the node's own", "neighbourhood": "its whole neighbourhood's"}


def metrics(state: State, page: ShapeGGenState, graph: Graph, network: Network) -> None:
    """The controls, the table, and the nodes behind a number."""
    if not state.present:
        _controls(page)
    if not page.methods:
        st.info("Choose an explainer.")
        return
    options = _options(page)
    jobs = {name: _job(page, graph, network, name, options) for name in page.methods}
    titled = {title_of(name): each for name, each in jobs.items()}
    work, shown = stages()
    with work:
        problems(titled)
        missing = {name: each for name, each in jobs.items() if each.answer is None}
        if any(each.is_active for each in missing.values()):
            follow(Bar("shape-scores", tuple(titled.values())))
        elif missing:
            count = min(page.test_nodes, int(graph.planted.data.test_mask.sum()))
            needed = sum(seconds_of(name, count, page.copies + 2) for name in missing)
            plural = "s" if len(missing) > 1 else ""
            label = f"Score {len(missing)} explainer{plural} on {count} test nodes"
            run_button(list(missing.values()), label, needed, "shape-score")
    with shown:
        scores(state, page, graph, {name: each.answer for name, each in jobs.items()})


def _options(page: ShapeGGenState) -> Options:
    from wombat_core.shapeggen.evaluate import Options
    from wombat_core.shapeggen.perturb import Perturbation

    return Options(page.rule, page.direction, Perturbation(copies=page.copies), page.flip)


def _job(page: ShapeGGenState, graph: Graph, network: Network, name: str, options: Options) -> Job:
    """The work of scoring one explainer; its answer are rows of all kinds of masks."""
    count, planted, model = page.test_nodes, graph.planted, network.training.model

    def work() -> list[EvaluationRow]:
        from wombat_core.shapeggen.evaluate import evaluate
        from wombat_core.shapeggen.node_tasks import sampled_test_nodes

        nodes = sampled_test_nodes(planted, count)
        return evaluate(planted, own_copy(model), [node_explainer(name)], nodes, MASKS, seed=0, options=options)

    return get_job("scores", (network.key, count, options, name), title_of(name)).of(work)


def _controls(page: ShapeGGenState) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="shape-controls"):
        st.segmented_control(
            "Masks",
            MASKS,
            required=True,
            format_func={"node": "Nodes", "edge": "Edges", "feature": "Features"}.get,
            label_visibility="collapsed",
            **SHAPEGGEN.bind(page, "mask"),
        )
        run_nodes(page)
        methods_choice(page)
        popover = st.popover("Options", key="shape-options", on_change="rerun")
        with popover:
            if popover.open:
                _choose_options(page)


def _choose_options(page: ShapeGGenState) -> None:
    st.selectbox("Masks from scores", list(RULES), format_func=RULES.get, **SHAPEGGEN.bind(page, "rule"))
    st.selectbox("Divergence in GEF", list(DIRECTIONS), format_func=DIRECTIONS.get, **SHAPEGGEN.bind(page, "direction"))
    st.selectbox(
        "Protected feature changed in GECF", list(FLIPS), format_func=FLIPS.get, **SHAPEGGEN.bind(page, "flip")
    )
    st.number_input(
        "Perturbed copies in GES",
        1,
        100,
        help="Each feature gets noise of a tenth of its standard deviation, each edge goes with probability 0.01."
        " The paper names no settings.",
        **SHAPEGGEN.bind(page, "copies"),
    )
