"""The results of a run: its progress, its table or chart, the chosen cell, downloads."""

from __future__ import annotations

import shlex
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from pages.addresses.benchmark import BENCHMARK, BenchmarkState
from pages.shared.guard import error_boundary
from pages.shared.jobs import problems
from pages.shared.memory import remembered
from pages.shared.score_table import Column, ScoreCell, score_table
from pages.shared.text import plain, title_of
from pages.shared.whiteboxes import is_compiled
from wombat_core.benchmark import store
from wombat_core.benchmark.beside import SCORES, beside
from wombat_core.benchmark.repeats import repeats
from wombat_core.benchmark.runs import damaged_runs, folder_of, info, name_of, run_infos
from wombat_core.benchmark.summary import summarise
from wombat_core.drawing.chart_style import ChartStyle, toolbar
from wombat_core.drawing.score_charts import Point, score_chart, score_colour
from wombat_core.errors import InputError
from wombat_core.host import host

from . import processes
from .cell import chosen_cell
from .own import own_runs
from .places import pattern_name, place_of

if TYPE_CHECKING:
    from pages.shared.state import State
    from wombat_core.benchmark.beside import Beside, Entry
    from wombat_core.benchmark.runs import RunInfo
    from wombat_core.benchmark.store import Store
    from wombat_core.benchmark.summary import Cell

POLL = 1.0
"""Seconds between looks at a run that goes on."""
HEIGHT = 404
_DELETED = "bench-deleted"


def results(state: State, page: BenchmarkState) -> None:
    """The view."""
    names = None if host().show_runs == "all" else own_runs()
    infos = run_infos(names)
    if damaged := damaged_runs(names):
        st.warning(plain(" ".join(damaged)))
    if not infos and not page.run:
        _empty()
        return
    try:
        shown = info(page.run) if page.run else infos[0]
    except InputError as error:
        st.error(plain(error))
        shown = None
    if shown is not None and shown.name not in [each.name for each in infos]:  # a link brought it
        own_runs().add(shown.name)
        infos = [shown, *infos]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="bench-bar"):
        _choose_run(page, infos, shown)
        _choose_score(page)
    if shown is None:
        return
    running = _is_running(shown)
    st.fragment(_body, run_every=POLL if running else None)(state, shown.name, running)


def _empty() -> None:
    if host().show_runs == "all":
        st.info("There is no run yet.")
    else:
        st.info(
            "There is no run yet in this tab. A run belongs to whoever has its link; open that link to see it again."
        )
    with st.container(horizontal=True, gap="small"):
        if not host().read_only:
            st.button("Set up a run", type="primary", on_click=BENCHMARK.write, kwargs={"view": "new"})
        st.button("See the paper's tables", on_click=BENCHMARK.write, kwargs={"view": "paper"})


def _choose_run(page: BenchmarkState, infos: list[RunInfo], shown: RunInfo | None) -> None:
    by_name = {each.name: each for each in infos}
    key = f"bench-run-{shown.name if shown else ''}"

    def choose() -> None:
        if st.session_state[key] in by_name:
            BENCHMARK.write(run=st.session_state[key])

    st.selectbox(
        "Run",
        list(by_name),
        index=list(by_name).index(shown.name) if shown and shown.name in by_name else None,
        # How far a run is stands elsewhere: a label that changes comes back as a name.
        format_func=lambda name: f"{name_of(name)} · {by_name[name].plan.title}",
        placeholder="Choose",
        key=key,
        on_change=choose,
        width=470,
    )


def _is_running(info: RunInfo) -> bool:
    return info.at_work or processes.run_job(info.name).is_active


def _choose_score(page: BenchmarkState) -> None:
    st.selectbox(
        "Score",
        list(SCORES),
        format_func=lambda name: SCORES[name].title,
        help="\n".join(f"- **{score.title}**: {score.meaning}" for score in SCORES.values()),
        width=190,
        **BENCHMARK.bind(page, "score"),
    )
    st.toggle("Chart", **BENCHMARK.bind(page, "chart"))


def _body(state: State, name: str, was_running: bool) -> None:
    """All that changes while a run goes on, or with a click on a cell."""
    with error_boundary("The run"):
        _results(state, name, was_running)


