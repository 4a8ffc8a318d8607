"""One-hot encoding of molecules as PyG graphs (the paper's input features)."""

from collections.abc import Sequence
from functools import cache

import numpy as np
import torch
from rdkit import Chem
from torch_geometric.data import Batch, Data

from ..errors import InputError
from .molecule import Molecule

NUM_ELEMENTS = 100
NUM_HYDROGENS = 10
NUM_ATOM_FEATURES = NUM_ELEMENTS + NUM_HYDROGENS
BOND_TYPES = ("single", "double", "triple", "aromatic")
NUM_BOND_FEATURES = len(BOND_TYPES)

_BOND_SLOTS = {
    Chem.BondType.SINGLE: 0,
    Chem.BondType.DOUBLE: 1,
    Chem.BondType.TRIPLE: 2,
    Chem.BondType.AROMATIC: 3,
}


def encode(molecule: Molecule) -> Data:
    """Encode one molecule.

    Returns:
        ``Data`` with ``x`` [num_atoms, 110] (100 element slots, slot = atomic number, heavier elements
        leave them all zero; 10 slots for the total hydrogen count), ``edge_index`` [2, 2 * num_bonds]
        and ``edge_attr`` [2 * num_bonds, 4] (single, double, triple, aromatic; other bond types leave it
        all zero). Bond k is the entries 2k (begin to end) and 2k + 1 (end to begin).

    Raises:
        InputError: an atom carries more than 9 hydrogens.
    """
    return Data(**_tensors([molecule]))


def encode_batch(molecules: Sequence[Molecule]) -> Batch:
    """Encode several molecules as one block-diagonal ``Batch`` (features as in :func:`encode`).

    Raises:
        InputError: the list is empty, or an atom carries more than 9 hydrogens.
    """
    if not molecules:
        raise InputError("There is no molecule to encode.")
    return Batch.from_data_list([encode(molecule) for molecule in molecules])


def encode_types(molecules: Sequence[Molecule]) -> Data:
    """Encode many molecules compactly, every kind of atom once; for predictions over whole libraries.

    Returns:
        ``Data`` with ``x`` [num_types, 110], ``rows`` [num_atoms] (the row of ``x`` of every atom),
        ``edge_index``, ``edge_attr`` and ``batch`` as in a ``Batch``.

    Raises:
        InputError: an atom carries more than 9 hydrogens.
    """
    atoms, bonds, counts = _joined(molecules)
    types, rows = np.unique(atoms[:, 0] * NUM_HYDROGENS + atoms[:, 1], return_inverse=True)
    return Data(
        x=_atom_features(np.stack(np.divmod(types, NUM_HYDROGENS), axis=1)),
        rows=torch.from_numpy(rows),
        batch=torch.repeat_interleave(torch.tensor(counts)),
        **_bond_tensors(bonds),
    )


def _tensors(molecules: Sequence[Molecule]) -> dict[str, torch.Tensor]:
    atoms, bonds, _ = _joined(molecules)
    return {"x": _atom_features(atoms), **_bond_tensors(bonds)}


def _joined(molecules: Sequence[Molecule]) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """Atom codes, bond codes with ends counted over all molecules, and the atoms of each molecule."""
    codes = [_codes(molecule) for molecule in molecules]
    counts = [len(atoms) for atoms, _ in codes]
    atoms = np.array([atom for own, _ in codes for atom in own], dtype=np.int64).reshape(-1, 2)
    bonds = np.array([bond for _, own in codes for bond in own], dtype=np.int64).reshape(-1, 3)
    bonds[:, :2] += np.repeat(np.cumsum([0, *counts[:-1]]), [len(own) for _, own in codes])[:, None]
    return atoms, bonds, counts


def _atom_features(atoms: np.ndarray) -> torch.Tensor:
    rows = np.arange(len(atoms))
    x = np.zeros((len(atoms), NUM_ATOM_FEATURES), dtype=np.float32)
    known = atoms[:, 0] < NUM_ELEMENTS
    x[rows[known], atoms[known, 0]] = 1
    x[rows, NUM_ELEMENTS + atoms[:, 1]] = 1
    return torch.from_numpy(x)


def _bond_tensors(bonds: np.ndarray) -> dict[str, torch.Tensor]:
    ends = bonds[:, :2]
    edge_index = np.ascontiguousarray(np.stack([ends, ends[:, ::-1]], axis=1).reshape(-1, 2).T)
    slots = np.repeat(bonds[:, 2], 2)
    edge_attr = np.zeros((len(slots), NUM_BOND_FEATURES), dtype=np.float32)
    typed = np.flatnonzero(slots >= 0)
    edge_attr[typed, slots[typed]] = 1
    return {"edge_index": torch.from_numpy(edge_index), "edge_attr": torch.from_numpy(edge_attr)}


def _codes(molecule: Molecule) -> tuple[list[tuple[int, int]], list[tuple[int, int, int]]]:
    """Atomic number and hydrogen count of every atom; ends and slot (or -1) of every bond."""
    # Asking by index is several times faster than iterating over GetAtoms().
    mol = molecule.mol
    atoms = [
        (atom.GetAtomicNum(), atom.GetTotalNumHs())
        for atom in map(mol.GetAtomWithIdx, range(mol.GetNumAtoms()))
    ]
    for index, (_, hydrogens) in enumerate(atoms):
        if hydrogens >= NUM_HYDROGENS:
            symbol = mol.GetAtomWithIdx(index).GetSymbol()
            raise InputError(
                f"Atom {symbol}{index} carries {hydrogens} hydrogens; the encoding has slots for 0 to 9."
            )
    bonds = [
        (bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), _BOND_SLOTS.get(bond.GetBondType(), -1))
        for bond in map(mol.GetBondWithIdx, range(mol.GetNumBonds()))
    ]
    return atoms, bonds


@cache
def element_slots() -> dict[str, int]:
    """Element symbol to feature slot, for the elements that have one."""
    table = Chem.GetPeriodicTable()
    return {table.GetElementSymbol(number): number for number in range(1, NUM_ELEMENTS)}


def feature_names() -> list[str]:
    """Names of the 110 atom features: element symbols ("*" for slot 0), then "H0" to "H9"."""
    symbols = {slot: symbol for symbol, slot in element_slots().items()}
    return [symbols.get(slot, "*") for slot in range(NUM_ELEMENTS)] + [f"H{n}" for n in range(NUM_HYDROGENS)]

