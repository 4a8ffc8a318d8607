"""ShapeGGen: graphs with planted motifs, whose right explanations are known; train on them, score explainers."""

import argparse

from . import shapeggen_evaluate, shapeggen_generate, shapeggen_molecules, shapeggen_train

ACTIONS = {
    "generate": shapeggen_generate,
    "train": shapeggen_train,
    "evaluate": shapeggen_evaluate,
    "molecules": shapeggen_molecules,
}
"""By the second word: modules with ``add_arguments(parser)`` and ``run(options) -> any bad input?``."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    subparsers = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, action in ACTIONS.items():
        summary = (action.__doc__ or name).strip().splitlines()[0]
        action.add_arguments(subparsers.add_parser(name, help=summary, description=summary))


def run(options: argparse.Namespace) -> int:
    return ACTIONS[options.action].run(options)
