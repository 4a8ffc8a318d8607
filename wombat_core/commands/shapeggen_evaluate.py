"""Score explainers on nodes of a generated graph: GEA, GEF, GES, GECF and GEGF beside the paper's.

The paper's numbers are of SG-Base; they stand beside every graph, since it has no others.
"""

import argparse

from ..errors import InputError
from .inputs import add_json, positive, print_json, print_table
from .shapeggen_parameters import add_parameters
from .shapeggen_train import add_training, bar, number, print_training, trained, training_record

METRICS = ("GEA", "GEF", "GES", "GECF", "GEGF")
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
        "--metrics", default=",".join(METRICS), metavar="M[,M...]", help="some of " + ", ".join(METRICS)
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
    from ..shapeggen.node_explainers import GRAPHXAI, QUICK, node_explainer
    from ..shapeggen.node_tasks import sampled_test_nodes
    from ..shapeggen.perturb import Perturbation

    masks = _chosen(options.masks, MASKS, "mask")
    metrics = _chosen(options.metrics, METRICS, "metric")
    how = Options(options.rule, options.direction, Perturbation(options.copies), options.flip)
    sets = {"quick": QUICK, "all": GRAPHXAI}
    names = [name for own in options.explainers.split(",") for name in sets.get(own.strip(), (own.strip(),))]
    explainers = [node_explainer(name) for name in dict.fromkeys(names)]
    planted, training = trained(options)
    nodes = sampled_test_nodes(planted, options.nodes, options.node_seed)
    with bar("evaluate"):
        rows = evaluate(planted, training.model, explainers, nodes, masks, metrics, options.node_seed, how)
    if options.json:
        print_json(training_record(options, training) | {"nodes": nodes, "rule": how.rule, "direction": how.direction})
        for row in rows:
            print_json(_record(options, row))
        return 0
    print_training(training_record(options, training))
    print(f"\n{len(nodes)} test nodes; mean ± standard error over nodes.")
    for mask in masks:
        _print(options, mask, [row for row in rows if row.kind == mask])
    return 0


def _chosen(text: str, known: tuple[str, ...], what: str) -> list[str]:
    found = [own.strip() for own in text.split(",")]
    if unknown := [own for own in found if own not in known]:
        raise InputError(f"There is no {what} {unknown[0][:40]!r}; choose {', '.join(known)}.")
    return found


def _record(options: argparse.Namespace, row) -> dict:
    from ..shapeggen.published_scores import node_value

    paper = node_value(options.model, row.kind, row.explainer, row.metric)
    return {
        "explainer": row.explainer,
        "mask": row.kind,
        "metric": row.metric,
        "mean": number(row.summary.mean),
        "standard_error": number(row.summary.error),
        "nodes": row.summary.count,
        "paper": None if paper is None else {"table": paper.table, "mean": paper.mean, "spread": paper.spread},
    }


def _print(options: argparse.Namespace, mask: str, rows) -> None:
    from ..shapeggen.published_scores import node_table, node_value

    table = node_table(options.model, mask)
    beside = f"; in brackets the paper's Table {table} (SG-Base)" if table else ""
    print(f"\n{mask} masks{beside}")
    metrics = list(dict.fromkeys(row.metric for row in rows))
    lines = []
    for name in dict.fromkeys(row.explainer for row in rows):
        cells = []
        for metric in metrics:
            own = next(row.summary for row in rows if (row.explainer, row.metric) == (name, metric))
            paper = node_value(options.model, mask, name, metric)
            cells.append(f"{own}" + (f" [{paper.mean:.3f}]" if paper else ""))
        lines.append((name, *cells))
    arrows = {"GEA": "GEA (higher is better)"}
    print_table(("explainer", *(arrows.get(metric, metric) for metric in metrics)), lines)
