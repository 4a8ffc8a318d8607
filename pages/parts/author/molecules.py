"""Molecules on which the page shows the network: the one of all pages where it has the motif, else one that has it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pages.shared import engine, jobs
from pages.shared.text import plain
from wombat_core.compiler.catalogues import motifs
from wombat_core.compiler.facts import facts_of
from wombat_core.molecules.positives import positives

if TYPE_CHECKING:
    from pages.shared.state import State

    from .draft import Draft

MOST, FEW = 3, 5
"""How many are shown, and heavy atoms of a molecule in which there is something to be told apart."""


@cache
def known_molecules() -> tuple[str, ...]:
    """SMILES of the catalogues' examples, which are small, and of the published positives, each once."""
    return tuple(dict.fromkeys([*_names(), *(smiles for own in _published() for smiles in own)]))


def _published():
    return positives().values()


@cache
def _names() -> dict[str, str]:
    """SMILES of the catalogues' examples to their names."""
    found = (facts_of(motif) for motif in motifs())
    return {facts.example["smiles"]: facts.example["name"] for facts in found if facts is not None and facts.example}


def with_motif(draft: Draft) -> list[tuple[str, str]]:
    """SMILES and name ("" where it has none) of up to three molecules that have the motif, of the library first."""
    job = jobs.known_job("certificate", draft.id)
    if job is not None and job.answer is not None and job.answer.positives:
        return list(job.answer.positives)

    def search() -> list[str]:
        from wombat_core.compiler.collected import examples_of

        first, *others = examples_of(draft.pattern, known_molecules()) or [None]
        found = [first, *sorted(others, key=lambda each: ("." in each.smiles, each.num_atoms < FEW, each.num_atoms))]
        return [each.smiles for each in found if each is not None]

    found = engine.get_engine().once("with motif", (draft.id,), search)
    # The SMARTS itself, read as a molecule, is the smallest; real ones say more.
    return [(smiles, _names().get(smiles, "")) for smiles in (found[1:] if len(found) > 1 else found)[:MOST]]


def shown_molecule(draft: Draft, state: State) -> tuple[str | None, str]:
    """A text that stands for a molecule, and a sentence on which it is; None where none has the motif."""
    found = engine.find(state.molecule)
    if found.molecule is not None and engine.case(state.molecule, draft.id).contains_motif:
        return state.molecule, f"On {plain(found.molecule.name or found.molecule.smiles)}, the molecule of the sidebar."
    others = with_motif(draft)
    if not others:
        return None, ""
    why = "does not have the motif" if found.molecule is not None else "cannot be read"
    smiles, name = others[0]
    return smiles, f"On {plain(name or smiles)}; the molecule of the sidebar {why}."
