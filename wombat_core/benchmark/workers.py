"""Where a run's chunks are worked on: in this process, in several, or on a Dask cluster."""

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
from ..processes import one_thread, pool
from .cluster import cluster
from .plan import Plan, Task, load_plugins
from .rows import Row, rows_of
from .sources import Source, Unreadable
from .versions import versions

IN_FLIGHT = 2
"""Chunks handed out at a time, a worker: one in work and one waiting."""
ENDED = "A process of the run ended from outside, perhaps for want of memory; go on with --resume and fewer --jobs."
TICK = 0.5
"""Seconds after which a waiting run looks whether it is to stop."""


class Work(NamedTuple):
    """One chunk under one task.

    ``chunk`` is its key in the store, ``piece`` says which of its sources these are (None: all).
    """

    chunk: tuple[int, int, int]
    task: Task
    sources: tuple[Source, ...]
    piece: tuple[int, int, int] | None = None


class Done(NamedTuple):
    """The rows of one chunk or piece, how many molecules are left out, how many records are no molecules."""

    chunk: tuple[int, int, int]
    rows: list[Row]
    left_out: int
    unreadable: int
    piece: tuple[int, int, int] | None = None


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
    return Done(work.chunk, rows, left_out, unreadable, work.piece)


@lru_cache(maxsize=1)
def _prepare(wanted: tuple[tuple[str, str], ...], plugins: tuple[tuple[str, str], ...]) -> None:
    one_thread()
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
        with cluster(dask) as (executor, count):
            yield lambda work, tick: _spread(executor, count, work, plan, tick)
    elif jobs == 1:
        yield lambda work, tick: _alone(work, plan, tick)
    else:
        with pool(jobs, ENDED) as executor:
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
