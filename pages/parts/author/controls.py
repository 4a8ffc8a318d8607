"""What is compiled, and how: the SMARTS, the catalogue, style, encoding and root; the way to all pages."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import streamlit as st

from pages.addresses.author import AUTHOR
from pages.shared.state import write
from pages.shared.text import plain
from wombat_core.compiler.catalogues import motifs
from wombat_core.compiler.compile import roots
from wombat_core.compiler.files import to_yaml
from wombat_core.compiler.rings import STYLES as OF_RINGS
from wombat_core.compiler.styles import STYLES
from wombat_core.errors import InputError

from .certificate import ask, certify_button, has_certificate, known_certificate

if TYPE_CHECKING:
    from pages.shared.state import State
    from wombat_core.compiler.catalogues import Motif

    from .draft import Draft

ENCODING_TITLES = {"wombat": "wombat", "wombat+": "wombat+"}
MOST_CHARACTERS = 2_000
BEST = -1


def controls(draft: Draft, state: State) -> None:
    """A row of choices, and a row of what can be done with the network."""
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="author-motif"):
        _smarts(draft)
        _catalogue(draft)
        _choice(draft, "Style", "style", _styles(draft), str.capitalize, 118, _style_help())
        _choice(
            draft,
            "Encoding",
            "encoding",
            list(ENCODING_TITLES),
            ENCODING_TITLES.get,
            118,
            (
                "What the network reads. wombat: elements, hydrogens, bond orders, as in the paper. wombat+ shows "
                "charges, aromaticity and rings besides, so that motifs which ask for them are exact."
            ),
        )
        _choice(
            draft,
            "Root",
            "root",
            [BEST, *_roots(draft)],
            lambda atom: "best" if atom == BEST else f"atom {atom}",
            104,
            "The atom of the SMARTS at which the readout looks; a click on the motif moves it.",
        )
    if draft.pattern is None:
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="author-how"):
        used = state.pattern == draft.id
        st.button(
            "On all pages" if used else "Use on all pages",
            type="secondary" if used else "primary",
            icon=":material/check:" if used else None,
            disabled=used,
            on_click=_use,
            args=(draft.id,),
            key="author-use",
            help="Explore, Layers, Interpolation, Failures and Benchmark take this network; a link to any of them "
            "carries it, and nothing is stored on the server.",
        )
        missing = not has_certificate(draft)
        if missing:
            certify_button()
        with st.popover("Take along", key="author-take"):
            _take_along(draft)
        st.caption(_note(draft, missing), width="stretch")


def _note(draft: Draft, missing: bool) -> str:
    """What is to be known about the network, or what to do next."""
    if draft.is_example:
        return "An example, the aldehyde. Type a SMARTS, choose a motif, or pick atoms in a molecule."
    if draft.pattern.origin.notes:
        return plain(" ".join(draft.pattern.origin.notes))
    return "No certificate yet: network and RDKit have not been compared on the library." if missing else ""


def _smarts(draft: Draft) -> None:
    bound = AUTHOR.bind(draft.page, "smarts")

    def take() -> None:
        ask()
        draft.change(smarts=st.session_state[bound["key"]].strip())

    st.text_input(
        "SMARTS of the motif",
        placeholder="[CX3H1](=O)[#6]",
        max_chars=MOST_CHARACTERS,
        width=320,
        **bound | {"on_change": take},
    )


def _catalogue(draft: Draft) -> None:
    def take() -> None:
        key = st.session_state["author-catalogue"]
        st.session_state["author-catalogue"] = None  # so that the same can be chosen again
        if key is not None:
            ask()
            draft.change(smarts=_motifs()[key].smarts, view="network", encoding="wombat", style="small")

    st.selectbox(
        "or from the catalogues",
        list(_motifs()),
        index=None,
        format_func=lambda key: (
            f"{_motifs()[key].name} · {_motifs()[key].key}" if _motifs()[key].name != _motifs()[key].key else key
        ),
        placeholder=f"{len(_motifs()):,} motifs by name",
        key="author-catalogue",
        on_change=take,
        width=232,
    )


@cache
def _motifs() -> dict[str, Motif]:
    found: dict[str, Motif] = {}
    for motif in motifs():
        found.setdefault(motif.key, motif)
    return found


def _choice(draft: Draft, label: str, name: str, options: list, words, width: int, help: str) -> None:
    value = getattr(draft.page, name)
    shown = BEST if value is None else value
    if shown not in options:
        options = [*options, shown]
    bound = AUTHOR.bind(draft.page, name, show=lambda value: BEST if value is None else value)

    def take() -> None:
        ask()
        chosen = st.session_state[bound["key"]]
        draft.change(**{name: None if chosen == BEST else chosen})

    st.selectbox(label, options, format_func=words, width=width, help=help, **bound | {"on_change": take})


def _styles(draft: Draft) -> list[str]:
    by_balls = draft.pattern is not None and bool(draft.pattern.origin.balls)
    return [name for name in STYLES if not by_balls or name in OF_RINGS]


def _style_help() -> str:
    return "\n".join(f"- **{name}**: {plain(meaning)}" for name, meaning in STYLES.items())


def _roots(draft: Draft) -> list[int]:
    try:
        return list(roots(draft.page.smarts))
    except InputError:
        return []


def _use(id: str) -> None:
    write(pattern=id)
    st.toast("All pages use this network now.", icon=":material/check:")


def _take_along(draft: Draft) -> None:
    st.download_button(
        "Network as YAML", lambda: to_yaml(draft.pattern), "whitebox.yaml", key="author-yaml", on_click="ignore"
    )
    found = known_certificate(draft)
    if found is None:
        st.caption("The certificate can be taken along when it is there.")
    else:
        st.download_button(
            "Certificate as JSON", found.to_json, "certificate.json", key="author-json", on_click="ignore"
        )
        st.download_button(
            "Certificate as HTML", found.to_html, "certificate.html", key="author-html", on_click="ignore"
        )
    st.caption("As Python:")
    st.code(python_of(draft), language="python")


def python_of(draft: Draft) -> str:
    """A few lines that compile the same network."""
    page = draft.page
    defaults = {"style": "small", "root": None, "encoding": "wombat", "depth": None}
    options = "".join(
        f", {name}={getattr(page, name)!r}" for name, usual in defaults.items() if getattr(page, name) != usual
    )
    return (
        f"import wombat_core as wombat\n\nmotif = wombat.compile_smarts({page.smarts!r}{options})\n"
        "model = wombat.load(motif)\n"
    )
