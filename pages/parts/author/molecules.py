"""Molecules on which the page shows the network: the one of all pages where it has the motif, else one that has it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pages.shared import engine, jobs
from pages.shared.text import plain

if TYPE_CHECKING:
    from pages.shared.state import State

    from .draft import Draft

MOST = 3


@cache
def known_molecules() -> tuple[str, ...]:
    """SMILES of the published positives, each once."""
    from wombat_core.molecules.positives import positives

    return tuple(dict.fromkeys(smiles for own in positives().values() for smiles in own))


def with_motif(draft: Draft) -> list[str]:
    """Up to three molecules that have the motif: the library's where the certificate has found them."""
    job = jobs.known_job("certificate", draft.id)
    if job is not None and job.answer is not None and job.answer.positives:
        return [smiles for smiles, _ in job.answer.positives]

    def search() -> list[str]:
        from wombat_core.compiler.pieces import examples_of

        first, *others = examples_of(draft.pattern, known_molecules()) or [None]
        found = [first, *sorted(others, key=lambda each: each.num_atoms)]
        return [each.smiles for each in found if each is not None]

    found = engine.get_engine().once("with motif", (draft.id,), search)
    # The SMARTS itself, read as a molecule, is the smallest; real ones say more.
    return (found[1:] if len(found) > MOST else found)[:MOST]


def shown_molecule(draft: Draft, state: State) -> tuple[str | None, str]:
    """A text that stands for a molecule, and a sentence on which it is; None where none has the motif."""
    found = engine.find(state.molecule)
    if found.molecule is not None and engine.case(state.molecule, draft.id).contains_motif:
        return state.molecule, f"On {plain(found.molecule.name or found.molecule.smiles)}, the molecule of the sidebar."
    others = with_motif(draft)
    if not others:
        return None, ""
    why = "has not got the motif" if found.molecule is not None else "is none"
    return others[0], f"On {plain(others[0])}; the molecule of the sidebar {why}."
