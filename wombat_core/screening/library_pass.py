"""One pass over many molecules: what sets, negatives and similarities need to know of each."""

import hashlib
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from pathlib import Path

import numpy as np
import rdkit
from rdkit import Chem

from ..cache import load_arrays, save_arrays
from ..errors import InputError
from ..molecules.features import NUM_ELEMENTS
from ..molecules.library import identifiers_file
from ..molecules.molecule import from_smiles
from ..molecules.sets import Entry, entries
from ..molecules.usability import MAX_VALENCE, REASONS, exclusion_key
from ..progress import Stopped, report
from ..whitebox.catalogue import Pattern, fourteen, pattern, patterns
from .fingerprints import NUM_BITS, RADIUS, fingerprints, motif_molecule, shared_bits
from .motif_search import element_counts, matches

CHUNK = 512
JOBS = min(2, os.cpu_count() or 1)

LEFT_OUT = (None, "unreadable", *REASONS)
"""Why the benchmark leaves a molecule out, by the number in ``Arrays["left_out"]``; 0 is a usable one."""

Arrays = dict[str, np.ndarray]
"""Of every molecule, in order; zeros and False for an unreadable one.

``left_out`` uint8 [molecules], ``num_atoms`` uint16 [molecules], ``charged`` bool [molecules] (any formal charge),
``elements`` uint8 [molecules, 13] (which occur, packed bits), ``relaxed`` bool [molecules, columns], ``original`` bool
[molecules, 14], ``shared`` uint16 [molecules, columns] and ``num_bits`` uint16 [molecules] (fingerprints).
"""

_LAYOUT = 1  # another number where the arrays change their meaning
_CHARGED = Chem.MolFromSmarts("[!+0]")
_lock = threading.Lock()
_kept: dict[str, Arrays] = {}


@cache
def motifs() -> tuple[Pattern, ...]:
    """The patterns with a motif of their own, one a column: the fourteen and the GINE whitebox."""
    return tuple(entry for entry in patterns().values() if entry.variant_of is None)


@cache
def motif_bits() -> np.ndarray:
    """Fingerprints of the motifs, bool [columns, bits]."""
    return fingerprints([motif_molecule(entry) for entry in motifs()])


def column(id: Pattern | str | int) -> int:
    """The column of a pattern; a variant shares its pattern's.

    Raises:
        InputError: there is no such pattern.
    """
    entry = id if isinstance(id, Pattern) else pattern(id)
    return [motif.id for motif in motifs()].index(entry.variant_of or entry.id)


def screen(smiles: Sequence[str], jobs: int = 1) -> Arrays:
    """Look at every molecule once, over ``jobs`` processes; reports its progress and can be stopped.

    Raises:
        Stopped: the listener wants no more.
    """
    chunks = [smiles[start : start + CHUNK] for start in range(0, len(smiles), CHUNK)] or [()]
    parts, done, stop = [], 0, None
    # A stop lets the few chunks under way come to their end: cutting processes off may harm others' work in them.
    for part in _over(jobs if len(chunks) > 1 else 1)(chunk for chunk in chunks if stop is None):
        parts.append(part)
        done += len(part["left_out"])
        try:
            if stop is None:
                report(done / max(1, len(smiles)))
        except Stopped as error:
            stop = error
    if stop is not None:
        raise stop
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def screened(molecules: Sequence[Entry] | None = None, jobs: int = JOBS) -> Arrays:
    """:func:`screen` of some molecules or, where None, of the library.

    Raises:
        InputError: the library is not installed.
        Stopped: the listener wants no more.
    """
    return screened_library(jobs) if molecules is None else screen([entry.smiles for entry in molecules], jobs)


