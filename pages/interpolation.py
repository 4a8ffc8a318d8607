"""F along the path from a baseline to the molecule, gradients along it, one atom moved at a time."""

from dataclasses import replace
from pathlib import Path

import streamlit as st

from pages.parts.interpolation import path_engine
from pages.parts.interpolation.activations import activations_part
from pages.parts.interpolation.atom import atom_part
from pages.parts.interpolation.charts import path_part
from pages.parts.interpolation.controls import controls
from pages.parts.interpolation.steps import convergence_part
from pages.parts.interpolation.words import question
from pages.shared import engine
from pages.shared.guard import error_boundary
from pages.shared.headline import headline
from pages.shared.selection import checked_atom
from pages.shared.sidebar import offer
from pages.shared.state import State, bind
from pages.shared.text import plain
from pages.shared.whiteboxes import whitebox_title
from wombat_core.errors import InputError

STYLE = Path(__file__).resolve().parents[1] / "assets" / "interpolation.css"
PART_TITLES = {
    "path": "Path",
    "activations": "Activations",
    "one-atom": "One atom",
    "convergence": "Convergence",
}


def interpolation(state: State) -> None:
    """The page."""
    st.html(STYLE)
    with st.spinner("Loading the networks"):
        found = engine.find(state.molecule)
        case = engine.case(state.molecule, state.pattern) if found.molecule else None
    if case is None or case.problem:
        headline(f"{whitebox_title(state.pattern)} needs a molecule", state, PART_TITLES, bind(state, "part"), "Part")
        offer(found) if case is None else st.error(plain(case.problem))
        return
    state = checked_baseline(state)
    if state.part == "convergence":
        headline(question(case, state), state, PART_TITLES, bind(state, "part"), "Part")
        with error_boundary("The convergence"):
            convergence_part(case, state)
        return
    try:
        path, zoom = path_engine.walk(state)
    except InputError as error:
        headline("This path cannot be walked", state, PART_TITLES, bind(state, "part"), "Part")
        st.error(plain(str(error)))
        controls(state, (0.0, 1.0), None)
        return
    headline(question(case, state, path), state, PART_TITLES, bind(state, "part"), "Part")
    state = checked_atom(case, state)
    alpha = controls(state, zoom, path)
    if state.part == "activations":
        with error_boundary("The activations"):
            activations_part(case, state, path, alpha)
    elif state.part == "one-atom":
        with error_boundary("The one atom"):
            atom_part(case, state)
    else:
        with error_boundary("The path"):
            path_part(case, state, path, zoom, alpha)


def checked_baseline(state: State) -> State:
    """The state without a baseline that the molecule or the network does not have; a warning says so."""
    try:
        known = path_engine.baselines(state.molecule, state.pattern)
    except InputError:
        return state
    if state.baseline in known:
        return state
    there = f"{'the baselines' if len(known) > 1 else 'the only baseline'} for this molecule and network"
    there += f" {'are' if len(known) > 1 else 'is'} {', '.join(known)}"
    st.warning(plain(f"The address says baseline={state.baseline}, but {there}; the default is shown instead."))
    return replace(state, baseline=State().baseline)


if __name__ == "__main__":
    from pages.shared.as_script import run_app

    run_app()
