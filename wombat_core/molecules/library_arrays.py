"""The library and users' files as arrays, made once and kept in the cache folder."""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from functools import cache, partial
from importlib.metadata import version
from itertools import islice
from pathlib import Path

import rdkit

from ..cache import alone, load_mapped, save_mapped
from ..errors import InputError
from ..progress import Stopped, report
from .arrays import MoleculeArrays, Source, arrays_of, concatenated
from .library import LIBRARY_FILE, identifiers_file, library_rows, library_size
from .usability import MAX_VALENCE, REASONS

LAYOUT = 1
"""Another number where the arrays change their meaning."""
CHUNK = 1024
JOBS = min(2, os.cpu_count() or 1)
LARGEST_SET = 500_000
"""Molecules of a set that are held as arrays at once, about 500 bytes each."""

Labelled = tuple[Source, str, str]
"""What stands there, its name and its CAS number."""

_kept: dict[str, MoleculeArrays] = {}


def library_arrays(jobs: int = JOBS) -> MoleculeArrays:
    """The whole library, in its order, read-only; from the cache folder within milliseconds, else made and kept.

    Reports its progress and can be stopped.

    Raises:
        InputError: the library is not installed.
        Stopped: the listener wants no more; nothing is kept.
    """
    arrays = kept_library_arrays()
    if arrays is None:
        with alone("molecules", library_key()):
            arrays = kept_library_arrays()
            if arrays is None:
                rows = ((row.smiles, row.name, row.cas) for row in library_rows())
                arrays = _keep(library_key(), encoded(rows, library_size(), jobs))
    return arrays


def kept_library_arrays() -> MoleculeArrays | None:
    """What :func:`library_arrays` kept, or None where it has yet to be made.

    Raises:
        InputError: the library is not installed.
    """
    key = library_key()
    if key not in _kept:
        found = load_mapped("molecules", key)
        if found is None or set(found) != {field.name for field in fields(MoleculeArrays)}:
            return None
        _kept[key] = MoleculeArrays(**found)
    return _kept[key]


def encoded(sources: Iterable[Labelled], size: int | None = None, jobs: int = 1) -> MoleculeArrays:
    """Parse, check and encode molecules over ``jobs`` processes; reports its progress and can be stopped.

    Args:
        sources: taken as they are needed.
        size: how many there are, for the progress.
        jobs: processes.

    Raises:
        InputError: there are more than ``LARGEST_SET``.
        Stopped: the listener wants no more.
    """
    parts, done, stop = [], 0, None
    chunks = in_chunks(islice(sources, LARGEST_SET + 1), CHUNK)
    # A stop lets the few chunks under way come to their end: cutting processes off may harm others' work in them.
    for part in over(jobs, _encoded_chunk)(chunk for chunk in chunks if stop is None):
        parts.append(part)
        done += len(part)
        try:
            if stop is None:
                report(done / max(done, size or 2 * done))
        except Stopped as error:
            stop = error
    if stop is not None:
        raise stop
    if done > LARGEST_SET:
        raise InputError(f"There are more than {LARGEST_SET:,} molecules; a set of that size is not held at once.")
    return concatenated(parts or [arrays_of([])])


def in_chunks(items: Iterable, size: int) -> Iterator[list]:
    """Lists of ``size`` items, the last one shorter; taken as they are needed."""
    stream = iter(items)
    while chunk := list(islice(stream, size)):
        yield chunk


def over(jobs: int, work: Callable) -> Callable[[Iterable], Iterator]:
    """A lazy, ordered map of ``work``, over processes where there is more than one job."""
    if jobs == 1:
        return partial(map, work)
    from joblib import Parallel, delayed

    # joblib has no types; the checker takes batch_size to be as its default, "auto".
    parallel = Parallel(n_jobs=jobs, return_as="generator", pre_dispatch="2*n_jobs", batch_size=1)  # pyright: ignore[reportArgumentType]
    return lambda chunks: iter(parallel(map(delayed(work), chunks)))


def library_key() -> str:
    """What the arrays of the library depend on: its file, the rules of the benchmark, RDKit's version.

    Raises:
        InputError: the library is not installed.
    """
    facts = (LAYOUT, library_hash(), MAX_VALENCE, REASONS, rdkit.__version__)
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:32]


def library_hash() -> str:
    """SHA-256 of the library's file.

    Raises:
        InputError: the library is not installed.
    """
    path = identifiers_file()
    about = path.stat()
    return _digest(path, about.st_size, about.st_mtime_ns)


def library_name() -> str:
    """The library's name for people: the package that ships it, and the file."""
    return f"chemicals {version('chemicals')}, {LIBRARY_FILE}"


def content_hash(arrays: MoleculeArrays) -> str:
    """SHA-256 of the molecules, by which what was computed from them can be told from others'."""
    digest = hashlib.sha256(repr((LAYOUT, rdkit.__version__, len(arrays))).encode())
    for array in (arrays.left_out, arrays.binary, arrays.binary_start):
        digest.update(array.data.cast("B") if len(array) else b"")
    return digest.hexdigest()


def _encoded_chunk(chunk: Sequence[Labelled]) -> MoleculeArrays:
    sources, *labels = zip(*chunk, strict=True)
    return arrays_of(sources, list(zip(*labels, strict=True)))


def _keep(key: str, arrays: MoleculeArrays) -> MoleculeArrays:
    save_mapped("molecules", key, arrays.as_dict())
    found = load_mapped("molecules", key)
    _kept[key] = arrays if found is None else MoleculeArrays(**found)
    return _kept[key]


@cache
def _digest(path: Path, size: int, changed: int) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
