"""Every setting of the chosen explainers, in a popover of the sidebar."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from wombat_core.errors import InputError
from wombat_core.explainers.registry import explainer_class
from wombat_core.settings import settings_of

from .state import State, bind, read, write
from .state_codecs import SHARED, with_setting
from .text import plain

HEIGHT = 440
"""Of the body of a popover, in pixels. It looks for room when it opens, while it is still empty."""

if TYPE_CHECKING:
    from wombat_core.settings import Setting


def settings_popover(state: State) -> None:
    """The settings that explainers share, then those of each chosen explainer; made when it is opened."""
    popover = st.popover("Settings", width="content", key="settings", on_change="rerun")
    with popover, st.container(height=HEIGHT, border=False, key="settings-body"):
        # A widget in a closed popover is not on the page, and takes its least value for one set in the meantime.
        if popover.open:
            _shared(state)
            _own(state)


def _shared(state: State) -> None:
    steps, samples, seed = st.columns(3, gap="small")
    steps.number_input("Steps", 1, 2000, help="Of integrated gradients", **bind(state, "steps"))
    sampling = "Of Shapley value sampling, SubgraphX and PGM-Explainer"
    samples.number_input("Samples", 1, 2000, help=sampling, **bind(state, "samples"))
    seed.number_input("Seed", 0, 2**31 - 1, help="Of all explainers that draw at random", **bind(state, "seed"))


def _own(state: State) -> None:
    for name in state.explainers:
        kind = explainer_class(name)
        own = [setting for setting in settings_of(kind).values() if setting.name not in SHARED]
        if not own:
            continue
        st.markdown(f"**{plain(kind.title)}**")
        columns = st.columns(3, gap="small", vertical_alignment="bottom")
        for place, setting in enumerate(own):
            with columns[place % 3]:
                _widget(state, name, setting)
    if state.set:
        st.button("Back to the defaults", on_click=write, kwargs={"set": ()}, key="set-defaults")


def _widget(state: State, explainer: str, setting: Setting) -> None:
    key = f"set-{explainer}.{setting.name}"
    value = state.settings(explainer).get(setting.name, setting.default)
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value

    def change() -> None:
        if (taken := st.session_state[key]) is None:
            return
        try:
            write(set=with_setting(read()[0].set, explainer, setting.name, setting.check(taken)))
        except InputError as error:
            st.toast(plain(str(error)))

    label = setting.name.replace("_", " ")
    common = {"key": key, "on_change": change, "help": plain(setting.meaning) or None}
    if isinstance(setting.default, bool):
        st.checkbox(label, **common)
    elif isinstance(setting.default, int):
        least, most = (None, None) if setting.least is None else (int(setting.least), int(setting.most))
        st.number_input(label, least, most, step=1, **common)
    elif isinstance(setting.default, float):
        step = 10.0 ** int(f"{setting.default:e}".partition("e")[2])
        st.number_input(label, setting.least, setting.most, step=step, format="%.6g", **common)
    elif setting.examples:
        st.selectbox(label, list(dict.fromkeys([*setting.examples, value])), accept_new_options=True, **common)
    elif setting.choices:
        st.selectbox(label, setting.choices, **common)
    else:
        st.text_input(label, max_chars=200, **common)
