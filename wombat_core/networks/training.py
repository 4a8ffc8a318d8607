"""Training a predictor: seeded, watched, stoppable, and kept on disk."""

from __future__ import annotations

import copy
import hashlib
import json
import time
from dataclasses import asdict, dataclass, field

import numpy as np
import torch
import torch_geometric
from torch import nn

from ..cache import load_arrays, save_arrays
from ..molecules.graphs import Graph
from ..progress import report
from ..settings import check_settings, within
from .labelled import SPLITS, GraphLabels, GraphSplits, Labelled, NodeLabels
from .networks import Predictor
from .scores import SplitScores

CACHE_KIND = "predictor"
FORMAT = 1
"""Counted up whenever the training changes, so that networks trained before are not used."""


@dataclass(frozen=True)
class TrainingSettings:
    """How a predictor is trained; the defaults are the paper's for GIN.

    Args:
        epochs: passes over the training set.
        lr: learning rate of Adam.
        weight_decay: of Adam.
        graphs_at_once: graphs in a step of a graph predictor; a node predictor takes the whole graph.
        seed: of the initial weights and of the order of graphs.
    """

    epochs: int = within(1000, 1, 100_000)
    lr: float = within(1e-2, 0.0, 10.0)
    weight_decay: float = within(1e-5, 0.0, 10.0)
    graphs_at_once: int = within(128, 1, 100_000)
    seed: int = within(0, 0, 2**31 - 1)

    def __post_init__(self):
        check_settings(self)


PUBLISHED = {
    "gin": TrainingSettings(epochs=1000, lr=1e-2, weight_decay=1e-5),
    "gcn": TrainingSettings(epochs=1500, lr=3e-2, weight_decay=0.0),
}
"""The paper's settings by kind of network; it states the second for "GNN models", without naming them."""


@dataclass
class Curve:
    """What a training has reported so far; another thread may read it while it grows.

    Attributes:
        epochs: how many there will be.
        losses: mean cross-entropy of the training set, one an epoch.
    """

    epochs: int = 0
    losses: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Training:
    """A trained predictor.

    Attributes:
        model: the predictor, ready for use and frozen.
        settings: how it was trained.
        losses: mean cross-entropy of the training set, one an epoch.
        scores: accuracy and F1 by split ("train", "val", "test"); a split without members is left out.
        seconds: what the training took when it was done.
        from_cache: whether it was found on disk.
    """

    model: Predictor
    settings: TrainingSettings
    losses: tuple[float, ...]
    scores: dict[str, SplitScores]
    seconds: float
    from_cache: bool


def train(
    model: Predictor, data: Graph | GraphSplits, settings: TrainingSettings | None = None, curve: Curve | None = None
) -> Training:
    """Train a copy of the model, or find it on disk.

    Reports its progress (:mod:`wombat_core.progress`) and can be stopped there; nothing is kept of a
    training that was stopped.

    Args:
        model: a predictor with its initial weights.
        data: for a node predictor one graph with ``x``, ``edge_index``, ``y`` [num_nodes] and ``train_mask``,
            ``val_mask``, ``test_mask``; for a graph predictor ``GraphSplits``.
        settings: the paper's for the kind of network where None.
        curve: filled epoch by epoch, for who wants to watch.

    Raises:
        Stopped: the listener wants no more.
        InputError: there is nothing to train on, or the data do not fit the network.
    """
    settings = settings or PUBLISHED[model.architecture.kind]
    curve = Curve() if curve is None else curve
    task = NodeLabels(data) if isinstance(data, Graph) else GraphLabels(data)
    task.check(model)
    key = _key(model, task, settings)
    arrays = load_arrays(CACHE_KIND, key)
    found = _restored(model, arrays)
    start = time.perf_counter()
    curve.epochs = settings.epochs
    if arrays is None or found is None:
        found = copy.deepcopy(model)
        _fit(found, task, settings, curve)
        seconds = time.perf_counter() - start
        arrays = {name: value.numpy() for name, value in found.state_dict().items()}
        save_arrays(CACHE_KIND, key, arrays | {"_losses": np.array(curve.losses), "_seconds": np.array(seconds)})
        from_cache = False
    else:
        curve.losses[:] = arrays["_losses"].tolist()
        seconds, from_cache = float(arrays["_seconds"]), True
    found.eval().requires_grad_(False)
    scores = {split: task.score(found, split) for split in SPLITS if task.size(split)}
    return Training(found, settings, tuple(curve.losses), scores, seconds, from_cache)


def _fit(model: Predictor, task: Labelled, settings: TrainingSettings, curve: Curve) -> None:
    model.train().requires_grad_(True)
    adam = torch.optim.Adam(model.parameters(), lr=settings.lr, weight_decay=settings.weight_decay)
    random = torch.Generator().manual_seed(settings.seed)
    for epoch in range(settings.epochs):
        report(epoch / settings.epochs)
        total = count = 0
        for logits, labels in task.steps(model, settings.graphs_at_once, random):
            loss = nn.functional.cross_entropy(logits, labels)
            adam.zero_grad()
            loss.backward()
            adam.step()
            total += loss.item() * len(labels)
            count += len(labels)
        curve.losses.append(total / count)


def _key(model: Predictor, task: Labelled, settings: TrainingSettings) -> str:
    """A digest of all that the outcome depends on."""
    facts = (FORMAT, torch.__version__, torch_geometric.__version__, asdict(model.architecture), asdict(settings))
    digest = hashlib.sha256(json.dumps(facts).encode())
    tensors = [*task.tensors, *(value.detach() for _, value in sorted(model.state_dict().items()))]
    for tensor in tensors:
        digest.update(f"{tuple(tensor.shape)}{tensor.dtype}".encode() + tensor.contiguous().numpy().tobytes())
    return digest.hexdigest()[:32]


def _restored(model: Predictor, arrays: dict[str, np.ndarray] | None) -> Predictor | None:
    """The model with the weights that were kept; None where they are not such a network's."""
    if arrays is None:
        return None
    found = copy.deepcopy(model)
    try:
        weights = {name: torch.from_numpy(value) for name, value in arrays.items() if not name.startswith("_")}
        found.load_state_dict(weights)
        _ = arrays["_losses"], arrays["_seconds"]
    except (KeyError, ValueError, RuntimeError, TypeError):
        return None
    return found
