"""Which molecules of the library have a motif, which resemble it, and where the two SMARTS of a pattern disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.addresses.benchmark import BENCHMARK, BenchmarkState
from pages.shared import engine
from pages.shared.memory import remembered
from pages.shared.score_table import Column, ScoreCell, score_table
from pages.shared.state import State, bind, write
from pages.shared.text import plain
from pages.shared.whiteboxes import is_compiled, whitebox_ids, whitebox_name
from wombat_core.drawing.chart_style import ChartStyle, toolbar
from wombat_core.drawing.similarity_charts import similarity_chart

from .library import follow_pass

if TYPE_CHECKING:
    import numpy as np

    from wombat_core.screening.overview import Overview, OverviewRow
    from wombat_core.screening.relaxed import Counts, PaperRow

MEASURES = {"tversky": "Tversky", "tanimoto": "Tanimoto"}
HEIGHT = 384
WIDTHS = {False: 530, True: 690}
"""Of the table, by whether the page is presented; both numbers leave no column to scroll to."""


def molecules(state: State, page: BenchmarkState) -> None:
    """The view."""
    from wombat_core.screening.overview import kept_overview

    found = kept_overview()
    if found is None:
        follow_pass()
        return
    shown = None if is_compiled(state.pattern) else _row(found, state.pattern)
    beside = st.container(horizontal=True, gap="medium", key="bench-molecules-beside")
    left = beside.container(width=WIDTHS[state.present], key="bench-molecules-left")
    right = beside.container(key="bench-molecules-right")
    with left:
        _table(found, shown, state)
        st.caption(plain(_about_table(found, shown)))
    with right:
        _controls(state, page)
        if shown is None:
            st.info(
                "The library's hard negatives are known of the fourteen patterns. How many molecules have a motif "
                "of your own says its certificate, on the Author page."
            )
            return
        _chart(shown, page, state)
        st.caption(plain(_about_chart(shown, page)))


def _controls(state: State, page: BenchmarkState) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="bench-molecules-bar"):
        st.selectbox(
            "Pattern",
            whitebox_ids(state.pattern),
            format_func=whitebox_name,
            width=220,
            **bind(state, "pattern"),
        )
        st.segmented_control(
            "Similarity", list(MEASURES), required=True, format_func=MEASURES.get, **BENCHMARK.bind(page, "measure")
        )


def _row(found: Overview, id: str) -> OverviewRow:
    motif = engine.pattern(id).variant_of or id
    return next(row for row in found.rows if row.pattern.id == motif)


def _table(found: Overview, shown: OverviewRow | None, state: State) -> None:
    library, apart = f"Library: {found.usable:,} usable", "Original ≠ relaxed SMARTS"
    columns = [
        Column(library, "with motif", "usable molecules of the library with the motif"),
        Column(library, "hard neg.", "without the motif, with a Tversky similarity to it of at least 0.5"),
        Column(library, "other neg.", "without the motif, and less similar to it"),
        Column(apart, "library", "the library's usable molecules"),
        Column(apart, "published", "the published positives"),
        Column(apart, "paper", "Table S9, over the paper's own molecules"),
    ]
    score_table(
        "Molecules by pattern",
        "Pattern",
        columns,
        [(row.pattern.id, row.pattern.title) for row in found.rows],
        [_cells(row) for row in found.rows],
        key="bench-molecules",
        on_change=lambda row, column: write(pattern=found.rows[row].pattern.id),
        selected=None if shown is None else (found.rows.index(shown), 0),
        height=540 if state.present else 430,
        big=state.present,
    )


def _cells(row: OverviewRow) -> list[ScoreCell | None]:
    title = row.pattern.title
    return [
        ScoreCell(f"{row.positives:,}", (), None, f"{title}: {row.positives:,} with the motif"),
        ScoreCell(f"{row.hard:,}", (), None, f"{title}: {row.hard:,} hard negatives"),
        ScoreCell(f"{row.other:,}", (), None, f"{title}: {row.other:,} other negatives"),
        _disagreements(row.library, f"{title}, library"),
        _disagreements(row.published, f"{title}, published positives"),
        _disagreements(row.paper, f"{title}, Table S9 of the paper"),
    ]


def _disagreements(counts: Counts | PaperRow | None, where: str) -> ScoreCell | None:
    if counts is None:
        return None
    text = f"{counts.disagreements:,} of {counts.total:,}" if counts.total else "–"
    return ScoreCell(text, (), None, f"{where}: {_share(counts)}")


def _share(counts: Counts | PaperRow) -> str:
    if counts.percent is None:
        return "no molecule has the motif"
    return f"{counts.disagreements:,} of {counts.total:,} ({counts.percent:.2f} %)"


def _chart(shown: OverviewRow, page: BenchmarkState, state: State) -> None:
    from wombat_core.screening.library_pass import library_key
    from wombat_core.screening.negatives import HARD_FROM

    style = ChartStyle(dark=st.context.theme.type == "dark", big=state.present, height=HEIGHT)
    figure = similarity_chart(
        _groups(library_key(), shown.pattern.id, page.measure),
        measure=MEASURES[page.measure],
        # Hard negatives are chosen by the Tversky similarity alone.
        threshold=HARD_FROM if page.measure == "tversky" else None,
        style=style,
    )
    if page.measure == "tversky":
        peak = max(max(trace.y) for trace in figure.data)
        figure.update_yaxes(range=(0, 1.15 * peak))  # room for the words above the highest bar
        words = {"text": f"hard from {HARD_FROM}", "font": {"size": style.font - 1}, "showarrow": False}
        figure.add_annotation(words, x=HARD_FROM, xshift=6, xanchor="left", y=1, yref="paper", yanchor="top")
    st.plotly_chart(figure, theme=None, config=toolbar("similarity", style), key="bench-similarity")


@remembered(40)
def _groups(library: str, pattern: str, measure: str) -> dict[str, np.ndarray]:
    from wombat_core.screening.overview import similarity_groups

    return similarity_groups(pattern, measure)


def _about_table(found: Overview, shown: OverviewRow | None) -> str:
    text = (
        f"Library: {found.molecules:,} PubChem identifiers (package chemicals), {found.usable:,} usable. Hard "
        "negatives lack the motif, but have a Tversky similarity to it of at least 0.5. On the right, molecules with "
        "the motif whose label or atoms differ between original (Klekota-Roth) and relaxed SMARTS. "
    )
    if shown is None:
        return text
    text += shown.pattern.title
    if shown.library is None:
        return text + " has no original SMARTS."
    text += f", library: {_share(shown.library)}; published positives: {_share(shown.published)}; "
    if shown.paper is None:
        return text + "the paper's row of Table S9 is not at hand."
    return text + f"paper, over its own molecules: {_share(shown.paper)}, Table S9."


def _about_chart(shown: OverviewRow, page: BenchmarkState) -> str:
    if page.measure == "tversky":
        meaning = "Tversky (α = 1, β = 0) is the share of the motif's fingerprint bits that the molecule has."
    else:
        meaning = (
            "Tanimoto is shared bits over the bits of either, so large molecules score low. Hard negatives are chosen "
            "by Tversky similarity, so no line marks them here."
        )
    published = "" if shown.published else " It has no published positives."
    return (
        "After Figure S11, over the library and the published positives: similarity to the motif of "
        f"{shown.pattern.title} (Morgan fingerprints, radius 2, 2,048 bits; wildcards read as carbon, so molecules "
        f"with the motif may score low). {meaning} Each group adds up to 100 %.{published}"
    )
