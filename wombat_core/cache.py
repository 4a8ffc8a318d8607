"""The user's cache folder: results that took long and can be made again. Deleting it is always safe."""

import contextlib
import os
import shutil
import tempfile
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from filelock import FileLock, Timeout

from .host import folder_named, host
from .progress import report


def cache_folder() -> Path:
    """``WOMBAT_CACHE``, or ``wombat-explorer`` in ``XDG_CACHE_HOME`` or ``~/.cache``; it need not exist.

    A server's settings may name another one (see :mod:`wombat_core.host`).
    """
    own = folder_named("cache")
    if own:
        return own
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "wombat-explorer"


def load_arrays(kind: str, key: str) -> dict[str, np.ndarray] | None:
    """The arrays that :func:`save_arrays` kept, or None where there are none or the file is damaged.

    Only plain arrays are read, nothing is ever unpickled.
    """
    try:
        _use(_file(kind, key))
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
                np.savez(file, allow_pickle=False, **arrays)
            os.replace(temporary, target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except (OSError, ValueError):  # arrays of objects are not kept: reading them would unpickle
        return False
    prune(target)
    return True


def _file(kind: str, key: str) -> Path:
    return cache_folder() / kind / f"{key}.npz"


def load_mapped(kind: str, key: str) -> dict[str, np.ndarray] | None:
    """The arrays that :func:`save_mapped` kept, read-only and mapped into memory as they are needed.

    None where there are none or one of them is damaged. Only plain arrays are read, nothing is ever unpickled.
    """
    folder = cache_folder() / kind / key
    try:
        _use(folder)
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
    prune(target)
    return True


_locks: dict[Path, threading.Lock] = {}


@contextlib.contextmanager
def alone(kind: str, key: str) -> Iterator[None]:
    """Let one thread of one process at a time make what is kept under ``kind`` and ``key``: others then find it made.

    While it waits it reports, and can be stopped. Where the folder cannot be written processes do not wait for others.

    Raises:
        Stopped: the listener wants no more.
    """
    path = cache_folder() / kind / f"{key}.lock"
    threads = _locks.setdefault(path, threading.Lock())
    with contextlib.ExitStack() as held:
        while not threads.acquire(timeout=0.2):
            report(0)
        held.callback(threads.release)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = FileLock(path)
            while not lock.is_locked:
                try:
                    held.enter_context(lock.acquire(timeout=0.2))
                except Timeout:
                    report(0)
        except OSError:
            pass
        yield


def prune(kept: Path | None = None, limit: int | None = None) -> int:
    """Delete what was used longest ago until the folder takes no more than a limit.

    Args:
        kept: what stays whatever its size, since it has just been made.
        limit: bytes; None for the host's (``WOMBAT_CACHE_LIMIT``, else 2 GB).

    Returns:
        the bytes that are left.
    """
    limit = host().limits.cache if limit is None else limit
    entries = []
    for path in cache_folder().glob("*/*"):
        if path.suffix == ".lock":
            continue
        try:
            entries.append((path.stat().st_mtime, _size(path), path))
        except OSError:  # another process has just deleted it
            continue
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= limit:
            break
        if path != kept:
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
            total -= size
    return total


def _size(path: Path) -> int:
    return sum(each.stat().st_size for each in path.rglob("*")) if path.is_dir() else path.stat().st_size


def _use(path: Path) -> None:
    """Note that an entry is in use."""
    with contextlib.suppress(OSError):
        os.utime(path)
