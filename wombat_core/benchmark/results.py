"""The benchmark as a function: explainers by whiteboxes by molecules in, a table out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from pandas import DataFrame

from ..errors import InputError
from ..explainers.registry import explainer as by_name
from ..explainers.registry import explainer_class, is_added, load_file
from ..public.explaining import chosen
from . import store as stores
from .plan import Plan, chosen_ids
from .planning import make_plan
from .rows import Row
from .run import Progress
from .run import run as run_plan
from .summary import Cell, summarise
from .tables import frame, readable

if TYPE_CHECKING:
    from pandas import DataFrame

    from ..explainers.protocol import Explainer
    from ..whitebox.catalogue import Pattern


@dataclass(frozen=True, eq=False, repr=False)
class BenchmarkResult:
    """What a run of the benchmark found.

    Attributes:
        plan: what it did, with the versions of everything its numbers depend on.
        rows: one a molecule, whitebox and explainer.
        cells: one a whitebox and explainer, means with standard errors.
    """

    plan: Plan
    rows: tuple[Row, ...]
    cells: tuple[Cell, ...]

    def __repr__(self) -> str:
        refused = sum(row.problem is not None for row in self.rows)
        problems = f", {refused} refused" if refused else ""
        cells = "1 cell" if len(self.cells) == 1 else f"{len(self.cells)} cells"
        rows = "1 row" if len(self.rows) == 1 else f"{len(self.rows)} rows"
        return f"<BenchmarkResult: {cells}, {rows}{problems}, {self.plan.title}>"

    def to_frame(self) -> DataFrame:
        """A row a molecule, whitebox and explainer (:class:`wombat_core.benchmark.rows.Row`); undefined is missing."""
        table = DataFrame([asdict(row) for row in self.rows], columns=[field.name for field in fields(Row)])
        return table.assign(wombat=dict(self.plan.versions).get("wombat"))

    def summary(self) -> DataFrame:
        """A row a whitebox and explainer, see :class:`wombat_core.benchmark.summary.Cell`."""
        return frame(self.cells)

    def _repr_html_(self) -> str:
        return readable(self.cells).to_html(index=False, escape=True)


def benchmark(
    patterns: Sequence[str | int | Pattern] | str,
    readouts: Sequence[str] = ("r1", "r2"),
    explainers: Sequence[str | Explainer] = ("integrated-gradients", "saliency"),
    molecules: str | Path = "positives",
    *,
    limit: int | None = None,
    seed: int = 0,
    folder: str | Path | None = None,
    resume: bool = False,
    jobs: int = 1,
    dask: str | None = None,
    plugins: Sequence[str] = (),
    progress: Callable[[Progress], object] = lambda progress: None,
) -> BenchmarkResult:
    """Explain many molecules with many explainers and score every answer against the ground truth.

    Args:
        patterns: ids, also ranges such as "1-5", or "all".
        readouts: "r1", "r2" or both.
        explainers: names (or one), or explainers with settings; your own have to be registered
            (:func:`wombat_core.register`).
        molecules: "positives", "library", "negatives", "hard-negatives", or the path of a file.
        limit: molecules a pattern at most.
        seed: of drawn negatives, and of explainers that are named and draw.
        folder: keeps the rows, so that a run can go on; None for a run in memory.
        resume: go on with the run in the folder.
        jobs: processes; with more than one, explainers of your own have to be in a file, see ``plugins``.
        dask: address of a Dask cluster to work on instead; its workers need this package.
        plugins: Python files that register explainers, which every process loads.
        progress: called with how far the run is.

    Raises:
        InputError: a name or setting that does not exist, a set without molecules for a pattern, a folder that holds
            another run.

    >>> result = benchmark(["5"], ["r2"], ["saliency"], molecules="positives", limit=2)
    >>> result
    <BenchmarkResult: 1 cell, 2 rows, positives, at most 2 a pattern, seed 0>
    >>> result.to_frame()[["pattern", "explainer", "auroc"]].shape
    (2, 3)
    """
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        raise InputError(f"The limit is a whole number from 1, or None for all, not {limit!r}.")
    if not isinstance(molecules, str | Path):
        raise InputError("The molecules are the name of a set or the path of a file; write a list into a file first.")
    for path in plugins:
        load_file(path)
    readouts = [readouts] if isinstance(readouts, str) else readouts
    explainers = [explainers] if isinstance(explainers, str) else explainers
    named = [patterns] if isinstance(patterns, str) else patterns
    ids = dict.fromkeys(id for each in named for id in _ids(each))
    methods = [_method(each, seed) for each in explainers]
    plan = make_plan(list(ids), readouts, methods, str(molecules), limit=limit, seed=seed, plugins=plugins)
    if (jobs > 1 or dask) and not plugins:
        _check_reach(methods)
    with TemporaryDirectory() if folder is None else nullcontext(str(folder)) as place:
        run_plan(plan, place, resume=resume, jobs=jobs, dask=dask, progress=progress)
        with stores.load(place) as store:
            rows = tuple(row for task in range(len(plan.tasks)) for row in store.rows(task))
            return BenchmarkResult(plan, rows, tuple(summarise(store)))


def _ids(which: str | int | Pattern) -> list[str]:
    return chosen_ids(str(which)) if isinstance(which, str | int) else [which.id]


def _method(which: str | Explainer, seed: int) -> Explainer:
    if isinstance(which, str):
        has_seed = hasattr(explainer_class(which), "seed")
        return by_name(which, **({"seed": seed} if has_seed else {}))
    method = chosen(which)
    if explainer_class(method.name) is not type(method):
        raise InputError(f"The explainer {method.name!r} is registered as another class; register this one again.")
    return method


def _check_reach(methods: Sequence[Explainer]) -> None:
    """Other processes know the explainers of this package, of installed packages and of plugin files only."""
    for method in methods:
        if is_added(method.name) and type(method).__module__ == "__main__":
            raise InputError(
                f"Other processes cannot see the explainer {method.name!r}: put its class into a file and name that "
                "among the plugins, or take jobs=1."
            )