def _results(state: State, name: str, was_running: bool) -> None:
    if st.session_state.pop(_DELETED, False):  # by a button of this fragment; the page has other runs to show
        st.rerun()
    # Read anew: a fragment runs again with the arguments of the last whole run.
    page, _ = BENCHMARK.read()
    shown = info(name)
    running = _is_running(shown)
    if running != was_running:
        st.rerun()
    _progress(shown, running)
    with store.load(folder_of(name)) as rows:
        cells = _cells(name, shown.begun, (len(rows.done()), rows.count()), rows)
    table = beside(cells, page.score)
    entries = [entry for entry in table.entries.values() if entry.molecules]
    if not entries:
        what = "with" if page.score in ("auroc", "average_precision", "perfect_rate", "null_rate") else "without"
        st.caption(
            "No molecule of this run has this score yet."
            if running or not shown.complete
            else f"No molecule of this run has this score: it needs molecules {what} the motif."
        )
    if page.chart:
        _chart(table, state)
    else:
        _table(table, page, state)
    if shown.complete:
        with store.load(folder_of(name)) as rows:
            if told := _repeats(name, shown.begun, rows):
                st.warning(plain(told.replace("--unique takes", "The form's 'Each molecule once' takes")))
    _reading(shown, table)
    chosen_cell(table, page, shown)
    _downloads(cells, shown, running)


@remembered(20)
def _repeats(name: str, begun: float, _rows: Store) -> str | None:
    """What there is to tell of molecules that the run's file holds several times."""
    return repeats(_rows)


@remembered(20)
def _cells(name: str, begun: float, kept: tuple[int, int], _rows: Store) -> list[Cell]:
    """The summary of a run, made anew when a chunk has come: a large run takes seconds to go through."""
    return summarise(_rows)


def _progress(shown: RunInfo, running: bool) -> None:
    job = processes.run_job(shown.name)
    problems({"": job})
    if shown.complete and not running:
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="bench-progress"):
        share = shown.share
        rows = f"{shown.rows:,} of {shown.total:,}" if shown.total else f"{shown.rows:,}"
        if running:
            text = f"{rows} explanations" if shown.rows else f"{rows} explanations; the first ones take a while"
            if job.place is not None:
                text = f"{rows} explanations; waiting for a turn, number {job.place} in line"
            st.progress(share or 0.0, text=text)
            if host().read_only:
                return
            st.button("Stop", icon=":material/stop:", on_click=processes.stop_run, args=(shown.name,), key="bench-stop")
        else:
            st.markdown(f":orange-badge[stopped] {rows} explanations are there.", width="content")
            if shown.plan.plugins:
                st.caption(_in_the_terminal(shown))
                return
            if host().read_only:
                return
            label = "Go on" if shown.rows else "Start"
            st.button(label, on_click=processes.start_run, args=(shown.name,), key="bench-resume")


def _in_the_terminal(shown: RunInfo) -> str:
    """Why the run does not go on from here: a folder does not decide what code runs."""
    files = [Path(path).name for path, _ in shown.plan.plugins]
    named = " ".join(f"--plugin {shlex.quote(name)}" for name in files)
    return plain(
        f"This run uses explainers of {' and '.join(files)}, code that the app does not run because a folder names it. "
        f"Go on in a terminal: wombat benchmark --out {shlex.quote(shown.name)} --resume {named}"
    )


def _table(table: Beside, page: BenchmarkState, state: State) -> None:
    places = [(pattern, *column) for pattern in table.patterns for column in table.columns]
    chosen = place_of(page.cell)
    selected = divmod(places.index(chosen), len(table.columns)) if chosen in places else None

    def choose(row: int, column: int) -> None:
        BENCHMARK.write(cell=":".join((table.patterns[row], *table.columns[column])))

    score_table(
        f"{table.score.title} by pattern and explainer",
        "Pattern",
        [Column(title_of(explainer), readout) for explainer, readout in table.columns],
        [(pattern, pattern_name(pattern)) for pattern in table.patterns],
        [[_cell(table, (pattern, *column)) for column in table.columns] for pattern in table.patterns],
        key="bench-table",
        on_change=choose,
        selected=selected,
        height=HEIGHT,
        big=state.present,
    )


