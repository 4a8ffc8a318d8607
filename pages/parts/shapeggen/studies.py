"""The paper's questions about kinds of graphs, asked again at demo size: Figures 4 to 7."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from pages.addresses.shapeggen import NETWORKS, SHAPEGGEN, ShapeGGenState
from pages.shared.chart_frame import style_of
from pages.shared.jobs import Bar, Job, follow, get_job, problems, stages
from pages.shared.text import plain, title_of
from wombat_core.drawing.chart_style import toolbar
from wombat_core.drawing.score_charts import Point, score_chart
from wombat_core.shapeggen.node_explainers import node_explainer

from .controls import methods_choice, run_button, run_nodes, seconds_of
from .engine import training_settings

if TYPE_CHECKING:
    from pages.shared.state import State
    from wombat_core.shapeggen.evaluate import EvaluationRow
    from wombat_core.shapeggen.studies import Part, Study

HEIGHT = 360
PAIRS = {"different-label": "Homophily as printed", "same-label": "as in the code"}
"""By the labels of the unconnected pairs that alg. 3 drives apart."""


def show_study(state: State, page: ShapeGGenState) -> None:
    """One study: what the paper found, what we find, and the chart behind it."""
    from wombat_core.shapeggen.studies import study

    own = study(page.study)
    st.markdown(f"**The paper, Figure {own.figure}:** {own.found}")
    if not state.present:
        _controls(page)
    jobs = {label: _job(own, place, page, label) for place, label in enumerate(own.labels)}
    work, shown = stages()
    with work:
        problems(jobs)
        missing = [each for each in jobs.values() if each.answer is None]
        if any(each.is_active for each in missing):
            follow(Bar("shape-study", tuple(jobs.values())))
        elif missing:
            _ask(own, page, missing)
    if not missing:
        parts = {label: each.answer for label, each in jobs.items()}
        with shown:
            st.markdown(f"**Here:** {_finding(own, parts)}")
            _chart(state, own, parts)
            _reading(own, page, parts)


def _ask(own: Study, page: ShapeGGenState, missing: list[Job]) -> None:
    """The button, and what it will do."""
    methods = _methods(own, page)
    if not methods:
        st.info(f"None of the chosen explainers gives masks of {own.mask}s.")
        return
    needed = len(missing) * (12 + sum(seconds_of(name, page.test_nodes, 2) for name in methods))
    graphs = " and ".join(own.presets) if len(own.presets) == 2 else ", ".join(own.presets)
    st.caption(plain(f"{graphs} with about 500 nodes each: generated, a network trained, explainers scored."))
    run_button(missing, f"Ask it of {len(own.presets)} graphs", needed, "shape-ask")


def _methods(own: Study, page: ShapeGGenState) -> tuple[str, ...]:
    from wombat_core.shapeggen.node_masks import kinds_of

    return tuple(name for name in page.methods if own.mask in kinds_of(name))


def _controls(page: ShapeGGenState) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="shape-controls"):
        st.segmented_control(
            "Network",
            NETWORKS,
            required=True,
            format_func=str.upper,
            label_visibility="collapsed",
            **SHAPEGGEN.bind(page, "network"),
        )
        run_nodes(page)
        methods_choice(page)
        st.segmented_control(
            "Unconnected pairs driven apart",
            list(PAIRS),
            required=True,
            format_func=PAIRS.get,
            label_visibility="collapsed",
            **SHAPEGGEN.bind(page, "pairs"),
        )


def _job(own: Study, place: int, page: ShapeGGenState, label: str) -> Job:
    """The work on one graph of the study; its answer is a ``Part``."""
    from wombat_core.shapeggen.studies import run_part

    settings, methods = training_settings(page), _methods(own, page)
    count, kind, seed = page.test_nodes, page.network, page.graph_seed
    changes = {"homophily_pairs": page.pairs}

    def work() -> Part:
        explainers = [node_explainer(name) for name in methods]
        return run_part(own, place, kind, explainers, count, seed=seed, settings=settings, changes=changes)

    key = (own.presets[place], own.mask, own.metrics, kind, settings, count, seed, page.pairs, methods)
    return get_job("study", key, label).of(work)


def _finding(own: Study, parts: dict[str, Part]) -> str:
    """The averages over explainers, in a sentence."""
    sentences = []
    for metric in own.metrics:
        means = {label: _average(part, metric) for label, part in parts.items()}
        known = [f"{mean:.3f} for {label}" for label, mean in means.items() if not np.isnan(mean)]
        sentences.append(f"{metric} averaged over explainers but for random is {', '.join(known)}.")
        first, *_, last = means.values()
        if len(means) == 2 and last:
            share = 100 * (last - first) / last
            word = "lower" if share >= 0 else "higher"
            labels = list(means)
            sentences.append(f"That is {abs(share):.0f} % {word} for {labels[0]} than for {labels[1]}.")
    return " ".join(sentences)


def _average(part: Part, metric: str) -> float:
    own = [row.summary.mean for row in part.rows if row.metric == metric and row.explainer != "random"]
    own = [mean for mean in own if not np.isnan(mean)]
    return float(np.mean(own)) if own else float("nan")


def _chart(state: State, own: Study, parts: dict[str, Part]) -> None:
    points = [
        Point(metric, title_of(row.explainer), label, row.summary.mean, _error(row), None, _words(row, label))
        for metric in own.metrics
        for label, part in parts.items()
        for row in part.rows
        if row.metric == metric and row.summary.count
    ]
    style = style_of(state, HEIGHT)
    figure = score_chart(points, "lower is better", style)
    figure.for_each_trace(_no_bar_below_zero)
    st.plotly_chart(
        figure,
        theme=None,
        config=toolbar(f"shapeggen-{own.name}", style),
        key=f"shape-study-{own.name}",
        alt=f"{' and '.join(own.metrics)} by explainer",
    )


def _no_bar_below_zero(trace) -> None:
    """These metrics are never negative, so neither is what their bars reach down to."""
    if trace.error_x.array is not None:
        lower = [min(error, value) for error, value in zip(trace.error_x.array, trace.x, strict=True)]
        trace.error_x.update(symmetric=False, arrayminus=lower)


def _error(row: EvaluationRow) -> float | None:
    return None if np.isnan(row.summary.error) else row.summary.error


def _words(row: EvaluationRow, label: str) -> str:
    return f"{title_of(row.explainer)}, {label}: {row.metric} {row.summary} over {row.summary.count} nodes"


def _reading(own: Study, page: ShapeGGenState, parts: dict[str, Part]) -> None:
    accuracies = [
        f"{label} {part.scores['test'].accuracy:.2f}" for label, part in parts.items() if "test" in part.scores
    ]
    told = [
        f"{label} {part.redundant_accuracy:.2f}" for label, part in parts.items() if part.redundant_accuracy is not None
    ]
    text = (
        f"{page.network.upper()} on graphs of about 500 nodes, {own.mask} masks, {page.test_nodes} test nodes, ± the"
        f" standard error over them. Test accuracy: {', '.join(accuracies)}; from the redundant features alone, which"
        f" should tell nothing: {', '.join(told)}. The paper's graphs have 13,000 nodes and more, so directions can be"
        f" compared and sizes of differences cannot. {own.reading}"
    )
    st.caption(plain(text))
