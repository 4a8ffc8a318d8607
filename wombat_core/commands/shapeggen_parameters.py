"""The parameters of a generated graph as options of the terminal: a preset, and what differs from it."""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..shapeggen import Parameters

DEFAULT_PRESET = "SG-Base-500"
CONNECTION = "Presets join subgraphs with connection 2p, since the paper's numbers of edges in Table 6 need it."

# Kept apart from the package, so that a command that generates nothing need not import torch; a test compares them.
_NUMBERS = (
    ("num_subgraphs", int, "N_s: planted copies of the motif"),
    ("p", float, "the probability that an edge joins a pair of subgraphs"),
    ("subgraph_size", int, "n_s: expected nodes of a subgraph"),
    ("num_classes", int, "K: a node sees 1 to K motifs"),
    ("num_features", int, "n_f: all features, the protected one included"),
    ("num_informative", int, "n_i: features that depend on the label"),
    ("class_separation", float, "s_f: half the side of the hypercube of the cluster centres"),
    ("num_clusters", int, "c_f: clusters a class"),
    ("protected_noise", float, "phi: the probability that the protected feature is not the label"),
    ("homophily", float, "eta: above 0 neighbours of one label are alike, below 0 unlike"),
    ("num_layers", int, "L: the ground truth covers that many hops"),
    ("seed", int, "of all random numbers"),
)
_READINGS = (
    ("connection", ("p", "2p"), f"probability of joining a pair: p, or 1 - (1 - p)^2. {CONNECTION}"),
    ("motif_bound", ("K", "two"), "most motifs a node may see"),
    ("truth", ("l-hop", "one-hop"), "motif nodes within L hops, or of motifs that touch the 1-hop neighbourhood"),
    ("protected", ("flipped-label", "random"), "the protected feature"),
    ("homophily_pairs", ("different-label", "same-label"), "labels of the unconnected pairs that eta > 0 drives apart"),
    ("split", ("disjoint", "overlapping"), "training, validation and test nodes"),
)


def add_parameters(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--preset",
        default=DEFAULT_PRESET,
        metavar="NAME",
        help="SG-Base, SG-Heterophilic, SG-SmallEx, SG-Unfair, SG-MoreInform or SG-LessInform, with -500 behind it for"
        f" about 500 nodes (default {DEFAULT_PRESET}); the options below change single parameters of it",
    )
    parser.add_argument(
        "--motif", metavar="M", help="S: house, triangle, square, ..., or its edges such as 0-1,1-2,2-0"
    )
    for name, type_, text in _NUMBERS:
        flags = ["--" + name.replace("_", "-")]
        if name.startswith("num_"):
            flags.append("--" + name.removeprefix("num_"))
        parser.add_argument(*flags, dest=name, type=type_, metavar="N" if type_ is int else "X", help=text)
    readings = parser.add_argument_group("where the paper and its released code differ", "The paper's reading first.")
    for name, answers, text in _READINGS:
        readings.add_argument("--" + name.replace("_", "-"), dest=name, choices=answers, help=text)


def chosen_parameters(options: argparse.Namespace) -> "Parameters":
    """The preset with the options that were given.

    Raises:
        InputError: no such preset, or a value that cannot be generated.
    """
    from ..shapeggen import preset

    names = ("motif", *(name for name, *_ in (*_NUMBERS, *_READINGS)))
    return preset(options.preset).changed(
        **{name: getattr(options, name) for name in names if getattr(options, name) is not None}
    )
