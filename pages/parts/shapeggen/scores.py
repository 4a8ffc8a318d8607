"""The table of the five metrics, ours above the paper's, and the nodes behind a number."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from pages.addresses.shapeggen import SHAPEGGEN, ShapeGGenState
from pages.addresses.shapeggen_codecs import CHANGES
from pages.shared.score_table import Column, ScoreCell, score_table
from pages.shared.text import plain, title_of
from wombat_core.metrics.masks import quarter
from wombat_core.shapeggen.node_metrics import METRICS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pages.shared.state import State
    from wombat_core.metrics.summary import Summary
    from wombat_core.shapeggen.evaluate import EvaluationRow
    from wombat_core.shapeggen.published_scores import PublishedValue

    from .engine import Graph

HEIGHT = 430
TITLES = {"node": "node masks", "edge": "edge masks", "feature": "feature masks"}
BEST = "#d5ead9"
"""Behind the best number of a column."""
SHOWN = 5
"""Nodes that a chosen cell offers to open."""


def scores(state: State, page: ShapeGGenState, graph: Graph, answers: Mapping[str, list[EvaluationRow] | None]) -> None:
    """The table and all that belongs to it.

    Args:
        answers: rows by explainer, None where it has not been scored.
    """
    from wombat_core.shapeggen.node_masks import kinds_of

    names = [name for name in answers if page.mask in kinds_of(name)]
    rows = [row for name in names for row in answers[name] or () if row.kind == page.mask]
    if not names:
        st.info(f"None of these explainers gives {TITLES[page.mask]}.")
        return
    if not rows and _paper(page, page.mask, names[0], "GEA") is None:
        return
    _table(state, page, names, rows)
    if rows:
        _chosen(page, graph, rows)
    _reading(page, graph)
    if rows:
        st.download_button(
            "Download CSV", lambda: _csv(page, answers), "shapeggen-scores.csv", key="shape-csv", on_click="ignore"
        )


def _table(state: State, page: ShapeGGenState, names: list[str], rows: list[EvaluationRow]) -> None:
    by_place = {(row.explainer, row.metric): row for row in rows}
    best = {metric: best_of(rows, metric) for metric in METRICS}
    picked = tuple(page.cell.split(":"))
    places = [(name, metric) for name in names for metric in METRICS]
    score_table(
        f"Metrics of {TITLES[page.mask]} by explainer",
        "Explainer",
        [Column("", heading(metric), meaning(metric)) for metric in METRICS],
        [(title_of(name), "") for name in names],
        [
            [
                _cell(_paper(page, page.mask, name, metric), name, metric, by_place.get((name, metric)), best[metric])
                for metric in METRICS
            ]
            for name in names
        ],
        key="shape-table",
        on_change=lambda row, column: SHAPEGGEN.write(cell=f"{names[row]}:{list(METRICS)[column]}"),
        selected=divmod(places.index(picked), len(METRICS)) if picked in places else None,
        height=HEIGHT,
        big=state.present,
    )


def is_higher_better(metric: str) -> bool:
    """Else lower is."""
    return METRICS[metric].higher_is_better


def meaning(metric: str) -> str:
    """What a metric is, for people."""
    return METRICS[metric].meaning


def heading(metric: str) -> str:
    """Its name, with an arrow towards what is better."""
    return f"{metric} {'↑' if is_higher_better(metric) else '↓'}"


def best_of(rows, metric: str) -> float | None:
    """The best mean of a metric, random left out."""
    own = [row for row in rows if row.metric == metric and row.explainer != "random" and row.summary.count]
    return (max if is_higher_better(metric) else min)((row.summary.mean for row in own), default=None)


def _cell(
    paper: PublishedValue | None, name: str, metric: str, row: EvaluationRow | None, best: float | None
) -> ScoreCell:
    below = [] if paper is None else [paper_text(paper)]
    if row is None:
        words = f"{title_of(name)}: {metric} has not been computed" + (f"; the paper has {paper}" if paper else "")
        return ScoreCell("–", below, None, words)
    if not row.summary.count:
        return ScoreCell("–", below, None, f"{title_of(name)}: {metric} is undefined on these nodes")
    colour = BEST if row.summary.mean == best else None
    return ScoreCell(f"{row.summary.mean:.3f}", [*error_text(row.summary), *below], colour, _words(row, paper))


def error_text(summary: Summary) -> list[str]:
    """The line below a mean with its standard error, where there is one."""
    return [] if math.isnan(summary.error) else [f"± {summary.error:.3f}"]


def paper_text(paper: PublishedValue) -> str:
    """The line below a mean with the paper's number."""
    return f"paper {paper.mean:.3f} ± {paper.spread:.3f}"


