"""The numbers behind the charts of the Interpolation page, as files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.shared import engine
from pages.shared.state import params_of

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from pages.shared.state import State
    from wombat_core.paths.path import Path


def download(state: State, path: Path) -> None:
    """The path as CSV and JSON."""
    files("path", state, lambda: path_frame(state, path), lambda: path_record(state, path))


def files(what: str, state: State, frame: Callable[[], pd.DataFrame], record: Callable[[], dict[str, Any]]) -> None:
    """A menu with both files, which are made when asked for."""
    name = f"wombat-{what}-pattern-{state.pattern}-{state.readout}"
    with st.popover("Numbers", help="The numbers behind these charts"):
        st.download_button(
            "CSV",
            lambda: frame().to_csv(index=False),
            f"{name}.csv",
            "text/csv",
            on_click="ignore",
            key=f"{what}-csv",
            width="stretch",
        )
        st.download_button(
            "JSON",
            lambda: json.dumps(record(), allow_nan=False),
            f"{name}.json",
            "application/json",
            on_click="ignore",
            key=f"{what}-json",
            width="stretch",
        )


def path_frame(state: State, path: Path) -> pd.DataFrame:
    """One row an alpha: F under every readout, its slope, and two columns an atom."""
    import pandas as pd

    names = [f"{atom.GetSymbol()}{atom.GetIdx()}" for atom in engine.find(state.molecule).molecule.mol.GetAtoms()]
    columns = {"alpha": path.alphas, **{f"F {name}": values for name, values in path.outputs.items()}}
    columns["dF/dalpha"] = path.slope
    for what, values in (("gradient x input", path.atom_gradients), ("gathered", path.gathered_atoms)):
        columns |= {f"{what} {name}": values[:, atom] for atom, name in enumerate(names)}
    columns["gathered, all bonds"] = path.gathered_bonds.sum(axis=1)
    return pd.DataFrame(columns)


def path_record(state: State, path: Path) -> dict[str, Any]:
    """The same as the terminal's JSON, with what the page adds."""
    return {
        **head(state),
        "readout": path.model.readout,
        "baseline": path.baseline.name,
        "alphas": path.alphas.tolist(),
        "outputs": {name: values.tolist() for name, values in path.outputs.items()},
        "slope": path.slope.tolist(),
        "gradient_times_input": path.atom_gradients.tolist(),
        "gathered_atoms": path.gathered_atoms.tolist(),
        "gathered_bonds": path.gathered_bonds.tolist(),
        "gathered_how": path.gathered_how,
        "completeness_gap": path.gap,
        "kinks": None if path.kinks is None else path.kinks.tolist(),
    }


def head(state: State) -> dict[str, Any]:
    """What every file begins with: molecule, whitebox, and the address of the page."""
    molecule = engine.find(state.molecule).molecule
    return {
        "smiles": molecule.smiles,
        "name": molecule.name,
        "pattern": state.pattern,
        "readout": state.readout,
        "address": params_of(state),
    }
