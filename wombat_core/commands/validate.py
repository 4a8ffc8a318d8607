"""Validate: does the whitebox agree with its SMARTS on every molecule?"""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator

from tqdm import tqdm

from ..errors import InputError
from ..molecules.distinct import Distinct
from ..molecules.molecule import Molecule
from ..progress import bar
from .inputs import (
    Record,
    add_json,
    add_molecules,
    add_pattern,
    add_unique,
    chosen_patterns,
    positive,
    print_json,
    print_table,
    records,
    report,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_molecules(parser)
    add_pattern(parser)
    add_unique(parser)
    parser.add_argument("--jobs", type=positive, help="processes (default: all for the library, one for a file)")
    add_json(parser)
    parser.epilog = "Without molecules: the whole library of PubChem identifiers."


def run(options: argparse.Namespace) -> int:
    from ..screening.validation import validate, validate_library

    chosen = chosen_patterns(options.pattern)
    library = not options.molecules and not options.input
    seen = Distinct()
    if library:
        with bar(quiet=True):
            tally = validate_library(chosen, options.jobs or os.cpu_count() or 1)
    else:
        with tqdm(unit=" molecules", file=sys.stderr, disable=None) as moving:
            tally = validate(_counted(records(options), seen, options.unique), chosen, options.jobs or 1, moving.update)
    if tally.molecules == 0:
        raise InputError("there is no molecule to validate.")
    if options.json:
        print_json(_record(tally, chosen))
    else:
        _print(tally, chosen)
    if not library:
        for line, sentence in tally.errors:
            report(str(line), InputError(sentence))
        if repeats := seen.sentence(options.unique):
            print(repeats, file=sys.stderr)
    return 0 if library else len(tally.errors)


def _counted(found: Iterable[Record], seen: Distinct, unique: bool) -> Iterator[Record]:
    """The molecules, repeated ones counted or left out."""
    if unique:
        yield from seen.once(found)
        return
    for place, each in found:
        if isinstance(each, Molecule):
            seen.is_new(each, place)
        yield place, each


def _record(tally, chosen) -> dict:
    return {
        "molecules": tally.molecules,
        "left_out": dict(tally.left_out),
        "patterns": [
            {
                "pattern": entry.id,
                "positives": tally.positives[entry.id],
                "negatives": tally.negatives[entry.id],
                "disagreements": [
                    {"readout": readout, "place": line, "smiles": smiles}
                    for pattern, readout, line, smiles in tally.disagreements
                    if pattern == entry.id
                ],
            }
            for entry in chosen
        ],
    }


def _print(tally, chosen) -> None:
    from ..molecules.arrays import WORDS

    rows = []
    for entry in chosen:
        wrong = sum(pattern == entry.id for pattern, *_ in tally.disagreements)
        rows.append((entry.id, str(tally.positives[entry.id]), str(tally.negatives[entry.id]), str(wrong)))
    print_table(("pattern", "positives", "negatives", "disagreements"), rows)
    left_out = ", ".join(f"{count} {WORDS[reason]}" for reason, count in tally.left_out.items()) or "none"
    print(f"{tally.molecules} molecules; left out: {left_out}.")
    for pattern, readout, line, smiles in tally.disagreements:
        print(f"disagreement: pattern {pattern}, {readout}, {line}: {smiles}")
