"""The large molecule of the Layers page: coloured by a channel, or by what decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pages.shared.layer_activations import layer_picture
from pages.shared.layer_focus import missing_step
from pages.shared.layer_strip import ABOVE
from pages.shared.layer_table import cell_text, tinted
from pages.shared.molecule_cards import molecule_cards
from pages.shared.pictures import not_drawn
from pages.shared.state import State, write

if TYPE_CHECKING:
    from pages.shared.engine import Case
    from pages.shared.layer_activations import Pass
    from pages.shared.layer_focus import Focus

_MANY_NOTES = 80
_DECIDED, _ROOT = 1.0, 2.0


def large_molecule(case: Case, passed: Pass, focus: Focus, state: State, width: int, height: int) -> None:
    """One card; pointing at an atom shows its activations, choosing it selects it."""
    card = _decision_card(case, passed) if focus.layer == 0 else _layer_card(passed, focus)
    picture = card.pop("picture")
    why = not_drawn(case)
    if why is None:
        drawn = layer_picture(
            state.molecule, **picture, room=focus.atom, numbers=state.numbers, width=width, height=height
        )
        card |= {"svg": drawn.svg, "positions": drawn.positions, "radius": drawn.atom_radius}
    else:
        card["message"] = f"{why} The table shows its atoms."
    molecule_cards(
        [card],
        atom_lines(passed, focus),
        focus.atom,
        key="layer-molecule",
        columns=1,
        big=state.present,
        picture_height=height,
        # A second choice of the same atom lets the page choose again.
        on_change=lambda atom: write(atom=atom),
    )


def atom_lines(passed: Pass, focus: Focus) -> list[dict[str, Any]]:
    """What pointing at an atom shows: its activations in the layer."""
    layer = focus.layer or passed.depth
    names, table = passed.names(layer), passed.tables[layer - 1]
    products = passed.trace.products
    lines = []
    for atom, label in enumerate(passed.labels):
        values = [(name, cell_text(float(value))) for name, value in zip(names, table[atom], strict=True)]
        if focus.layer == 0 and products is not None:
            values.append(("p", cell_text(float(products[atom]))))
        lines.append({"title": label, "lines": values})
    return lines


def _layer_card(passed: Pass, focus: Focus) -> dict[str, Any]:
    table, names = passed.tables[focus.layer - 1], passed.names(focus.layer)
    limit, signed = passed.limit(focus.layer), bool((table < 0).any())
    scores = table[:, focus.channel]
    notes: list[str | None] | None = None
    if len(scores) <= _MANY_NOTES and passed.decision is not None:
        above = table > ABOVE
        notes = [" ".join(names[channel] for channel in np.flatnonzero(row)) or None for row in above]
        if step := missing_step(passed, focus.layer):
            notes[step.atom] = f"no {step.channel}"
    low = f"\N{MINUS SIGN}{cell_text(limit)}" if signed else "0"
    caption = [{"label": "colours from", "value": f"{low} to {cell_text(limit)}"}]
    if not scores.any():
        caption = [{"hint": f"{names[focus.channel]} is 0 on every atom."}]
    return {
        "title": f"Coloured by {names[focus.channel]}",
        "caption": caption,
        "picture": {
            "scores": tinted(scores, limit),
            "bond_scores": None,
            "limit": limit,
            "signed": signed,
            "dim": None,
            "notes": None if notes is None else tuple(notes),
        },
    }


def _decision_card(case: Case, passed: Pass) -> dict[str, Any]:
    plain = {"scores": None, "bond_scores": None, "limit": 1.0, "signed": False, "dim": None, "notes": None}
    decision, num_atoms = passed.decision, len(passed.labels)
    if decision is None:
        return {"title": "Molecule", "picture": plain}
    notes: list[str | None] = [None] * num_atoms
    if not decision.roots:
        miss = decision.near_miss
        if miss is not None and miss.steps:
            notes[miss.steps[-1].atom] = f"no {miss.steps[-1].channel}"
            notes[miss.steps[0].atom] = f"no {miss.steps[0].channel}"
        caption = [{"hint": "No atom has a p above 0; the marked one comes closest."}]
        return {"title": "Nothing decided", "caption": caption, "picture": plain | {"notes": tuple(notes)}}
    scores = np.full(num_atoms, np.nan)
    scores[list(decision.atoms)] = _DECIDED
    scores[list(decision.roots)] = _ROOT
    carried = set(decision.bonds)
    ends = [tuple(sorted((b.GetBeginAtomIdx(), b.GetEndAtomIdx()))) for b in case.molecule.mol.GetBonds()]
    if num_atoms <= _MANY_NOTES:
        for root in decision.roots:
            notes[root] = f"p = {cell_text(float(passed.trace.products[root]))}"
    return {
        "title": "What decided",
        "caption": [{"hint": "Strong: p decides. Pale: carried a value there. Grey: had no part."}],
        "picture": plain
        | {
            "scores": scores,
            "bond_scores": np.array([_DECIDED if pair in carried else np.nan for pair in ends]),
            "limit": 3.0,
            "dim": np.isnan(scores),
            "notes": tuple(notes),
        },
    }
