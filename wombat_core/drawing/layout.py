"""One 2D layout a molecule, which every drawing of it shares."""

from collections.abc import Callable
from weakref import WeakKeyDictionary

import numpy as np
from rdkit import Chem
from rdkit.Chem import rdCoordGen, rdDepictor
from scipy.spatial import KDTree
from scipy.spatial.distance import pdist

from ..bounded import bounded
from ..molecules.molecule import Molecule

ASPECT = 1.3  # width by height of a usual card
LARGE = 60  # atoms
BOND = 1.5  # length of RDKit's bonds
TOO_CLOSE = 0.3 * BOND
"""Two atoms closer than that cannot be told apart."""
ROOM = 0.7 * BOND
"""What atoms pushed apart are given."""
DEAR_ATOMS = 120
"""From this number of atoms on, or of :data:`DEAR_RINGS`, a layout is made in a process with limits."""
DEAR_RINGS = 25
SECONDS = 6
"""Seconds of computing that a layout in such a process may take."""
TOO_DEAR = "The picture of this molecule cannot be drawn: laying out its rings or branches takes too long."
GAP = 2.2  # between fragments
_layouts: WeakKeyDictionary[Molecule, np.ndarray] = WeakKeyDictionary()


def layout(molecule: Molecule) -> np.ndarray:
    """The atoms' places on paper.

    RDKit's coordinates, straightened, turned in steps of 30 degrees to fill a card if that makes the
    picture clearly larger. Computed once a molecule, the same in every process.

    Returns:
        [num_atoms, 2] coordinates, read-only; a bond is about 1.5 long, y points up.

    Raises:
        InputError: it takes too much memory or time.
    """
    if molecule not in _layouts:
        _layouts[molecule] = _within_limits(_compute, molecule.mol)
    return _layouts[molecule]


def first_layout(molecule: Molecule) -> np.ndarray:
    """RDKit's own layout, without a choice between several; [num_atoms, 2]. Raises InputError: as :func:`layout`."""
    return _within_limits(_first, molecule.mol)


def _within_limits(compute: Callable[[Chem.Mol], np.ndarray], mol: Chem.Mol) -> np.ndarray:
    is_dear = mol.GetNumAtoms() >= DEAR_ATOMS or mol.GetRingInfo().NumRings() >= DEAR_RINGS
    found = bounded(compute, mol, sentence=TOO_DEAR, seconds=SECONDS) if is_dear else compute(mol)
    found.flags.writeable = False
    return found


def _first(mol: Chem.Mol) -> np.ndarray:
    mol = Chem.Mol(mol)
    rdDepictor.Compute2DCoords(mol, canonOrient=True)
    return mol.GetConformer().GetPositions()[:, :2]


