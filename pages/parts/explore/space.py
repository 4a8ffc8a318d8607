"""The molecule in space."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.shared.pictures import own_limit
from pages.shared.state import State, bind
from pages.shared.text import plain
from wombat_core.drawing.legend import legend_svg
from wombat_core.drawing.viewer_script import CDN_URL, local_viewer
from wombat_core.errors import InputError

if TYPE_CHECKING:
    from pages.shared.engine import Case, ExplainerAnswer


def space(case: Case, answers: list[ExplainerAnswer], state: State, limit: float | None, height: int = 540) -> None:
    """The 3D view, coloured by one explainer, and where its viewer comes from."""
    from wombat_core.drawing.scene3d import scene_html

    given = {answer.name: answer for answer in answers if not answer.problem}
    chosen = given.get(state.colour_by) or next(iter(given.values()), None)
    if given and not state.present:
        st.segmented_control(
            "Coloured by",
            list(given),
            required=True,
            format_func=lambda name: given[name].title,
            **bind(state, "colour_by", show=lambda name: name if name in given else chosen.name),
        )
    top = own_limit(chosen, state) if chosen and limit is None else limit
    script = local_viewer()
    try:
        with st.spinner("Embedding in space"):
            page = scene_html(
                case.molecule,
                None if chosen is None else chosen.shown(state.signed),
                top,
                state.signed,
                case.truth if state.rings else None,
                state.atom,
                script=script or CDN_URL,
                height="100vh",
            )
    except InputError as error:
        st.info(plain(str(error)))
        return
    st.iframe(page, height=height, alt="The molecule in space")
    with st.container(horizontal=True, gap="medium", vertical_alignment="center", key="legend"):
        if chosen or state.rings or state.atom is not None:
            marks = {"ground_truth": state.rings, "selected": state.atom is not None}
            picture = legend_svg(top if chosen else None, state.signed, 480, **marks)
            st.image(picture, width=480, alt="Colour scale" if chosen else "Legend")
        if script:
            st.caption(
                "Drag to turn, scroll to zoom. The viewer, 3Dmol.js, is this installation's own copy.", width="content"
            )
    if not script:
        st.warning(
            "The local copy of the viewer, 3Dmol.js, is missing, so the page asks cdn.jsdelivr.net for it; "
            "`python -m wombat_core.drawing.fetch_viewer` installs it."
        )
