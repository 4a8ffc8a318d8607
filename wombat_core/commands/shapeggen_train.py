"""Train a GIN or GCN on a generated graph and print its accuracy and F1."""

import argparse
import math
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from ..progress import bar
from .inputs import add_json, positive, print_json, print_table
from .shapeggen_parameters import add_parameters, chosen_parameters

if TYPE_CHECKING:
    from ..networks.training import Training
    from ..shapeggen import PlantedGraph


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_parameters(parser)
    add_training(parser)
    add_json(parser)


def add_training(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", choices=("gin", "gcn"), default="gin", help="the network (default gin)")
    parser.add_argument("--epochs", type=positive, help="passes over the graph (default 1000 for gin, 1500 for gcn)")
    parser.add_argument("--train-seed", type=int, default=0, help="of the initial weights (default 0)")


def run(options: argparse.Namespace) -> int:
    _, training = trained(options)
    record = training_record(options, training)
    if options.json:
        print_json(record)
    else:
        print_training(record)
    return 0


def trained(options: argparse.Namespace) -> tuple["PlantedGraph", "Training"]:
    """The graph of the options and a network trained on it, both from the cache folder where they are there.

    Raises:
        InputError: the parameters cannot be generated, or the settings are outside their limits.
    """
    import torch

    from ..networks.training import PUBLISHED
    from ..shapeggen.predictor import train_predictor
    from ..shapeggen.store import stored_graph

    parameters = chosen_parameters(options)
    settings = replace(PUBLISHED[options.model], seed=options.train_seed)
    if options.epochs:
        settings = replace(settings, epochs=options.epochs)
    torch.set_num_threads(1)
    with bar("generate"):
        planted = stored_graph(parameters)
    with bar("train"):
        training = train_predictor(planted, options.model, settings)
    return planted, training


def training_record(options: argparse.Namespace, training: "Training") -> dict:
    """The training for JSON."""
    return {
        "preset": options.preset,
        "model": options.model,
        "settings": asdict(training.settings),
        "scores": {split: asdict(scores) for split, scores in training.scores.items()},
        "last_loss": number(training.losses[-1]),
        "seconds": round(training.seconds, 3),
        "from_cache": training.from_cache,
    }


def number(value: float) -> float | None:
    """A number for JSON, which knows no nan."""
    return None if math.isnan(value) else value


def print_training(record: dict) -> None:
    rows = [
        (split, f"{own['size']:,}", f"{own['accuracy']:.3f}", f"{own['f1']:.3f}")
        for split, own in record["scores"].items()
    ]
    print_table(("part", "nodes", "accuracy", "F1"), rows)
    how = "found in the cache folder; training took" if record["from_cache"] else "trained in"
    epochs = record["settings"]["epochs"]
    print(
        f"{record['model'].upper()}, {epochs:,} epochs, {how} {record['seconds']:.1f} s; loss {record['last_loss']:.4f}"
    )
