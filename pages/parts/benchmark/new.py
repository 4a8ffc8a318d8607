"""The form of a new run."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from pages.addresses.benchmark import BENCHMARK, MOST_EACH, BenchmarkState
from pages.shared import engine
from pages.shared.settings import settings_popover
from pages.shared.state import bind
from pages.shared.state_codecs import explainers_of
from pages.shared.text import plain, title_of
from pages.shared.upload import TYPES
from pages.shared.whiteboxes import is_compiled, whitebox_ids, whitebox_name, whiteboxes_of
from wombat_core.benchmark.planning import make_plan
from wombat_core.benchmark.run import total
from wombat_core.benchmark.runs import begin, new_id, new_name
from wombat_core.errors import InputError
from wombat_core.explainers.estimate import estimate
from wombat_core.explainers.registry import explainer_taking, names
from wombat_core.host import host

from . import processes
from .own import keep_upload, own_runs

if TYPE_CHECKING:
    from pages.shared.state import State
    from wombat_core.benchmark.plan import Plan

UNIQUE = "bench-unique"
SET_TITLES = {
    "positives": "Positives: published molecules with the motif",
    "library": "Library: PubChem identifiers, with and without",
    "negatives": "Negatives: library molecules without it, at random",
    "hard-negatives": "Hard negatives: without it, but similar to it",
    "file": "A file of your own",
}
TYPICAL_ATOMS = 20
"""Heavy atoms for which the time of costly explainers is estimated."""


def new_run(state: State, page: BenchmarkState) -> None:
    """The form: what to run on what, how much that is, and the button."""
    if host().read_only:
        st.info("No runs are started on this server; they can be started where the explorer is installed.")
        return
    left, right = st.columns(2, gap="medium")
    with left:
        st.pills(
            "Patterns",
            whitebox_ids(state.pattern, *page.patterns),
            selection_mode="multi",
            format_func=lambda id: whitebox_name(id) if is_compiled(id) else id,
            wrap=True,
            **BENCHMARK.bind(page, "patterns", show=list, take=whiteboxes_of),
        )
        st.pills(
            "Readouts", ["r1", "r2"], selection_mode="multi", **BENCHMARK.bind(page, "readouts", show=list, take=tuple)
        )
        st.selectbox("Molecules", list(SET_TITLES), format_func=SET_TITLES.get, **BENCHMARK.bind(page, "molecules"))
        upload = _upload() if page.molecules == "file" else None
        st.number_input(
            "Molecules a pattern, at most",
            0,
            MOST_EACH,
            step=100,
            help="0 takes all. The first of positives and files, evenly spread ones of the library, drawn negatives.",
            **BENCHMARK.bind(page, "most_each"),
        )
    with right:
        st.pills(
            "Explainers",
            _explainer_names(),
            selection_mode="multi",
            format_func=title_of,
            wrap=True,
            **bind(state, "explainers", show=list, take=explainers_of),
        )
        settings_popover(state)
        name = st.text_input("Name of the run", key="bench-name", placeholder=f"{datetime.now():%Y-%m-%d-%H%M}")
    try:
        plan = _plan(state, page, upload)
        st.caption(plain(_size(plan)))
        problem = None
    except InputError as error:
        plan, problem = None, str(error)
        st.warning(plain(problem))
    if st.button("Start the run", type="primary", disabled=plan is None, key="bench-start"):
        _start(plan, name.strip(), upload)


def _explainer_names() -> list[str]:
    return names()


def _upload() -> Path | None:
    """The chosen file, kept for this tab."""
    file = st.file_uploader("File", TYPES, key="bench-file")
    st.caption(
        "The file is sent to the server. When the run starts it is kept there with the run, and whoever has the run's "
        "link can open its molecules; it is deleted with the run. If no run starts it goes when you leave."
    )
    st.checkbox("Each molecule once", key=UNIQUE, help="Leaves out molecules that the file holds several times.")
    return keep_upload(file)


def _plan(state: State, page: BenchmarkState, upload: Path | None) -> Plan:
    """What the form says.

    Raises:
        InputError: it lacks something, or does not go together.
    """
    molecules = page.molecules
    if molecules == "file":
        if upload is None:
            raise InputError("Choose a file of molecules (CSV, TSV, XLSX, JSON, SMI, SDF or MOL).")
        molecules = str(upload)
    explainers = [explainer_taking(name, state.settings(name)) for name in state.explainers]
    return make_plan(
        page.patterns,
        page.readouts,
        explainers,
        molecules,
        limit=page.most_each or None,
        seed=state.seed,
        unique=page.molecules == "file" and bool(st.session_state.get(UNIQUE)),
    )


def _size(plan: Plan) -> str:
    """How much there is to do."""
    most = total(plan)
    tasks = len(plan.tasks)
    text = f"{tasks} whitebox and explainer pair{'s' if tasks != 1 else ''}"
    text += f", at most {most:,} explanations." if most is not None else "."
    costly = {}
    for task in plan.tasks:
        if task.expensive and task.explainer not in costly:
            found = estimate(task.method(), engine.whitebox(task.pattern, task.readout), TYPICAL_ATOMS)
            if found is not None:
                costly[task.explainer] = found
    for name, found in costly.items():
        text += f" {title_of(name)}: {found} a molecule of {TYPICAL_ATOMS} atoms."
    return text


def _start(plan: Plan, name: str, upload: Path | None) -> None:
    try:
        id = new_id(name or new_name(datetime.now()))
        begin(id, plan, upload)
    except InputError as error:
        st.error(plain(error))
        return
    own_runs().add(id)
    processes.start_run(id)
    BENCHMARK.write(view="results", run=id)
    st.rerun()
