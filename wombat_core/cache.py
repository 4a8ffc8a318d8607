"""The user's cache folder: results that took long and can be made again. Deleting it is always safe."""

import os
import shutil
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


def load_mapped(kind: str, key: str) -> dict[str, np.ndarray] | None:
    """The arrays that :func:`save_mapped` kept, read-only and mapped into memory as they are needed.

    None where there are none or one of them is damaged. Only plain arrays are read, nothing is ever unpickled.
    """
    folder = cache_folder() / kind / key
    try:
        names = sorted(path.stem for path in folder.iterdir() if path.suffix == ".npy")
        return {name: _mapped(folder / f"{name}.npy") for name in names} or None
    except (OSError, ValueError, EOFError):
        return None


def _mapped(path: Path) -> np.ndarray:
    array = np.load(path, mmap_mode="r", allow_pickle=False)
    # A plain view: indexing a memmap costs several times as much.
    return array.view(np.ndarray)


def save_mapped(kind: str, key: str, arrays: dict[str, np.ndarray]) -> bool:
    """Keep arrays under ``kind`` and ``key``, a file each; False where the folder cannot be written.

    The folder appears whole or not at all; where another process made it meanwhile, that one stays.
    """
    target = cache_folder() / kind / key
    temporary = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(dir=target.parent, suffix=".part"))
        for name, array in arrays.items():
            np.save(temporary / f"{name}.npy", np.ascontiguousarray(array), allow_pickle=False)
        if target.exists() and load_mapped(kind, key) is None:
            shutil.rmtree(target, ignore_errors=True)
        if not target.exists():
            os.replace(temporary, target)
    except OSError:
        return load_mapped(kind, key) is not None
    finally:
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)
    return True
