"""Explain: attributions of one or several explainers, beside the ground truth."""

import argparse

from ..explainers.registry import explainer, names
from .inputs import (
    Stream,
    add_json,
    add_molecules,
    add_pattern,
    add_readout,
    chosen_patterns,
    positive,
    print_json,
    print_table,
    title,
    whitebox,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_molecules(parser)
    add_pattern(parser)
    add_readout(parser)
    parser.add_argument("--explainer", default="all", metavar="E[,E...]|all", help=", ".join(names()))
    parser.add_argument("--steps", type=positive, help="steps of integrated gradients (default 50)")
    parser.add_argument("--samples", type=positive, help="random orders of Shapley sampling (default 100)")
    parser.add_argument("--seed", type=int, help="of explainers that draw random numbers (default 0)")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    from ..explanation import explain
    from ..records import explain_record

    chosen = names() if options.explainer == "all" else [name.strip() for name in options.explainer.split(",")]
    settings = {"steps": options.steps, "samples": options.samples, "seed": options.seed}
    explainers = [explainer(name, **settings) for name in chosen]
    models = [whitebox(entry, options.readout) for entry in chosen_patterns(options.pattern)]
    stream = Stream(options)
    # A page of molecules at a time is faster, but people and pipes want the first answer soon.
    for molecules in stream.chunks(16):
        for model in models:
            answers = [explain(molecules, model, each) for each in explainers]
            for molecule, explanations in zip(molecules, zip(*answers, strict=True), strict=True):
                if options.json:
                    for explanation in explanations:
                        print_json(explain_record(molecule, model, explanation))
                else:
                    _print(molecule, model, explanations)
    return stream.bad


def _print(molecule, model, explanations) -> None:
    truth, prediction = explanations[0].truth, explanations[0].prediction
    print(f"{title(molecule)}  {model.pattern.title}, {model.readout} = {prediction:.6g}")
    rows = []
    for explanation in explanations:
        scores, attribution = explanation.scores, explanation.attribution
        if truth.any():
            marks = (
                f"AUROC {_number(scores.auroc)}",
                f"AP {_number(scores.average_precision)} (baseline {_number(scores.ap_baseline)})",
            )
        else:
            marks = (f"IQR {'pass' if scores.iqr_pass else 'fail'}", "")
        note = "null: every atom scores alike" if attribution.is_null else ""
        rows.append((explanation.explainer, *marks, f"{attribution.seconds:.3f} s", note))
    print_table(("explainer", "score", "", "time", ""), rows, indent="  ")
    for reason in dict.fromkeys(explanations[0].scores.why.values()):
        if truth.all():
            print(f"  {reason}")
    header = ("atom", "truth", *(explanation.explainer for explanation in explanations))
    values = [explanation.attribution.atom_scores for explanation in explanations]
    atoms = [
        (f"{atom.GetSymbol()}{atom.GetIdx()}", "yes" if truth[atom.GetIdx()] else "")
        for atom in molecule.mol.GetAtoms()
    ]
    print_table(
        header,
        [(*atom, *(f"{value[index]:.6g}" for value in values)) for index, atom in enumerate(atoms)],
        indent="  ",
    )
    print(flush=True)


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
