"""Which atoms and bonds lie in a simple cycle of a given length.

Not RDKit's smallest set of smallest rings: a substructure search matches any cycle, and norbornane's six-membered one
is in no smallest set.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import count

import numpy as np
from rdkit import Chem

from ..errors import InputError

LENGTHS = range(3, 9)
"""The lengths told apart."""
MOST_STEPS = 300_000
"""Atoms that are looked at in one ring system, about a second; a fullerene of 60 atoms needs 1,304."""

Bonds = tuple[tuple[int, int], ...]


class _TooMany(Exception):
    """A ring system needs more than ``MOST_STEPS``."""


def cycle_flags(mol: Chem.Mol) -> tuple[np.ndarray, np.ndarray]:
    """Whether every atom and every bond lies in a simple cycle of 3, 4, ..., 8 atoms.

    Returns:
        bool [num_atoms, 6] and bool [num_bonds, 6].

    Raises:
        InputError: a ring system has too many cycles to be counted.
    """
    atoms = np.zeros((mol.GetNumAtoms(), len(LENGTHS)), dtype=bool)
    bonds = np.zeros((mol.GetNumBonds(), len(LENGTHS)), dtype=bool)
    for own_atoms, own_bonds in _ring_systems(mol):
        if len(own_atoms) == len(own_bonds):  # a ring that shares no bond with another is the only cycle of its atoms
            if len(own_atoms) in LENGTHS:
                atoms[own_atoms, len(own_atoms) - LENGTHS.start] = True
                bonds[own_bonds, len(own_atoms) - LENGTHS.start] = True
            continue
        number = {atom: place for place, atom in enumerate(own_atoms)}
        ends = [(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) for bond in map(mol.GetBondWithIdx, own_bonds)]
        lengths = _cycle_lengths(tuple((number[begin], number[end]) for begin, end in ends))
        if lengths is None:
            raise InputError("The molecule cannot be encoded: its rings are so entangled that they cannot be counted.")
        for bond, (begin, end), found in zip(own_bonds, ends, lengths, strict=True):
            places = [length - LENGTHS.start for length in found]
            bonds[bond, places] = True
            atoms[begin, places] = atoms[end, places] = True
    return atoms, bonds


def _ring_systems(mol: Chem.Mol) -> list[tuple[list[int], list[int]]]:
    """Atoms and bonds of the ring systems: rings that share a bond belong together; every cycle lies in one of them."""
    info = mol.GetRingInfo()
    systems: list[tuple[set[int], set[int]]] = []
    for atoms, bonds in zip(info.AtomRings(), info.BondRings(), strict=True):
        own_atoms, own_bonds = set(atoms), set(bonds)
        apart = []
        for system in systems:
            if own_bonds.isdisjoint(system[1]):
                apart.append(system)
            else:
                own_atoms |= system[0]
                own_bonds |= system[1]
        systems = [*apart, (own_atoms, own_bonds)]
    return [(sorted(atoms), sorted(bonds)) for atoms, bonds in systems]


@lru_cache(maxsize=20_000)
def _cycle_lengths(bonds: Bonds) -> tuple[frozenset[int], ...] | None:
    """For every bond the lengths of the simple cycles through it, up to 8, or None where there are too many to count.

    Ring systems come again and again.
    """
    neighbours: dict[int, list[tuple[int, int]]] = {}
    for number, (begin, end) in enumerate(bonds):
        neighbours.setdefault(begin, []).append((end, number))
        neighbours.setdefault(end, []).append((begin, number))
    found: list[set[int]] = [set() for _ in bonds]
    steps = count(1)
    for start in neighbours:
        far = _distances(neighbours, start)
        try:
            _walk(start, start, [start], [], neighbours, far, found, steps)
        except _TooMany:
            return None
    return tuple(map(frozenset, found))


def _distances(neighbours: dict[int, list[tuple[int, int]]], start: int) -> dict[int, int]:
    """Bonds to ``start`` over atoms that are not numbered below it."""
    far, front = {start: 0}, [start]
    while front:
        front = [
            other
            for atom in front
            for other, _ in neighbours[atom]
            if other > start and far.setdefault(other, far[atom] + 1) == far[atom] + 1 and other not in front
        ]
        front = list(dict.fromkeys(front))
        if front and far[front[0]] > LENGTHS.stop:
            break
    return far


def _walk(
    start: int,
    atom: int,
    path: list[int],
    used: list[int],
    neighbours: dict[int, list[tuple[int, int]]],
    far: dict[int, int],
    found: Sequence[set[int]],
    steps: Iterator[int],
) -> None:
    """Every cycle whose lowest atom is ``start``: walk on while there is a way back within eight bonds."""
    if next(steps) > MOST_STEPS:
        raise _TooMany
    for other, bond in neighbours[atom]:
        if other == start and len(path) >= LENGTHS.start:
            for one in (*used, bond):
                found[one].add(len(path))
        elif other > start and other not in path and len(path) + far.get(other, LENGTHS.stop) < LENGTHS.stop:
            _walk(start, other, [*path, other], [*used, bond], neighbours, far, found, steps)
