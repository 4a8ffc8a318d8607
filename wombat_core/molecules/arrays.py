"""Many molecules as arrays: kinds of atoms, bonds, RDKit's own form of each, and why one is left out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

import numpy as np
from rdkit import Chem

from ..errors import InputError
from .encoding import directed_bonds
from .features import NUM_ELEMENTS, NUM_HYDROGENS
from .molecule import Molecule, from_smiles
from .usability import REASONS, exclusion_key

LEFT_OUT = (None, "unreadable", *REASONS, "encoding")
"""Why the benchmark leaves a molecule out, by the number in ``MoleculeArrays.left_out``; 0 is a usable one."""

WORDS = {
    "unreadable": "unreadable",
    "no_bonds": "without bonds",
    "valence": "with a valence too high",
    "encoding": "with more than 9 hydrogens on an atom",
}
"""How each of them is said of molecules."""

KIND_COLUMNS = ("element", "hydrogens", "degree", "charge", "aromatic")
"""What is kept of every kind of atom; the network's input is made of the first two."""

_CHARGED = Chem.MolFromSmarts("[!+0]")

Source = Molecule | str | InputError
"""A molecule, a SMILES yet to be parsed, or why there is none."""


def from_binary(binary: bytes) -> Chem.Mol:
    """A molecule from RDKit's own form of it."""
    return Chem.Mol(binary)  # pyright: ignore[reportCallIssue, reportArgumentType] (RDKit's stub knows no bytes)


@dataclass(frozen=True, eq=False)
class MoleculeArrays:
    """Molecules in the order in which they came; an unreadable one has no atoms.

    Attributes:
        left_out: uint8 [molecules], the place in ``LEFT_OUT``.
        atom_start: int64 [molecules + 1], where the atoms of each begin.
        kind: uint16 [atoms], the row of ``kinds``.
        kinds: int16 [kinds, 5], see ``KIND_COLUMNS``.
        bond_start: int64 [molecules + 1], where the directed bonds of each begin.
        source, target: uint16 [directed bonds], atoms within the molecule; every bond is there in both directions.
        bond: int8 [directed bonds], 0 to 3 for single, double, triple, aromatic; -1 for another type.
        binary, binary_start: RDKit's own form of every molecule, bytes one after the other.
        text, text_start: SMILES, name and CAS number (split by tabs) of every molecule, UTF-8.
    """

    left_out: np.ndarray
    atom_start: np.ndarray
    kind: np.ndarray
    kinds: np.ndarray
    bond_start: np.ndarray
    source: np.ndarray
    target: np.ndarray
    bond: np.ndarray
    binary: np.ndarray
    binary_start: np.ndarray
    text: np.ndarray
    text_start: np.ndarray

    def __len__(self) -> int:
        return len(self.left_out)

    @property
    def usable(self) -> np.ndarray:
        """Whether the benchmark uses it, bool [molecules]."""
        return self.left_out == 0

    @property
    def readable(self) -> np.ndarray:
        """Whether RDKit can read it, bool [molecules]."""
        return self.left_out != LEFT_OUT.index("unreadable")

    @property
    def num_atoms(self) -> np.ndarray:
        """Heavy atoms, int [molecules]."""
        return np.diff(self.atom_start)

    def left_out_by_reason(self) -> dict[str, int]:
        """Molecules the benchmark leaves out, by reason, in the order of the file."""
        numbers, first, counts = np.unique(self.left_out, return_index=True, return_counts=True)
        order = np.argsort(first)
        return {str(LEFT_OUT[numbers[i]]): int(counts[i]) for i in order if numbers[i]}

    def binary_of(self, place: int) -> bytes:
        """RDKit's own form of a molecule; empty where it could not be read."""
        return self.binary[self.binary_start[place] : self.binary_start[place + 1]].tobytes()

    def mol(self, place: int) -> Chem.Mol:
        """The molecule without hydrogens, its atoms in the order of the input."""
        return from_binary(self.binary_of(place))

    def texts(self, place: int) -> tuple[str, str, str]:
        """SMILES, name and CAS number; empty where there is none."""
        raw = self.text[self.text_start[place] : self.text_start[place + 1]].tobytes().decode("utf-8")
        smiles, name, cas = raw.split("\t")
        return smiles, name, cas

    def as_dict(self) -> dict[str, np.ndarray]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


def arrays_of(sources: Iterable[Source], labels: Sequence[tuple[str, str]] | None = None) -> MoleculeArrays:
    """Parse, check and encode molecules, one after the other.

    Args:
        sources: molecules, SMILES, or why there is none.
        labels: name and CAS number of each, empty where there is none.
    """
    builder = _Builder()
    for place, source in enumerate(sources):
        builder.add(source, *(labels[place] if labels else ("", "")))
    return builder.finish()


def concatenated(parts: Sequence[MoleculeArrays]) -> MoleculeArrays:
    """The molecules of all parts, one after the other; every kind of atom once."""
    if len(parts) == 1:
        return parts[0]
    kinds, numbers = _distinct(_joined(parts, "kinds"))
    starts = np.cumsum([0, *(len(part.kinds) for part in parts)])
    kind = [numbers[start:][part.kind] for start, part in zip(starts[:-1], parts, strict=True)]
    return MoleculeArrays(
        left_out=_joined(parts, "left_out"),
        atom_start=_starts(parts, "atom_start"),
        kind=np.concatenate(kind),
        kinds=kinds,
        bond_start=_starts(parts, "bond_start"),
        source=_joined(parts, "source"),
        target=_joined(parts, "target"),
        bond=_joined(parts, "bond"),
        binary=_joined(parts, "binary"),
        binary_start=_starts(parts, "binary_start"),
        text=_joined(parts, "text"),
        text_start=_starts(parts, "text_start"),
    )


