"""Explain: attributions of one or several explainers, beside the ground truth."""

import argparse
import sys

from ..engine import Engine
from ..errors import InputError
from ..explainers.null_reason import null_reason
from ..explainers.registry import explainer_class, explainer_taking, names
from ..records import explain_record
from .explainers import add_settings, chosen_explainers, chosen_settings, load_plugins, seed
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
    short_title,
    title,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_molecules(parser)
    add_pattern(parser)
    add_readout(parser)
    parser.add_argument(
        "--explainer",
        default="quick",
        metavar="E[,E...]|quick|all",
        help=f"quick (default): all that take no long time; {', '.join(names())}",
    )
    parser.add_argument("--steps", type=positive, help="steps of integrated gradients (default 50)")
    parser.add_argument(
        "--samples", type=positive, help="random samples of Shapley sampling or SubgraphX (default 100)"
    )
    parser.add_argument("--seed", type=seed, help="of explainers that draw random numbers (default 0)")
    add_settings(parser)
    parser.add_argument(
        "--graphxai",
        action="store_true",
        help="GraphXAI's GEA (higher is better) and GEF (lower is better) too, of the top quarter of the atoms",
    )
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    chosen = chosen_explainers(options.explainer, load_plugins(options))
    settings = {"steps": options.steps, "samples": options.samples, "seed": options.seed}
    settings |= chosen_settings(options.set, chosen)
    explainers = [explainer_taking(name, settings) for name in chosen]
    engine = Engine()
    models = [engine.network(entry, options.readout) for entry in chosen_patterns(options.pattern)]
    stream, failed, noted = Stream(options, engine), 0, {}
    # A page of molecules at a time is faster, but people and pipes want the first answer soon.
    for molecules in stream.chunks(16):
        for model in models:
            subjects = stream.subjects(molecules, model.pattern)
            answers = [_answers(subjects, model, each, options.graphxai) for each in explainers]
            for molecule, found in zip(molecules, zip(*answers, strict=True), strict=True):
                explanations = [each for each in found if not isinstance(each, InputError)]
                if options.json:
                    for explanation, graphxai in explanations:
                        print_json(explain_record(molecule, model, explanation, graphxai))
                elif explanations:
                    _print(molecule, model, explanations)
                for each, answer in zip(explainers, found, strict=True):
                    if isinstance(answer, InputError):
                        failed += 1
                        print(f"{each.name}, {short_title(molecule)}: {answer}", file=sys.stderr, flush=True)
                    else:
                        noted |= dict.fromkeys(answer[0].attribution.notes)
    for note in noted:
        print(note, file=sys.stderr)
    return stream.bad + failed


def _answers(subjects, model, chosen, graphxai: bool) -> list:
    """One explanation a molecule with its GraphXAI scores or None, or the sentence that says why there is none."""
    from ..explanation import explain
    from ..studies.graphxai_scores import graphxai_scores

    try:
        explanations = explain(subjects, model, chosen)
    except InputError as error:
        if len(subjects) == 1:
            return [error]
        return [answer for subject in subjects for answer in _answers([subject], model, chosen, graphxai)]
    scores = graphxai_scores(explanations) if graphxai else [None] * len(subjects)
    return list(zip(explanations, scores, strict=True))


def _print(molecule, model, explanations) -> None:
    first, _ = explanations[0]
    truth, prediction = first.truth, first.prediction
    print(f"{title(molecule)}  {model.pattern.title}, {model.readout} = {prediction:.6g}")
    rows = []
    for explanation, graphxai in explanations:
        scores, attribution = explanation.scores, explanation.attribution
        if explanation.no_truth is not None:
            marks = ("no score", "")
        elif truth.any():
            marks = (
                f"AUROC {_number(scores.auroc)}",
                f"AP {_number(scores.average_precision)} (baseline {_number(scores.ap_baseline)})",
            )
        else:
            marks = (f"IQR {'pass' if scores.iqr_pass else 'fail'}", "")
        if graphxai is not None:
            marks += (f"GEA {_number(graphxai.as_record()['gea'])}", f"GEF {graphxai.gef:.3f} (lower is better)")
        note = "null: every atom scores alike" if attribution.is_null else ""
        rows.append((explanation.explainer, *marks, f"{attribution.seconds:.3f} s", note))
    print_table(("explainer", "score", *[""] * (len(rows[0]) - 4), "time", ""), rows, indent="  ")
    for explanation, _ in explanations:
        if explanation.attribution.is_null:
            print(f"  {explanation.explainer} is null: {_why_null(explanation, model.readout)}.")
    for explanation, _ in explanations:
        if explanation.incomplete:
            print(f"  {explanation.explainer}: {explanation.incomplete}")
    if truth.all() or first.no_truth is not None:
        print(f"  {first.scores.why['auroc']}")
    header = ("atom", "truth", *(explanation.explainer for explanation, _ in explanations))
    values = [explanation.attribution.atom_scores for explanation, _ in explanations]
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


def _why_null(explanation, readout: str) -> str:
    kind = explainer_class(explanation.explainer)
    atoms = explanation.attribution.atom_scores
    return null_reason(kind, atoms, readout, explanation.prediction)


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