def _compute(mol: Chem.Mol) -> np.ndarray:
    mol = Chem.Mol(mol)
    mol.RemoveAllConformers()
    if mol.GetNumAtoms():
        candidates = [_coordinates(mol)]
        if mol.GetNumAtoms() > LARGE:
            # Large molecules unroll into long threads; other flips of their bonds can be more compact.
            for seed in range(1, 1 + min(12, 2000 // mol.GetNumAtoms())):
                candidates.append(_coordinates(mol, nSample=20, nFlipsPerSample=3, sampleSeed=seed))
        coordinates = max(candidates, key=_quality)
        if closest(coordinates) < TOO_CLOSE:
            coordinates = _apart(mol, coordinates)
    else:
        coordinates = np.zeros((0, 2))
    return coordinates


def closest(coordinates: np.ndarray) -> float:
    """The distance of the two atoms that are closest to each other; infinite where there are not two."""
    return float(pdist(coordinates).min()) if len(coordinates) > 1 else float("inf")


def _apart(mol: Chem.Mol, coordinates: np.ndarray) -> np.ndarray:
    """Another layout where atoms lie over each other, as bridges do: CoordGen's, else one with atoms pushed apart."""
    if mol.GetNumAtoms() > DEAR_ATOMS:
        return coordinates
    rdCoordGen.AddCoords(mol)
    candidates = [coordinates, *(_arranged(mol, _pushed(mol, own)) for own in (_scaled(mol), coordinates))]
    begin, end = _ends(mol)

    def rank(own: np.ndarray) -> tuple[bool, float]:
        """Whether all atoms can be told apart, then how alike the bonds are."""
        lengths = np.linalg.norm(own[begin] - own[end], axis=1)
        return closest(own) >= TOO_CLOSE, -float(np.abs(lengths - BOND).max(initial=0.0))

    return max(candidates, key=rank)


def _scaled(mol: Chem.Mol) -> np.ndarray:
    """A conformer's coordinates with bonds as long as RDKit's own."""
    coordinates = mol.GetConformer().GetPositions()[:, :2]
    begin, end = _ends(mol)
    lengths = np.linalg.norm(coordinates[begin] - coordinates[end], axis=1)
    return coordinates * BOND / (float(np.median(lengths)) or BOND) if len(lengths) else coordinates


def _ends(mol: Chem.Mol) -> tuple[np.ndarray, np.ndarray]:
    pairs = [(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) for bond in mol.GetBonds()]
    begin, end = np.array(pairs, dtype=int).reshape(-1, 2).T
    return begin, end


def _pushed(mol: Chem.Mol, coordinates: np.ndarray) -> np.ndarray:
    """Atoms that lie over each other moved apart, while springs keep the bonds near their length."""
    if closest(coordinates) >= ROOM:
        return coordinates
    # Where two coincide there is no direction; atoms begin a little off their places, each another way.
    angles = 2.4 * np.arange(len(coordinates))
    places = coordinates + 0.02 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    begin, end = _ends(mol)
    first, second = np.triu_indices(len(places), 1)
    for _ in range(300):
        moves = np.zeros_like(places)
        for one, other, wanted, strength in ((first, second, ROOM, 0.4), (begin, end, BOND, 0.1)):
            along = places[other] - places[one]
            length = np.linalg.norm(along, axis=1, keepdims=True).clip(1e-6)
            pull = strength * (length - wanted) * along / length
            if wanted == ROOM:
                pull *= length < ROOM
            np.add.at(moves, one, pull / 2)
            np.add.at(moves, other, -pull / 2)
        places = places + moves
    return places


def _coordinates(mol: Chem.Mol, **sampling) -> np.ndarray:
    rdDepictor.Compute2DCoords(mol, canonOrient=True, **sampling)
    if mol.GetNumBonds():
        rdDepictor.StraightenDepiction(mol)
    return _arranged(mol, mol.GetConformer().GetPositions()[:, :2])


def _arranged(mol: Chem.Mol, coordinates: np.ndarray) -> np.ndarray:
    fragments = [list(fragment) for fragment in Chem.GetMolFrags(mol)]
    if len(fragments) > 1:
        return _pack(coordinates, fragments)
    return _turn(_centred(coordinates))


def _centred(coordinates: np.ndarray) -> np.ndarray:
    return coordinates - (coordinates.min(0) + coordinates.max(0)) / 2


def _pack(coordinates: np.ndarray, fragments: list[list[int]]) -> np.ndarray:
    """Fragments side by side in rows, the largest first, with room for rings around their outer atoms."""
    fragments = sorted(fragments, key=len, reverse=True)
    shapes = [_turn(_centred(coordinates[fragment])) for fragment in fragments]
    sizes = np.array([np.ptp(shape, axis=0) for shape in shapes]) + GAP
    best, best_zoom = coordinates, 0.0
    for row_width in np.unique(np.cumsum(sizes[:, 0]))[:50]:
        row_width = max(row_width, sizes[:, 0].max())
        candidate, x, top, row_height = np.empty_like(coordinates), 0.0, 0.0, 0.0
        for fragment, shape, (width, height) in zip(fragments, shapes, sizes, strict=True):
            if x + width > row_width + 1e-9:
                x, top, row_height = 0.0, top - row_height, 0.0
            candidate[fragment] = shape + np.array([x + width / 2, top - height / 2])
            x, row_height = x + width, max(row_height, height)
        if _zoom(candidate) > best_zoom + 1e-9:
            best, best_zoom = candidate, _zoom(candidate)
    return _centred(best)


def _quality(coordinates: np.ndarray) -> float:
    """How large the picture is, less what atoms drawn over each other spoil."""
    clashes = len(KDTree(coordinates).query_pairs(0.75))
    return _zoom(coordinates) * float(np.exp(-20 * clashes / len(coordinates)))


def _turn(coordinates: np.ndarray) -> np.ndarray:
    """The rotation that fills a card best; the given one unless another draws bonds 15 % longer."""
    best, best_zoom = coordinates, 1.15 * _zoom(coordinates)
    for angle in np.deg2rad([30, 60, 90, 120, 150]):
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        turned = coordinates @ turn
        if _zoom(turned) > best_zoom + 1e-9:
            best, best_zoom = turned, _zoom(turned)
    return best


def _zoom(coordinates: np.ndarray) -> float:
    width, height = np.ptp(coordinates, axis=0) + 1.5
    return min(ASPECT / width, 1 / height)
