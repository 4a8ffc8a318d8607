"""What a right explanation is: the atoms the whitebox has to look at."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np
from rdkit import Chem

from .errors import InputError
from .molecules.molecule import Molecule
from .molecules.substructure import check_search
from .whitebox.catalogue import Pattern

if TYPE_CHECKING:
    from .molecules.graphs import Graph

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
    """Whether the relaxed SMARTS matches anywhere; where the pattern has several, whether each does.

    Raises:
        InputError: the pattern is compiled, and there are too many ways to lay it over the molecule.
    """
    if pattern.origin is not None:
        check_search(molecule.mol, pattern.motifs)
    return all(molecule.mol.HasSubstructMatch(query(smarts)) for smarts in pattern.motifs)


def ground_truth(molecule: Molecule, pattern: Pattern) -> np.ndarray:
    """The ground-truth atoms, bool [num_atoms].

    The atoms of every match of the relaxed SMARTS, and all neighbours of a matched atom whose SMARTS atom
    carries a degree query, since the network has to look at them. All False where the motif is not there;
    where the pattern has several SMARTS, where one of them does not match.

    A compiled network also looks at neighbours for X, v and charges, and at the atoms inside ``$(...)`` (see
    ``compiler/looked_at.py``). All False where it and RDKit differ (:func:`no_truth_reason`).
    """
    if pattern.origin is not None and no_truth_reason(molecule, pattern) is not None:
        return np.zeros(molecule.num_atoms, dtype=bool)
    return looked_at(molecule, pattern)


def looked_at(molecule: Molecule, pattern: Pattern) -> np.ndarray:
    """The ground-truth atoms by the SMARTS alone, bool [num_atoms], whatever the network says."""
    marked = np.zeros(molecule.num_atoms, dtype=bool)
    if not contains_motif(molecule, pattern):
        return marked
    if pattern.origin is not None:
        # By name: the compiler builds on this module.
        import_module("wombat_core.compiler.looked_at").mark_looked_at(molecule.mol, pattern, marked)
        return marked
    for smarts in pattern.motifs:
        _mark(molecule, smarts, marked)
    return marked


def no_truth_reason(molecule: Molecule, pattern: Pattern, data: Graph | None = None) -> str | None:
    """Why a molecule has no ground truth under a compiled pattern: network and RDKit differ on it. Else None.

    The hand-made networks never differ from their SMARTS on molecules of the benchmark, and are not asked.

    Args:
        molecule, pattern: which.
        data: the encoded molecule, where somebody keeps it already.
    """
    if pattern.origin is None:
        return None
    import torch

    from .molecules.encoding import encode
    from .whitebox.model import is_positive

    found = contains_motif(molecule, pattern)
    try:
        data = encode(molecule, pattern.encoding) if data is None else data
    except InputError:
        return None
    with torch.no_grad():
        values = [network(data.x.float(), data.edge_index, data.edge_attr.float()).item() for network in _nets(pattern)]
    return next((why for value in values if (why := difference(found, is_positive(value)))), None)


def difference(found: bool, positive: bool) -> str | None:
    """The sentence where RDKit's answer (``found``) and the network's (``positive``) differ, else None."""
    if found == positive:
        return None
    if positive:
        return "The network finds the motif here and RDKit does not, so the molecule has no ground truth."
    return "RDKit finds the motif here and the network does not, so the molecule has no ground truth."


@lru_cache(maxsize=100)
def _nets(pattern: Pattern):
    from .whitebox.model import Whitebox
    from .whitebox.readouts import READOUTS

    return [Whitebox(pattern, readout) for readout in READOUTS]


def _mark(molecule: Molecule, smarts: str, marked: np.ndarray) -> None:
    counted = degree_atoms(smarts)
    for match in molecule.mol.GetSubstructMatches(query(smarts), uniquify=False, maxMatches=_MANY):
        marked[list(match)] = True
        for position in counted:
            for neighbour in molecule.mol.GetAtomWithIdx(match[position]).GetNeighbors():
                marked[neighbour.GetIdx()] = True