def _joined(parts: Sequence[MoleculeArrays], name: str) -> np.ndarray:
    return np.concatenate([getattr(part, name) for part in parts])


def _starts(parts: Sequence[MoleculeArrays], name: str) -> np.ndarray:
    lengths = [np.diff(getattr(part, name)) for part in parts]
    return np.concatenate([[0], np.cumsum(np.concatenate(lengths))]).astype(np.int64)


class _Builder:
    """Collects plain numbers, and makes arrays of them at the end: NumPy's own cost a call is that of many atoms."""

    def __init__(self) -> None:
        self.left_out: list[int] = []
        self.num_atoms: list[int] = []
        self.atoms: list[tuple[int, int]] = []
        self.charges: list[tuple[int, int]] = []
        self.ends: list[np.ndarray] = [_NO_ENDS]
        self.slots: list[np.ndarray] = [_NO_SLOTS]
        self.num_bonds: list[int] = []
        self.binary: list[bytes] = []
        self.text: list[bytes] = []

    def add(self, source: Source, name: str, cas: str) -> None:
        smiles = source if isinstance(source, str) else ""
        mol, key, binary, num_atoms, num_bonds = None, "unreadable", b"", 0, 0
        try:
            if isinstance(source, InputError):
                raise source
            molecule = from_smiles(source) if isinstance(source, str) else source
            smiles, mol = molecule.smiles, molecule.mol
        except InputError:
            pass
        if mol is not None:
            key = exclusion_key(mol)
            hydrogens = self._add_atoms(mol)
            if key is None and hydrogens >= NUM_HYDROGENS:
                key = "encoding"
            binary, num_atoms = mol.ToBinary(), mol.GetNumAtoms()
            if mol.GetNumBonds():
                ends, slots = directed_bonds(mol)
                self.ends.append(ends)
                self.slots.append(slots)
                num_bonds = len(slots)
        self.left_out.append(LEFT_OUT.index(key))
        self.num_atoms.append(num_atoms)
        self.num_bonds.append(num_bonds)
        self.binary.append(binary)
        self.text.append("\t".join(" ".join(part.split()) for part in (smiles, name, cas)).encode())

    def _add_atoms(self, mol: Chem.Mol) -> int:
        """Keep the atoms; the most hydrogens on one of them."""
        count, first = mol.GetNumAtoms(), len(self.atoms)
        # Asking by index is several times faster than iterating over GetAtoms().
        codes = [(atom.GetAtomicNum(), atom.GetTotalNumHs()) for atom in map(mol.GetAtomWithIdx, range(count))]
        self.atoms += codes
        for (index,) in mol.GetSubstructMatches(_CHARGED, maxMatches=count + 1):
            self.charges.append((first + index, mol.GetAtomWithIdx(index).GetFormalCharge()))
        return max(hydrogens for _, hydrogens in codes)

    def finish(self) -> MoleculeArrays:
        source, target = np.concatenate(self.ends, axis=1)
        bond = np.concatenate(self.slots)
        atom_start, bond_start = _cumulated(self.num_atoms), _cumulated(self.num_bonds)
        columns = np.zeros((len(self.atoms), len(KIND_COLUMNS)), dtype=np.int16)
        columns[:, :2] = np.array(self.atoms, dtype=np.int16).reshape(-1, 2)
        places = target + np.repeat(atom_start[:-1], self.num_bonds)
        columns[:, 2] = np.bincount(places, minlength=len(columns))
        columns[places[bond == 3], 4] = 1
        for place, charge in self.charges:
            columns[place, 3] = charge
        kinds, kind = _distinct(columns)
        return MoleculeArrays(
            left_out=np.array(self.left_out, dtype=np.uint8),
            atom_start=atom_start,
            kind=kind,
            kinds=kinds,
            bond_start=bond_start,
            source=source.astype(np.uint16),
            target=target.astype(np.uint16),
            bond=bond.astype(np.int8),
            binary=np.frombuffer(b"".join(self.binary), dtype=np.uint8),
            binary_start=_cumulated(map(len, self.binary)),
            text=np.frombuffer(b"".join(self.text), dtype=np.uint8),
            text_start=_cumulated(map(len, self.text)),
        )


_NO_ENDS = np.zeros((2, 0), dtype=np.int64)
_NO_SLOTS = np.zeros(0, dtype=np.int64)


def _cumulated(lengths: Iterable[int]) -> np.ndarray:
    return np.cumsum([0, *lengths], dtype=np.int64)


def _distinct(columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distinct rows of int16 [rows, columns], in order, and which of them each row is (uint16)."""
    packed = np.zeros(len(columns), dtype=np.int64)
    low = columns.min(axis=0, initial=0).astype(np.int64)
    for column, least in zip(columns.T.astype(np.int64), low, strict=True):
        packed = packed * (int(column.max(initial=0)) - least + 1) + column - least
    _, first, number = np.unique(packed, return_index=True, return_inverse=True)
    return columns[first], number.astype(np.uint16)


def element_counts(arrays: MoleculeArrays) -> np.ndarray:
    """Atoms of every element (slot = atomic number; heavier ones are left out), int32 [molecules, 100]."""
    element = arrays.kinds[:, 0][arrays.kind].astype(np.int64)
    known = element < NUM_ELEMENTS
    owner = np.repeat(np.arange(len(arrays)), arrays.num_atoms)
    flat = np.bincount(owner[known] * NUM_ELEMENTS + element[known], minlength=len(arrays) * NUM_ELEMENTS)
    return flat.reshape(len(arrays), NUM_ELEMENTS).astype(np.int32)
