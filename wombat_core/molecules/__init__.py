"""What comes in: molecules from SMILES, names, CAS numbers and files, and their encoding."""

from .files import read_molecules
from .lookup import find_molecule
from .molecule import Molecule, from_smiles

__all__ = ["Molecule", "find_molecule", "from_smiles", "read_molecules"]
