"""One-hot encoding of molecules as PyG graphs: the paper's input features, and those of ``wombat+``."""

from collections.abc import Sequence

import numpy as np
import torch
from rdkit import Chem

from ..errors import InputError
from .features import NUM_ATOM_FEATURES, NUM_BOND_FEATURES, NUM_ELEMENTS, NUM_HYDROGENS, encoding_named
from .graphs import Graph, GraphBatch
from .molecule import Molecule
from .ring_features import NUM_ATOM_SLOTS, ring_features

_BOND_SLOTS = {
    Chem.BondType.SINGLE: 0,
    Chem.BondType.DOUBLE: 1,
    Chem.BondType.TRIPLE: 2,
    Chem.BondType.AROMATIC: 3,
}
_SLOT_OF_DOUBLED_ORDER = np.array([-1, -1, 0, 3, 1, -1, 2])
_LARGE = 1000
_OTHER_BOND = Chem.MolFromSmarts("*!-;!=;!#;!:*")


def encode(molecule: Molecule, encoding: str = "wombat") -> Graph:
    """Encode one molecule.

    Args:
        molecule: what to encode.
        encoding: "wombat" or "wombat+", which adds slots to every atom (110 become 145) and bond (4 become 11), see
            :data:`wombat_core.molecules.features.WOMBAT_PLUS`; a network's pattern names its own.

    Returns:
        ``Data`` with ``x`` [num_atoms, 110] (100 element slots, slot = atomic number, heavier elements
        leave them all zero; 10 slots for the total hydrogen count), ``edge_index`` [2, 2 * num_bonds]
        and ``edge_attr`` [2 * num_bonds, 4] (single, double, triple, aromatic; other bond types leave it
        all zero). Bond k is the entries 2k (begin to end) and 2k + 1 (end to begin).

    Raises:
        InputError: an atom carries more than 9 hydrogens, or there is no such encoding.
    """
    wider = encoding_named(encoding).num_atom_features > NUM_ATOM_FEATURES
    mol = molecule.mol
    bonds = _listed_bonds(mol)
    ends = np.stack([bonds[:, :2], bonds[:, 1::-1]], axis=1).reshape(-1, 2)
    x, edge_attr = _atom_features(_atom_codes(mol)), _bond_features(np.repeat(bonds[:, 2], 2))
    if wider:
        more_atoms, more_bonds = ring_features(mol)
        x, edge_attr = _beside(x, more_atoms), _beside(edge_attr, np.repeat(more_bonds, 2, axis=0))
    return Graph(x=x, edge_index=torch.from_numpy(np.ascontiguousarray(ends.T)), edge_attr=edge_attr)


def encode_batch(molecules: Sequence[Molecule], encoding: str = "wombat") -> GraphBatch:
    """Encode several molecules as one block-diagonal ``Batch`` (features as in :func:`encode`).

    Raises:
        InputError: the list is empty, or an atom carries more than 9 hydrogens.
    """
    if not molecules:
        raise InputError("There is no molecule to encode.")
    return GraphBatch.from_data_list([encode(molecule, encoding) for molecule in molecules])


def encode_types(molecules: Sequence[Molecule], encoding: str = "wombat") -> Graph:
    """Encode many molecules compactly, every kind of atom once; fast, for predictions over whole libraries.

    Returns:
        ``Data`` with ``x`` [num_types, 110 or more], ``rows`` [num_atoms] (the row of ``x`` of every atom),
        ``edge_index``, ``edge_attr`` and ``batch`` as in a ``Batch``, the bonds in another order.

    Raises:
        InputError: an atom carries more than 9 hydrogens, or there is no such encoding.
    """
    if encoding_named(encoding).num_atom_features > NUM_ATOM_FEATURES:
        return _encode_wider_types(molecules)
    atoms = [_atom_codes(molecule.mol) for molecule in molecules]
    counts = [len(own) for own in atoms]
    types, rows = np.unique(np.concatenate(atoms) @ (NUM_HYDROGENS, 1), return_inverse=True)
    ends, slots = zip(*(directed_bonds(molecule.mol) for molecule in molecules), strict=True)
    shifts = np.repeat(np.cumsum([0, *counts[:-1]]), [len(own) for own in slots])
    return Graph(
        x=_atom_features(np.stack(np.divmod(types, NUM_HYDROGENS), axis=1)),
        rows=torch.from_numpy(rows),
        edge_index=torch.from_numpy(np.concatenate(ends, axis=1) + shifts),
        edge_attr=_bond_features(np.concatenate(slots)),
        batch=torch.repeat_interleave(torch.tensor(counts)),
    )


