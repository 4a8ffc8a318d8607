"""Do the whiteboxes agree with their SMARTS, molecule by molecule?"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

import torch
from rdkit import Chem

from ..errors import InputError
from ..ground_truth import query
from ..molecules.encoding import encode_types
from ..molecules.molecule import Molecule, from_smiles
from ..molecules.usability import exclusion_key
from ..whitebox.catalogue import Pattern
from ..whitebox.model import Whitebox, is_positive
from ..whitebox.readouts import READOUTS, atom_products

CHUNK = 1024

Source = tuple[int, Molecule | str | InputError]
"""Line number and what stands there: a molecule, a SMILES yet to be parsed, or why there is none."""


@dataclass
class Tally:
    """Counts over some molecules.

    Attributes:
        molecules: all that were read.
        left_out: molecules the benchmark leaves out, by reason ("unreadable", "no_bonds", "valence", "encoding").
        positives, negatives: pattern id to the number of molecules that match the relaxed SMARTS, or do not.
        disagreements: (pattern id, readout, line number, SMILES) wherever network and SMARTS differ.
        errors: (line number, sentence) of unreadable lines.
    """

    molecules: int = 0
    left_out: Counter = field(default_factory=Counter)
    positives: Counter = field(default_factory=Counter)
    negatives: Counter = field(default_factory=Counter)
    disagreements: list[tuple[str, str, int, str]] = field(default_factory=list)
    errors: list[tuple[int, str]] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        self.molecules += other.molecules
        for name in ("left_out", "positives", "negatives"):
            getattr(self, name).update(getattr(other, name))
        self.disagreements += other.disagreements
        self.errors += other.errors


def validate(
    sources: Iterable[Source],
    patterns: Sequence[Pattern],
    jobs: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> Tally:
    """Compare network (both readouts) and relaxed SMARTS on every usable molecule.

    Args:
        sources: molecules with their line numbers.
        patterns: the whiteboxes to validate.
        jobs: processes.
        progress: called with the number of molecules just done.
    """
    from joblib import Parallel, delayed

    total = Tally()
    work = (delayed(_validate_chunk)(chunk, tuple(patterns)) for chunk in _chunks(sources))
    for tally in Parallel(n_jobs=jobs, return_as="generator")(work):
        total.add(tally)
        progress(tally.molecules)
    return total


def _chunks(sources: Iterable[Source]) -> Iterator[list[Source]]:
    stream = iter(sources)
    while chunk := list(islice(stream, CHUNK)):
        yield chunk


def _validate_chunk(chunk: list[Source], patterns: tuple[Pattern, ...]) -> Tally:
    torch.set_num_threads(1)
    tally = Tally(molecules=len(chunk))
    lines, molecules = [], []
    for line, source in chunk:
        try:
            molecule = _molecule(source)
        except InputError as error:
            tally.left_out["unreadable"] += 1
            tally.errors.append((line, str(error)))
            continue
        key = exclusion_key(molecule)
        if key is None:
            lines.append(line)
            molecules.append(molecule)
        else:
            tally.left_out[key] += 1
    if molecules:
        _compare(lines, molecules, patterns, tally)
    return tally


def _molecule(source: Molecule | str | InputError) -> Molecule:
    if isinstance(source, InputError):
        raise source
    return from_smiles(source) if isinstance(source, str) else source


@torch.no_grad()
def _compare(lines: list[int], molecules: list[Molecule], patterns: tuple[Pattern, ...], tally: Tally) -> None:
    data = encode_types(molecules)
    for pattern in patterns:
        activations = Whitebox(pattern).activations(data.x, data.edge_index, data.edge_attr, data.rows)
        products = atom_products(activations[-1])
        motif: Chem.Mol = query(pattern.smarts)
        labels = [molecule.mol.HasSubstructMatch(motif) for molecule in molecules]
        tally.positives[pattern.id] += sum(labels)
        tally.negatives[pattern.id] += len(labels) - sum(labels)
        for readout, function in READOUTS.items():
            values = function(products, data.batch, len(molecules)).tolist()
            tally.disagreements += [
                (pattern.id, readout, line, molecule.smiles)
                for line, molecule, value, label in zip(lines, molecules, values, labels, strict=True)
                if is_positive(value) != label
            ]
