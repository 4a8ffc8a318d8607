"""Which molecules the benchmark leaves out, and why."""

from rdkit import Chem

from .molecule import Molecule

MAX_VALENCE = {6: 4, 7: 4, 8: 2, 16: 6}
"""Highest total valence (bonds and hydrogens) the benchmark allows, by atomic number."""

REASONS = ("no_bonds", "valence")
"""Reason keys, in the order in which they are checked."""

# One substructure query is several times faster than asking every atom from Python.
_TOO_HIGH = Chem.MolFromSmarts(
    "[" + ",".join(f"#{number}&v{{{limit + 1}-}}" for number, limit in MAX_VALENCE.items()) + "]"
)


def exclusion_key(molecule: Molecule | Chem.Mol) -> str | None:
    """The first reason to leave the molecule out, one of ``REASONS``, or None for a usable one.

    Takes a ``Molecule`` or an RDKit molecule without hydrogens (many at a time, in ``validate``).
    """
    mol = molecule.mol if isinstance(molecule, Molecule) else molecule
    if mol.GetNumBonds() == 0:
        return "no_bonds"
    return "valence" if mol.HasSubstructMatch(_TOO_HIGH) else None


def exclusions(molecule: Molecule | Chem.Mol) -> tuple[str, ...]:
    """Why the benchmark leaves the molecule out, one sentence a reason; empty for a usable one.

    The benchmark uses no molecule without bonds and none in which O has a total valence above 2,
    N above 4, C above 4 or S above 6; valences count bonds and hydrogens (``GetTotalValence``).
    """
    mol = molecule.mol if isinstance(molecule, Molecule) else molecule
    sentences = [] if mol.GetNumBonds() else ["It has no bonds."]
    for (index,) in mol.GetSubstructMatches(_TOO_HIGH, maxMatches=mol.GetNumAtoms() + 1):
        atom = mol.GetAtomWithIdx(index)
        limit = MAX_VALENCE[atom.GetAtomicNum()]
        name, valence = f"{atom.GetSymbol()}{index}", atom.GetTotalValence()
        sentences.append(f"{name} has a valence of {valence} (the benchmark allows {limit}).")
    return tuple(sentences)
