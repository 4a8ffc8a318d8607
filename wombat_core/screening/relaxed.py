"""Original (Klekota-Roth) against relaxed SMARTS: where label or atoms differ (Table S9)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from ..errors import InputError
from ..ground_truth import contains_motif, degree_atoms, ground_truth, query
from ..molecules.molecule import Molecule, from_smiles
from ..molecules.sets import Entry, entries
from ..molecules.usability import exclusion_key
from ..progress import report
from ..published import table
from ..whitebox.catalogue import Pattern, pattern
from .membership import membership

_MANY = 1_000_000


@dataclass(frozen=True)
class Counts:
    """How often the two SMARTS of a pattern disagree.

    Attributes:
        pattern: its id.
        molecules: usable molecules that were compared.
        original, relaxed: how many of them match the one, and the other.
        label_disagreements: only one of the two matches.
        atom_set_disagreements: both match, but the atoms of the original's matches (wildcards counted) are not the
            ground truth.
        total: at least one of the two matches. As every usable molecule with the original also matches the relaxed
            SMARTS, these are the positives, Table S9's "Total".
    """

    pattern: str
    molecules: int
    original: int
    relaxed: int
    label_disagreements: int
    atom_set_disagreements: int
    total: int

    @property
    def disagreements(self) -> int:
        """In label or in atom set, Table S9's "Disagreements"."""
        return self.label_disagreements + self.atom_set_disagreements

    @property
    def percent(self) -> float | None:
        """Disagreements in percent of the total; None where the motif is nowhere."""
        return 100 * self.disagreements / self.total if self.total else None


@dataclass(frozen=True)
class PaperRow:
    """A row of Table S9: the paper's disagreements and the molecules among which they were found."""

    disagreements: int
    total: int

    @property
    def percent(self) -> float:
        return 100 * self.disagreements / self.total


def original_atoms(molecule: Molecule, pattern: Pattern) -> np.ndarray:
    """The atoms of every match of the original SMARTS, wildcards counted, bool [num_atoms].

    Raises:
        InputError: the pattern has no original SMARTS (flucarb).
    """
    marked = np.zeros(molecule.num_atoms, dtype=bool)
    for match in molecule.mol.GetSubstructMatches(_original(pattern), uniquify=False, maxMatches=_MANY):
        marked[list(match)] = True
    return marked


def disagreement(molecule: Molecule, pattern: Pattern) -> str | None:
    """How the two SMARTS disagree: "label" (only one matches), "atom set", or None where they agree.

    Raises:
        InputError: the pattern has no original SMARTS (flucarb).
    """
    original = molecule.mol.HasSubstructMatch(_original(pattern))
    if original != contains_motif(molecule, pattern):
        return "label"
    return "atom set" if original and _atoms_differ(molecule, pattern) else None


def compare_smarts(molecules: Iterable[Molecule], pattern: Pattern) -> Counts:
    """Compare label and atom set of the two SMARTS on every usable molecule.

    Raises:
        InputError: the pattern has no original SMARTS (flucarb).
    """
    motif = _original(pattern)
    compared = original = relaxed = both = atom_set = 0
    for molecule in molecules:
        if exclusion_key(molecule) is None:
            has_original, has_relaxed = molecule.mol.HasSubstructMatch(motif), contains_motif(molecule, pattern)
            compared += 1
            original += has_original
            relaxed += has_relaxed
            if has_original and has_relaxed:
                both += 1
                atom_set += _atoms_differ(molecule, pattern)
    total = original + relaxed - both
    return Counts(pattern.id, compared, original, relaxed, total - both, atom_set, total)


def compare_library(id: Pattern | str | int) -> Counts:
    """:func:`compare_smarts` over the library; only molecules that match both SMARTS are read again.

    Raises:
        InputError: there is no such pattern, or it has no original SMARTS (flucarb).
        Stopped: the listener wants no more.
    """
    chosen = id if isinstance(id, Pattern) else pattern(id)
    _original(chosen)
    known = membership()
    original, relaxed = known.places(chosen, smarts="original"), known.places(chosen)
    both = np.intersect1d(original, relaxed)
    # Where the two SMARTS are the same and none asks for a degree (patterns 10 to 14), so are the atoms.
    same = chosen.krfp == chosen.smarts and not degree_atoms(chosen.smarts)
    read_again = [] if same else list(entries("library", places=both))
    atom_set = sum(_atoms_differ(molecule, chosen) for molecule in read(read_again))
    total = len(original) + len(relaxed) - len(both)
    return Counts(chosen.id, int(known.usable.sum()), len(original), len(relaxed), total - len(both), atom_set, total)


def read(molecules: Sequence[Entry]) -> Iterator[Molecule]:
    """The molecules, parsed one at a time; how far that is gets reported.

    Raises:
        InputError: a SMILES cannot be read.
        Stopped: the listener wants no more.
    """
    for done, entry in enumerate(molecules):
        if done % 100 == 0:
            report(done / len(molecules))
        yield from_smiles(entry.smiles, entry.name)


@cache
def paper_rows() -> dict[str, PaperRow]:
    """Table S9 by pattern id, the rows the repository knows (1 to 6). Its molecules are others than the library's."""
    printed = table("S9")
    return {
        id: PaperRow(int(disagreements.value), int(total.value))
        for id, (disagreements, total, _) in zip(printed.rows, printed.cells, strict=True)
    }


def _original(pattern: Pattern):
    if not pattern.has_original:
        raise InputError(f"The GINE whitebox {pattern.id} has no original (Klekota-Roth) SMARTS to compare with.")
    return query(pattern.krfp)


def _atoms_differ(molecule: Molecule, pattern: Pattern) -> bool:
    return not np.array_equal(original_atoms(molecule, pattern), ground_truth(molecule, pattern))
