"""The runs of the benchmark that the pages keep, each in a folder of its own below one.

A run that a page begins has an id that nobody can guess: whoever knows it, from the link, may see, stop and delete it.
"""

import contextlib
import os
import re
import secrets
import shutil
import signal
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from ..errors import InputError
from ..host import folder_named, host, size_words
from . import store as stores
from .plan import Plan
from .run import total

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")
_TOKEN = re.compile(r"-[0-9a-f]{20}$")
LONGEST = 39
"""Characters of a name that an id begins with."""
UPLOADED = "file"
"""The folder of a run that holds its uploaded file."""


@dataclass(frozen=True)
class RunInfo:
    """A run and how far it is.

    Attributes:
        name: of its folder.
        plan: what it does.
        rows: how many are kept; ``total``: how many there will be at most, or None where that cannot be told.
        at_work: whether a process works on it.
        complete: whether it came to its end.
        begun: seconds since the epoch when a process last began to work on it.
    """

    name: str
    plan: Plan
    rows: int
    total: int | None
    at_work: bool
    complete: bool
    begun: float

    @property
    def standing(self) -> str:
        """One of "running", "complete" and "stopped"."""
        return "running" if self.at_work else "complete" if self.complete else "stopped"

    @property
    def share(self) -> float | None:
        """The share done, from 0 to 1, or None where that cannot be told."""
        if self.complete:
            return 1.0
        return min(self.rows / self.total, 1.0) if self.total else None


def runs_folder() -> Path:
    """``WOMBAT_RUNS``, or ``wombat-explorer/runs`` in ``XDG_DATA_HOME`` or ``~/.local/share``; it need not exist."""
    own = folder_named("runs")
    if own:
        return own
    return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "wombat-explorer" / "runs"


def folder_of(name: str) -> Path:
    """The folder of a run.

    Raises:
        InputError: the name is none: letters, digits, dots, hyphens and underscores, at most 60.
    """
    if not _NAME.fullmatch(name):
        raise InputError(
            f"A run cannot be called {name[:40]!r}: take up to 60 letters, digits, dots, hyphens and underscores."
        )
    return runs_folder() / name


def new_id(name: str) -> str:
    """An id that begins with a name and that nobody can guess.

    Raises:
        InputError: the name is none: letters, digits, dots, hyphens and underscores, at most ``LONGEST``.
    """
    if not _NAME.fullmatch(name) or len(name) > LONGEST:
        raise InputError(
            f"A run cannot be called {name[:40]!r}: take up to {LONGEST} letters, digits, dots, hyphens and "
            "underscores."
        )
    return f"{name}-{secrets.token_hex(10)}"


def name_of(id: str) -> str:
    """The name that an id begins with."""
    return _TOKEN.sub("", id)


def new_name(now: datetime) -> str:
    """A name for a run that was given none, such as "2026-11-30-1405"."""
    return now.strftime("%Y-%m-%d-%H%M")


def begin(name: str, plan: Plan, upload: Path | None = None) -> None:
    """Make the folder of a new run and note what it is to do; nothing is computed yet.

    Args:
        name: of its folder, the run's id.
        upload: the plan's file, which is copied into the folder and goes with it.

    Raises:
        InputError: there is a run of that name, the name is none, the folder cannot be written, or the runs take as
            much of the disk as they may.
    """
    folder = folder_of(name)
    if folder.exists() and stores.exists(folder):
        raise InputError(f"There is a run {name!r} already; choose another name.")
    check_space()
    try:
        runs_folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        if upload is not None:
            plan = replace(plan, file=str(_keep(upload, folder / UPLOADED).resolve()))
    except OSError as error:
        raise InputError(f"The folder {folder} cannot be written: {error.strerror}.") from None
    with stores.locked(folder):
        stores.create(folder, plan).close()


def _keep(upload: Path, folder: Path) -> Path:
    folder.mkdir(mode=0o700, exist_ok=True)
    target = folder / upload.name
    with open(upload, "rb") as source, open(os.open(target, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
        shutil.copyfileobj(source, file)
    return target


def runs_bytes() -> int:
    """What all runs take on the disk."""
    size = 0
    for path in runs_folder().rglob("*"):
        with contextlib.suppress(OSError):
            size += path.stat().st_size
    return size


def check_space() -> None:
    """Whether the runs take less of the disk than they may (``WOMBAT_RUNS_LIMIT``).

    Raises:
        InputError: they do not.
    """
    used, limit = runs_bytes(), host().limits.runs
    if used >= limit:
        raise InputError(
            f"The runs of this server take {size_words(used)}, and at most {size_words(limit)} are kept: delete one "
            "that is not needed any more."
        )


def delete(name: str) -> None:
    """Delete a run with its rows and its uploaded file.

    Raises:
        InputError: there is none, a process works on it, or it cannot be deleted.
    """
    folder = folder_of(name)
    if not folder.is_dir():
        raise InputError(f"There is no run {name!r}.")
    if stores.is_locked(folder):
        raise InputError(f"A process works on the run {name!r}; stop it first.")
    file = _earlier_upload(name)
    try:
        shutil.rmtree(folder)
        if file is not None:
            file.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"The run {name!r} cannot be deleted: {error.strerror}.") from None


def _earlier_upload(name: str) -> Path | None:
    """The file of a run from when uploads of all runs were in one folder, unless another run needs it."""

    def file(own: RunInfo) -> Path | None:
        return Path(own.plan.file) if own.plan.file else None

    infos = run_infos()
    found = next((file(each) for each in infos if each.name == name), None)
    shared = any(file(each) == found for each in infos if each.name != name)
    return found if found is not None and not shared and found.parent == (runs_folder() / "files").resolve() else None


def info(name: str) -> RunInfo:
    """How far a run is.

    Raises:
        InputError: there is no such run, or its file cannot be read.
    """
    folder = folder_of(name)
    if not folder.is_dir():
        raise InputError(f"There is no run {name!r}.")
    at_work = stores.is_locked(folder)
    with stores.load(folder) as store:
        try:
            begun = (folder / stores.HOLDER).stat().st_mtime
        except OSError as error:
            raise InputError(f"The run {name!r} cannot be read: {error.strerror}.") from None
        return RunInfo(name, store.plan, store.count(), total(store.plan), at_work, store.is_complete(), begun)


def run_infos(names: Iterable[str] | None = None) -> list[RunInfo]:
    """The runs that can be read, the latest first: those of some names, or all."""
    return _read_runs(names)[0]


def damaged_runs(names: Iterable[str] | None = None) -> list[str]:
    """A sentence for every run that cannot be read, of some names or of all."""
    return _read_runs(names)[1]


def _read_runs(names: Iterable[str] | None) -> tuple[list[RunInfo], list[str]]:
    found, problems = [], []
    known = [path.parent.name for path in sorted(runs_folder().glob("*/" + stores.FILE_NAME))]
    for name in known if names is None else [each for each in known if each in set(names)]:
        try:
            found.append(info(name))
        except InputError as error:
            problems.append(str(error))
    return sorted(found, key=lambda each: each.begun, reverse=True), problems


def stop(name: str) -> bool:
    """Ask the process that works on a run to end; what it has done is kept. False where none works on it."""
    folder = folder_of(name)
    process = stores.holder(folder)
    if process is None:
        return False
    try:
        os.kill(process, signal.SIGINT)
    except ProcessLookupError:
        return False
    except PermissionError:
        raise InputError(f"The run {name!r} belongs to another user's process; it can be stopped there.") from None
    return True
