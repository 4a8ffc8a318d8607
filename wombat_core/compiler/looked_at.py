"""The ground truth of a compiled whitebox: matched atoms, and what else the network looks at in a match.

As for the hand-made ones, neighbours of a matched atom belong to it where the network counts them: for D, X, v, a
charge that is read from the valence, and for the one neighbour that even a SMARTS of one atom needs. So do the atoms
inside a ``$(...)`` that matches. What must not be there, and checks that an atom is not aromatic, add none.
"""

from functools import lru_cache

import numpy as np
from rdkit import Chem

from ..errors import InputError
from ..whitebox.catalogue import Pattern
from .conditions import any_atom
from .query import Query, read_query
from .ring_query import ring_query
from .rooted import predicate_of_recursive
from .smarts_error import SmartsError
from .tree import Tree

_MANY = 1_000_000
_SLOTS = {
    Chem.BondType.SINGLE: 0,
    Chem.BondType.DOUBLE: 1,
    Chem.BondType.TRIPLE: 2,
    Chem.BondType.AROMATIC: 3,
}

Looks = tuple[tuple[frozenset[int], frozenset[int], frozenset[int]], ...]
"""For atoms of these elements and hydrogen counts, the types of bond over which all neighbours are looked at."""


def mark_looked_at(mol: Chem.Mol, pattern: Pattern, marked: np.ndarray) -> None:
    """Set ``marked`` [num_atoms] at the ground-truth atoms of a compiled pattern."""
    _mark(mol, pattern.smarts, pattern.encoding, None, 0, marked)


def mark_match(mol: Chem.Mol, pattern: Pattern, match: tuple[int, ...], marked: np.ndarray) -> None:
    """Set ``marked`` [num_atoms] at the ground-truth atoms of one match of a compiled pattern."""
    _mark_match(mol, pattern.smarts, pattern.encoding, match, 0, marked)


def _mark(mol: Chem.Mol, smarts: str, encoding: str, at: int | None, nested: int, marked: np.ndarray) -> None:
    for match in mol.GetSubstructMatches(_parsed(smarts), uniquify=False, maxMatches=_MANY):
        if at is None or match[0] == at:
            _mark_match(mol, smarts, encoding, match, nested, marked)


def _mark_match(
    mol: Chem.Mol, smarts: str, encoding: str, match: tuple[int, ...], nested: int, marked: np.ndarray
) -> None:
    query, looks = _read(smarts, encoding, nested)
    marked[list(match)] = True
    for place, index in enumerate(match):
        _mark_around(mol.GetAtomWithIdx(index), looks[place], marked)
        for inner in _inside(query, place):
            _mark(mol, inner, encoding, index, nested + 1, marked)


def _mark_around(atom: Chem.Atom, looks: Looks, marked: np.ndarray) -> None:
    for elements, hydrogens, bonds in looks:
        if atom.GetAtomicNum() in elements and atom.GetTotalNumHs() in hydrogens:
            for bond in atom.GetBonds():
                if _SLOTS.get(bond.GetBondType()) in bonds:
                    marked[bond.GetOtherAtomIdx(atom.GetIdx())] = True


def _inside(query: Query, place: int) -> list[str]:
    """The recursive SMARTS that may have to match at an atom."""
    boxes = query.atoms[place].boxes
    return list(dict.fromkeys(smarts for box in boxes for smarts, wanted in box.inside if wanted))


@lru_cache(maxsize=500)
def _parsed(smarts: str) -> Chem.Mol:
    return Chem.MolFromSmarts(smarts)


@lru_cache(maxsize=500)
def _read(smarts: str, encoding: str, nested: int) -> tuple[Query, tuple[Looks, ...]]:
    query = read_query(smarts, nested)
    try:
        looks = _ring_looks(query, encoding) if query.num_rings or encoding != "wombat" else _tree_looks(query)
    except (SmartsError, InputError):
        # A file can hold a network that the compiler could not have made; the matched atoms are its ground truth.
        looks = ((),) * len(query.atoms)
    return query, looks


def _tree_looks(query: Query) -> tuple[Looks, ...]:
    found = [
        tuple(
            (piece.label.elements, piece.label.hydrogens, bonds)
            for piece in own
            for literal in piece.literals
            if literal.wanted
            for predicate, bonds in literal.terms
            if predicate == any_atom()
        )
        for own in Tree(query, predicate_of_recursive).pieces
    ]
    if len(query.atoms) == 1 and not found[0]:
        found[0] = ((any_atom().elements, any_atom().hydrogens, frozenset(range(4))),)
    return tuple(found)


def _ring_looks(query: Query, encoding: str) -> tuple[Looks, ...]:
    seen = ring_query(query, encoding)
    return tuple(
        tuple((label.elements, label.hydrogens, around.kind.types) for around in own if around.wanted)
        for label, own in zip(seen.labels, seen.around, strict=True)
    )
