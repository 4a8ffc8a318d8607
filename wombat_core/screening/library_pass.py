"""One pass over many molecules: what sets, negatives and similarities need to know of each."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from contextvars import Context
from functools import cache

import numpy as np

from ..cache import alone, load_arrays, save_arrays
from ..molecules.arrays import KIND_COLUMNS, MoleculeArrays, arrays_of, element_counts, from_binary
from ..molecules.library_arrays import JOBS, library_arrays, over
from ..molecules.library_arrays import library_key as arrays_key
from ..molecules.sets import Entry
from ..progress import Stopped, each, in_turn, report
from ..whitebox.catalogue import Pattern, fourteen, pattern, patterns
from .fingerprints import NUM_BITS, RADIUS, fingerprints, motif_molecule, shared_bits
from .motif_search import matches

CHUNK = 512
Arrays = dict[str, np.ndarray]
"""Of every molecule, in order; zeros and False for an unreadable one (``left_out``: see ``LEFT_OUT``).

``left_out`` uint8 [molecules], ``num_atoms`` uint16 [molecules], ``charged`` bool [molecules] (any formal charge),
``elements`` uint8 [molecules, 13] (which occur, packed bits), ``relaxed`` bool [molecules, columns], ``original`` bool
[molecules, 14], ``shared`` uint16 [molecules, columns] and ``num_bits`` uint16 [molecules] (fingerprints).
"""

_LAYOUT = 2  # another number where the arrays change their meaning
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
    return _in_parts(chunks, len(smiles), jobs if len(chunks) > 1 else 1, _screen, lambda part: len(part["left_out"]))


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
    arrays = kept_library()
    if arrays is None:
        with alone("library", library_key()):
            arrays = kept_library()
            if arrays is None:
                arrays = _screen_library(jobs)
                save_arrays("library", library_key(), arrays)
                _keep(arrays)
    return arrays


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
    facts = (
        _LAYOUT,
        arrays_key(),
        [(entry.id, entry.motifs, entry.krfp) for entry in motifs()],
        (RADIUS, NUM_BITS),
    )
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:32]


def _keep(arrays: Arrays) -> None:
    for array in arrays.values():
        array.flags.writeable = False
    _kept[library_key()] = arrays


def _screen(smiles: Sequence[str]) -> Arrays:
    molecules = arrays_of(smiles)
    # Within a context of its own nobody listens: the progress told is that of the whole set.
    return Context().run(_facts, molecules) | _similar([molecules.binary_of(place) for place in range(len(molecules))])


def _facts(molecules: MoleculeArrays, threads: int = 1) -> Arrays:
    """All but the fingerprints."""
    # Each SMARTS once: patterns 10 to 14 have one for both.
    smarts = list(dict.fromkeys([own for m in motifs() for own in m.motifs] + [m.krfp for m in fourteen()]))
    found = dict(zip(smarts, each(smarts, lambda one: matches(molecules, one, threads)), strict=True))
    relaxed = [np.logical_and.reduce([found[smarts] for smarts in entry.motifs]) for entry in motifs()]
    charged = np.zeros(len(molecules), dtype=bool)
    owner = np.repeat(np.arange(len(molecules)), molecules.num_atoms)
    charged[owner[molecules.kinds[molecules.kind, KIND_COLUMNS.index("charge")] != 0]] = True
    return {
        "left_out": np.array(molecules.left_out),
        "num_atoms": molecules.num_atoms.astype(np.uint16),
        "charged": charged,
        "elements": np.packbits(element_counts(molecules) > 0, axis=1),
        "relaxed": np.stack(relaxed, axis=1),
        "original": np.stack([found[entry.krfp] for entry in fourteen()], axis=1),
    }


def _similar(binaries: Sequence[bytes]) -> Arrays:
    """The fingerprints, from RDKit's own form of every molecule; zeros where it is empty."""
    found = {
        "shared": np.zeros((len(binaries), len(motifs())), dtype=np.uint16),
        "num_bits": np.zeros(len(binaries), dtype=np.uint16),
    }
    places = [place for place, binary in enumerate(binaries) if binary]
    if places:
        bits = fingerprints([from_binary(binaries[place]) for place in places])
        found["num_bits"][places] = bits.sum(axis=1)
        found["shared"][places] = shared_bits(bits, motif_bits())
    return found


def _screen_library(jobs: int) -> Arrays:
    """:func:`screen` of the library from its arrays."""

    def similar() -> Arrays:
        molecules = library_arrays()  # made by the step before
        starts = range(0, len(molecules), CHUNK)
        chunks = ([molecules.binary_of(p) for p in range(s, min(s + CHUNK, len(molecules)))] for s in starts)
        return _in_parts(chunks, len(molecules), jobs, _similar, lambda part: len(part["num_bits"]))

    _, fingerprinted, facts = in_turn(lambda: library_arrays(jobs), similar, lambda: _facts(library_arrays(), jobs))
    return facts | fingerprinted


def _in_parts(chunks: Iterable, size: int, jobs: int, work: Callable, length: Callable[[Arrays], int]) -> Arrays:
    parts, done, stop = [], 0, None
    # A stop lets the few chunks under way come to their end: cutting processes off may harm others' work in them.
    for part in over(jobs, work)(chunk for chunk in chunks if stop is None):
        parts.append(part)
        done += length(part)
        try:
            if stop is None:
                report(done / max(1, size))
        except Stopped as error:
            stop = error
    if stop is not None:
        raise stop
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