def _encode_wider_types(molecules: Sequence[Molecule]) -> Graph:
    atoms = [_atom_codes(molecule.mol) for molecule in molecules]
    counts = [len(own) for own in atoms]
    bonds = [_listed_bonds(molecule.mol) for molecule in molecules]
    more_atoms, more_bonds = zip(*(ring_features(molecule.mol) for molecule in molecules), strict=True)
    packed = np.packbits(np.concatenate(more_atoms), axis=1)
    keys = np.concatenate([np.concatenate(atoms), packed], axis=1)
    types, rows = np.unique(keys, axis=0, return_inverse=True)
    more = np.unpackbits(types[:, 2:].astype(np.uint8), axis=1, count=NUM_ATOM_SLOTS)
    shifts = np.repeat(np.cumsum([0, *counts[:-1]]), [len(own) for own in bonds])
    listed = np.concatenate(bonds)
    ends = listed[:, :2].T + shifts
    return Graph(
        x=_beside(_atom_features(types[:, :2]), more),
        rows=torch.from_numpy(rows.reshape(-1)),
        edge_index=torch.from_numpy(np.concatenate([ends, ends[::-1]], axis=1)),
        edge_attr=_beside(_bond_features(listed[:, 2]), np.concatenate(more_bonds)).repeat(2, 1),
        batch=torch.repeat_interleave(torch.tensor(counts)),
    )


def _beside(features: torch.Tensor, more: np.ndarray) -> torch.Tensor:
    return torch.cat([features, torch.from_numpy(more.astype(np.float32))], dim=1)


def _atom_features(atoms: np.ndarray) -> torch.Tensor:
    rows = np.arange(len(atoms))
    x = np.zeros((len(atoms), NUM_ATOM_FEATURES), dtype=np.float32)
    known = atoms[:, 0] < NUM_ELEMENTS
    x[rows[known], atoms[known, 0]] = 1
    x[rows, NUM_ELEMENTS + atoms[:, 1]] = 1
    return torch.from_numpy(x)


def _bond_features(slots: np.ndarray) -> torch.Tensor:
    edge_attr = np.zeros((len(slots), NUM_BOND_FEATURES), dtype=np.float32)
    typed = np.flatnonzero(slots >= 0)
    edge_attr[typed, slots[typed]] = 1
    return torch.from_numpy(edge_attr)


def _atom_codes(mol: Chem.Mol) -> np.ndarray:
    """Atomic number and hydrogen count of every atom, [num_atoms, 2]."""
    # Asking by index is several times faster than iterating over GetAtoms().
    codes = [(atom.GetAtomicNum(), atom.GetTotalNumHs()) for atom in map(mol.GetAtomWithIdx, range(mol.GetNumAtoms()))]
    for index, (_, hydrogens) in enumerate(codes):
        if hydrogens >= NUM_HYDROGENS:
            symbol = mol.GetAtomWithIdx(index).GetSymbol()
            raise InputError(f"Atom {symbol}{index} carries {hydrogens} hydrogens; the encoding has slots for 0 to 9.")
    return np.array(codes, dtype=np.int64)


def _listed_bonds(mol: Chem.Mol) -> np.ndarray:
    """Begin, end and slot (or -1) of every bond, [num_bonds, 3], in RDKit's order."""
    return np.array(
        [
            (bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), _BOND_SLOTS.get(bond.GetBondType(), -1))
            for bond in map(mol.GetBondWithIdx, range(mol.GetNumBonds()))
        ],
        dtype=np.int64,
    ).reshape(-1, 3)


def directed_bonds(mol: Chem.Mol) -> tuple[np.ndarray, np.ndarray]:
    """Ends [2, 2 * num_bonds] and slots (or -1) of all bonds in both directions, in no special order.

    The adjacency matrix is several times faster than asking every bond, but gives dative and other rare
    bonds an order as well, and none to zero-order ones; molecules with such bonds are asked bond by bond, and so are
    those so large that the matrix would take much memory.
    """
    if mol.GetNumAtoms() > _LARGE or mol.HasSubstructMatch(_OTHER_BOND):
        entries = [
            (bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), _BOND_SLOTS.get(bond.GetBondType(), -1))
            for bond in mol.GetBonds()
        ]
        begin, end, slots = np.array(entries, dtype=np.int64).T
        return np.stack([np.append(begin, end), np.append(end, begin)]), np.append(slots, slots)
    orders = Chem.GetAdjacencyMatrix(mol, useBO=True)
    begin, end = orders.nonzero()
    return np.array((begin, end)), _SLOT_OF_DOUBLED_ORDER[(2 * orders[begin, end]).astype(np.int64)]
