"""Which of many molecules match a SMARTS: only those with enough atoms of its elements are searched."""

from collections.abc import Sequence

import numpy as np
from rdkit import Chem

from ..ground_truth import query
from ..molecules.features import NUM_ELEMENTS


def element_counts(mols: Sequence[Chem.Mol]) -> np.ndarray:
    """Atoms of every element (slot = atomic number; heavier elements are left out), int [molecules, 100]."""
    counts = np.zeros((len(mols), NUM_ELEMENTS), dtype=np.int32)
    for row, mol in zip(counts, mols, strict=True):
        # Asking by index is several times faster than iterating over GetAtoms().
        for atom in map(mol.GetAtomWithIdx, range(mol.GetNumAtoms())):
            number = atom.GetAtomicNum()
            if number < NUM_ELEMENTS:
                row[number] += 1
    return counts


def matches(mols: Sequence[Chem.Mol], elements: np.ndarray, smarts: str) -> np.ndarray:
    """Whether each molecule matches the SMARTS, bool [molecules].

    Args:
        mols: without hydrogens.
        elements: their :func:`element_counts`.
    """
    motif = query(smarts)
    found = (elements >= _needed(motif)).all(axis=1)
    for index in np.flatnonzero(found):
        found[index] = mols[index].HasSubstructMatch(motif, _FIRST_MATCH)
    return found


def _needed(motif: Chem.Mol) -> np.ndarray:
    """Atoms of every element that a match needs at least, [100]."""
    needed = np.zeros(NUM_ELEMENTS, dtype=np.int32)
    for atom in motif.GetAtoms():
        # An element the query names alone; "[!#1]" has a symbol too, but names what it is not.
        if atom.GetAtomicNum() and "!" not in atom.GetSmarts() and "," not in atom.GetSmarts():
            needed[atom.GetAtomicNum()] += 1
    return needed


def _first_match() -> Chem.SubstructMatchParameters:
    parameters = Chem.SubstructMatchParameters()
    parameters.maxMatches, parameters.uniquify, parameters.recursionPossible = 1, False, False
    return parameters


_FIRST_MATCH = _first_match()  # none of the motifs is recursive
