"""Benchmark: whiteboxes, readouts and explainers over many molecules, with a summary; can be stopped and resumed."""

import argparse
import os
import shlex
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import islice

from tqdm import tqdm

from ..benchmark.plan import FILE, chosen_ids
from ..errors import InputError
from ..explainers.registry import explainer_taking, names
from ..molecules import Molecule, read_molecules
from ..progress import interval
from .explainers import add_settings, chosen_explainers, chosen_variants, load_plugins, seed
from .inputs import Notes, add_json, add_motif, add_unique, positive, print_json, print_table, report
from .output import tell

NOTED = 5000
"""Molecules of a file whose notes are looked at."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", required=True, metavar="DIR", help="folder for rows and summary")
    parser.add_argument(
        "--resume",
        action="store_true",
        help="go on with the run in DIR; needs no other option but the --plugin that it uses",
    )
    add_motif(
        parser,
        "P[,P...]",
        "1 to 14 (1-5 for several), 12-leaf, 12-moving, 12-smoothing, flucarb; all: the fourteen",
        required=False,
        option="--patterns",
    )
    parser.add_argument("--readouts", metavar="R[,R]", help="r1, r2 (default both)")
    parser.add_argument(
        "--explainers",
        metavar="E[,E...]|quick|all",
        help=f"quick (default): all that take no long time; {', '.join(names())}",
    )
    parser.add_argument(
        "--molecules",
        metavar="SET|FILE",
        help="positives (default), library, negatives, hard-negatives, or a CSV, TSV, SMI, SDF or MOL file",
    )
    parser.add_argument("--column", help="the SMILES column of a CSV or TSV file")
    parser.add_argument(
        "--limit",
        type=positive,
        metavar="N",
        help="molecules a pattern at most: the first of the positives or a file, evenly spread ones of the library, "
        "drawn negatives; those that the benchmark leaves out are not replaced",
    )
    parser.add_argument("--seed", type=seed, help="of explainers that draw, and of drawn negatives (default 0)")
    add_unique(parser)
    add_settings(parser)
    parser.add_argument("--jobs", type=positive, help="processes (default: all processors)")
    parser.add_argument("--dask", metavar="ADDRESS", help="work on this Dask cluster, such as tcp://host:8786")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    from ..benchmark import store as stores
    from ..benchmark.repeats import repeats
    from ..benchmark.run import run as run_plan
    from ..benchmark.summary import summarise
    from ..benchmark.tables import caption, readable, write_tables

    if options.dask is not None and options.jobs is not None:
        raise InputError("--jobs is for processes here and --dask for a cluster; give one of them.")
    plan, bad = _plan(options), 0

    def unreadable(record) -> None:
        nonlocal bad
        bad += 1
        report(f"record {record.place}", InputError(record.problem))

    shown = _Bar()
    try:
        with shown, _interruptible():
            run_plan(
                plan,
                options.out,
                resume=options.resume,
                jobs=options.jobs or os.cpu_count() or 1,
                dask=options.dask,
                plugins=options.plugin,
                progress=shown.update,
                on_unreadable=unreadable,
            )
    except KeyboardInterrupt:
        print(f"wombat_core benchmark: stopped; {_how_to_resume(options)}", file=sys.stderr)
        raise SystemExit(130) from None
    with stores.load(options.out) as store:
        cells = summarise(store)
        paths = write_tables(cells, store.plan, options.out)
        if options.json:
            for cell in cells:
                print_json(asdict(cell))
        else:
            table = readable(cells)
            print_table(list(table.columns), table.to_numpy().tolist())
            print(caption(store.plan), flush=True)
        told = repeats(store)
        _tell_notes(store.plan)
    if told:
        print(told, file=sys.stderr)
    print(f"written: {', '.join(map(str, paths))}", file=sys.stderr)
    if shown.problems:
        print(f"{shown.problems:,} explanations were refused; their rows say why (problem).", file=sys.stderr)
    return bad


def _tell_notes(plan) -> None:
    """What was changed on the way in, of a file's first molecules: labels, isotopes, lines that are one row."""
    if plan.molecules != FILE:
        return
    notes = Notes()
    try:
        found = read_molecules(plan.file, column=plan.column)
    except InputError:  # the file is gone, the rows are not
        return
    for note in found.notes:
        tell(note)
    for _, molecule in islice(found, NOTED):
        if isinstance(molecule, Molecule):
            notes.of(molecule.origin, molecule)
    notes.end("")


def _plan(options: argparse.Namespace):
    """The plan that the options describe, or None where they only say which run to go on with."""
    from ..benchmark.planning import make_plan

    own = (
        "readouts",
        "explainers",
        "set",
        "molecules",
        "column",
        "limit",
        "unique",
        "seed",
        "style",
        "root",
        "encoding",
        "depth",
    )
    if options.patterns is None:
        if not options.resume:
            raise InputError("--patterns is missing: name some, or go on with a run by --resume.")
        given = [f"--{name}" for name in own if getattr(options, name) not in (None, [], False)]
        if given:
            raise InputError(f"With --resume give all options of the run or none: {given[0]} came without --patterns.")
        return None
    added = load_plugins(options)
    chosen = chosen_explainers(options.explainers or "quick", added)
    variants = [{"seed": options.seed} | own for own in chosen_variants(options.set, chosen)]
    return make_plan(
        chosen_ids(options.patterns),
        [name.strip() for name in (options.readouts or "r1,r2").split(",")],
        [explainer_taking(name, settings) for name in chosen for settings in variants],
        options.molecules or "positives",
        limit=options.limit,
        seed=options.seed or 0,
        column=options.column,
        unique=options.unique,
        plugins=options.plugin,
    )


@contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl-C ends the run also where the process began with that signal ignored, as a shell does in the background."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _how_to_resume(options: argparse.Namespace) -> str:
    how = ["python", "-m", "wombat_core", "benchmark", "--out", options.out, "--resume"]
    for name in ("jobs", "dask"):
        value = getattr(options, name)
        how += [] if value is None else [f"--{name}", str(value)]
    how += [part for path in options.plugin for part in ("--plugin", path)]
    return f"what is done is kept, go on with: {shlex.join(how)}"


class _Bar:
    """Progress on standard error: a moving line in a terminal, one line in half a minute elsewhere."""

    def __init__(self) -> None:
        self._bar = None
        self.problems = 0

    def __enter__(self) -> "_Bar":
        return self

    def __exit__(self, *error) -> None:
        if self._bar is not None:
            self._bar.close()

    def update(self, progress) -> None:
        if self._bar is None:
            self._bar = tqdm(
                total=progress.total, initial=progress.rows, unit=" rows", file=sys.stderr, mininterval=interval()
            )
        self.problems = progress.problems
        self._bar.update(progress.rows - self._bar.n)
