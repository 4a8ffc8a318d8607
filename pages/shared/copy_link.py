"""A button that copies the page's address."""

from pathlib import Path

import streamlit as st

_ASSETS = Path(__file__).resolve().parents[2] / "assets"
_component = st.components.v2.component(
    "copy_link",
    js=(_ASSETS / "copy_link.js").read_text(encoding="utf-8"),
    css=(_ASSETS / "copy_link.css").read_text(encoding="utf-8"),
)


def copy_link(key: str) -> None:
    """Show the button; where the clipboard is not to be had, it shows the address to copy by hand."""
    _component(key=key, data={}, width="content")
