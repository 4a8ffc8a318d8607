"""What a predictor is trained on: one graph whose nodes are labelled, or labelled graphs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from ..errors import InputError
from ..molecules.graphs import Graph, GraphBatch
from .networks import Predictor
from .scores import SplitScores, score_split

SPLITS = ("train", "val", "test")

Step = tuple[Tensor, Tensor]
"""Logits [labelled, classes] and labels [labelled] of one step of training."""


@dataclass(frozen=True)
class GraphSplits:
    """Labelled graphs (``y`` [1] each) in three parts, for a graph predictor."""

    train: Sequence[Graph]
    val: Sequence[Graph]
    test: Sequence[Graph]


class NodeLabels:
    """One graph whose nodes are labelled.

    Attributes:
        tensors: all that the outcome of a training depends on.
    """

    def __init__(self, data: Graph):
        self.data = data
        self.tensors = [data.x, data.edge_index, data.y, *(self._mask(split) for split in SPLITS)]

    def _mask(self, split: str) -> Tensor:
        return self.data[f"{split}_mask"]

    def size(self, split: str) -> int:
        return int(self._mask(split).sum())

    def check(self, model: Predictor) -> None:
        _check(model, "node", self.data.x, self.data.y, self.size("train"))

    def steps(self, model: Predictor, at_once: int, random: torch.Generator) -> Iterator[Step]:
        mask = self._mask("train")
        yield model(self.data.x, self.data.edge_index)[mask], self.data.y[mask]

    def score(self, model: Predictor, split: str) -> SplitScores:
        mask = self._mask(split)
        with torch.no_grad():
            found = model(self.data.x, self.data.edge_index)[mask].argmax(dim=1)
        return score_split(found.numpy(), self.data.y[mask].numpy(), model.architecture.num_classes)


class GraphLabels:
    """Graphs with a label each; attributes as those of :class:`NodeLabels`."""

    def __init__(self, splits: GraphSplits):
        self.graphs = {split: getattr(splits, split) for split in SPLITS}
        self.batches = {split: GraphBatch.from_data_list(list(own)) for split, own in self.graphs.items() if len(own)}
        self.tensors = [part for own in self.batches.values() for part in (own.x, own.edge_index, own.batch, own.y)]
        self._chunks: list[GraphBatch] = []

    def size(self, split: str) -> int:
        return len(self.graphs[split])

    def check(self, model: Predictor) -> None:
        if "train" not in self.batches:
            raise InputError("There is no graph to train on.")
        _check(model, "graph", self.batches["train"].x, self.batches["train"].y, self.size("train"))

    def steps(self, model: Predictor, at_once: int, random: torch.Generator) -> Iterator[Step]:
        # Graphs are put into batches once; each epoch takes the batches in another order.
        if not self._chunks:
            order = torch.randperm(self.size("train"), generator=random).tolist()
            own = [self.graphs["train"][place] for place in order]
            self._chunks = [GraphBatch.from_data_list(own[k : k + at_once]) for k in range(0, len(own), at_once)]
        for place in torch.randperm(len(self._chunks), generator=random).tolist():
            chunk = self._chunks[place]
            yield model(chunk.x, chunk.edge_index, None, chunk.batch), chunk.y

    def score(self, model: Predictor, split: str) -> SplitScores:
        batch = self.batches[split]
        with torch.no_grad():
            found = model(batch.x, batch.edge_index, None, batch.batch).argmax(dim=1)
        return score_split(found.numpy(), batch.y.numpy(), model.architecture.num_classes)


Labelled = NodeLabels | GraphLabels


def _check(model: Predictor, level: str, x: Tensor, y: Tensor, train_size: int) -> None:
    own = model.architecture
    if own.level != level:
        raise InputError(f"A {own.level} predictor cannot be trained on labels of {level}s.")
    if not train_size:
        raise InputError(f"There is no {level} to train on: the training part is empty.")
    if x.size(1) != own.num_features:
        raise InputError(f"The predictor reads {own.num_features} features a node; the data have {x.size(1)}.")
    if int(y.max()) >= own.num_classes or int(y.min()) < 0:
        raise InputError(f"The predictor has {own.num_classes} classes; the labels go up to {int(y.max())}.")
