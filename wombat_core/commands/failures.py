"""Failures: where an explainer goes wrong, among real molecules."""

import argparse
import sys
from dataclasses import asdict

from ..engine import Engine
from ..errors import InputError
from ..explainers.registry import explainer_taking
from ..failures.kinds import KINDS, by_kind, kind
from ..failures.sets import AMONG, NEGATIVES, check_set, sets_for
from ..molecules.sets import entries_of_file
from ..whitebox.catalogue import pattern
from .explainers import add_settings, chosen_settings, load_plugins, seed
from .inputs import add_json, add_motif, add_readout, add_unique, once, positive, print_json, print_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    sets = [name for name in dict.fromkeys(AMONG[True] + AMONG[False]) if name != "file"]
    add_motif(parser, "P", "one whitebox: 1 to 14, a variant or flucarb")
    add_readout(parser)
    parser.add_argument("--explainer", required=True, metavar="E", help="the explainer in question")
    parser.add_argument("--against", metavar="E", help="one to compare it with")
    parser.add_argument("--kind", choices=list(KINDS), default="lowest-auroc", help="kind of failure, worst first")
    parser.add_argument(
        "--among", choices=sets, help="the set to search (default: positives; for iqr and flucarb, library)"
    )
    parser.add_argument("--input", metavar="FILE", help="a CSV, TSV, SMI, SDF or MOL file to search instead")
    parser.add_argument("--column", help="the SMILES column of a CSV or TSV file")
    add_unique(parser)
    parser.add_argument("--first", type=positive, default=20, metavar="N", help="failures to print (default 20)")
    parser.add_argument("--limit", type=positive, default=NEGATIVES, help="molecules to draw for iqr (default 2000)")
    parser.add_argument("--steps", type=positive, help="steps of integrated gradients (default 50)")
    parser.add_argument("--samples", type=positive, help="random samples (default 100)")
    parser.add_argument("--seed", type=seed, default=0, help="of explainers and draws (default 0)")
    add_settings(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    from ..failures.search import molecules_of, search
    from ..failures.uncounted import nothing_there

    load_plugins(options)
    chosen = kind(options.kind)
    if chosen.compares and options.against is None:
        raise InputError(f"The kind {options.kind} needs a second explainer: --against.")
    spec = _spec(options, chosen.contains)
    model = Engine().network(spec.pattern, spec.readout)
    molecules, bad = _of_file(options) if spec.among == "file" else (molecules_of(spec), 0)
    if not molecules:
        print(nothing_there(spec), file=sys.stderr if options.json else sys.stdout)
        return bad
    findings, left_out = [], []

    def keep(batch) -> None:
        findings.extend(batch.findings)
        left_out.extend(batch.left_out)

    search(spec, model, molecules, keep)
    found = by_kind(findings, chosen)
    failed = found.failed[: options.first]
    if options.json:
        for finding in failed:
            gap = {"against": options.against, "gap": finding.gap} if options.against else {}
            print_json({"kind": options.kind, "badness": chosen.badness(finding), **gap, **asdict(finding.row)})
        return bad
    others = len(molecules) - len(findings) - len(left_out)
    print(_summary(spec, options, found, left_out, len(molecules), others))
    if failed:
        header = ("badness", "AUROC", "AP", "atoms", "molecule")
        if spec.against is not None:
            header = ("badness", spec.explainer.name, spec.against.name, *header[2:])
        print_table(header, [_cells(finding, chosen.badness(finding) or 0.0) for finding in failed])
        if spec.against is not None:
            print(f"Under the names of the explainers: their AUROC; AP is that of {spec.explainer.name}.")
    return bad


def _spec(options: argparse.Namespace, contains: bool):
    """What is searched.

    Raises:
        InputError: a name or a setting that does not exist, or a set that has no such molecules.
    """
    from ..failures.search import Spec

    shown = pattern(options.pattern)
    if options.input and options.among:
        raise InputError("--among names a set and --input a file; give one of them.")
    among = "file" if options.input else options.among or sets_for(shown.id, contains)[0]
    check_set(shown.id, contains, among)
    named = [name for name in (options.explainer, options.against) if name is not None]
    settings = {"steps": options.steps, "samples": options.samples, "seed": options.seed}
    settings |= chosen_settings(options.set, named)
    first, *second = [explainer_taking(name, settings) for name in named]
    against = second[0] if second else None
    return Spec(shown.id, options.readout, first, against, contains, among, options.limit, options.seed)


def _summary(spec, options: argparse.Namespace, found, left_out: list, looked_at: int, others: int) -> str:
    """What was searched and how much of it fails, and what was not counted."""
    from ..failures.uncounted import uncounted

    title, judged = pattern(spec.pattern).title, len(found.failed) + len(found.passed)
    fail = "molecule of {} fails" if judged == 1 else "molecules of {} fail"
    molecules = "molecule" if looked_at == 1 else "molecules"
    lines = [
        f"{kind(options.kind).title}: {len(found.failed):,} of {judged:,} {fail.format(title)}.",
        f"Searched: {_WHERE[spec.contains, spec.among]} ({looked_at:,} {molecules}).",
    ]
    if why := uncounted(found, left_out, others, spec.contains):
        lines.append(f"Not counted: {why}.")
    return "\n".join(lines)


_WHERE = {
    (True, "positives"): "the published positives",
    (True, "library"): "all molecules of the library with the motif",
    (False, "library"): "molecules of the library without the motif, drawn at random",
    (False, "hard"): "molecules of the library close to the motif, without it",
    (True, "file"): "the file",
    (False, "file"): "the file",
}


def _of_file(options: argparse.Namespace) -> tuple[list, int]:
    errors = []
    molecules = list(entries_of_file(options.input, None, options.column, lambda *found: errors.append(found)))
    for _, error in errors:
        print(error, file=sys.stderr)
    return once(molecules, options.unique), len(errors)


def _cells(finding, badness: float) -> tuple[str, ...]:
    row = finding.row
    aurocs = [row.auroc, *([] if finding.other is None else [finding.other.auroc])]
    scores = ("-" if value is None else f"{value:.3f}" for value in (*aurocs, row.average_precision))
    name = f"{row.name} {row.smiles}" if row.name else row.smiles
    return (f"{badness:.3g}", *scores, str(row.num_atoms), name)
