"""3D coordinates of a molecule."""

from weakref import WeakKeyDictionary

import numpy as np
from rdkit import Chem, rdBase
from rdkit.Chem import rdDistGeom, rdForceFieldHelpers

from ..errors import InputError
from ..molecules.molecule import Molecule

MAX_ATOMS = 200
SEED = 2026
SECONDS = 5  # for each of the two attempts
GAP = 3.0  # angstrom between fragments

_conformers: WeakKeyDictionary[Molecule, Chem.Mol] = WeakKeyDictionary()


def conformer(molecule: Molecule) -> Chem.Mol:
    """The molecule with hydrogens (after the heavy atoms, whose order is kept) and one 3D conformer.

    ETKDGv3 with a fixed seed, from random coordinates if that fails; MMFF94 optimisation where all
    atoms have parameters; fragments stand side by side. Computed once a molecule.

    Raises:
        InputError: no atoms, more than ``MAX_ATOMS`` of them, or the embedding fails or takes too long.
    """
    if molecule not in _conformers:
        with rdBase.BlockLogs():  # RDKit warns of every atom type without force-field parameters
            _conformers[molecule] = _embed(molecule)
    return _conformers[molecule]


def _embed(molecule: Molecule) -> Chem.Mol:
    if not molecule.num_atoms:
        raise InputError("There are no 3D coordinates for a molecule without heavy atoms.")
    if molecule.num_atoms > MAX_ATOMS:
        raise InputError(
            f"There are no 3D coordinates for this molecule: it has {molecule.num_atoms} heavy atoms, "
            f"and the 3D view takes at most {MAX_ATOMS}."
        )
    parameters = rdDistGeom.ETKDGv3()
    parameters.randomSeed = SEED
    parameters.timeout = SECONDS
    parameters.maxIterations = 10
    try:
        mol = Chem.AddHs(molecule.mol)
        mol.RemoveAllConformers()
        if rdDistGeom.EmbedMolecule(mol, parameters) < 0:
            parameters.useRandomCoords = True
            if rdDistGeom.EmbedMolecule(mol, parameters) < 0:
                raise ValueError
        coordinates = mol.GetConformer().GetPositions()
        if not np.isfinite(coordinates).all():
            raise ValueError
    except (ValueError, RuntimeError):
        raise InputError(
            "There are no 3D coordinates for this molecule: RDKit's embedding (ETKDGv3) found no geometry."
        ) from None
    _spread(mol)
    if rdForceFieldHelpers.MMFFHasAllMoleculeParams(mol):
        rdForceFieldHelpers.MMFFOptimizeMolecule(mol, maxIters=200, ignoreInterfragInteractions=True)
    return mol


def _spread(mol: Chem.Mol) -> None:
    """Put fragments, which are embedded all around the origin, side by side along x."""
    fragments = [list(fragment) for fragment in Chem.GetMolFrags(mol)]
    if len(fragments) == 1:
        return
    coordinates = mol.GetConformer().GetPositions()
    edge = 0.0
    for fragment in fragments:
        place = coordinates[fragment]
        place -= (place.min(0) + place.max(0)) / 2
        place[:, 0] += edge + np.ptp(place[:, 0]) / 2
        edge = place[:, 0].max() + GAP
        coordinates[fragment] = place
    mol.GetConformer().SetPositions(coordinates)
