"""PGExplainer, through PyG."""

from __future__ import annotations

import copy
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from .attribution import Attribution
from .estimate import Estimate
from .explained import centre_of, num_layers
from .gradient import split
from .method import Method, NullReasons
from .pg_settings import TrainingSettings

if TYPE_CHECKING:
    from torch import nn

    from ..molecules.graphs import GraphBatch

SMALLEST_MASK = 2.0**-23
"""The resolution of single precision beside 1. A mask below it is counted as zero: PyG's training pushes the masks it
does not want towards zero for as long as it lasts, and how far it got (1e-11 here; in the published run, which was
longer, the sigmoid itself gave 0) ranks nothing."""


@dataclass(frozen=True)
class PGExplainer(TrainingSettings, Method):
    """A small network that reads the last activations of a bond's two ends and answers with the bond's mask (PyG).

    Trained once for each whitebox and readout, on molecules with the motif (target 1) and without (target 0), one
    molecule a step, in a new order every epoch; what it learnt is kept in the user's cache folder. An atom's score is
    the sum of the masks of its bond entries, as sender and as receiver. Its settings are those of the training.

    For the class of a node the network reads that node's activations as well, and is trained on graphs that the
    explained network brings along, against the cross-entropy of the class; see ``explained``.
    """

    name: ClassVar[str] = "pg-explainer"
    title: ClassVar[str] = "PGExplainer"
    summary: ClassVar[str] = (
        "A small network that masks a bond by the last activations of its two ends alone; it is trained on the "
        "pattern's published molecules, repeated until there are enough, so these are no test of it."
    )
    expensive: ClassVar[bool] = True
    when_null: ClassVar[str] = (
        "Training samples bond masks near one half; where half-open bonds stay below a channel's negative bias, F is 0 "
        "without a gradient, so only the penalties are learnt and every mask goes to zero."
    )
    null_reasons: ClassVar[NullReasons] = NullReasons(
        sigmoid="in training the penalties on open masks outweigh what the masks do to the prediction, so every mask "
        "goes to zero"
    )
    masks: ClassVar[tuple[str, ...]] = ("node", "edge")
    node_settings: ClassVar[Mapping[str, Any]] = {"positives": 40, "negatives": 20, "epochs": 5}
    node_seconds: ClassVar[float] = 0.002
    first_seconds: ClassVar[float] = 2.0

    def estimate(self, model: nn.Module, num_atoms: int) -> Estimate:
        from .pg_training import is_trained

        if is_trained(model, self):
            return Estimate(0.1, note="(trained already)")
        # A step of training takes 1.2 ms, and 0.4 ms more a layer.
        steps = self.epochs * (self.positives + self.negatives)
        seconds = steps * (0.0012 + 0.0004 * num_layers(model))
        return Estimate(seconds, note="the first time for this whitebox and readout (training), then kept")

    def attribute(self, model: nn.Module, batch: GraphBatch) -> list[Attribution]:
        from .pg_training import last_embeddings, logits, trained_mlp

        mlp = trained_mlp(model, self)
        start = time.perf_counter()
        # PyG hooks into the network to see its activations; a copy keeps that from others who use the same one.
        own = copy.deepcopy(model)
        embeddings = last_embeddings(own, batch.x, batch.edge_index, edge_attr=batch.edge_attr, batch=batch.batch)
        centre = centre_of(model)
        centres = None if centre is None else batch.ptr[batch.batch[batch.edge_index[0]]] + centre
        masks = logits(mlp, embeddings, batch.edge_index, centres).double().sigmoid().numpy()
        masks[masks < SMALLEST_MASK] = 0.0
        atoms = np.zeros(batch.num_nodes)
        for ends in batch.edge_index.numpy():
            np.add.at(atoms, ends, masks)
        return split(atoms, masks, batch, (time.perf_counter() - start) / batch.num_graphs)
