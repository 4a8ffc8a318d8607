"""Network against RDKit on every molecule: the certificate of a whitebox (after the proofs by search of Tracr's kind).

What message passing can see at all: Barcelo et al. 2020; compiled networks: Lindner et al. 2023 (Tracr).
"""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import rdkit
import torch
from rdkit import Chem

from ..errors import InputError
from ..ground_truth import query
from ..molecules.arrays import MoleculeArrays, Source, arrays_of
from ..molecules.levels import Inputs, inputs_of, library_inputs
from ..molecules.library_arrays import JOBS, LAYOUT, content_hash, library_arrays, library_hash, library_name
from ..progress import in_turn, listening
from ..screening.motif_search import contains
from ..screening.validation import predictions
from ..whitebox.build import Network, build
from ..whitebox.catalogue import Pattern, pattern
from ..whitebox.readouts import THRESHOLD
from .certificate import Certificate, Differences, Example
from .reasons import reason
from .synthetic import near_misses

EXAMPLES = 20


def certify(
    pattern_: Pattern | str | int,
    *,
    molecules: MoleculeArrays | Iterable[Source] | None = None,
    name: str | None = None,
    progress: Callable[[float], object] | None = None,
    jobs: int = JOBS,
) -> Certificate:
    """Compare network and RDKit on every usable molecule, under both readouts.

    Args:
        pattern_: a pattern, compiled or hand-made, or its id.
        molecules: SMILES, molecules or arrays; None: the library, whose arrays are made at first and then kept.
        name: of the molecules, for the certificate.
        progress: called with the share done, in [0, 1]; may raise ``Stopped``. None: whoever listens already.
        jobs: threads and processes.

    Raises:
        InputError: there is no such pattern, no molecule, or the library is not installed.
        Stopped: the listener wants no more.

    >>> found = certify("12", molecules=["CC=O", "CC(C)=O", "CCO"])
    >>> found.verdict, found.positives, found.negatives
    ('exact', 1, 2)
    """
    if progress is not None:
        with listening(progress):
            return certify(pattern_, molecules=molecules, name=name, jobs=jobs)
    torch.set_num_threads(1)
    entry = pattern_ if isinstance(pattern_, Pattern) else pattern(pattern_)
    model = build(entry)
    made = arrays_of([smiles for motif in entry.motifs for smiles in near_misses(motif)])
    read = _Molecules(molecules, name, entry.encoding, jobs)
    _, (labels, found), (_, synthetic) = in_turn(
        read.prepare,
        lambda: _compared(entry, model, read.arrays, read.inputs, jobs),
        lambda: _compared(entry, model, made, inputs_of(made, entry.encoding), 1),
    )
    arrays = read.arrays
    usable = arrays.usable
    positives = int((labels & usable).sum())
    origin = getattr(entry, "origin", None)
    return Certificate(
        pattern=entry.id,
        smarts=origin.smarts if origin else entry.smarts,
        label_smarts=entry.smarts,
        style=origin.style if origin else None,
        root=origin.root if origin else None,
        encoding=entry.encoding,
        layers=entry.num_layers,
        channels=entry.num_channels,
        notes=tuple(origin.notes) if origin else (),
        set_name=read.set_name,
        set_hash=read.hash,
        versions={"rdkit": rdkit.__version__, "torch": torch.__version__, "arrays": str(LAYOUT)},
        weights_hash=weights_hash(model),
        molecules=len(arrays),
        left_out=arrays.left_out_by_reason(),
        positives=positives,
        negatives=int(usable.sum()) - positives,
        readouts=found,
        synthetic_molecules=int(made.usable.sum()),
        synthetic=synthetic,
        verdict=_verdict(entry, positives, found, synthetic),
    )


@dataclass
class _Molecules:
    """What a certificate is over: the library where ``given`` is None."""

    given: MoleculeArrays | Iterable[Source] | None
    name: str | None
    encoding: str
    jobs: int
    set_name: str = ""
    hash: str = ""

    def prepare(self) -> None:
        """Make ``arrays``, ``inputs``, ``set_name`` and ``hash``; reports its progress.

        Raises:
            InputError: there is no molecule, or the library is not installed.
        """
        if self.given is None:
            self.arrays, self.inputs = in_turn(
                lambda: library_arrays(self.jobs), lambda: library_inputs(self.encoding, self.jobs)
            )
            self.set_name, self.hash = self.name or library_name(), library_hash()
            return
        self.arrays = self.given if isinstance(self.given, MoleculeArrays) else arrays_of(self.given)
        if not len(self.arrays):
            raise InputError("There is no molecule to certify on.")
        self.inputs = inputs_of(self.arrays, self.encoding)
        self.set_name, self.hash = self.name or "molecules of one's own", content_hash(self.arrays)


