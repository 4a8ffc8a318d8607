"""What a SMARTS asks of an atom or bond, read off RDKit's query: which kinds of atoms can stand for it at all.

Conditions that the kinds do not show (rings, recursive parts, isotopes) are left open, so that no match is ever lost.
"""

from dataclasses import dataclass

import numpy as np
from rdkit import Chem

from ..molecules.arrays import KIND_COLUMNS, MoleculeArrays

_COLUMN = {
    "AtomAtomicNum": "element",
    "AtomHCount": "hydrogens",
    "AtomExplicitDegree": "degree",
    "AtomFormalCharge": "charge",
}
_BOND_ORDERS = {1: 0, 2: 1, 3: 2, 12: 3}
_OTHER = 4


@dataclass(frozen=True)
class Open:
    """Where a condition may hold and where it surely does, bool each; they differ where the kinds do not tell."""

    may: np.ndarray
    must: np.ndarray

    def __and__(self, other: "Open") -> "Open":
        return Open(self.may & other.may, self.must & other.must)

    def __or__(self, other: "Open") -> "Open":
        return Open(self.may | other.may, self.must | other.must)

    def __invert__(self) -> "Open":
        return Open(~self.must, ~self.may)


def atom_kinds(atom: Chem.Atom, kinds: np.ndarray) -> np.ndarray:
    """The kinds [kinds, 5] of atoms that can stand for an atom of a SMARTS, bool [kinds]."""
    by_name: dict[str, np.ndarray] = dict(zip(KIND_COLUMNS, kinds.T, strict=True))
    return _read(atom.DescribeQuery(), len(kinds), lambda words: _atom_condition(words, by_name)).may


def bond_types(bond: Chem.Bond) -> np.ndarray:
    """The types of bonds that can stand for a bond of a SMARTS: single, double, triple, aromatic, other; bool [5]."""
    return _read(bond.DescribeQuery(), _OTHER + 1, _bond_condition).may


def candidates(motif: Chem.Mol, arrays: MoleculeArrays) -> np.ndarray:
    """Molecules that have enough atoms and bonds of the kinds that a SMARTS asks for, bool [molecules]."""
    found = arrays.readable
    masks = [atom_kinds(atom, arrays.kinds) for atom in motif.GetAtoms()]
    atom_owner = np.repeat(np.arange(len(arrays)), arrays.num_atoms)
    for mask, needed in _least(masks):
        if not mask.all():
            found &= np.bincount(atom_owner[mask[arrays.kind]], minlength=len(arrays)) >= needed
    if motif.GetNumBonds() == 0 or not found.any():
        return found
    # Both directions of a bond are there, so one of them has its ends in the order of the SMARTS.
    shift = np.repeat(arrays.atom_start[:-1], np.diff(arrays.bond_start))
    bonds = np.flatnonzero(np.repeat(found, np.diff(arrays.bond_start)))
    owner = np.repeat(np.arange(len(arrays)), np.diff(arrays.bond_start))[bonds]
    source, target = (arrays.kind[(ends + shift)[bonds]] for ends in (arrays.source, arrays.target))
    bond = np.where(arrays.bond < 0, _OTHER, arrays.bond)[bonds]
    seen = set()
    for asked in motif.GetBonds():
        begin, end, types = masks[asked.GetBeginAtomIdx()], masks[asked.GetEndAtomIdx()], bond_types(asked)
        key = (begin.tobytes(), end.tobytes(), types.tobytes())
        if key not in seen:
            seen.add(key)
            found &= np.bincount(owner[begin[source] & end[target] & types[bond]], minlength=len(arrays)) > 0
    return found


def _least(masks: list[np.ndarray]) -> list[tuple[np.ndarray, int]]:
    """Every distinct mask, and how many atoms of the SMARTS need one of its kinds (those of narrower masks too)."""
    distinct = {mask.tobytes(): mask for mask in masks}
    return [(mask, sum(not (other & ~mask).any() for other in masks)) for mask in distinct.values()]


def _read(description: str, size: int, condition) -> Open:
    """A query as RDKit describes it, one condition a line, what belongs to an And or Or indented below it."""
    lines = [line for line in description.split("\n") if line.strip()]
    if not lines:
        return Open(np.ones(size, dtype=bool), np.zeros(size, dtype=bool))
    found, rest = _node(lines, size, condition)
    return found if not rest else Open(np.ones(size, dtype=bool), np.zeros(size, dtype=bool))


def _node(lines: list[str], size: int, condition) -> tuple[Open, list[str]]:
    line, rest = lines[0], lines[1:]
    depth, words = _depth(line), line.split()
    children = []
    while rest and _depth(rest[0]) > depth:
        child, rest = _node(rest, size, condition)
        children.append(child)
    unknown = Open(np.ones(size, dtype=bool), np.zeros(size, dtype=bool))
    if words[0] in ("AtomAnd", "BondAnd", "AtomOr", "BondOr") and children and len(words) == 1:
        found = children[0]
        for child in children[1:]:
            found = found & child if words[0].endswith("And") else found | child
        return found, rest
    if children:
        return unknown, rest
    mask = condition(words)
    if mask is None:
        return unknown, rest
    found = Open(mask, mask)
    return (~found if "!=" in words else found), rest


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _atom_condition(words: list[str], columns: dict[str, np.ndarray]) -> np.ndarray | None:
    if words[0] == "AtomNull":
        return np.ones(len(columns["element"]), dtype=bool) if len(words) == 1 else None
    if len(words) != 4 or words[2] not in ("=", "!=") or words[3] != "val":
        return None
    value = int(words[1])
    if words[0] in _COLUMN:
        return columns[_COLUMN[words[0]]] == value
    if words[0] == "AtomType":
        return (columns["element"] == value % 1000) & (columns["aromatic"] == value // 1000)
    if words[0] in ("AtomIsAromatic", "AtomIsAliphatic"):
        return columns["aromatic"] == ((words[0] == "AtomIsAromatic") == (value == 1))
    return None


def _bond_condition(words: list[str]) -> np.ndarray | None:
    types = np.zeros(_OTHER + 1, dtype=bool)
    if words[0] == "BondNull" and len(words) == 1:
        return ~types
    if len(words) != 4 or words[2] not in ("=", "!=") or words[3] != "val":
        return None
    if words[0] == "SingleOrAromaticBond" and words[1] == "1":
        types[[0, 3]] = True
        return types
    if words[0] == "BondOrder" and int(words[1]) in _BOND_ORDERS:
        types[_BOND_ORDERS[int(words[1])]] = True
        return types
    return None
