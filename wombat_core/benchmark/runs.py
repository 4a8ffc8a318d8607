"""The runs of the benchmark that the pages keep, each in a folder of its own below one."""

import os
import re
import signal
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from ..errors import InputError
from . import store as stores
from .plan import Plan
from .run import total

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")


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
    own = os.environ.get("WOMBAT_RUNS")
    if own:
        return Path(own).expanduser()
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


def new_name(now: datetime) -> str:
    """A name that no run has yet, such as "2026-11-30-1405"."""
    stem, number = now.strftime("%Y-%m-%d-%H%M"), 1
    name = stem
    while (runs_folder() / name).exists():
        number += 1
        name = f"{stem}-{number}"
    return name


def begin(name: str, plan: Plan) -> None:
    """Make the folder of a new run and note what it is to do; nothing is computed yet.

    Raises:
        InputError: there is a run of that name, the name is none, or the folder cannot be written.
    """
    folder = folder_of(name)
    if folder.exists() and stores.exists(folder):
        raise InputError(f"There is a run {name!r} already; choose another name.")
    with stores.locked(folder):
        stores.create(folder, plan).close()


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


def run_infos() -> list[RunInfo]:
    """All runs that can be read, the latest first."""
    return _read_runs()[0]


def damaged_runs() -> list[str]:
    """A sentence for every run that cannot be read."""
    return _read_runs()[1]


def _read_runs() -> tuple[list[RunInfo], list[str]]:
    found, problems = [], []
    for path in sorted(runs_folder().glob("*/" + stores.FILE_NAME)):
        try:
            found.append(info(path.parent.name))
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
