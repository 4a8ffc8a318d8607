"""Atoms that look alike within a radius, each kind once: what a network computes layer by layer is the same for them.

After layer t the activations of an atom depend on nothing but its surroundings within t bonds. A library of 1.3
million atoms has some hundred of them at radius 0 and thousands at radius 1, so the first layers cost next to nothing.
Two atoms are of one class at radius t where they are of one class at radius t - 1 and so are their neighbours, bond by
bond; this is colour refinement (Weisfeiler and Leman), done exactly, by sorting, not by hashing.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
from rdkit import Chem

from ..cache import alone, load_mapped, save_mapped
from ..progress import report
from .arrays import MoleculeArrays, from_binary
from .encoding import encode_types
from .features import NUM_ATOM_FEATURES, NUM_BOND_FEATURES, NUM_ELEMENTS
from .library_arrays import JOBS, library_arrays, library_key, over
from .molecule import Molecule

RADIUS = 3
"""Up to here classes pay: beyond it nearly every atom has surroundings of its own."""

WOMBAT = "wombat"
CHUNK = 2048
LAYOUT = 1
"""Another number where the arrays change their meaning."""


@dataclass(frozen=True, eq=False)
class Level:
    """The classes at one radius, by those at the radius below.

    Attributes:
        own: int32 [classes], the class of the atom itself one level below.
        start: int64 [classes + 1], where the bonds of each begin.
        neighbour: int32 [bonds], the class of the neighbour one level below.
        bond: int16 [bonds], the row of ``Inputs.bond_features``.
    """

    own: np.ndarray
    start: np.ndarray
    neighbour: np.ndarray
    bond: np.ndarray


@dataclass(frozen=True, eq=False)
class Inputs:
    """What networks read of many molecules, every kind of atom and of bond once.

    Attributes:
        x: float32 [kinds, features], the input of every kind of atom.
        bond_features: float32 [bond kinds, features].
        levels: at radius 1, 2, ..., ``RADIUS``.
        atoms: int32 [radii, atoms], the class of every atom at radius 1 to ``RADIUS``.
        owner: int32 [atoms], the molecule.
        graph: the atoms and their bonds: ``own`` and ``neighbour`` are atoms.
    """

    x: np.ndarray
    bond_features: np.ndarray
    levels: tuple[Level, ...]
    atoms: np.ndarray
    owner: np.ndarray
    graph: Level

    def as_dict(self) -> dict[str, np.ndarray]:
        """Plain arrays by name, to be kept in a file each."""
        found = {name: getattr(self, name) for name in ("x", "bond_features", "atoms", "owner")}
        for number, level in enumerate((self.graph, *self.levels)):
            found |= {f"{name}_{number}": getattr(level, name) for name in _LEVEL}
        return found

    @classmethod
    def from_dict(cls, arrays: dict[str, np.ndarray]) -> "Inputs":
        """What :meth:`as_dict` gave.

        Raises:
            KeyError: an array is missing.
        """
        graph, *levels = (Level(*(arrays[f"{name}_{number}"] for name in _LEVEL)) for number in range(RADIUS + 1))
        return cls(arrays["x"], arrays["bond_features"], tuple(levels), arrays["atoms"], arrays["owner"], graph)


_LEVEL = ("own", "start", "neighbour", "bond")


@dataclass(frozen=True, eq=False)
class Encoded:
    """Atoms and directed bonds of many molecules as numbers of kinds.

    ``x`` [kinds, features] and ``kind`` [atoms], ``bond_features`` [kinds, features] and ``bond`` [directed bonds];
    ``source`` and ``target`` [directed bonds] count the atoms of all molecules together.
    """

    x: np.ndarray
    kind: np.ndarray
    bond_features: np.ndarray
    bond: np.ndarray
    source: np.ndarray
    target: np.ndarray


def inputs_of(arrays: MoleculeArrays, encoding: str = WOMBAT, jobs: int = 1) -> Inputs:
    """The input of the molecules; what is said of molecules that are left out has no meaning.

    Args:
        arrays: the molecules.
        encoding: "wombat", or another that ``encode_types`` knows.
        jobs: processes, for another encoding, which looks at every molecule again.

    Raises:
        InputError: there is no such encoding.
        Stopped: the listener wants no more.
    """
    found = _wombat(arrays) if encoding == WOMBAT else _wider(arrays, encoding, jobs)
    order = np.argsort(found.target, kind="stable")
    count = len(arrays.kind)
    start = np.concatenate([[0], np.cumsum(np.bincount(found.target, minlength=count))])
    neighbour = found.source[order].astype(np.int32)
    graph = Level(np.arange(count, dtype=np.int32), start, neighbour, found.bond[order].astype(np.int16))
    levels, classes, atoms = [], found.kind.astype(np.int64), []
    for _ in range(RADIUS):
        level, classes = _refined(classes, graph)
        levels.append(level)
        atoms.append(classes.astype(np.int32))
    owner = np.repeat(np.arange(len(arrays), dtype=np.int32), arrays.num_atoms)
    return Inputs(found.x, found.bond_features, tuple(levels), np.stack(atoms), owner, graph)


def _wombat(arrays: MoleculeArrays) -> Encoded:
    types, number = np.unique(arrays.kinds[:, :2], axis=0, return_inverse=True)
    x = np.zeros((len(types), NUM_ATOM_FEATURES), dtype=np.float32)
    for row, (element, hydrogens) in zip(x, types.tolist(), strict=True):
        if element < NUM_ELEMENTS:
            row[element] = 1
        if NUM_ELEMENTS + hydrogens < NUM_ATOM_FEATURES:
            row[NUM_ELEMENTS + hydrogens] = 1
    bonds = np.zeros((NUM_BOND_FEATURES + 1, NUM_BOND_FEATURES), dtype=np.float32)
    np.fill_diagonal(bonds, 1)
    bond = np.where(arrays.bond < 0, NUM_BOND_FEATURES, arrays.bond)
    shift = np.repeat(arrays.atom_start[:-1], np.diff(arrays.bond_start))
    return Encoded(x, number.reshape(-1)[arrays.kind], bonds, bond, arrays.source + shift, arrays.target + shift)


def _wider(arrays: MoleculeArrays, encoding: str, jobs: int) -> Encoded:
    """An encoding that looks at more than the arrays keep: from the usable molecules themselves, chunk by chunk."""
    parts, places = [], np.flatnonzero(arrays.usable)
    if not len(places):
        part, none = _encoded_chunk(encoding, [_ETHANE]), np.zeros(0, dtype=np.int64)
        return Encoded(part.x, np.zeros(len(arrays.kind), dtype=np.int64), part.bond_features, none, none, none)
    chunks = [places[start : start + CHUNK] for start in range(0, len(places), CHUNK)]
    binaries = ([arrays.binary_of(place) for place in chunk] for chunk in chunks)
    for done, part in enumerate(over(jobs if len(chunks) > 1 else 1, partial(_encoded_chunk, encoding))(binaries)):
        parts.append(part)
        report((done + 1) / len(chunks))
    rows, number = np.unique(np.concatenate([part.x for part in parts]), axis=0, return_inverse=True)
    bond_rows, bond_number = np.unique(
        np.concatenate([part.bond_features for part in parts]), axis=0, return_inverse=True
    )
    kind = np.zeros(len(arrays.kind), dtype=np.int64)
    sources, targets, bonds, kinds_before, bonds_before = [], [], [], 0, 0
    for chunk, part in zip(chunks, parts, strict=True):
        counts = arrays.num_atoms[chunk]
        atoms = np.repeat(arrays.atom_start[chunk] - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
        kind[atoms] = number.reshape(-1)[kinds_before + part.kind]
        sources.append(atoms[part.source])
        targets.append(atoms[part.target])
        bonds.append(bond_number.reshape(-1)[bonds_before + part.bond])
        kinds_before, bonds_before = kinds_before + len(part.x), bonds_before + len(part.bond_features)
    joined = (np.concatenate(each) for each in (bonds, sources, targets))
    return Encoded(rows, kind, bond_rows, *joined)


_ETHANE = Chem.MolFromSmiles("CC").ToBinary()
"""Where no molecule is usable, the widths of the input come from this one."""


def _encoded_chunk(encoding: str, binaries: list[bytes]) -> Encoded:
    data = encode_types([Molecule(from_binary(binary), "") for binary in binaries], encoding)
    bond_features, bond = np.unique(data.edge_attr.numpy(), axis=0, return_inverse=True)
    source, target = data.edge_index.numpy()
    return Encoded(data.x.numpy(), data.rows.numpy(), bond_features, bond.reshape(-1), source, target)


def _refined(classes: np.ndarray, graph: Level) -> tuple[Level, np.ndarray]:
    """Classes one bond further, int64 [atoms], and what they are made of."""
    degree = np.diff(graph.start)
    beside = classes[graph.neighbour] * (int(graph.bond.max(initial=0)) + 1) + graph.bond
    # Bonds of an atom in the order of their keys, so that atoms with the same surroundings list them alike.
    arrives = np.repeat(np.arange(len(degree)), degree)
    order = np.lexsort((beside, arrives))
    keys = beside[order]
    _, refined = np.unique(classes * (int(degree.max(initial=0)) + 1) + degree, return_inverse=True)
    for place in range(int(degree.max(initial=0))):
        having = np.flatnonzero(degree > place)
        key = refined[having] * (int(keys.max(initial=0)) + 1) + keys[graph.start[having] + place]
        _, number = np.unique(key, return_inverse=True)
        # Atoms with fewer bonds are told apart already: their number of bonds is in their class.
        refined[having] = number + int(refined.max(initial=0)) + 1
    _, first, refined = np.unique(refined, return_index=True, return_inverse=True)
    start = np.concatenate([[0], np.cumsum(degree[first])])
    bonds = np.repeat(graph.start[first] - start[:-1], degree[first]) + np.arange(start[-1])
    neighbour = classes[graph.neighbour[order][bonds]].astype(np.int32)
    return Level(classes[first].astype(np.int32), start, neighbour, graph.bond[order][bonds]), refined


_kept: dict[str, Inputs] = {}


def library_inputs(encoding: str = WOMBAT, jobs: int = JOBS) -> Inputs:
    """:func:`inputs_of` the library, from the cache folder, else made and kept.

    Raises:
        InputError: the library is not installed, or there is no such encoding.
        Stopped: the listener wants no more; nothing is kept.
    """
    key = f"{library_key()}-{encoding.replace('+', '-plus')}-{LAYOUT}"
    arrays = library_arrays(jobs)
    if key not in _kept:
        with alone("inputs", key):
            if key not in _kept:
                found = load_mapped("inputs", key)
                if found is None:
                    made = inputs_of(arrays, encoding, jobs).as_dict()
                    save_mapped("inputs", key, made)
                    found = load_mapped("inputs", key) or made
                _kept[key] = Inputs.from_dict(found)
    return _kept[key]
