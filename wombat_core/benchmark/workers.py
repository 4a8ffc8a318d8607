"""Where a run's chunks are worked on: in this process, in several, or on a Dask cluster."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from functools import lru_cache
from typing import NamedTuple

from .. import progress
from ..engine import Engine
from ..errors import InputError
from ..memo import Memo
from ..molecules.molecule import Molecule, from_smiles
from ..molecules.usability import exclusion_key
from .plan import Plan, Task, load_plugins
from .rows import Row, rows_of
from .sources import Source, Unreadable
from .versions import versions

IN_FLIGHT = 2
"""Chunks handed out at a time, a worker: one in work and one waiting."""
TICK = 0.5
"""Seconds after which a waiting run looks whether it is to stop."""


class Work(NamedTuple):
    """One chunk under one task.

    ``chunk`` is its key in the store.
    """

    chunk: tuple[int, int, int]
    task: Task
    sources: tuple[Source, ...]


class Done(NamedTuple):
    """The rows of one chunk, how many of its molecules are left out, how many records are no molecules."""

    chunk: tuple[int, int, int]
    rows: list[Row]
    left_out: int
    unreadable: int


def work_on(work: Work, wanted: tuple[tuple[str, str], ...], plugins: tuple[tuple[str, str], ...]) -> Done:
    """Explain a chunk, in whatever process this is.

    Args:
        wanted, plugins: the versions and the plugins of the plan.

    Raises:
        InputError: this process has other versions than the run began with, or lacks a plugin.
    """
    _prepare(wanted, plugins)
    molecules, left_out, unreadable = _molecules(work.sources)
    model = _ENGINE.network(work.task.pattern, work.task.readout)
    subjects = [(place, _ENGINE.subject(molecule, model.pattern)) for place, molecule in molecules]
    rows = rows_of(subjects, model, work.task.method(), settings=work.task.settings)
    return Done(work.chunk, rows, left_out, unreadable)


@lru_cache(maxsize=1)
def _prepare(wanted: tuple[tuple[str, str], ...], plugins: tuple[tuple[str, str], ...]) -> None:
    import torch

    torch.set_num_threads(1)
    for name, version in wanted:
        if versions().get(name) != version:
            raise InputError(f"A worker has {name} {versions().get(name)}, the run began with {version}.")
    load_plugins(plugins)


# A chunk's molecules are encoded once for all tasks, and their ground truth searched once a pattern.
_ENGINE = Engine(Memo({"graph": 1000, "subject": 1000}))


# All tasks of a chunk come one after another, so that each molecule is parsed about once.
@lru_cache(maxsize=2)
def _molecules(sources: tuple[Source, ...]) -> tuple[list[tuple[int, Molecule]], int, int]:
    """The usable molecules, the number left out and the number of records that are no molecules."""
    found, left_out, unreadable = [], 0, 0
    for source in sources:
        if isinstance(source, Unreadable):
            unreadable += 1
            continue
        try:
            molecule = from_smiles(source.smiles, source.name or "")
        except InputError:
            unreadable += 1
            continue
        if exclusion_key(molecule) is None:
            found.append((source.place, molecule))
        else:
            left_out += 1
    return found, left_out, unreadable


@contextmanager
def workers(plan: Plan, jobs: int = 1, dask: str | None = None) -> Iterator[Callable[..., Iterator[Done]]]:
    """A lazy ``map`` of :func:`work_on` over work, results as they are done, with a bounded number in flight.

    The map takes the work and a function that is called now and then, which may raise ``Stopped``.

    Raises:
        InputError: no Dask cluster answers at the address, or a process of ours died.
    """
    if dask is not None:
        with _cluster(dask) as (executor, count):
            yield lambda work, tick: _spread(executor, count, work, plan, tick)
    elif jobs == 1:
        yield lambda work, tick: _alone(work, plan, tick)
    else:
        with _processes(jobs) as executor:
            yield lambda work, tick: _spread(executor, jobs, work, plan, tick)


def _alone(work: Iterable[Work], plan: Plan, tick: Callable[[], object]) -> Iterator[Done]:
    for each in work:
        with progress.listening(lambda share: tick()):
            done = work_on(each, plan.versions, plan.plugins)
        yield done


def _spread(
    executor: Executor, count: int, work: Iterable[Work], plan: Plan, tick: Callable[[], object]
) -> Iterator[Done]:
    waiting: set[Future] = set()
    stream = iter(work)
    try:
        while True:
            while len(waiting) < IN_FLIGHT * count and (each := next(stream, None)) is not None:
                waiting.add(executor.submit(work_on, each, plan.versions, plan.plugins))
            if not waiting:
                return
            ready, waiting = wait(waiting, TICK, FIRST_COMPLETED)
            tick()
            for future in ready:
                yield future.result()
    finally:
        for future in waiting:
            future.cancel()


@contextmanager
def _processes(jobs: int) -> Iterator[Executor]:
    from joblib.externals.loky import BrokenProcessPool, ProcessPoolExecutor

    executor = ProcessPoolExecutor(jobs, initializer=_begin_process, initargs=(os.getpid(),))
    kill = True
    try:
        yield executor
        kill = False
    except BrokenProcessPool:
        raise InputError(
            "A process of the run ended from outside, perhaps for want of memory; go on with --resume and fewer --jobs."
        ) from None
    finally:
        executor.shutdown(kill_workers=kill)


def _begin_process(parent: int) -> None:
    """Ctrl-C is the parent's business; a process whose parent was killed ends itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


@contextmanager
def _cluster(address: str) -> Iterator[tuple[Executor, int]]:
    try:
        from distributed import Client
        from distributed.comm import get_address_host_port
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise InputError("--dask needs the package 'distributed': pip install distributed.") from None
    try:
        # Asked first: a Client that fails on a malformed address hangs at its end and prints a traceback.
        get_address_host_port(address, strict=True)
        client = Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split())[:200].rstrip(".")
        raise InputError(f"No Dask cluster answers at {address[:200]}: {reason}.") from None
    with client:
        count = sum(client.nthreads().values())
        if not count:
            raise InputError(f"The Dask cluster at {address[:200]} has no workers.")
        _check_installed(client)
        try:
            yield client.get_executor(pure=False), count
        except KilledWorker:
            raise InputError("A chunk brought several Dask workers down, perhaps for want of memory.") from None


def _check_installed(client) -> None:
    """Whether the scheduler and all workers can import this package.

    Raises:
        InputError: one of them cannot.
    """
    package = __name__.split(".")[0]

    def found() -> bool:  # a function inside a function travels whole and needs no import there
        from importlib.util import find_spec

        return find_spec(package) is not None

    where = {"scheduler": client.run_on_scheduler(found)} | client.run(found)
    for place, there in where.items():
        if not there:
            raise InputError(
                f"The Dask {'' if place == 'scheduler' else 'worker '}{place} cannot import {package}; start it in the "
                "project's folder, or add that folder to its PYTHONPATH."
            )