def screened_library(jobs: int = JOBS) -> Arrays:
    """:func:`screen` of the whole library, in its order, kept in the cache folder; the arrays are read-only.

    Raises:
        InputError: the library is not installed.
        Stopped: the listener wants no more; nothing is kept.
    """
    while not _lock.acquire(timeout=0.2):  # another page is at it
        report(0)
    try:
        arrays = kept_library()
        if arrays is None:
            arrays = screen([entry.smiles for entry in entries("library")], jobs)
            save_arrays("library", library_key(), arrays)
            _keep(arrays)
        return arrays
    finally:
        _lock.release()


def kept_library() -> Arrays | None:
    """What :func:`screened_library` kept, or None where it has yet to be made.

    Raises:
        InputError: the library is not installed.
    """
    key = library_key()
    if key not in _kept:
        arrays = load_arrays("library", key)
        if arrays is None:
            return None
        _keep(arrays)
    return _kept[key]


def library_key() -> str:
    """What all that is kept of the library depends on: its file, all SMARTS, the fingerprints, RDKit's version.

    Raises:
        InputError: the library is not installed.
    """
    path = identifiers_file()
    about = path.stat()
    facts = (
        _LAYOUT,
        _digest(path, about.st_size, about.st_mtime_ns),
        [(entry.id, entry.motifs, entry.krfp) for entry in motifs()],
        (RADIUS, NUM_BITS, MAX_VALENCE, REASONS),
        rdkit.__version__,
    )
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:32]


def _keep(arrays: Arrays) -> None:
    for array in arrays.values():
        array.flags.writeable = False
    _kept[library_key()] = arrays


def _over(jobs: int) -> Callable[[Iterable[Sequence[str]]], Iterable[Arrays]]:
    """A lazy, ordered map of :func:`_screen`, over processes where there is more than one job."""
    if jobs == 1:
        return partial(map, _screen)
    from joblib import Parallel, delayed

    parallel = Parallel(n_jobs=jobs, return_as="generator", pre_dispatch="2*n_jobs", batch_size=1)
    return lambda chunks: parallel(map(delayed(_screen), chunks))


def _screen(smiles: Sequence[str]) -> Arrays:
    rows = len(smiles)
    arrays = {
        "left_out": np.zeros(rows, dtype=np.uint8),
        "num_atoms": np.zeros(rows, dtype=np.uint16),
        "charged": np.zeros(rows, dtype=bool),
        "elements": np.zeros((rows, (NUM_ELEMENTS + 7) // 8), dtype=np.uint8),
        "relaxed": np.zeros((rows, len(motifs())), dtype=bool),
        "original": np.zeros((rows, len(fourteen())), dtype=bool),
        "shared": np.zeros((rows, len(motifs())), dtype=np.uint16),
        "num_bits": np.zeros(rows, dtype=np.uint16),
    }
    mols, places = [], []
    for place, text in enumerate(smiles):
        try:
            mol = from_smiles(text).mol
        except InputError:
            arrays["left_out"][place] = LEFT_OUT.index("unreadable")
            continue
        arrays["left_out"][place] = LEFT_OUT.index(exclusion_key(mol))
        arrays["num_atoms"][place] = mol.GetNumAtoms()
        arrays["charged"][place] = mol.HasSubstructMatch(_CHARGED)
        mols.append(mol)
        places.append(place)
    if mols:
        _motifs(mols, places, arrays)
    return arrays


def _motifs(mols: list[Chem.Mol], places: list[int], arrays: Arrays) -> None:
    elements = element_counts(mols)
    arrays["elements"][places] = np.packbits(elements > 0, axis=1)
    found = cache(lambda smarts: matches(mols, elements, smarts))  # patterns 10 to 14 have one SMARTS for both
    for number, entry in enumerate(motifs()):
        arrays["relaxed"][places, number] = np.logical_and.reduce([found(smarts) for smarts in entry.motifs])
    for number, entry in enumerate(fourteen()):
        arrays["original"][places, number] = found(entry.krfp)
    bits = fingerprints(mols)
    arrays["num_bits"][places] = bits.sum(axis=1)
    arrays["shared"][places] = shared_bits(bits, motif_bits())


@cache
def _digest(path: Path, size: int, changed: int) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
