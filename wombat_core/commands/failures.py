"""Failures: where an explainer goes wrong, among real molecules."""

import argparse
import sys
from dataclasses import asdict

from ..errors import InputError
from ..explainers.registry import explainer
from .inputs import add_json, add_readout, positive, print_json, print_table, whitebox


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from ..failures.kinds import KINDS
    from ..failures.sets import AMONG, NEGATIVES

    sets = [name for name in dict.fromkeys(AMONG[True] + AMONG[False]) if name != "file"]
    parser.add_argument("--pattern", required=True, metavar="P", help="one whitebox: 1 to 14, a variant or flucarb")
    add_readout(parser)
    parser.add_argument("--explainer", required=True, metavar="E", help="the explainer in question")
    parser.add_argument("--against", metavar="E", help="one to compare it with")
    parser.add_argument("--kind", choices=list(KINDS), default="lowest-auroc", help="kind of failure, worst first")
    parser.add_argument("--among", choices=sets, help="the set to search (default: positives; for iqr, library)")
    parser.add_argument("--input", metavar="FILE", help="a CSV, TSV, SMI, SDF or MOL file to search instead")
    parser.add_argument("--column", help="the SMILES column of a CSV or TSV file")
    parser.add_argument("--first", type=positive, default=20, metavar="N", help="failures to print (default 20)")
    parser.add_argument("--limit", type=positive, default=NEGATIVES, help="molecules to draw for iqr (default 2000)")
    parser.add_argument("--steps", type=positive, help="steps of integrated gradients (default 50)")
    parser.add_argument("--samples", type=positive, help="random samples (default 100)")
    parser.add_argument("--seed", type=int, default=0, help="of explainers and draws (default 0)")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    from ..failures.kinds import by_kind, kind
    from ..failures.search import Spec, molecules_of, search
    from ..failures.sets import sets_for
    from ..whitebox.catalogue import pattern

    chosen, shown = kind(options.kind), pattern(options.pattern)
    if chosen.compares and options.against is None:
        raise InputError(f"The kind {options.kind} needs a second explainer: --against.")
    settings = {"steps": options.steps, "samples": options.samples, "seed": options.seed}
    sets = sets_for(shown.id, chosen.contains)
    among = "file" if options.input else options.among or sets[0]
    if among not in sets:
        raise InputError(f"There is no set '{among}' for --kind {options.kind} and this pattern.")
    spec = Spec(
        shown.id,
        options.readout,
        explainer(options.explainer, **settings),
        explainer(options.against, **settings) if options.against else None,
        chosen.contains,
        among,
        options.limit,
        options.seed,
    )
    molecules, bad = _of_file(options) if among == "file" else (molecules_of(spec), 0)
    findings = []
    search(spec, whitebox(shown, options.readout), molecules, lambda batch: findings.extend(batch.findings))
    found = by_kind(findings, chosen)
    for finding in found.failed[: options.first] if options.json else ():
        gap = {"against": options.against, "gap": finding.gap} if options.against else {}
        print_json({"kind": options.kind, "badness": chosen.badness(finding), **gap, **asdict(finding.row)})
    if not options.json:
        judged = len(found.failed) + len(found.passed)
        print(f"{chosen.title}: {len(found.failed):,} of {judged:,} molecules of {shown.title} fail.")
        if found.failed:
            rows = [_cells(finding, chosen.badness(finding)) for finding in found.failed[: options.first]]
            print_table(("badness", "AUROC", "AP", "atoms", "molecule"), rows)
    return bad


def _of_file(options: argparse.Namespace) -> tuple[list, int]:
    from ..molecules.sets import entries_of_file

    errors = []
    molecules = list(entries_of_file(options.input, None, options.column, lambda *found: errors.append(found)))
    for _, error in errors:
        print(error, file=sys.stderr)
    return molecules, len(errors)


def _cells(finding, badness: float) -> tuple[str, ...]:
    row = finding.row
    scores = ("-" if value is None else f"{value:.3f}" for value in (row.auroc, row.average_precision))
    name = f"{row.name} {row.smiles}" if row.name else row.smiles
    return (f"{badness:.3g}", *scores, str(row.num_atoms), name)
