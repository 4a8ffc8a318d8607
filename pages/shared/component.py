"""Registration of the components in `assets`."""

import hashlib
from pathlib import Path

import streamlit as st

_ASSETS = Path(__file__).resolve().parents[2] / "assets"


def component(name: str, view: bool = True):
    """The component whose script and style are ``assets/name.js`` and ``assets/name.css``.

    Args:
        name: of the files.
        view: whether the script defines a View and begins with what ``assets/view.js`` offers those.
    """
    script, style = ((_ASSETS / f"{name}.{kind}").read_text(encoding="utf-8") for kind in ("js", "css"))
    if view:
        script = (_ASSETS / "view.js").read_text(encoding="utf-8") + script
    # Streamlit warns when a name is registered again with other content, as happens on a reload after an edit.
    digest = hashlib.sha256((script + style).encode()).hexdigest()[:10]
    return st.components.v2.component(f"{name}_{digest}", js=script, css=style)


def event_of(key: str, what: str):
    """The id of the last event that the component of that key told, or None."""
    return ((st.session_state.get(key) or {}).get(what) or {}).get("event")


def chosen_place(key: str, num_rows: int, num_columns: int) -> tuple[int, int] | None:
    """Row and column that the table of that key told last; None where the table has no such place any more."""
    chosen = st.session_state[key]["chosen"]
    row, column = int(chosen["row"]), int(chosen["column"])
    return (row, column) if 0 <= row < num_rows and 0 <= column < num_columns else None
