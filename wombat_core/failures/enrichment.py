"""What the molecules of one group have in common that those of another have not: counts, as a hint."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from rdkit import Chem
from rdkit.Chem.Scaffolds.MurckoScaffold import GetScaffoldForMol

from ..ground_truth import query
from ..molecules.molecule import Molecule
from ..whitebox.catalogue import Pattern

MAX_SCAFFOLD = 90
"""Characters of the longest scaffold that is a trait; longer ones are hardly ever shared."""


@dataclass(frozen=True)
class Traits:
    """What a search can ask of a molecule without explaining it again.

    Attributes:
        elements: symbols of its elements.
        charged: whether any atom has a formal charge.
        motif_charged, motif_ring: whether a ground-truth atom has a charge, is in a ring.
        words: its substructures, in words; see :func:`traits`.
    """

    elements: frozenset[str]
    charged: bool
    motif_charged: bool
    motif_ring: bool
    words: frozenset[str]


def traits(molecule: Molecule, pattern: Pattern, truth: np.ndarray) -> Traits:
    """The Murcko scaffold, rings and charges at the motif, the elements beside it, and how often it is there.

    Without the motif the rings, charges and elements of the whole molecule take that place.

    Args:
        truth: the ground truth, bool [num_atoms].
    """
    mol = molecule.mol
    atoms = list(map(mol.GetAtomWithIdx, range(mol.GetNumAtoms())))
    inside = [atom for atom in atoms if truth[atom.GetIdx()]]
    charged, motif_charged = (
        sorted({_symbol(atom) for atom in among if atom.GetFormalCharge()}) for among in (atoms, inside)
    )
    ring = any(atom.IsInRing() for atom in inside)
    words = {f"scaffold {scaffold(mol)}"}
    if len(Chem.GetMolFrags(mol)) > 1:
        words.add("several fragments, such as a salt")
    if inside:
        beside = {other for atom in inside for other in atom.GetNeighbors() if not truth[other.GetIdx()]}
        words |= {f"{symbol} in the motif" for symbol in motif_charged}
        words |= {f"{symbol} beside the motif" for symbol in {_symbol(atom) for atom in beside}}
        words.add("an atom of the motif in a ring" if ring else "no atom of the motif in a ring")
        words.add(_matches(mol, pattern))
    else:
        words |= {f"{symbol} in the molecule" for symbol in {_symbol(atom) for atom in atoms}}
        words.add("a ring in the molecule" if mol.GetRingInfo().NumRings() else "no ring in the molecule")
    elements = frozenset(atom.GetSymbol() for atom in atoms)
    return Traits(elements, bool(charged), bool(motif_charged), ring, frozenset(words))


def scaffold(mol: Chem.Mol) -> str:
    """The Murcko scaffold (rings and what links them) as a SMILES, or what stands in its place."""
    if not mol.GetRingInfo().NumRings():
        return "none (no ring)"
    found = Chem.MolToSmiles(GetScaffoldForMol(mol), isomericSmiles=False)
    return found if len(found) <= MAX_SCAFFOLD else "very large"


def _symbol(atom: Chem.Atom) -> str:
    charge = atom.GetFormalCharge()
    amount = str(abs(charge)) if abs(charge) > 1 else ""
    return f"{atom.GetSymbol()}{amount}{'+' if charge > 0 else '-' if charge < 0 else ''}"


def _matches(mol: Chem.Mol, pattern: Pattern) -> str:
    """How often the motif is there; sets of atoms count once."""
    count = max(len(mol.GetSubstructMatches(query(smarts), maxMatches=1000)) for smarts in pattern.motifs)
    return f"{'one match' if count == 1 else 'several matches'} of the motif"


@dataclass(frozen=True)
class Excess:
    """A trait that one group has more often than another.

    Attributes:
        word: the trait.
        failed, all_failed: failures that have it, and all failures.
        passed, all_passed: the same of the successes.
        p: one-sided p of Fisher's exact test, not corrected for the number of traits tried.
    """

    word: str
    failed: int
    all_failed: int
    passed: int
    all_passed: int
    p: float


@dataclass(frozen=True)
class Comparison:
    """Traits that failures have more often, the least likely by chance first; ``tried`` is how many were compared."""

    excesses: list[Excess]
    tried: int


def compare(failures: Iterable[Traits], successes: Iterable[Traits], least: int = 2) -> Comparison:
    """Which traits are over-represented among failures.

    A trait is tried where at least ``least`` failures have it, and is given where its share among them is larger than
    among the successes. The test is a hint and no proof: molecules of a library resemble each other, and many traits
    are tried. Nothing is given where either group is empty.
    """
    failed, passed = list(failures), list(successes)
    if not failed or not passed:
        return Comparison([], 0)
    here, there = _counts(failed), _counts(passed)
    tried = [word for word, count in here.items() if count >= least]
    found = [
        Excess(word, here[word], len(failed), there[word], len(passed), _fisher(here, there, word, failed, passed))
        for word in tried
        if here[word] * len(passed) > there[word] * len(failed)
    ]
    return Comparison(sorted(found, key=lambda excess: (excess.p, -excess.failed, excess.word)), len(tried))


def _counts(group: Sequence[Traits]) -> Counter[str]:
    return Counter(word for one in group for word in one.words)


def _fisher(here: Counter, there: Counter, word: str, failed: Sequence, passed: Sequence) -> float:
    from scipy.stats import fisher_exact

    table = [[here[word], len(failed) - here[word]], [there[word], len(passed) - there[word]]]
    return float(fisher_exact(table, alternative="greater").pvalue)  # pyright: ignore[reportAttributeAccessIssue] (untyped)
