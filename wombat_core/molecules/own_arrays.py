"""A user's own file as arrays, kept in the cache folder by its content."""

import hashlib
from dataclasses import fields
from pathlib import Path

import numpy as np
import rdkit

from ..cache import load_mapped, save_mapped
from ..errors import InputError
from .arrays import MoleculeArrays
from .files import read_molecules
from .library_arrays import LAYOUT, Labelled, encoded
from .molecule import Molecule

UNREADABLE = "The record is no molecule."
LARGEST_FILE = 500_000_000
"""Bytes of a file that is read."""


def file_arrays(path: Path, column: str | None = None, jobs: int = 1) -> MoleculeArrays:
    """The molecules of a file (CSV, TSV, SMI, SDF, MOL), in its order; made once for the same content and column.

    Reports its progress and can be stopped. A record that is no molecule is there as an unreadable one
    (:func:`file_problems` says why).

    Raises:
        InputError: the file is missing, too large or cannot be used.
        Stopped: the listener wants no more; nothing is kept.
    """
    if not path.is_file():
        raise InputError(f"The file {path} does not exist.")
    if path.stat().st_size > LARGEST_FILE:
        raise InputError(f"The file {path} is too large: at most {LARGEST_FILE // 1_000_000} MB are read.")
    with open(path, "rb") as file:
        content = hashlib.file_digest(file, "sha256").hexdigest()
    facts = (LAYOUT, "problems", content, path.suffix.lower(), column, rdkit.__version__)
    key = "own-" + hashlib.sha256(repr(facts).encode()).hexdigest()[:32]
    found = load_mapped("molecules", key)
    if found is None or set(found) != {field.name for field in fields(MoleculeArrays)}:
        rows = (_row(found, path.name) for _, found in read_molecules(path, column=column))
        made = encoded(rows, None, jobs).as_dict()
        save_mapped("molecules", key, made)
        found = load_mapped("molecules", key) or made
    return MoleculeArrays(**found)


def file_problems(path: Path, arrays: MoleculeArrays) -> list[str]:
    """Why molecules of :func:`file_arrays` cannot be read: a sentence each, which begins with file and line."""
    places = np.flatnonzero(~arrays.readable).tolist()
    return [path.name + _glued(arrays.texts(place)[1]) for place in places]


def _row(found: Molecule | InputError, file: str) -> Labelled:
    """What is encoded of a record. The reason of one that is no molecule is kept as its name, without the file's."""
    if isinstance(found, InputError):
        return InputError(UNREADABLE), str(found).removeprefix(file), ""
    return found, found.name or "", ""


def _glued(rest: str) -> str:
    return rest if rest.startswith((",", ":")) else f" {rest}"
