"""Do the whiteboxes agree with their SMARTS, molecule by molecule?"""

from __future__ import annotations

import gc
import multiprocessing
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import torch
from pandas import DataFrame

from ..errors import InputError
from ..molecules.arrays import LEFT_OUT, MoleculeArrays, arrays_of
from ..molecules.encoding import encode
from ..molecules.levels import Inputs, inputs_of, library_inputs
from ..molecules.library_arrays import library_arrays
from ..molecules.molecule import Molecule, from_smiles
from ..whitebox.build import Network, build
from ..whitebox.catalogue import Pattern
from ..whitebox.kind import kind_of
from ..whitebox.readouts import THRESHOLD
from .motif_search import contains

if TYPE_CHECKING:
    from pandas import DataFrame

CHUNK = 2048
IN_FLIGHT = 4

Place = int | str

Source = tuple[Place, Molecule | str | InputError]
"""Where, and what stands there: a molecule, a SMILES yet to be parsed, or why there is none."""


@dataclass(repr=False)
class Tally:
    """Counts over some molecules.

    Attributes:
        molecules: all that were read.
        left_out: molecules the benchmark leaves out, by reason ("unreadable", "no_bonds", "valence", "encoding").
        positives, negatives: pattern id to the number of molecules that match the relaxed SMARTS, or do not.
        disagreements: (pattern id, readout, place, SMILES) wherever network and SMARTS differ.
        errors: (place, sentence) of molecules that cannot be read or encoded.
        places: of all molecules of a chunk.
    """

    molecules: int = 0
    left_out: Counter = field(default_factory=Counter)
    positives: Counter = field(default_factory=Counter)
    negatives: Counter = field(default_factory=Counter)
    disagreements: list[tuple[str, str, Place, str]] = field(default_factory=list)
    errors: list[tuple[Place, str]] = field(default_factory=list)
    places: list[Place] = field(default_factory=list, repr=False, compare=False)

    def __repr__(self) -> str:
        wrong = f"{len(self.disagreements)} disagreements" if self.disagreements else "no disagreement"
        patterns = f"{len(self.positives)} pattern{'s' if len(self.positives) != 1 else ''}"
        return f"<Tally of {self.molecules} molecules under {patterns}: {wrong}, {self.left_out.total()} left out>"

    def to_frame(self) -> DataFrame:
        """A row a pattern: ``positives``, ``negatives``, ``disagreements`` (of both readouts)."""
        wrong = Counter(pattern for pattern, *_ in self.disagreements)
        columns = {"positives": self.positives, "negatives": self.negatives, "disagreements": wrong}
        rows = {id: {name: count[id] for name, count in columns.items()} for id in self.positives}
        return DataFrame.from_dict(rows, orient="index", columns=list(columns)).rename_axis("pattern")

    def add(self, other: Tally) -> None:
        self.molecules += other.molecules
        for name in ("left_out", "positives", "negatives"):
            getattr(self, name).update(getattr(other, name))
        self.disagreements += other.disagreements
        self.errors += other.errors


def validate(
    sources: Iterable[Source],
    patterns: Sequence[Pattern],
    jobs: int = 1,
    progress: Callable[[int], object] = lambda done: None,
) -> Tally:
    """Compare network (both readouts) and relaxed SMARTS on every usable molecule.

    Args:
        sources: molecules with their places (line numbers, or words such as "line 3").
        patterns: the whiteboxes to validate.
        jobs: processes.
        progress: called with the number of molecules just done.
    """
    total = Tally()
    with _workers(jobs) as work:
        for tally in work(partial(_validate_chunk, patterns=tuple(patterns)), _chunks(sources)):
            total.add(tally)
            progress(tally.molecules)
    return total


@contextmanager
def _workers(jobs: int):
    """A lazy, ordered ``map``, over processes where there is more than one job."""
    if jobs == 1:
        yield map
        return
    # A forked process has torch already; importing it takes longer than many a validation.
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else None
    # Nothing here makes reference cycles; looking for them costs a tenth of the time.
    pool = multiprocessing.get_context(method).Pool(jobs, initializer=gc.disable)
    with pool, _bounded(pool.imap, IN_FLIGHT * jobs) as work:
        yield work


