"""What the charts and cards of the Interpolation page share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import engine
from pages.shared.molecule_cards import molecule_cards
from pages.shared.pictures import not_drawn
from pages.shared.state import State, read, write
from wombat_core.drawing.chart_style import ChartStyle, toolbar

from .memory import remembered

if TYPE_CHECKING:
    import numpy as np
    import plotly.graph_objects as go

    from pages.shared.engine import Case
    from wombat_core.drawing.chart_style import ChartStyle


def label(case: Case, atom: int) -> str:
    """An atom as every page writes it, such as C7."""
    return f"{case.molecule.mol.GetAtomWithIdx(atom).GetSymbol()}{atom}"


def labels(case: Case) -> list[str]:
    """All atoms, [num_atoms]."""
    return [label(case, atom) for atom in range(case.molecule.num_atoms)]


def style_of(state: State, height: int) -> ChartStyle:
    """The charts' style on this page."""
    return ChartStyle(dark=st.context.theme.type == "dark", big=state.present, height=height)


def show(figure: go.Figure, state: State, style: ChartStyle, key: str, alt: str, selects: bool = False) -> None:
    """A chart; with ``selects``, clicking one of its points selects the atom in the point's ``customdata``."""
    name = f"wombat-{key}-pattern-{state.pattern}-{state.readout}"
    options = {"key": key, "config": toolbar(name, style), "alt": alt, "width": "stretch"}
    if not selects:
        st.plotly_chart(figure, **options)
        return
    figure.update_layout(clickmode="event+select")
    st.plotly_chart(figure, on_select=lambda: _clicked(key), selection_mode="points", **options)


def _clicked(key: str) -> None:
    """Select the clicked atom; a second click on the same point clears it."""
    points = st.session_state[key]["selection"]["points"]
    memory = f"{key}-clicked"
    if points:
        atom = points[-1]["customdata"]
        st.session_state[memory] = int(atom[0] if isinstance(atom, (list, tuple)) else atom)
        write(atom=st.session_state[memory])
    elif memory in st.session_state:
        atom = st.session_state.pop(memory)
        write(atom=None if read()[0].atom == atom else atom)


def molecule_card(
    case: Case,
    state: State,
    title: str,
    values: np.ndarray | None,
    limit: float | None,
    lines: list[list[tuple[str, str]]],
    message: str,
    key: str,
    height: int = 205,
    width: int = 310,
    caption: list[dict[str, str]] | None = None,
) -> None:
    """The molecule in its card; a click selects an atom."""
    card = {"title": title, "message": message, "caption": caption}
    why = not_drawn(case)
    if why is None:
        picture = _picture(
            state.molecule,
            values,
            limit,
            state.signed,
            case.truth if state.rings else None,
            state.numbers,
            width,
            height,
        )
        card |= {"svg": picture.svg, "positions": picture.positions, "radius": picture.atom_radius}
    else:
        card["message"] = f"{why} {message}"
    atoms = [{"title": name, "lines": line} for name, line in zip(labels(case), lines, strict=True)]
    molecule_cards(
        [card],
        atoms,
        state.atom,
        key=key,
        columns=1,
        big=state.present,
        picture_height=height,
        on_change=lambda atom: write(atom=atom),
    )


@remembered(100)
def _picture(text, values, limit, signed, truth, numbers, width, height):
    from wombat_core.drawing.depiction import depict

    return depict(
        engine.find(text).molecule,
        width=width,
        height=height,
        scores=values,
        limit=limit,
        signed=signed,
        ground_truth=truth,
        numbers=numbers,
    )
