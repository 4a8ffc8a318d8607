"""A predictor for a generated graph."""

from ..networks.networks import Architecture, Predictor
from ..networks.training import PUBLISHED, Curve, Training, TrainingSettings, train
from .graph import PlantedGraph


def train_predictor(
    planted: PlantedGraph, kind: str = "gin", settings: TrainingSettings | None = None, curve: Curve | None = None
) -> Training:
    """Train GIN or GCN on the labels of a generated graph, with as many layers as its ground truth has hops.

    Args:
        planted: the graph.
        kind: "gin" or "gcn".
        settings: of the training; the paper's for the kind where None.
        curve: filled epoch by epoch, for who wants to watch.

    Raises:
        InputError: no such kind, or settings outside their limits.
        Stopped: the listener wants no more.
    """
    parameters = planted.parameters
    architecture = Architecture(
        kind, planted.data.num_features, parameters.num_classes, "node", layers=parameters.num_layers
    )
    settings = settings or PUBLISHED[kind]
    return train(Predictor(architecture, settings.seed), planted.data, settings, curve)


def training_seconds(num_nodes: int, kind: str, epochs: int | None = None) -> float:
    """About how long :func:`train_predictor` takes on one core of a small machine."""
    epochs = epochs or PUBLISHED[kind].epochs
    per_epoch = {"gin": (1.3e-3, 2.7e-6), "gcn": (1.8e-3, 2.3e-6)}[kind]
    return epochs * (per_epoch[0] + per_epoch[1] * num_nodes)
