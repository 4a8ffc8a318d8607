"""The slots that the encoding ``wombat+`` has beyond the paper's: charge, aromaticity, rings."""

import numpy as np
from rdkit import Chem

from .cycles import LENGTHS, cycle_flags
from .features import CHARGES, NUM_ATOM_FEATURES, NUM_BOND_FEATURES, RING_BONDS, RINGS, SMALLEST, WOMBAT_PLUS

_PLACES = np.array([WOMBAT_PLUS.atom_slots[group[0]] for group in (CHARGES, RINGS, SMALLEST, RING_BONDS)])
_PLACES -= NUM_ATOM_FEATURES
_FLAGS = WOMBAT_PLUS.atom_slots["aromatic"] - NUM_ATOM_FEATURES
NUM_ATOM_SLOTS = WOMBAT_PLUS.num_atom_features - NUM_ATOM_FEATURES
NUM_BOND_SLOTS = WOMBAT_PLUS.num_bond_features - NUM_BOND_FEATURES


def ring_features(mol: Chem.Mol) -> tuple[np.ndarray, np.ndarray]:
    """The slots beyond the 110 and the four, bool [num_atoms, 35] and [num_bonds, 7].

    Of a bond that is none of the four types all slots are zero, as its types are.
    """
    count = mol.GetNumAtoms()
    atoms = np.zeros((count, NUM_ATOM_SLOTS), dtype=bool)
    bonds = np.zeros((mol.GetNumBonds(), NUM_BOND_SLOTS), dtype=bool)
    asked = [(atom.GetFormalCharge(), atom.GetIsAromatic()) for atom in map(mol.GetAtomWithIdx, range(count))]
    codes = np.zeros((count, len(_PLACES)), dtype=np.int64)
    codes[:, 0] = [charge + 1 if -1 <= charge <= 1 else len(CHARGES) - 1 for charge, _ in asked]
    atoms[:, _FLAGS] = [aromatic for _, aromatic in asked]
    info = mol.GetRingInfo()
    if info.NumRings():
        codes[:, 1:], ring = _rings(mol, info)
        atoms[:, _FLAGS + 1] = codes[:, 1] > 0
        bonds[:, 0] = ring
        atoms[:, _FLAGS + 2 :], bonds[:, 1:] = cycle_flags(mol)
        bonds[~_typed(mol)] = False
    np.put_along_axis(atoms, _PLACES + codes, True, axis=1)
    return atoms, bonds


def _rings(mol: Chem.Mol, info: Chem.RingInfo) -> tuple[np.ndarray, np.ndarray]:
    """Places in the groups of rings, smallest ring and ring bonds, [num_atoms, 3]; which bonds are in a ring."""
    codes = np.zeros((mol.GetNumAtoms(), 3), dtype=np.int64)
    smallest = np.full(len(codes), 0)
    ring = np.zeros(mol.GetNumBonds(), dtype=bool)
    for atoms, bonds in sorted(zip(info.AtomRings(), info.BondRings(), strict=True), key=lambda r: -len(r[0])):
        codes[list(atoms), 0] += 1
        smallest[list(atoms)] = len(atoms)
        ring[list(bonds)] = True
    for bond in map(mol.GetBondWithIdx, np.flatnonzero(ring).tolist()):
        codes[[bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()], 2] += 1
    codes[:, 1] = np.where(smallest > 0, np.minimum(smallest, LENGTHS.stop) - LENGTHS.start + 1, 0)
    return np.minimum(codes, (len(RINGS) - 1, len(SMALLEST) - 1, len(RING_BONDS) - 1)), ring


_TYPES = (Chem.BondType.SINGLE, Chem.BondType.DOUBLE, Chem.BondType.TRIPLE, Chem.BondType.AROMATIC)


def _typed(mol: Chem.Mol) -> np.ndarray:
    return np.array([mol.GetBondWithIdx(bond).GetBondType() in _TYPES for bond in range(mol.GetNumBonds())])
