"""The table below the cards: one row an atom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.shared.answer_cards import ranks
from pages.shared.state import State, write

if TYPE_CHECKING:
    import pandas as pd

    from pages.shared.engine import Case, ExplainerAnswer


def atom_frame(
    case: Case, answers: list[ExplainerAnswer], signed: bool = False, with_ranks: bool = True
) -> pd.DataFrame:
    """One row an atom: symbol, hydrogens, ground truth, every explainer's value and the value's rank."""
    import pandas as pd

    atoms = list(case.molecule.mol.GetAtoms())
    columns = {
        "atom": [atom.GetIdx() for atom in atoms],
        "element": [atom.GetSymbol() for atom in atoms],
        "hydrogens": [atom.GetTotalNumHs() for atom in atoms],
        "ground truth": case.truth.tolist(),
    }
    for answer in answers:
        if not answer.problem:
            columns[answer.title] = answer.shown(signed)
            if with_ranks:
                columns[f"{answer.title}, rank"] = ranks(answer.atoms)
    return pd.DataFrame(columns)


def atom_table(case: Case, answers: list[ExplainerAnswer], state: State, key: str = "atom-table") -> None:
    """The sortable table; choosing a row selects the atom, and the selected atom's row is marked."""
    frame = atom_frame(case, answers, state.signed, with_ranks=False)

    def choose() -> None:
        rows = st.session_state[key]["selection"]["rows"]
        write(atom=rows[0] if rows else None)

    wanted = [] if state.atom is None else [state.atom]
    if _rows(key) != wanted:
        st.session_state[key] = {"selection": {"rows": wanted, "columns": [], "cells": []}}
    frame["ground truth"] = ["yes" if marked else "no" for marked in case.truth]
    values = [column for column in frame.columns if frame[column].dtype.kind == "f"]
    st.dataframe(
        frame,
        hide_index=True,
        height=min(420, 37 + 35 * len(frame)),
        on_select=choose,
        selection_mode="single-row",
        key=key,
        column_config={name: st.column_config.NumberColumn(format="%.4g") for name in values},
    )


def _rows(key: str) -> list[int]:
    return list(st.session_state[key]["selection"]["rows"]) if key in st.session_state else []
