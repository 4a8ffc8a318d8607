"""Where an explainer fails: a search over real molecules; ``kinds`` sorts what it finds."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .. import progress
from ..benchmark.rows import Row, rows_of, settings_json
from ..errors import InputError
from ..explainers.checked import attribute
from ..explainers.protocol import Explainer
from ..ground_truth import looked_at, no_truth_reason
from ..molecules.molecule import from_smiles
from ..molecules.sets import Entry, entries
from ..molecules.usability import exclusion_key
from ..registry import no_such
from ..screening.negatives import negatives
from ..whitebox.build import Network
from .enrichment import Traits, traits
from .sets import AMONG, NEGATIVES

CHARACTERS, COSTLY_CHARACTERS = 3000, 300
"""Characters of SMILES explained between two looks at what was found; the same for explainers that take long."""
COSTLY_ATOMS = 150
"""Heavy atoms above which explainers that sample leave a molecule out."""
UNUSABLE = "The benchmark leaves it out."
TOO_LARGE = f"It has more than {COSTLY_ATOMS} heavy atoms, too many for an explainer that samples."


@dataclass(frozen=True)
class Spec:
    """What a search looks at. What it looks for is chosen afterwards, from its findings.

    Attributes:
        pattern, readout: the whitebox.
        explainer, against: the explainer in question, and one to compare it with, or None.
        contains: whether the molecules are to contain the motif.
        among: the set, one of ``AMONG[contains]``.
        limit, seed: of the draw of molecules without the motif.
    """

    pattern: str
    readout: str
    explainer: Explainer
    against: Explainer | None = None
    contains: bool = True
    among: str = "positives"
    limit: int = NEGATIVES
    seed: int = 0

    @cached_property
    def key(self) -> tuple:
        """Equal for two searches with the same findings."""
        explainers = [each for each in (self.explainer, self.against) if each is not None]
        drawn = () if self.contains or self.among == "file" else (self.limit, self.seed)
        names = tuple((each.name, settings_json(each)) for each in explainers)
        return (self.pattern, self.readout, self.contains, self.among, *drawn, *names)

    @property
    def costly(self) -> bool:
        """Whether an explainer takes long on each molecule."""
        return any(_costly(each) for each in (self.explainer, self.against) if each is not None)


def _costly(explainer: Explainer) -> bool:
    return explainer.expensive or hasattr(explainer, "samples")


@dataclass(frozen=True, eq=False)
class Finding:
    """One molecule of a search.

    Attributes:
        row: of the explainer in question.
        other: of the one it is compared with, or None.
        traits: of the molecule.
        truth: the ground truth, bool [num_atoms].
        atoms: importance of every atom to the explainer in question, float32 [num_atoms], or None without an answer.
    """

    row: Row
    other: Row | None
    traits: Traits
    truth: np.ndarray
    atoms: np.ndarray | None

    @property
    def gap(self) -> float | None:
        """AUROC of the other explainer less that of the one in question, or None."""
        if self.other is None or self.other.auroc is None or self.row.auroc is None:
            return None
        return self.other.auroc - self.row.auroc

    @property
    def farthest(self) -> float:
        """How far the importance of the farthest atom is from the median."""
        return 0.0 if self.atoms is None else float(np.abs(self.atoms - np.median(self.atoms)).max())


def molecules_of(spec: Spec) -> list[Entry]:
    """The molecules that a search goes through, in its order; not for "file", whose molecules the caller has.

    Raises:
        InputError: there is no such set, or it has nothing of this pattern.
        Stopped: the listener wants no more.
    """
    # Both import half of RDKit.
    from ..screening.membership import membership

    own = [name for name in AMONG[spec.contains] if name != "file"]
    if spec.among not in own:
        raise no_such("set", spec.among, own, " to search for this kind of failure")
    if not spec.contains:
        return negatives(spec.pattern, "hard" if spec.among == "hard" else "random", spec.limit, spec.seed)
    if spec.among == "positives":
        return list(entries("positives", spec.pattern))
    return list(entries("library", places=membership().places(spec.pattern)))


@dataclass(frozen=True)
class FindingsBatch:
    """What came of some molecules.

    Attributes:
        done: how many they are.
        findings: one for each that was explained.
        left_out: why others were not, one sentence each: place in the set and reason.
    """

    done: int
    findings: list[Finding]
    left_out: list[tuple[int, str]]


def search(spec: Spec, model: Network, molecules: Sequence[Entry], keep: Callable[[FindingsBatch], object]) -> None:
    """Explain molecules, in batches, and hand over what was found after each.

    Reports its progress (:mod:`wombat_core.progress`). To go on after a stop, give it the molecules that
    are left. Of a set of both kinds (a file), only those are explained that contain the motif, or do not.

    Raises:
        Stopped: the listener wants no more.
    """
    size = COSTLY_CHARACTERS if spec.costly else CHARACTERS
    progress.each(list(_batches(molecules, size)), lambda batch: keep(_searched(spec, model, batch)))


def _batches(molecules: Iterable[Entry], characters: int) -> Iterator[list[Entry]]:
    batch, length = [], 0
    for entry in molecules:
        if batch and length + len(entry.smiles) > characters:
            yield batch
            batch, length = [], 0
        batch.append(entry)
        length += len(entry.smiles)
    if batch:
        yield batch


def _searched(spec: Spec, model: Network, batch: list[Entry]) -> FindingsBatch:
    placed, own, truths, left_out = [], [], [], []
    for entry in batch:
        try:
            molecule = from_smiles(entry.smiles, entry.name)
        except InputError as error:
            left_out.append((entry.place, str(error)))
            continue
        if why := no_truth_reason(molecule, model.pattern):
            left_out.append((entry.place, why))
            continue
        truth = looked_at(molecule, model.pattern)
        if bool(truth.any()) != spec.contains:
            continue
        if why := _why_left_out(spec, molecule):
            left_out.append((entry.place, why))
            continue
        placed.append((entry.place, molecule))
        own.append(traits(molecule, model.pattern, truth))
        truths.append(truth)
    if not placed:
        return FindingsBatch(len(batch), [], left_out)
    kept = _Recorder(spec.explainer)
    explainers: list[Any] = [each for each in (kept, spec.against) if each is not None]
    columns = progress.each(
        explainers, lambda each: rows_of(placed, model, each, settings=settings_json(getattr(each, "inner", each)))
    )
    others = columns[1] if spec.against is not None else [None] * len(placed)
    atoms = kept.of(columns[0])
    findings = [Finding(*found) for found in zip(columns[0], others, own, truths, atoms, strict=True)]
    return FindingsBatch(len(batch), findings, left_out)


def _why_left_out(spec: Spec, molecule) -> str | None:
    if exclusion_key(molecule):
        return UNUSABLE
    if spec.costly and molecule.num_atoms > COSTLY_ATOMS:
        return TOO_LARGE
    return None


class _Recorder:
    """An explainer that remembers the importance of every atom it was asked about, in order."""

    def __init__(self, explainer: Explainer):
        self.inner, self.name = explainer, explainer.name
        self._answers: list[np.ndarray] = []

    def attribute(self, model: Network, batch):
        answers = attribute(self.inner, model, batch)
        self._answers += [answer.atom_scores.astype(np.float32) for answer in answers]
        return answers

    def of(self, rows: Sequence[Row]) -> list[np.ndarray | None]:
        """The importance that belongs to each row; None for all where an explainer's answers were not used."""
        sizes = [row.num_atoms for row in rows if row.problem is None]
        if [len(answer) for answer in self._answers] != sizes:
            return [None] * len(rows)
        answers = iter(self._answers)
        return [next(answers) if row.problem is None else None for row in rows]
