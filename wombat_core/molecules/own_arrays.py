"""A user's own file as arrays, kept in the cache folder by its content."""

import hashlib
from dataclasses import fields
from pathlib import Path

import rdkit

from ..cache import load_mapped, save_mapped
from ..errors import InputError
from .arrays import MoleculeArrays
from .files import read_molecules
from .library_arrays import LAYOUT, encoded
from .molecule import Molecule

LARGEST_FILE = 500_000_000
"""Bytes of a file that is read."""


def file_arrays(path: Path, column: str | None = None, jobs: int = 1) -> MoleculeArrays:
    """The molecules of a file (CSV, TSV, SMI, SDF, MOL), in its order; made once for the same content and column.

    Reports its progress and can be stopped. A record that is no molecule is there as an unreadable one.

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
    facts = (LAYOUT, content, path.suffix.lower(), column, rdkit.__version__)
    key = "own-" + hashlib.sha256(repr(facts).encode()).hexdigest()[:32]
    found = load_mapped("molecules", key)
    if found is None or set(found) != {field.name for field in fields(MoleculeArrays)}:
        records = (found for _, found in read_molecules(path, column=column))
        rows = ((found, found.name or "" if isinstance(found, Molecule) else "", "") for found in records)
        made = encoded(rows, None, jobs).as_dict()
        save_mapped("molecules", key, made)
        found = load_mapped("molecules", key) or made
    return MoleculeArrays(**found)
