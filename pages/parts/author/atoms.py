"""A motif from a molecule: atoms are picked, and their fragment becomes a SMARTS."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.addresses.author import AUTHOR, MOST_PICKED
from pages.shared import engine
from pages.shared.molecule_cards import molecule_cards
from pages.shared.pictures import not_drawn
from pages.shared.sidebar import offer
from pages.shared.text import plain
from wombat_core.compiler.compile import compile_smarts
from wombat_core.compiler.fragment import fragment_smarts
from wombat_core.errors import InputError

from .certificate import ask
from .draft import size_of

if TYPE_CHECKING:
    from pages.shared.state import State

    from .draft import Draft

SWITCHES = {
    "hydrogens": ("Hydrogens", "each atom keeps its number of hydrogens (H)"),
    "degree": ("Degree", "each atom keeps its number of heavy neighbours (D): nothing more may hang there"),
    "charge": ("Charge", "charged atoms keep their charge; the encoding wombat+ shows it to the network"),
    "bonds": ("Bond orders", "bonds keep their order, atoms stay aromatic or not; else any bond will do"),
}
HEIGHT = 430


def atoms(draft: Draft, state: State) -> None:
    """The molecule on the left, switches and SMARTS on the right."""
    found = engine.find(state.molecule)
    if found.molecule is None:
        offer(found)
        return
    picked = tuple(atom for atom in draft.page.atoms if atom < found.molecule.num_atoms)
    left, right = st.columns([560, 360], gap="medium")
    with left:
        _molecule(found.molecule, picked, state)
    with right:
        for name, (label, meaning) in SWITCHES.items():
            st.toggle(label, help=meaning, **AUTHOR.bind(draft.page, name))
        _fragment(draft, found.molecule, picked)


def _molecule(molecule, picked: tuple[int, ...], state: State) -> None:
    from wombat_core.drawing.depiction import depict

    def toggle(atom: int | None) -> None:
        if atom is None:
            return
        now = set(picked) ^ {atom}
        if len(now) <= MOST_PICKED:
            AUTHOR.write(atoms=tuple(sorted(now)))

    card = {"title": molecule.name or "Choose atoms", "message": "Choose atoms one by one; again to leave one out."}
    if why := not_drawn(engine.case(state.molecule, state.pattern)):
        card["message"] = why
    else:
        chosen = [1.0 if atom in picked else None for atom in range(molecule.num_atoms)]
        scores = [float("nan") if each is None else each for each in chosen]
        drawn = depict(molecule, width=560, height=HEIGHT, scores=scores, limit=1.6, numbers=state.numbers)
        card |= {"svg": drawn.svg, "positions": drawn.positions, "radius": drawn.atom_radius}
    molecule_cards(
        [card],
        [
            {"title": f"{atom.GetSymbol()}{atom.GetIdx()}", "lines": [("chosen", "yes" if i in picked else "no")]}
            for i, atom in enumerate(molecule.mol.GetAtoms())
        ],
        None,
        key="author-molecule",
        columns=1,
        big=state.present,
        picture_height=HEIGHT,
        on_change=toggle,
    )


def _fragment(draft: Draft, molecule, picked: tuple[int, ...]) -> None:
    if not picked:
        st.caption("No atom is chosen yet.")
        return
    page = draft.page
    st.button("Choose none", on_click=AUTHOR.write, kwargs={"atoms": ()}, key="author-none")
    try:
        smarts = fragment_smarts(
            molecule, picked, hydrogens=page.hydrogens, degree=page.degree, charge=page.charge, bonds=page.bonds
        )
        st.code(smarts, language=None, wrap_lines=True)
        pattern = compile_smarts(smarts, encoding=page.encoding)
    except InputError as error:
        st.warning(plain(error))
        return

    def take() -> None:
        ask()
        draft.change(smarts=smarts, style="small", view="network")

    st.caption(f"It compiles: {size_of(pattern)}.")
    st.button("Take this motif", type="primary", on_click=take, key="author-take-fragment")
