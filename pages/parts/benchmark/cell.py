"""The chosen cell of the benchmark's table in words, and the way to the molecules behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.addresses.benchmark import BenchmarkState
from pages.addresses.failures import BENCHMARK as OF_A_RUN
from pages.addresses.failures import FAILURES, FailuresState
from pages.shared.failures_link import with_settings
from pages.shared.state import State, params_of
from pages.shared.text import plain, title_of

from .places import pattern_name, place_of

if TYPE_CHECKING:
    from wombat_core.benchmark.beside import Beside
    from wombat_core.benchmark.runs import RunInfo


def chosen_cell(table: Beside, page: BenchmarkState, shown: RunInfo) -> None:
    """What the cell says, over which molecules, and links to them."""
    place = place_of(page.cell)
    entry = table.entries.get(place)
    if entry is None:
        st.caption("Select a cell to see the molecules behind it.")
        return
    pattern, explainer, readout = place
    cell = entry.cell
    numbers = {
        "AUROC": _with_error(cell.auroc, cell.auroc_se),
        "AP": _with_error(cell.average_precision, cell.average_precision_se),
        "AP baseline": _with_error(cell.ap_baseline, None),
        "perfect": _share(cell.perfect_rate),
        "null": _share(cell.null_rate),
        "IQR pass": _share(cell.iqr_pass_rate),
        "whitebox right": _share(cell.accuracy),
    }
    counts = [f"{cell.scored:,} scored"]
    counts += [f"{cell.undefined:,} all ground truth"] if cell.undefined else []
    counts += [f"{cell.negatives:,} without the motif"] if cell.negatives else []
    counts += [f"{cell.problems:,} refused"] if cell.problems else []
    counts += [f"{cell.left_out:,} left out"] if cell.left_out else []
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="bench-cell"):
        facts = " · ".join(f"{name} **{value}**" for name, value in numbers.items() if value)
        st.markdown(
            f"**{plain(pattern_name(pattern))}, {title_of(explainer)}, {readout}**: {facts} · {', '.join(counts)}"
        )
        contains = not (entry.cell.with_motif == 0 and entry.cell.negatives)
        failures = FailuresState(
            view="search",
            explainer=explainer,
            against="none",
            failure="lowest-auroc" if contains else "iqr",
            molecules=OF_A_RUN,
            run=shown.name,
        )
        base = State(pattern=pattern, readout=readout if readout in ("r1", "r2") else "r2")
        base = with_settings(base, explainer, cell.settings)
        st.page_link(
            st.session_state["pages"]["failures"],
            label="See the molecules",
            icon=":material/grid_view:",
            query_params=params_of(base) | FAILURES.params_of(failures),
        )
    if entry.paper is not None and entry.paper.set is not None:
        paper = entry.paper
        spread = f" ± {paper.stderr:.3f}" if paper.stderr is not None else ""
        number = f" ({paper.num_molecules:,} molecules)" if paper.num_molecules else ""
        st.caption(plain(f"The paper, Table {paper.table}: {paper.value:.3f}{spread} over {paper.set.title}{number}."))


def _with_error(value: float | None, error: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if error is None else f"{value:.3f} ± {error:.3f}"


def _share(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f} %"
