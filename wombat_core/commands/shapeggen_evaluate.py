"""Score explainers on nodes of a generated graph: GEA, GEF, GES, GECF and GEGF beside the paper's.

The paper's numbers are of SG-Base; they stand beside that graph alone, of whatever size and seed, read as it reads it.
"""

import argparse
import sys
from collections.abc import Collection

from ..errors import InputError
from ..registry import check_name
from ..shapeggen.node_explainers import GRAPHXAI, QUICK, node_explainer
from ..shapeggen.node_metrics import METRICS
from .inputs import add_json, positive, print_json, print_table
from .shapeggen_parameters import add_parameters, chosen_parameters
from .shapeggen_train import add_training, bar, number, print_training, trained, training_record

MASKS = ("node", "edge", "feature")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_parameters(parser)
    add_training(parser)
    parser.add_argument(
        "--explainers",
        default="quick",
        metavar="E[,E...]|quick|all",
        help="quick (default): random and the gradient methods; all: the nine of the paper's tables",
    )
    parser.add_argument(
        "--nodes", type=positive, default=30, metavar="N", help="test nodes, drawn at random (default 30)"
    )
    parser.add_argument("--node-seed", type=int, default=0, help="of the nodes and the perturbed copies (default 0)")
    parser.add_argument("--masks", default="node", metavar="M[,M...]", help="node (default), edge, feature")
    parser.add_argument(
        "--metrics", default="all", metavar="M[,M...]", help="all (default), or some of " + ", ".join(METRICS)
    )
    parser.add_argument(
        "--rule",
        default="top-25%",
        metavar="R",
        help="how importance becomes a mask: top-25%% (the paper's), above-0.8 or above-0.1-max (the released code's)",
    )
    parser.add_argument(
        "--direction",
        default="printed",
        choices=("printed", "reversed"),
        help="of the divergence in GEF: as Eq. 5 has it, or as in the released code",
    )
    parser.add_argument("--copies", type=positive, default=5, help="perturbed copies of GES (default 5)")
    parser.add_argument(
        "--flip", default="node", choices=("node", "neighbourhood"), help="whose protected feature changes for GECF"
    )
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    from ..shapeggen.evaluate import Options, evaluate
    from ..shapeggen.node_tasks import sampled_test_nodes
    from ..shapeggen.perturb import Perturbation
    from ..shapeggen.published_scores import comparable

    masks = _chosen(options.masks, MASKS, "mask")
    metrics = list(METRICS) if options.metrics == "all" else _chosen(options.metrics, METRICS, "metric")
    how = Options(options.rule, options.direction, Perturbation(options.copies), options.flip)
    sets = {"quick": QUICK, "all": GRAPHXAI}
    names = [name for own in options.explainers.split(",") for name in sets.get(own.strip(), (own.strip(),))]
    explainers = [node_explainer(name) for name in dict.fromkeys(names)]
    note = _without_masks([own.name for own in explainers], masks)
    beside, left_out = comparable(chosen_parameters(options), how.rule, how.direction)
    planted, training = trained(options)
    nodes = sampled_test_nodes(planted, options.nodes, options.node_seed)
    with bar("evaluate"):
        rows = evaluate(planted, training.model, explainers, nodes, masks, metrics, options.node_seed, how)
    if options.json:
        head = {"nodes": nodes, "rule": how.rule, "direction": how.direction, "paper_left_out": left_out or None}
        print_json(training_record(options, training) | head)
        for row in rows:
            print_json(_record(options, row, beside))
    else:
        print_training(training_record(options, training))
        print(f"\n{len(nodes)} test nodes; mean ± standard error over nodes." + (f" {left_out}" if left_out else ""))
        for mask in masks:
            if own := [row for row in rows if row.kind == mask]:
                _print(options, mask, own, beside)
    if note:
        print(note, file=sys.stderr)
    return 0


def _without_masks(names: list[str], masks: list[str]) -> str:
    """Which of the explainers give no masks of which kinds, in a sentence, or "".

    Raises:
        InputError: none of them gives any.
    """
    from ..shapeggen.node_masks import kinds_of

    lacking = {mask: [name for name in names if mask not in kinds_of(name)] for mask in masks}
    if all(own == names for own in lacking.values()):
        raise InputError(f"None of the chosen explainers gives {' or '.join(masks)} masks: {', '.join(names)}.")
    parts = [f"no {mask} masks from {', '.join(own)}" for mask, own in lacking.items() if own]
    return f"There are {'; '.join(parts)}." if parts else ""


def _chosen(text: str, known: Collection[str], what: str) -> list[str]:
    return [check_name(what, own.strip(), known) for own in text.split(",")]


def _record(options: argparse.Namespace, row, beside: tuple[str, ...]) -> dict:
    paper = _paper(options, row, beside)
    return {
        "explainer": row.explainer,
        "mask": row.kind,
        "metric": row.metric,
        "mean": number(row.summary.mean),
        "standard_error": number(row.summary.error),
        "nodes": row.summary.count,
        "paper": None if paper is None else {"table": paper.table, "mean": paper.mean, "spread": paper.spread},
    }


def _paper(options: argparse.Namespace, row, beside: tuple[str, ...]):
    """The printed number, where it may stand beside ours."""
    from ..shapeggen.published_scores import node_value

    return node_value(options.model, row.kind, row.explainer, row.metric) if row.metric in beside else None


def _print(options: argparse.Namespace, mask: str, rows, beside: tuple[str, ...]) -> None:
    from ..shapeggen.published_scores import node_table

    table = node_table(options.model, mask) if any(row.metric in beside for row in rows) else None
    print(f"\n{mask} masks" + (f"; in brackets the paper's Table {table} (SG-Base)" if table else ""))
    metrics = list(dict.fromkeys(row.metric for row in rows))
    lines = []
    for name in dict.fromkeys(row.explainer for row in rows):
        cells = []
        for metric in metrics:
            own = next(row for row in rows if (row.explainer, row.metric) == (name, metric))
            paper = _paper(options, own, beside)
            cells.append(f"{own.summary}" + (f" [{paper.mean:.3f}]" if paper else ""))
        lines.append((name, *cells))
    arrows = {"GEA": "GEA (higher is better)"}
    print_table(("explainer", *(arrows.get(metric) or str(metric) for metric in metrics)), lines)