@contextmanager
def _bounded(imap: Callable, limit: int):
    """An ``imap`` that takes no more than ``limit`` items ahead of what it gave; a pool's own takes all there are."""
    free, over = threading.BoundedSemaphore(limit), threading.Event()

    def feed(items: Iterable) -> Iterator:
        for item in items:
            while not free.acquire(timeout=0.1):
                if over.is_set():
                    return
            yield item

    def work(function: Callable, items: Iterable) -> Iterator:
        for result in imap(function, feed(items)):
            free.release()
            yield result

    try:
        yield work
    finally:
        over.set()


def _chunks(sources: Iterable[Source]) -> Iterator[list[Source]]:
    stream = iter(sources)
    while chunk := list(islice(stream, CHUNK)):
        yield chunk


def validate_library(
    patterns: Sequence[Pattern], jobs: int = 1, progress: Callable[[int], object] = lambda done: None
) -> Tally:
    """:func:`validate` of the whole library, places being "line 1", ...; its arrays are kept in the cache folder.

    Raises:
        InputError: the library is not installed.
        Stopped: the listener wants no more.
    """
    arrays = library_arrays(jobs)
    tally = _tally(arrays, [f"line {number}" for number in range(1, len(arrays) + 1)])
    share = -(-len(arrays) // max(1, len(patterns)))
    for number, pattern in enumerate(patterns):
        inputs = library_inputs(pattern.encoding, jobs)
        _compare(arrays, inputs, pattern, tally, jobs)
        progress(min(share, len(arrays) - number * share))
    return tally


def _validate_chunk(chunk: list[Source], patterns: tuple[Pattern, ...]) -> Tally:
    torch.set_num_threads(1)
    arrays = arrays_of([source for _, source in chunk])
    tally = _tally(arrays, [place for place, _ in chunk])
    for place in np.flatnonzero(arrays.left_out == LEFT_OUT.index("unreadable")):
        tally.errors.append((chunk[place][0], _sentence(chunk[place][1])))
    for place in np.flatnonzero(arrays.left_out == LEFT_OUT.index("encoding")):
        tally.errors.append((chunk[place][0], _sentence(Molecule(arrays.mol(int(place)), ""))))
    if arrays.usable.any():
        inputs = cache(lambda encoding: inputs_of(arrays, encoding))
        for pattern in patterns:
            _compare(arrays, inputs(pattern.encoding), pattern, tally)
    return tally


def _tally(arrays: MoleculeArrays, places: list[Place]) -> Tally:
    return Tally(len(arrays), Counter(arrays.left_out_by_reason()), places=places)


def _sentence(source: Molecule | str | InputError) -> str:
    """Why a molecule cannot be read or encoded."""
    try:
        if isinstance(source, InputError):
            raise source
        encode(from_smiles(source) if isinstance(source, str) else source)
    except InputError as error:
        return str(error)
    return ""


def _compare(arrays: MoleculeArrays, inputs: Inputs, pattern: Pattern, tally: Tally, threads: int = 1) -> None:
    labels, usable = contains(arrays, pattern.motifs, threads), arrays.usable
    tally.positives[pattern.id] += int((labels & usable).sum())
    tally.negatives[pattern.id] += int((~labels & usable).sum())
    for readout, values in predictions(build(pattern), arrays, inputs).items():
        for index in np.flatnonzero(((values > THRESHOLD) != labels) & usable):
            tally.disagreements.append((pattern.id, readout, tally.places[index], arrays.texts(int(index))[0]))


def predictions(model: Network, arrays: MoleculeArrays, inputs: Inputs) -> dict[str, np.ndarray]:
    """F(G) of every molecule, float32 [molecules], by readout: the network's own where it has one.

    What is said of molecules that are left out has no meaning.
    """
    return kind_of(model).predictions(model, arrays, inputs)
