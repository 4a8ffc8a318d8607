"""GraphXAI's molecular tasks on library molecules, beside its Table 5."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.addresses.shapeggen import SHAPEGGEN, ShapeGGenState
from pages.addresses.shapeggen_codecs import tasks, tasks_of
from pages.shared.jobs import Bar, Job, follow, get_job, problems, stages
from pages.shared.score_table import Column, ScoreCell, score_table
from pages.shared.text import plain, title_of
from wombat_core.explainers.registry import explainer
from wombat_core.progress import each

from .controls import methods_choice, run_button, seconds_of
from .scores import BEST, best_of, error_text, heading, meaning, paper_text

if TYPE_CHECKING:
    from pages.shared.state import State
    from wombat_core.networks.scores import SplitScores
    from wombat_core.studies.molecule_tasks import MoleculeRow

HEIGHT = 420
MOST = 50
"""Positive test molecules that are explained."""
TRAINING = 60
"""Seconds about which choosing molecules and training take."""
METRICS = ("GEA", "GEF")


def molecules(state: State, page: ShapeGGenState) -> None:
    """The view."""
    from wombat_core.studies.molecule_rules import molecule_task

    if not state.present:
        with st.container(horizontal=True, gap="small", vertical_alignment="center", key="shape-controls"):
            st.pills(
                "Tasks",
                tasks(),
                selection_mode="multi",
                format_func=lambda name: molecule_task(name).title,
                label_visibility="collapsed",
                **SHAPEGGEN.bind(page, "tasks", show=list, take=tasks_of),
            )
            methods_choice(page)
    if not page.tasks or not page.methods:
        st.info("Choose a task and an explainer.")
        return
    jobs = {molecule_task(name).title: _job(name, page) for name in page.tasks}
    work, shown = stages()
    with work:
        problems(jobs)
        missing = [each for each in jobs.values() if each.answer is None]
        if any(each.is_active for each in missing):
            follow(Bar("shape-tasks", tuple(jobs.values())))
        elif missing:
            st.caption("A GIN is trained on library molecules, half of them positive, and explainers are scored on it.")
            needed = len(missing) * (TRAINING + sum(seconds_of(name, MOST, 1) for name in page.methods))
            plural = "s" if len(missing) > 1 else ""
            run_button(missing, f"Train and score {len(missing)} task{plural}", needed, "shape-molecules")
    done = {name: each.answer for name, each in zip(page.tasks, jobs.values(), strict=True) if each.answer}
    if done:
        with shown:
            _table(state, page, done)
            _reading(done)


def _job(name: str, page: ShapeGGenState) -> Job:
    """The work on one task; its answer are rows and the network's scores."""
    from wombat_core.studies.molecule_rules import molecule_task
    from wombat_core.studies.molecule_tasks import SETTINGS

    methods = page.methods
    settings = SETTINGS

    def work() -> tuple[list[MoleculeRow], dict[str, SplitScores]]:
        from wombat_core.studies.molecule_tasks import evaluate_task, train_on_task

        made: list = []
        steps = (
            lambda: made.append(train_on_task(name, settings)),
            lambda: evaluate_task(made[0], [explainer(own) for own in methods], MOST),
        )
        rows = each(steps, lambda step: step())[-1]
        return rows, made[0].training.scores

    return get_job("task", (name, settings, methods), molecule_task(name).title).of(work)


def _table(state: State, page: ShapeGGenState, done: dict[str, tuple]) -> None:
    from wombat_core.studies.molecule_rules import molecule_task

    by_place = {(row.task, row.explainer, row.metric): row for rows, _ in done.values() for row in rows}
    columns = [(task, metric) for task in done for metric in METRICS]
    score_table(
        "GEA and GEF by task and explainer",
        "Explainer",
        [Column(molecule_task(task).title, heading(metric), meaning(metric)) for task, metric in columns],
        [(title_of(name), "") for name in page.methods],
        [
            [_cell(by_place.get((task, name, metric)), best_of(done[task][0], metric)) for task, metric in columns]
            for name in page.methods
        ],
        key="shape-molecule-table",
        on_change=lambda row, column: None,
        height=HEIGHT,
        big=state.present,
    )


def _cell(row: MoleculeRow | None, best: float | None) -> ScoreCell | None:
    from wombat_core.shapeggen.published_scores import molecule_value

    if row is None:
        return None
    paper = molecule_value(row.task, row.explainer, row.metric)
    below = error_text(row.summary)
    words = f"{title_of(row.explainer)}: {row.metric} {row.summary} over {row.summary.count} molecules"
    if paper is not None:
        below.append(paper_text(paper))
        words += f"; the paper has {paper} in Table {paper.table}"
    return ScoreCell(f"{row.summary.mean:.3f}", below, BEST if row.summary.mean == best else None, words)


def _reading(done: dict[str, tuple]) -> None:
    from wombat_core.studies.molecule_rules import molecule_task
    from wombat_core.studies.molecule_tasks import remark

    for name, (_, scores) in done.items():
        task, test = molecule_task(name), scores.get("test")
        accuracy = f" Test accuracy {test.accuracy:.2f} on {test.size} molecules." if test else ""
        st.caption(f"**{plain(task.title)}.** {plain(task.reading + accuracy)}")
    counts = [sum(own.size for own in scores.values()) for _, scores in done.values()]
    st.caption(plain(f"± is the standard error over molecules. Green: best but for random. {remark(counts)}"))
