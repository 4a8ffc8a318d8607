"""What a run's numbers depend on besides its settings: the versions of libraries and of the data."""

import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path

from .. import __version__
from ..molecules.positives import POSITIVES_FILE
from ..whitebox.catalogue import PATTERNS_FILE

CODE = "wombat"
"""The name under which this code's version stands; runs of before it was kept have none."""
LIBRARIES = ("torch", "torch-geometric", "captum", "rdkit", "numpy", "scikit-learn", "chemicals")


@cache
def _versions() -> tuple[tuple[str, str], ...]:
    data = hashlib.sha256()
    for file in (PATTERNS_FILE, POSITIVES_FILE):
        data.update(file.read_bytes())
    libraries = ((name, version(name)) for name in LIBRARIES)
    return (*libraries, ("wombat-data", data.hexdigest()[:12]), (CODE, __version__))


def versions() -> dict[str, str]:
    """Versions of the libraries and of this code by name; "wombat-data": a digest of the weights and the positives."""
    return dict(_versions())


def file_digest(path: str | Path) -> str:
    """SHA-256 of a file's content, the first 12 digits.

    Raises:
        OSError: it cannot be read.
    """
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:12]
