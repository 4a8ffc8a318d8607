"""The drawing dialog."""

import streamlit as st

from . import engine
from .codecs import MAX_TEXT
from .guard import error_boundary
from .state import read, write
from .upload import too_long


@st.dialog("Draw a molecule", width="large")
def draw_dialog() -> None:
    """Ketcher with the current molecule; *Apply* there takes the drawing."""
    with error_boundary("The editor"):
        _draw()


def _draw() -> None:
    from streamlit_ketcher import st_ketcher

    state, _ = read()
    start = st.session_state.setdefault("draw-start", _smiles(state.molecule))
    st.caption("Draw, then press **Apply** below the drawing.")
    drawn = st_ketcher(start, height=480, key=f"draw-{st.session_state.get('draw-count', 0)}")
    if drawn and len(drawn) > MAX_TEXT:
        st.error(too_long(drawn))
    elif drawn and drawn != start:
        write(molecule=drawn)
        st.rerun()


def open_drawing() -> None:
    """Forget the last drawing, so that the dialog starts from the molecule of the page."""
    st.session_state.pop("draw-start", None)
    st.session_state["draw-count"] = st.session_state.get("draw-count", 0) + 1


def _smiles(text: str) -> str:
    molecule = engine.find(text).molecule if text.strip() else None
    return molecule.smiles if molecule else ""
