"""Generate a graph and print its statistics beside the paper's.

Where the chosen settings are those of one of the paper's graphs, of whatever size, its published numbers stand beside.
"""

import argparse
import time

from ..errors import InputError
from ..progress import bar
from .inputs import add_json, print_json, print_table
from .shapeggen_parameters import CONNECTION, add_parameters, chosen_parameters


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_parameters(parser)
    parser.add_argument("--out", metavar="FILE", help="write the graph: .npz (arrays), .json or .graphml")
    parser.add_argument(
        "--with-truth", action="store_true", help="with --out FILE.npz: the masks of every node as well"
    )
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    import torch

    from ..shapeggen import export
    from ..shapeggen.generator import generate
    from ..shapeggen.presets import published_of, published_remark

    parameters = chosen_parameters(options)
    if options.with_truth and not options.out:
        raise InputError("--with-truth writes masks to a file, so it needs --out FILE.npz.")
    if options.out:
        export.check(options.out, options.with_truth)
    torch.set_num_threads(1)
    start = time.perf_counter()
    with bar():
        graph = generate(parameters)
    seconds = time.perf_counter() - start
    if options.out:
        export.write(graph, options.out, options.with_truth)
    known = published_of(parameters)
    record = {
        "parameters": parameters.as_dict(),
        "statistics": graph.statistics.as_dict(),
        "published": known and known.as_dict(),
        "remark": (known and published_remark(graph.num_nodes, known)) or None,
        "seconds": round(seconds, 3),
        "file": options.out,
    }
    if options.json:
        print_json(record)
    else:
        _print(record)
    return 0


def _print(record: dict) -> None:
    own, paper = record["statistics"], record["published"] or {}
    names = [("nodes", "nodes"), ("edges", "edges, both directions"), ("mean_degree", "mean degree")]
    rows = [(title, _number(own[name]), _number(paper.get(name))) for name, title in names]
    for label, count in enumerate(own["classes"]):
        rows.append((f"class {label}", _number(count), _number(paper["classes"][label] if paper else None)))
    rows += [
        (title, _number(own[name]), "")
        for name, title in (
            ("degree_error", "standard error of the mean degree"),
            ("motifs", "planted motifs"),
            ("label_homophily", "edges within a label, share"),
            ("same_label_similarity", "similarity of redundant features, edges within a label"),
            ("other_label_similarity", "the same, edges between labels"),
            ("protected_agreement", "protected feature equals label, share"),
            ("largest_class", "accuracy on test nodes: guessing the largest class"),
            ("informative_accuracy", "  logistic regression on informative features"),
            ("redundant_accuracy", "  logistic regression on redundant features"),
        )
    ]
    print_table(("", "here", f"paper, table {paper['table']}" if paper else "paper"), rows)
    if record["remark"]:
        print(record["remark"])
    if record["parameters"]["connection"] == "2p":
        print(f"{CONNECTION} (--connection p for p as printed.)")
    print(f"Generated in {record['seconds']:.1f} s." + (f" Written to {record['file']}." if record["file"] else ""))


def _number(value: float | int | None) -> str:
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"
