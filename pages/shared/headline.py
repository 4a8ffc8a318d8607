"""The first line of a page: what it asks, and its views to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import streamlit as st

from .sidebar import leave_presentation

if TYPE_CHECKING:
    from .state import State


def headline(
    text: str,
    state: State,
    titles: Mapping[str, str],
    bound: Mapping[str, Any],
    label: str = "View",
    presented: bool = False,
) -> None:
    """The question on the left, the views on the right; in presenter's mode the way out of it.

    Args:
        text: the question.
        titles: of the views, by name.
        bound: what ties the choice to the address, made by ``bind``.
        label: what is chosen, for screen readers.
        presented: whether presenter's mode offers the views too.
    """
    with st.container(horizontal=True, horizontal_alignment="distribute", key="headline"):
        st.subheader(text, anchor=False)
        with st.container(
            horizontal=True, gap="small", width="content", vertical_alignment="center", key="headline-buttons"
        ):
            if presented or not state.present:
                st.segmented_control(
                    label, list(titles), required=True, format_func=titles.get, label_visibility="collapsed", **bound
                )
            if state.present:
                leave_presentation()
