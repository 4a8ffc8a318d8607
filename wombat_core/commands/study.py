"""Study: samples that Shapley values need (Figure S7), PGExplainer's bound (Figure S8b), wirings of one motif."""

import argparse
from dataclasses import asdict

from ..benchmark.plan import chosen_ids
from ..errors import InputError
from ..molecules import from_smiles
from ..molecules.sets import entries
from ..progress import bar
from ..whitebox.catalogue import Pattern, pattern
from .explainers import add_settings, chosen_settings, load_plugins, seed
from .inputs import add_json, add_pattern, add_readout, positive, print_json, print_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    tasks = parser.add_subparsers(dest="task", required=True, metavar="TASK")
    for name, (task, summary) in _TASKS.items():
        own = tasks.add_parser(name, help=summary, description=summary)
        own.set_defaults(run_task=task)
        add_pattern(own)
        if name == "samples":
            add_readout(own)
            own.set_defaults(readout="r2")
            own.add_argument(
                "--samples", type=_sizes, metavar="N[,N...]", help="sample sizes (default: 10,25,50,100,200,500)"
            )
            own.add_argument("--seed", type=seed, default=0, help="of the samples (default: 0)")
        elif name == "wirings":
            own.add_argument(
                "--styles",
                default="small",
                metavar="S[,S...]",
                help="small (default), deep, unit, leaf, moving, smoothing",
            )
            own.add_argument(
                "--explainer", default="integrated-gradients", metavar="E", help="default: integrated-gradients"
            )
            add_settings(own)
        else:
            own.add_argument(
                "--molecules",
                choices=("positives", "library"),
                default="positives",
                help="published molecules with the motif (default), or those of the library",
            )
        own.add_argument("--limit", type=positive, metavar="N", help="molecules a pattern at most, the first ones")
        add_json(own)


def run(options: argparse.Namespace) -> int:
    import torch

    torch.set_num_threads(1)
    options.run_task(options, [pattern(id) for id in chosen_ids(options.pattern)])
    return 0


def _samples(options: argparse.Namespace, chosen: list[Pattern]) -> None:
    from ..studies.sample_size import SAMPLES, published_positives, sample_size_study

    molecules = {entry.id: published_positives(entry)[: options.limit] for entry in chosen}

    def show(result) -> None:
        if options.json:
            print_json(asdict(result) | {"rate": result.rate})

    with bar(quiet=False, delay=1, leave=False):
        results = sample_size_study(
            chosen, options.samples or SAMPLES, options.readout, molecules, options.seed, on_result=show
        )
    if not options.json:
        header = ("pattern", "pattern size", "samples", "molecules", "perfect", "perfect rate")
        print_table(
            header,
            [
                (
                    result.pattern,
                    str(result.pattern_size),
                    str(result.samples),
                    str(result.molecules),
                    str(result.perfect),
                    _share(result.rate),
                )
                for result in results
            ],
        )


def _pg_bound(options: argparse.Namespace, chosen: list[Pattern]) -> None:
    from ..studies.pg_bound import bound_study
    from ..studies.sample_size import published_positives

    of_library = options.molecules == "library"
    with bar(quiet=False, delay=1, leave=False):
        if of_library:
            molecules = _from_library(chosen, options.limit)
        else:
            molecules = {entry.id: published_positives(entry)[: options.limit] for entry in chosen}
    for entry in chosen:
        if not molecules[entry.id]:
            raise InputError(f"There is no molecule to study {entry.title} on among the {_SETS[options.molecules]}.")
    with bar(quiet=False, delay=1, leave=False):
        results = bound_study(molecules)
    if options.json:
        for result in results:
            print_json(asdict(result))
        return
    rows = [
        (result.pattern, str(result.molecules), _share(result.mean), _share(result.published)) for result in results
    ]
    print_table(("pattern", "molecules", "mean bound", "Figure S8b"), rows)


def _wirings(options: argparse.Namespace, chosen: list[Pattern]) -> None:
    from ..studies.sample_size import published_positives
    from ..studies.wirings import READOUTS, wirings_study

    load_plugins(options)
    settings = chosen_settings(options.set, [options.explainer])
    styles = tuple(dict.fromkeys(name.strip() for name in options.styles.split(",")))

    def show(result) -> None:
        if options.json:
            print_json({"explainer": options.explainer, **asdict(result)})

    for entry in chosen:
        molecules = published_positives(entry)[: options.limit]
        with bar(quiet=False, delay=1, leave=False):
            results = wirings_study(entry, styles, options.explainer, settings, molecules, on_result=show)
        if options.json:
            continue
        print(f"{entry.title}: {options.explainer} on {results[0].molecules} published molecules with the motif")
        header = ("wiring", "layers", "channels", *(f"{name}, {what}" for name in READOUTS for what in _COLUMNS))
        rows = [
            (
                result.title,
                str(result.layers),
                str(result.channels),
                *(
                    cell
                    for score in (result.scores[name] for name in READOUTS)
                    for cell in (_share(score.auroc), str(score.perfect), str(score.null))
                ),
            )
            for result in results
        ]
        print_table(header, rows)


_COLUMNS = ("mean AUROC", "perfect", "null")
_TASKS = {
    "samples": (_samples, "How many samples Shapley value sampling needs for a perfect answer (Figure S7)."),
    "pg-bound": (_pg_bound, "An upper bound to PGExplainer's AUROC beside the published means (Figure S8b)."),
    "wirings": (_wirings, "One motif in the hand-made network and in compiled ones: how an explainer's AUROC differs."),
}
_SETS = {"positives": "published positives", "library": "library's positives"}


def _from_library(chosen: list[Pattern], limit: int | None) -> dict:
    from ..screening.membership import membership

    known = membership()
    return {
        entry.id: [
            from_smiles(found.smiles) for found in entries("library", places=known.places(entry)[:limit].tolist())
        ]
        for entry in chosen
    }


def _sizes(text: str) -> tuple[int, ...]:
    """Whole numbers from 1 on, separated by commas, each once."""
    return tuple(dict.fromkeys(positive(part.strip()) for part in text.split(",")))


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
