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
from torch_geometric.data import Data
from torch_geometric.utils import subgraph

from ..errors import InputError
from ..molecules.encoding import encode, encode_types
from ..molecules.features import NUM_ELEMENTS
from ..molecules.molecule import Molecule, from_smiles
from ..molecules.usability import exclusion_key
from ..whitebox.build import Network, build
from ..whitebox.catalogue import Pattern
from ..whitebox.model import Whitebox
from ..whitebox.readouts import READOUTS, THRESHOLD, atom_products
from .motif_search import matches

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
    """

    molecules: int = 0
    left_out: Counter = field(default_factory=Counter)
    positives: Counter = field(default_factory=Counter)
    negatives: Counter = field(default_factory=Counter)
    disagreements: list[tuple[str, str, Place, str]] = field(default_factory=list)
    errors: list[tuple[Place, str]] = field(default_factory=list)

    def __repr__(self) -> str:
        wrong = f"{len(self.disagreements)} disagreements" if self.disagreements else "no disagreement"
        patterns = f"{len(self.positives)} pattern{'s' if len(self.positives) != 1 else ''}"
        return f"<Tally of {self.molecules} molecules under {patterns}: {wrong}, {self.left_out.total()} left out>"

    def to_frame(self) -> DataFrame:
        """A row a pattern: ``positives``, ``negatives``, ``disagreements`` (of both readouts)."""
        from pandas import DataFrame

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
    progress: Callable[[int], None] = lambda done: None,
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


def _validate_chunk(chunk: list[Source], patterns: tuple[Pattern, ...]) -> Tally:
    torch.set_num_threads(1)
    tally = Tally(molecules=len(chunk))
    places, molecules = [], []
    for place, source in chunk:
        try:
            molecule = _molecule(source)
        except InputError as error:
            tally.left_out["unreadable"] += 1
            tally.errors.append((place, str(error)))
            continue
        key = exclusion_key(molecule)
        if key is None:
            places.append(place)
            molecules.append(molecule)
        else:
            tally.left_out[key] += 1
    if molecules:
        try:
            _compare(places, molecules, patterns, tally)
        except InputError:
            _compare_encodable(places, molecules, patterns, tally)
    return tally


def _compare_encodable(
    places: list[Place], molecules: list[Molecule], patterns: tuple[Pattern, ...], tally: Tally
) -> None:
    """Leave out what cannot be encoded, and compare the rest."""
    encodable = []
    for place, molecule in zip(places, molecules, strict=True):
        try:
            encode(molecule)
            encodable.append((place, molecule))
        except InputError as error:
            tally.left_out["encoding"] += 1
            tally.errors.append((place, str(error)))
    if encodable:
        _compare(*map(list, zip(*encodable, strict=True)), patterns, tally)


def _molecule(source: Molecule | str | InputError) -> Molecule:
    if isinstance(source, InputError):
        raise source
    return from_smiles(source) if isinstance(source, str) else source


@torch.no_grad()
def _compare(places: list[Place], molecules: list[Molecule], patterns: tuple[Pattern, ...], tally: Tally) -> None:
    encoded = {name: encode_types(molecules, name) for name in {"wombat", *(p.encoding for p in patterns)}}
    elements = _element_counts(encoded["wombat"], len(molecules))
    mols = [molecule.mol for molecule in molecules]
    for pattern in patterns:
        labels = np.logical_and.reduce([matches(mols, elements, smarts) for smarts in pattern.motifs])
        tally.positives[pattern.id] += int(labels.sum())
        tally.negatives[pattern.id] += int((~labels).sum())
        for readout, values in _predictions(_model(pattern), encoded[pattern.encoding], len(molecules)).items():
            for index in np.flatnonzero((values.numpy() > THRESHOLD) != labels):
                tally.disagreements.append((pattern.id, readout, places[index], molecules[index].smiles))


@cache
def _model(pattern: Pattern) -> Network:
    return build(pattern)


def _predictions(model: Network, data: Data, num_molecules: int) -> dict[str, torch.Tensor]:
    """F(G) of every molecule [num_molecules] by readout, the network's own where it has one."""
    if not isinstance(model, Whitebox):
        return {model.readout: model(data.x[data.rows], data.edge_index, data.edge_attr, data.batch)}
    products, batch = _products(model, data)
    return {name: read(products, batch, num_molecules) for name, read in READOUTS.items()}


def _products(model: Whitebox, data: Data) -> tuple[torch.Tensor, torch.Tensor]:
    """``p_i`` of every atom that may have one, and its molecule.

    Messages of which a factor at one of their ends is zero are not computed. Where no bias is positive, an atom
    without any activation can neither send nor gain anything in later layers, and is dropped.
    """
    z, rows, batch = data.x, data.rows, data.batch
    edge_index, edge_attr = data.edge_index, data.edge_attr
    drops = all(bool((convolution.bias <= 0).all()) for convolution in model.convolutions)
    for convolution in model.convolutions:
        own, neighbour = convolution.factors(z)
        receives, sends = own.any(dim=1), neighbour.any(dim=1)
        if rows is not None:
            own, neighbour, receives, sends, rows = own[rows], neighbour[rows], receives[rows], sends[rows], None
        flows = (receives[edge_index[1]] & sends[edge_index[0]]).nonzero().squeeze(1)
        z = convolution.combine(own, neighbour, edge_index[:, flows], edge_attr[flows])
        if drops:
            kept = z.sum(dim=1) > 0
            edge_index, edge_attr = subgraph(kept, edge_index, edge_attr, relabel_nodes=True)
            z, batch = z[kept], batch[kept]
    return atom_products(z), batch


def _element_counts(data: Data, num_molecules: int) -> np.ndarray:
    """Atoms of every element (by slot) in every molecule, [num_molecules, 100]."""
    elements = data.x[:, :NUM_ELEMENTS][data.rows]
    return torch.zeros(num_molecules, NUM_ELEMENTS).index_add(0, data.batch, elements).numpy()
