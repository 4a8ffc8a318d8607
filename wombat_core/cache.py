"""The user's cache folder: results that took long and can be made again. Deleting it is always safe."""

import os
import tempfile
import zipfile
from pathlib import Path

import numpy as np


def cache_folder() -> Path:
    """``WOMBAT_CACHE``, or ``wombat-explorer`` in ``XDG_CACHE_HOME`` or ``~/.cache``; it need not exist."""
    own = os.environ.get("WOMBAT_CACHE")
    if own:
        return Path(own).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "wombat-explorer"


def load_arrays(kind: str, key: str) -> dict[str, np.ndarray] | None:
    """The arrays that :func:`save_arrays` kept, or None where there are none or the file is damaged.

    Only plain arrays are read, nothing is ever unpickled.
    """
    try:
        with np.load(_file(kind, key), allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile):
        return None


def save_arrays(kind: str, key: str, arrays: dict[str, np.ndarray]) -> bool:
    """Keep arrays under ``kind`` and ``key``; False where the folder cannot be written.

    The file appears whole or not at all, also when several processes write it at once.
    """
    target = _file(kind, key)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=target.parent, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez(file, **arrays)
            os.replace(temporary, target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError:
        return False
    return True


def _file(kind: str, key: str) -> Path:
    return cache_folder() / kind / f"{key}.npz"
