"""Certify a whitebox: on which molecules do network and SMARTS agree, and why not on the others?"""

import argparse
import sys
from pathlib import Path

from ..errors import InputError
from ..progress import bar
from .inputs import add_json, add_pattern, chosen_patterns, positive, print_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_pattern(parser)
    parser.add_argument(
        "--input", metavar="FILE", help="molecules of your own (CSV, TSV, SMI, SDF) in place of the library"
    )
    parser.add_argument("--column", help="the SMILES column of a CSV or TSV file")
    parser.add_argument("--jobs", type=positive, default=None, help="threads and processes (default: 2)")
    parser.add_argument("--html", metavar="FILE", help="write the certificate as a page of its own")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    from ..compiler.certify import certify
    from ..molecules.library_arrays import JOBS
    from ..molecules.own_arrays import file_arrays, file_problems

    chosen = chosen_patterns(options.pattern)
    if options.html and len(chosen) > 1:
        raise InputError("--html takes one whitebox at a time.")
    jobs = options.jobs or JOBS
    own, problems = None, []
    if options.input is not None:
        own = file_arrays(Path(options.input), options.column, jobs)
        problems = file_problems(Path(options.input), own)
    for problem in problems:
        print(problem, file=sys.stderr, flush=True)
    for entry in chosen:
        with bar(entry.id):
            found = certify(entry, molecules=own, name=options.input, jobs=jobs)
        if options.html:
            try:
                Path(options.html).write_text(found.to_html(), encoding="utf-8")
            except OSError as error:
                raise InputError(f"{options.html} cannot be written: {error.strerror}.") from None
        if options.json:
            print_json(found.to_dict())
        else:
            _print(found)
    sys.stdout.flush()
    return len(problems)


def _print(found) -> None:
    print(f"{found.smarts}: {found.sentence}.")
    for note in found.notes:
        print(f"  {note}")
    known = []
    for readout, differences in found.readouts.items():
        if differences in known:
            print(f"  {readout}: the same.")
            continue
        known.append(differences)
        print(
            f"  {readout}: {differences.false_positives:,} false positives ({differences.acyclic:,} without rings),"
            f" {differences.misses:,} missed ({differences.without_bonds:,} for an atom without bonds)."
        )
        for kind in ("false_examples", "missed_examples"):
            for example in getattr(differences, kind):
                label = ", ".join(filter(None, (example.name, example.cas)))
                print(
                    f"    {example.smiles}  {label}: {example.why}" if label else f"    {example.smiles}: {example.why}"
                )
