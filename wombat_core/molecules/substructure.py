"""Searches for a motif that somebody typed: some motifs have more ways into a cage of rings than can be gone."""

from rdkit import Chem

from ..bounded import TooDear, bounded

SECONDS = 2
MOST_MATCHES = 100_000
SMALL_MOTIF = 6
"""Atoms of a motif that is searched anywhere without a trial."""
FEW_RINGS = 4
MOST_BONDS = 6
"""Bonds of an atom from which branches go in many orders."""
LARGE = 500
"""Heavy atoms."""
TOO_DEAR = "The motif cannot be searched in this molecule: there are too many ways to lay it over the molecule's rings."


def check_search(mol: Chem.Mol, motifs: tuple[str, ...]) -> None:
    """Try searches that may not end in a process with limits, before they are done here.

    Args:
        mol: the molecule.
        motifs: SMARTS that can be read.

    Raises:
        TooDear: one of them takes too much time, or matches more than ``MOST_MATCHES`` times.
    """
    if not _may_be_dear(mol):
        return
    dear = tuple(smarts for smarts in motifs if Chem.MolFromSmarts(smarts).GetNumAtoms() > SMALL_MOTIF)
    if dear and bounded(_matches, mol, dear, sentence=TOO_DEAR, seconds=SECONDS) > MOST_MATCHES:
        raise TooDear(TOO_DEAR)


def _may_be_dear(mol: Chem.Mol) -> bool:
    return (
        mol.GetRingInfo().NumRings() >= FEW_RINGS
        or mol.GetNumAtoms() >= LARGE
        or max((atom.GetDegree() for atom in mol.GetAtoms()), default=0) > MOST_BONDS
    )


def _matches(mol: Chem.Mol, motifs: tuple[str, ...]) -> int:
    queries = map(Chem.MolFromSmarts, motifs)
    return max(len(mol.GetSubstructMatches(query, uniquify=False, maxMatches=MOST_MATCHES + 1)) for query in queries)
