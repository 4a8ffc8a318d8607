"""Sets: which molecules contain a motif, which resemble it, where its two SMARTS disagree."""

import argparse
import sys

from ..errors import InputError
from ..molecules.sets import SET_NAMES, entries, entries_of_file
from ..progress import bar
from ..whitebox.catalogue import Pattern
from .inputs import (
    add_json,
    add_pattern,
    add_unique,
    chosen_patterns,
    once,
    positive,
    print_json,
    print_table,
    report,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    tasks = parser.add_subparsers(dest="task", required=True, metavar="TASK")
    for name, (run_task, summary) in _TASKS.items():
        own = tasks.add_parser(name, help=summary, description=summary)
        own.set_defaults(run_task=run_task)
        add_pattern(own)
        own.add_argument("--input", metavar="FILE", help="CSV, TSV, SMI, SDF or MOL file (default: the library)")
        own.add_argument("--column", help="the SMILES column of a CSV or TSV file")
        add_unique(own)
        if name == "membership":
            own.add_argument("--limit", type=positive, help="instead of counts, the first N molecules with each motif")
        if name == "compare":
            own.add_argument("--set", choices=SET_NAMES, help="library (default), or the published positives")
        if name == "negatives":
            own.add_argument("--kind", choices=("random", "hard"), default="random", help="hard: Tversky at least 0.5")
            own.add_argument("--limit", type=positive, default=20, help="molecules a pattern (default: 20)")
            own.add_argument("--seed", type=int, default=0, help="of the draw (default: 0)")
        add_json(own)
        own.epilog = "A molecule's place is its position in the library, from 0, or its line in the file."


def run(options: argparse.Namespace) -> int:
    chosen = chosen_patterns(options.pattern)
    bad = []

    def wrong(place: int, error: InputError) -> None:
        bad.append(place)
        report(getattr(error, "place", f"line {place}"), error)

    rows, header = options.run_task(options, chosen, _molecules(options, wrong))
    if options.json:
        for row in rows:
            print_json(row)
    elif rows:
        print_table(header, [[_cell(row[name]) for name in header] for row in rows])
        if options.task == "compare":
            print("The S9 columns are the paper's, over its own PubChem molecules; the others are over the chosen set.")
    else:
        print("no such molecule")
    return len(bad)


def _membership(options, chosen: list[Pattern], molecules):
    from ..screening.membership import Membership, membership
    from ..screening.negatives import candidates
    from ..screening.similarity import Similarity

    with bar(leave=False):
        known: Membership = membership(molecules)
    if options.limit:
        rows = []
        for entry in chosen:
            places = known.places(entry)[: options.limit].tolist()
            rows += [{"pattern": entry.id, **_record(found)} for found in _at(molecules, places)]
        return rows, ("pattern", "place", "smiles", "name")
    similar = Similarity(known.arrays)
    rows = [
        {
            "pattern": entry.id,
            "molecules": len(known),
            "usable": int(known.usable.sum()),
            "positives": len(known.places(entry)),
            "original": len(known.places(entry, smarts="original")) if entry.has_original else None,
            "negatives": len(known.places(entry, contains=False)),
            "hard negatives": len(candidates(known, similar, entry, "hard")),
        }
        for entry in chosen
    ]
    return rows, tuple(rows[0])


def _negatives(options, chosen: list[Pattern], molecules):
    from ..screening.negatives import negatives
    from ..screening.similarity import similarity

    rows = []
    for entry in chosen:
        with bar(leave=False):
            found = negatives(entry, options.kind, options.limit, options.seed, molecules)
        values = similarity(found, jobs=1).to(entry)
        rows += [
            {"pattern": entry.id, "place": negative.place, "tversky": round(float(value), 4), **_record(negative)}
            for negative, value in zip(found, values, strict=True)
        ]
    return rows, ("pattern", "place", "tversky", "smiles", "name")


def _compare(options, chosen: list[Pattern], molecules):
    from ..screening.relaxed import compare_library, compare_smarts, paper_rows, read

    rows = []
    for entry in chosen:
        own = list(entries("positives", entry.id)) if options.set == "positives" else molecules
        with bar(leave=False):
            counts = compare_library(entry) if own is None else compare_smarts(read(own), entry)
        paper = paper_rows().get(entry.variant_of or entry.id)
        rows.append(
            {
                "pattern": entry.id,
                "molecules": counts.molecules,
                "label": counts.label_disagreements,
                "atom set": counts.atom_set_disagreements,
                "disagreements": counts.disagreements,
                "total": counts.total,
                "%": _rounded(counts.percent),
                "S9 disagreements": paper and paper.disagreements,
                "S9 total": paper and paper.total,
                "S9 %": paper and _rounded(paper.percent),
            }
        )
    return rows, tuple(rows[0])


_TASKS = {
    "membership": (_membership, "How many molecules contain the motif, under the relaxed and the original SMARTS."),
    "negatives": (_negatives, "Molecules without the motif, drawn at random, or hard ones that resemble it."),
    "compare": (_compare, "How often original and relaxed SMARTS disagree, beside the paper's Table S9."),
}


def _molecules(options, wrong):
    """The molecules of ``--input``; None for the library."""
    if not options.input:
        if options.column:
            raise InputError("--column names a column of --input, but there is no --input.")
        return None
    if getattr(options, "set", None):
        raise InputError("--set and --input name two sets of molecules; give one.")
    source, name = (sys.stdin, "standard input") if options.input == "-" else (options.input, None)
    found = list(entries_of_file(source, name, options.column, wrong))
    if not found:
        raise InputError(f"{name or options.input} contains no molecule that can be read.")
    return once(found, options.unique)


def _at(molecules, places: list[int]):
    return entries("library", places=places) if molecules is None else [molecules[place] for place in places]


def _record(entry) -> dict:
    return {"place": entry.place, "smiles": entry.smiles, "name": entry.name}


def _rounded(percent: float | None) -> float | None:
    return None if percent is None else round(percent, 2)


def _cell(value) -> str:
    return "" if value is None else str(value)
