"""The selected atom of an address."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from .engine import Case
    from .state import State


def checked_atom(case: Case, state: State) -> State:
    """The state without an atom that the molecule does not have; a warning says so."""
    size = case.molecule.num_atoms
    if state.atom is None or state.atom < size:
        return state
    st.warning(f"The address selects atom {state.atom}, but the molecule's atoms are 0 to {size - 1}.")
    return replace(state, atom=None)