def _cell(table: Beside, place: tuple[str, str, str]) -> ScoreCell | None:
    entry = table.entries.get(place)
    if entry is None:
        return None
    if entry.value is None:
        return ScoreCell(
            "–", [], None, f"{pattern_name(place[0])}, {title_of(place[1])}, {place[2]}: no molecule has it"
        )
    good = table.score.higher_is_better
    shade = entry.value if good else 1 - entry.value / 2
    below = [f"± {entry.error:.3f}"] if entry.error is not None else []
    if entry.paper is not None:
        below.append(f"paper {entry.paper.value:.3f}")
    return ScoreCell(f"{entry.value:.3f}", below, score_colour(shade), words(table, place, entry))


def words(table: Beside, place: tuple[str, str, str], entry: Entry) -> str:
    """All of a cell in words."""
    error = f" ± {entry.error:.3f}" if entry.error is not None else ""
    text = f"{pattern_name(place[0])}, {title_of(place[1])}, {place[2]}: {table.score.title} {entry.value:.3f}{error}"
    text += f" over {entry.molecules:,} molecule{'s' if entry.molecules != 1 else ''}"
    if entry.paper is not None:
        spread = f" ± {entry.paper.stderr:.3f}" if entry.paper.stderr is not None else ""
        text += f"; the paper has {entry.paper.value:.3f}{spread} in Table {entry.paper.table}"
    return text


def _chart(table: Beside, state: State) -> None:
    points = [
        Point(
            readout,
            title_of(explainer),
            pattern_name(pattern) if is_compiled(pattern) or pattern.isdigit() else pattern,
            entry.value,
            entry.error,
            entry.paper.value if entry.paper else None,
            words(table, (pattern, explainer, readout), entry),
        )
        for explainer, readout in table.columns
        for pattern in table.patterns
        if (entry := table.entries.get((pattern, explainer, readout))) is not None and entry.value is not None
    ]
    style = ChartStyle(dark=st.context.theme.type == "dark", big=state.present, height=HEIGHT)
    figure = score_chart(points, table.score.title, style)
    st.plotly_chart(figure, theme=None, config=toolbar("benchmark", style), key="bench-chart")


def _reading(shown: RunInfo, table: Beside) -> None:
    """Which molecules, and what the paper's numbers are over: never the same."""
    text = f"{table.score.meaning} Molecules: {shown.plan.title}; ± is the standard error."
    sets = dict.fromkeys(
        entry.paper.set.title for entry in table.entries.values() if entry.paper is not None and entry.paper.set
    )
    if sets:
        text += f" The paper's numbers are over other molecules ({'; '.join(sets)}), so small differences mean nothing."
    st.caption(plain(text))


def _downloads(cells: list[Cell], shown: RunInfo, running: bool) -> None:
    from wombat_core.benchmark.tables import csv_text, latex_text, markdown_text

    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="bench-downloads"):
        st.markdown("Download", width="content")
        for label, ending, make in (
            ("CSV", "csv", lambda: csv_text(cells)),
            ("Markdown", "md", lambda: markdown_text(cells, shown.plan)),
            ("LaTeX", "tex", lambda: latex_text(cells, shown.plan)),
        ):
            st.download_button(label, make, f"{name_of(shown.name)}.{ending}", key=f"bench-{ending}", on_click="ignore")
        if not running and not host().read_only:
            with st.popover("Delete", icon=":material/delete:", key="bench-delete"):
                _ask_to_delete(shown)
        when = datetime.fromtimestamp(shown.begun).strftime("%Y-%m-%d %H:%M")
        whose = "" if host().show_runs == "all" else " Whoever has the link of this page can see this run."
        st.caption(f"Last begun {when}.{whose}", width="content")


def _ask_to_delete(shown: RunInfo) -> None:
    what = "its results and its file" if shown.plan.file else "its results"
    st.markdown(f"This deletes the run and {what} for everybody who has its link.")
    st.button("Delete the run", type="primary", on_click=_delete, args=(shown.name,), key="bench-delete-run")


def _delete(name: str) -> None:
    try:
        processes.delete_run(name)
    except InputError as error:
        st.toast(plain(error), icon=":material/error:")
        return
    own_runs().discard(name)
    st.session_state[_DELETED] = True
    BENCHMARK.write(run="")
