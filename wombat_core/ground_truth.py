"""What a right explanation is: the atoms the whitebox has to look at."""

from functools import cache

import numpy as np
from rdkit import Chem

from .molecules.molecule import Molecule
from .whitebox.catalogue import Pattern

_MANY = 1_000_000


@cache
def query(smarts: str) -> Chem.Mol:
    """The SMARTS as an RDKit query (parsed once)."""
    return Chem.MolFromSmarts(smarts)


@cache
def degree_atoms(smarts: str) -> tuple[int, ...]:
    """The atoms of the SMARTS that carry a ``D`` (degree) query."""
    return tuple(atom.GetIdx() for atom in query(smarts).GetAtoms() if "AtomExplicitDegree" in atom.DescribeQuery())


def contains_motif(molecule: Molecule, pattern: Pattern) -> bool:
    """Whether the relaxed SMARTS matches anywhere; where the pattern has several, whether each does."""
    return all(molecule.mol.HasSubstructMatch(query(smarts)) for smarts in pattern.motifs)


def ground_truth(molecule: Molecule, pattern: Pattern) -> np.ndarray:
    """The ground-truth atoms, bool [num_atoms].

    The atoms of every match of the relaxed SMARTS, and all neighbours of a matched atom whose SMARTS atom
    carries a degree query, since the network has to look at them. All False where the motif is not there;
    where the pattern has several SMARTS, where one of them does not match.
    """
    marked = np.zeros(molecule.num_atoms, dtype=bool)
    if not contains_motif(molecule, pattern):
        return marked
    for smarts in pattern.motifs:
        _mark(molecule, smarts, marked)
    return marked


def _mark(molecule: Molecule, smarts: str, marked: np.ndarray) -> None:
    counted = degree_atoms(smarts)
    for match in molecule.mol.GetSubstructMatches(query(smarts), uniquify=False, maxMatches=_MANY):
        marked[list(match)] = True
        for position in counted:
            for neighbour in molecule.mol.GetAtomWithIdx(match[position]).GetNeighbors():
                marked[neighbour.GetIdx()] = True
