"""The motif and its network: atoms coloured by layer, the strip, every channel beside its piece."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st
from rdkit import Chem

from pages.addresses.author import AUTHOR
from pages.shared import engine
from pages.shared.guard import error_boundary
from pages.shared.layer_activations import forward_pass, thumbnail
from pages.shared.layer_strip import layer_strip, strip_row
from pages.shared.molecule_cards import molecule_cards
from pages.shared.pictures import not_drawn
from pages.shared.text import plain
from wombat_core.compiler.query import read_query
from wombat_core.compiler.styles import STYLES
from wombat_core.drawing.motif import motif_picture

from .certificate import ask
from .channels import channel_cards
from .molecules import known_molecules, shown_molecule
from .radius import radius_rows

if TYPE_CHECKING:
    from pages.shared.state import State
    from wombat_core.compiler.collected import Collected

    from .draft import Draft

LAYER_COLOURS = ("#9bd3f5", "#f7cf7a", "#8fd9bd", "#f2b28b", "#d9b3d6", "#e9e07a", "#b7c9e2", "#d4d4d4")
HEIGHT, TABLE_HEIGHT, MOST_ROWS = 372, 240, 10
FEW = 16
"""Channels of a network that are all shown at once."""


def network(draft: Draft, state: State) -> None:
    """The motif on the left, strip and channels on the right."""
    seen = collected_of(draft)
    left, right = st.columns([300, 660], gap="small")
    with left, error_boundary("The motif"):
        _motif(draft, seen, state)
    with right:
        with error_boundary("The strip of layers"):
            _strip(draft, state)
        with error_boundary("The channels"):
            _channels(draft, seen, state)


def collected_of(draft: Draft) -> Collected:
    """In which layer each atom of the motif is collected."""
    from wombat_core.compiler.collected import collected

    return engine.get_engine().once("collected", (draft.id,), lambda: collected(draft.pattern, known_molecules()))


def colour_of_layer(layer: int) -> str:
    """The colour behind the atoms that a layer collects."""
    return LAYER_COLOURS[(layer - 1) % len(LAYER_COLOURS)]


def _motif(draft: Draft, seen: Collected, state: State) -> None:
    pattern = draft.pattern
    colours = {atom: colour_of_layer(layer) for atom, layer in enumerate(seen.layers) if layer}
    height = 240 if state.present else 216
    drawn = motif_picture(pattern.smarts, 290, height, colours, seen.root)
    original = read_query(draft.page.smarts).original

    def move(atom: int | None) -> None:
        if atom is not None and original[atom] != pattern.origin.root:
            ask()
            draft.change(root=original[atom])

    molecule_cards(
        [
            {
                "title": draft.name[:1].upper() + draft.name[1:] if draft.name != draft.page.smarts else "Motif",
                "badge": {"text": f"root atom {pattern.origin.root}", "tone": "info"},
                "svg": drawn.svg,
                "positions": drawn.positions,
                "radius": drawn.atom_radius,
                "message": "Choose an atom to make it the root (double ring).",
            }
        ],
        [
            {
                "title": f"{text} · atom {original[atom]}",
                "lines": [("the root" if atom == seen.root else "collected", _when(pattern, layer))],
            }
            for atom, (text, layer) in enumerate(zip(_texts(pattern.smarts), seen.layers, strict=True))
        ],
        None,
        key="author-motif-picture",
        columns=1,
        big=state.present,
        picture_height=height,
        on_change=move,
    )
    layers = sorted({layer for layer in seen.layers if layer})
    chips = "".join(
        f'<span style="background:{colour_of_layer(layer)};color:#1a1c22;border-radius:4px;padding:1px 7px;'
        f'margin:0 4px 4px 0;display:inline-block">{_chip(pattern, layer)}</span>'
        for layer in layers
    )
    if chips:
        what = "Seen" if pattern.origin.balls else "Collected"
        st.html(f'<div style="font-size:.8rem">{what} {chips}</div>')
    st.caption(f"RDKit is asked for {code(pattern.smarts)}")
    if pattern.origin.style != "small":
        st.caption(plain(f"{pattern.origin.style}: {STYLES[pattern.origin.style]}"))


def _texts(smarts: str) -> list[str]:
    return [atom.GetSmarts() for atom in Chem.MolFromSmarts(smarts).GetAtoms()]


def _when(pattern, layer: int) -> str:
    if not layer:
        return "by the readout"
    return f"from layer {layer} on" if pattern.origin.balls else f"by layer {layer}"


def _chip(pattern, layer: int) -> str:
    return f"from layer {layer} on" if pattern.origin.balls else f"by layer {layer}"


def code(text: str) -> str:
    """A SMARTS in Markdown."""
    return plain(text) if "`" in text else f"`{text}`"


def _strip(draft: Draft, state: State) -> None:
    text, why = shown_molecule(draft, state)
    if text is None:
        st.caption("No molecule with the motif is known yet; the certificate finds some.")
        return
    case = engine.case(text, draft.id)
    if case.problem:
        st.caption(plain(case.problem))
        return
    passed = forward_pass(text, draft.id, state.readout)
    row = strip_row(passed, draft.id)
    if draft.pattern.origin.balls:
        # Ten letters an atom cannot be read; the table below has them.
        row |= {"lettered": False}
        row["cells"] = [
            cell | {"marks": [[atom, "", decided] for atom, _, decided in cell["marks"]]} for cell in row["cells"]
        ]
    layer_strip(
        [row],
        None if not_drawn(case) else thumbnail(text),
        (draft.id, min(draft.page.layer, draft.pattern.num_layers)),
        key="author-strip",
        on_change=lambda _, layer: AUTHOR.write(layer=layer or draft.pattern.num_layers),
        big=state.present,
        play=False,
    )
    st.caption(why)


def _channels(draft: Draft, seen: Collected, state: State) -> None:
    pattern = draft.pattern
    if pattern.origin.balls and pattern.num_channels > FEW:
        _radius_table(draft, seen)
    layer = min(draft.page.layer, pattern.num_layers)
    many = pattern.num_channels > FEW
    if many:
        own = len(pattern.layers[layer - 1])
        what = "The channel" if own == 1 else f"The {own} channels"
        st.caption(f"{what} of layer {layer}; the strip chooses another layer.")
    layers = [layer] if many else range(1, pattern.num_layers + 1)
    cards = [card for each in layers for card in channel_cards(pattern, each)]
    with st.container(height=HEIGHT, border=False, key="author-channels"):
        molecule_cards(cards, [], None, key="author-pieces", columns=2, big=state.present, picture_height=84)


def _radius_table(draft: Draft, seen: Collected) -> None:
    """Atoms by radius: in a network for rings the same rule repeats on every layer."""
    texts = _texts(draft.pattern.smarts)
    rows = radius_rows(draft.pattern, seen.root)
    heads = [f"radius {layer}" for layer in range(1, draft.pattern.num_layers + 1)]
    lines = ["| atom | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|"]
    for carriers, cells in rows:
        name = ", ".join(f"{plain(texts[atom])}{atom}" for atom in carriers) or ":gray[constant]"
        shown = [cell if carriers else f":gray[{cell}]" if cell else "" for cell in cells]
        lines.append(f"| {name} | " + " | ".join(shown) + " |")
    tall = len(rows) > MOST_ROWS
    with st.container(key="author-radius", height=TABLE_HEIGHT if tall else "content", border=False):
        st.markdown("\n".join(lines))
        st.caption("Every layer applies the same rule, one bond farther. Constants are grey.")
