"""The molecules behind a cell of the benchmark, as a set to search."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from pages.shared.state import State
from pages.shared.state_codecs import SHARED, with_setting
from wombat_core.errors import InputError
from wombat_core.molecules.sets import Entry

if TYPE_CHECKING:
    from pages.addresses.failures import FailuresState
    from wombat_core.molecules.sets import Entry


def molecules_of_run(state: State, page: FailuresState) -> tuple[list[Entry], str]:
    """The molecules that a benchmark run explained so far with the whitebox and explainer of the page, and a key that
    changes with them.

    Raises:
        InputError: there is no such run, or it has not done that.
    """
    from wombat_core.benchmark import store
    from wombat_core.benchmark.runs import folder_of, info

    try:
        info(page.run)
    except InputError as error:
        raise InputError(f"{error} Choose other molecules in the sidebar.") from error
    with store.load(folder_of(page.run)) as rows:
        task = next(
            (
                place
                for readout in (state.readout, "sigmoid")
                if (place := rows.task(state.pattern, readout, page.explainer)) is not None
            ),
            None,
        )
        if task is None:
            raise InputError(
                f"The run {page.run!r} has no rows of {page.explainer} on pattern {state.pattern}, {state.readout}; "
                "choose another set of molecules."
            )
        found = [Entry(row.place, row.smiles, row.name) for row in rows.rows(task)]
    if not found:
        raise InputError(f"The run {page.run!r} has explained no molecule with this yet; choose other molecules.")
    return found, f"run {page.run} {len(found)}"


def with_settings(state: State, explainer: str, settings: str) -> State:
    """The state with the settings of a benchmark's explainer.

    Args:
        settings: canonical JSON, as rows keep it.
    """
    values = json.loads(settings)
    shared = {name: values[name] for name in SHARED if name in values}
    own = state.set
    for name, value in values.items():
        if name not in SHARED:
            own = with_setting(own, explainer, name, value)
    return replace(state, set=own, **shared)