def weights_hash(model: Network) -> str:
    """SHA-256 of a network's weights, in order, with their shapes."""
    digest = hashlib.sha256()
    for name, weights in model.state_dict().items():
        digest.update(f"{name} {tuple(weights.shape)}".encode())
        digest.update(weights.contiguous().numpy().tobytes())
    return digest.hexdigest()


def _compared(
    entry: Pattern, model: Network, arrays: MoleculeArrays, inputs: Inputs, jobs: int
) -> tuple[np.ndarray, dict[str, Differences]]:
    labels, values = in_turn(lambda: contains(arrays, entry.motifs, jobs), lambda: predictions(model, arrays, inputs))
    found, known = {}, {}
    for readout, value in values.items():
        fires = (value > THRESHOLD) & arrays.usable
        false, missed = np.flatnonzero(fires & ~labels), np.flatnonzero(labels & arrays.usable & ~fires)
        key = (false.tobytes(), missed.tobytes())
        if key not in known:  # the readouts nearly always agree
            known[key] = _differences(entry, arrays, false, missed)
        found[readout] = known[key]
    return labels, found


def _differences(entry: Pattern, arrays: MoleculeArrays, false: np.ndarray, missed: np.ndarray) -> Differences:
    lonely = [place for place in missed if _lacks_bonds(arrays, place)]
    return Differences(
        false_positives=len(false),
        misses=len(missed),
        acyclic=sum(_has_no_rings(arrays.mol(place)) for place in false),
        without_bonds=len(lonely),
        false_examples=tuple(_false(entry, arrays, place) for place in _smallest(arrays, false)),
        missed_examples=tuple(_missed(arrays, place, place in lonely) for place in _smallest(arrays, missed)),
    )


def _smallest(arrays: MoleculeArrays, places: np.ndarray) -> np.ndarray:
    return places[np.argsort(arrays.num_atoms[places], kind="stable")][:EXAMPLES]


def _false(entry: Pattern, arrays: MoleculeArrays, place: int) -> Example:
    mol = arrays.mol(place)
    absent = next((motif for motif in entry.motifs if not mol.HasSubstructMatch(query(motif))), entry.motifs[0])
    why = reason(mol, query(absent))
    return _example(arrays, place, why.sentence, why.image, why.meeting)


def _missed(arrays: MoleculeArrays, place: int, lonely: bool) -> Example:
    why = "An atom without bonds gets no message." if lonely else "The network finds no match where RDKit does."
    return _example(arrays, place, why)


def _example(arrays: MoleculeArrays, place: int, why: str, image=None, meeting=None) -> Example:
    smiles, name, cas = arrays.texts(place)
    return Example(int(place), name, cas, smiles, int(arrays.num_atoms[place]), why, image, meeting)


def _has_no_rings(mol: Chem.Mol) -> bool:
    return mol.GetNumBonds() == mol.GetNumAtoms() - len(Chem.GetMolFrags(mol))


def _lacks_bonds(arrays: MoleculeArrays, place: int) -> bool:
    return any(atom.GetDegree() == 0 for atom in arrays.mol(place).GetAtoms())


def _verdict(entry: Pattern, positives: int, found: dict[str, Differences], synthetic: dict[str, Differences]) -> str:
    all_ = [*found.values(), *synthetic.values()]
    if not any(each.false_positives or each.misses for each in found.values()):
        agrees = not any(each.acyclic or each.misses for each in synthetic.values())
        if agrees:
            return "exact" if positives else "untested"
    if any(each.acyclic or each.misses for each in all_):
        return "approximate"
    tree = all(query(motif).GetNumAtoms() > query(motif).GetNumBonds() for motif in entry.motifs)
    # A network for a tree computes the homomorphism itself: where there is none, an atom's condition is not asked for.
    strange = tree and any(example.image is None for each in found.values() for example in each.false_examples)
    return "approximate" if strange else "exact but for rings"
