"""Run a plan, or go on with a run: rows are kept as they come."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..errors import InputError
from . import store as stores
from .pace import Pace
from .plan import Plan, differences, load_plugins
from .sources import CHARACTERS, EXPENSIVE_CHARACTERS, Source, Unreadable, chunks, size, sources
from .store import Chunk, Store
from .versions import CODE, file_digest, versions
from .workers import Work, workers


@dataclass(frozen=True)
class Progress:
    """How far a run is.

    Attributes:
        rows: how many are kept.
        total: how many there will be at most, or None where that cannot be told.
        problems: how many of those that came since the run went on have a problem.
    """

    rows: int
    total: int | None
    problems: int = 0


def run(
    plan: Plan | None,
    folder: str | Path,
    *,
    resume: bool = False,
    jobs: int = 1,
    dask: str | None = None,
    plugins: Sequence[str | Path] = (),
    progress: Callable[[Progress], object] = lambda progress: None,
    on_unreadable: Callable[[Unreadable], object] = lambda record: None,
) -> Progress:
    """Do what a plan says, and keep the rows in a folder.

    Args:
        plan: what to do; None with ``resume`` for what the run in the folder does.
        folder: where the rows are; made where it is not there.
        resume: go on with the run in the folder, if there is one: chunks that are there are not done again.
        jobs: processes.
        dask: the address of a Dask cluster to work on, in place of processes.
        plugins: without a plan, the files with explainers that the run in the folder may use: whoever made the folder
            does not decide what code runs here.
        progress: called before, after every chunk and about twice a second; it may raise
            :class:`wombat_core.progress.Stopped`, which leaves the run as it is, to go on with later.
        on_unreadable: called with every record of a file that is no molecule.

    Raises:
        InputError: the folder holds a run and ``resume`` is not asked for; another run is at work in it; the run in it
            does something else or uses other files with explainers; or the cluster cannot be reached.
    """
    with stores.locked(folder), _opened(plan, folder, resume) as store:
        if plan is None:
            store.plan = replace(store.plan, plugins=_trusted(store.plan.plugins, plugins, folder))
        load_plugins(store.plan.plugins)
        kept, problems, most = store.count(), 0, total(store.plan)

        def tell() -> None:
            progress(Progress(kept, most, problems))

        tell()
        with workers(store.plan, jobs, dask) as work:
            pace = Pace(store.begin())
            for done in work(_to_do(store, pace, on_unreadable), tell):
                store.append(*done)
                pace.keep()
                kept += len(done.rows)
                problems += sum(row.problem is not None for row in done.rows)
                tell()
        store.complete()
        return Progress(kept, kept, problems)


def _opened(plan: Plan | None, folder: str | Path, resume: bool) -> Store:
    if not stores.exists(folder):
        if plan is None:
            raise InputError(f"{folder} holds no run to go on with; say what to do (--patterns ...).")
        return stores.create(folder, plan)
    store = stores.load(folder)
    if not resume:
        if not store.done() and not store.pieces():  # such as one whose cluster did not answer
            store.close()
            stores.discard(folder)
            return stores.create(folder, plan or store.plan)
        store.close()
        raise InputError(f"{folder} holds a run already; go on with it by --resume, or name another folder.")
    wanted = _now(store.plan) if plan is None else replace(plan, versions=_comparable(store.plan, plan.versions))
    problem = differences(store.plan, wanted)
    if problem:
        store.close()
        raise InputError(f"The run in {folder} does something else ({problem}); name another folder.")
    return store


def _trusted(
    wanted: tuple[tuple[str, str], ...], given: Sequence[str | Path], folder: str | Path
) -> tuple[tuple[str, str], ...]:
    """The files that a run uses, each as the user names it now.

    Raises:
        InputError: the user names other files, or not all.
    """
    try:
        named = {str(Path(path).resolve()): file_digest(path) for path in given}
    except OSError as error:
        raise InputError(f"The file {error.filename} cannot be read: {error.strerror}.") from None
    found = []
    for path, digest in wanted:
        own = next((each for each, content in named.items() if content == digest), None)
        if own is None:
            if Path(path).name in {Path(each).name for each in named}:
                raise InputError(f"The file {Path(path).name} is not the one any more with which this run began.")
            raise InputError(
                f"The run in {folder} uses explainers of the file {path}; a folder alone does not have code run: "
                "if you trust that file, name it by --plugin."
            )
        found.append((own, digest))
    if other := sorted(set(named) - {path for path, _ in found}):
        raise InputError(f"The run in {folder} does not use the file {other[0]}; leave it out.")
    return tuple(found)


def _now(plan: Plan) -> Plan:
    """The same plan with the versions, and the content of the file, that are there now."""
    try:
        digest = plan.file and file_digest(plan.file)
    except OSError as error:
        raise InputError(f"The file {plan.file} of this run cannot be read: {error.strerror}.") from None
    return replace(plan, versions=_comparable(plan, tuple(versions().items())), digest=digest)


def _comparable(begun: Plan, now: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """The versions that are there now, without this code's where the run was begun by one that did not keep it."""
    kept = dict(begun.versions)
    return tuple((name, version) for name, version in now if name != CODE or name in kept)


def total(plan: Plan) -> int | None:
    """How many rows a run will have at most, or None where that cannot be told at once."""
    tasks = Counter(task.pattern for task in plan.tasks)
    sizes = {id: size(plan, id) for id in tasks}
    known = {id: own for id, own in sizes.items() if own is not None}
    return sum(count * known[id] for id, count in tasks.items()) if len(known) == len(sizes) else None


def _to_do(store: Store, pace: Pace, on_unreadable: Callable[[Unreadable], object]) -> Iterator[Work]:
    """The work that is not done yet, chunk by chunk; all tasks of a chunk come one after another."""
    plan, done, there = store.plan, store.done(), store.pieces()
    groups = [[id] for id in plan.patterns] if plan.by_pattern else [list(plan.patterns)]
    for group in groups:
        tasks = [(place, task) for place, task in enumerate(plan.tasks) if task.pattern in group]
        for number, chunk in enumerate(chunks(sources(plan, group[0]), CHARACTERS)):
            for record in chunk:
                if isinstance(record, Unreadable):
                    on_unreadable(record)
            for place, task in tasks:
                for part, own in enumerate(_parts(chunk, task.expensive)):
                    key: Chunk = (place, number, part)
                    if key not in done:
                        for start, stop in pace.pieces(len(own), there.get(key, [])):
                            whole = stop - start == len(own)
                            yield Work(key, task, own[start:stop], None if whole else (start, stop, len(own)))


def _parts(chunk: tuple[Source, ...], expensive: bool) -> Iterator[tuple[Source, ...]]:
    return chunks(iter(chunk), EXPENSIVE_CHARACTERS) if expensive else iter((chunk,))