def _words(row: EvaluationRow, paper: PublishedValue | None) -> str:
    text = f"{title_of(row.explainer)}: {row.metric} {row.summary} over {row.summary.count} nodes"
    return text if paper is None else f"{text}; the paper has {paper} in Table {paper.table}"


def _paper(page: ShapeGGenState, mask: str, name: str, metric: str) -> PublishedValue | None:
    from wombat_core.shapeggen.published_scores import node_value

    return node_value(page.network, mask, name, metric) if metric in page.comparable[0] else None


def _chosen(page: ShapeGGenState, graph: Graph, rows: list[EvaluationRow]) -> None:
    """The chosen cell in words, and the nodes on which the explainer does worst."""
    from wombat_core.shapeggen.node_tasks import sampled_test_nodes

    name, _, metric = page.cell.partition(":")
    row = next((each for each in rows if (each.explainer, each.metric) == (name, metric)), None)
    if row is None:
        st.caption("Select a number to see the nodes behind it.")
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="shape-worst"):
        st.markdown(f"{plain(_words(row, _paper(page, row.kind, name, metric)))}.", width="content")
        if row.values is None:
            return
        values = np.array(row.values)
        order = np.argsort(values if is_higher_better(metric) else -values, kind="stable")
        nodes = sampled_test_nodes(graph.planted, page.test_nodes)
        st.markdown("Worst on node", width="content")
        for place in [place for place in order if not math.isnan(values[place])][:SHOWN]:
            st.button(
                f"{nodes[place]}",
                help=f"Explain node {nodes[place]}, {metric} {values[place]:.3f}",
                on_click=SHAPEGGEN.write,
                kwargs={"view": "explain", "node": nodes[place]},
                key=f"shape-worst-{place}",
            )


def _reading(page: ShapeGGenState, graph: Graph) -> None:
    """What stands beside what."""
    from wombat_core.shapeggen.published_scores import node_table

    table = node_table(page.network, page.mask)
    text = "± is the standard error over nodes (GEGF: over resamplings of them). Green: best but for random."
    beside, left_out = page.comparable
    if not beside:
        text += f" {left_out}"
    elif table is None:
        text += f" The paper has no table of {TITLES[page.mask]} for {page.network.upper()}."
    else:
        smaller = "" if graph.planted.num_nodes > 10_000 else " with 13,150 nodes, more than this graph has"
        text += (
            f" Paper: Table {table}, SG-Base{smaller}. Its seed, the settings of its explainers and what its ± is over"
            " are not known, so small differences mean nothing."
        )
        text += f" {left_out}" if left_out else ""
        if page.mask == "feature":
            text += _feature_masks(graph)
    st.caption(plain(text))


def _feature_masks(graph: Graph) -> str:
    """Why GEF of feature masks is far from Table 4."""
    own = graph.planted.statistics
    features, shown = graph.planted.data.num_features, quarter(graph.planted.data.num_features)
    text = (
        f" Table 4 has a GEF of 0.016 even for random masks, so hiding features hardly moved the paper's answers. Here"
        f" a mask leaves {shown} of {features} features and sets the others to 0 in the whole neighbourhood; the paper"
        " does not say how it hides them."
    )
    if own.redundant_tell:
        text += (
            " The redundant features tell the class here (see Generate), so a network can answer without the planted"
            " ones; but with eta = 0, where they tell nothing, GEF is about as high."
        )
    return text


def _csv(page: ShapeGGenState, answers: Mapping[str, list[EvaluationRow] | None]) -> str:
    """All rows of all kinds of masks, with what they depend on."""
    import pandas as pd

    lines = []
    for row in (row for rows in answers.values() for row in rows or ()):
        paper = _paper(page, row.kind, row.explainer, row.metric)
        lines.append(
            {
                "graph": page.preset,
                "changes": CHANGES.encode(page.changes) if page.changes else "",
                "graph_seed": page.graph_seed,
                "network": page.network,
                "train_seed": page.train_seed,
                "rule": page.rule,
                "direction": page.direction,
                "explainer": row.explainer,
                "mask": row.kind,
                "metric": row.metric,
                "mean": row.summary.mean,
                "standard_error": row.summary.error,
                "nodes": row.summary.count,
                "paper_table": paper and paper.table,
                "paper_mean": paper and paper.mean,
                "paper_spread": paper and paper.spread,
            }
        )
    return pd.DataFrame(lines).to_csv(index=False, lineterminator="\n")
