"""GNNExplainer, through PyG."""

from __future__ import annotations

import copy
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..progress import each
from ..settings import within
from .attribution import Attribution
from .estimate import Estimate
from .gradient import split
from .method import Method, NullReasons

if TYPE_CHECKING:
    import torch
    from torch import nn

    from ..molecules.graphs import GraphBatch

GRAPHS_AT_ONCE = 32


@dataclass(frozen=True)
class GNNExplainer(Method):
    """Masks on atom features and bond entries, fitted so that the masked input keeps the prediction (PyG).

    Minimises, for every graph, ``(F(masked) - F)^2`` (of a trained network the cross-entropy of the class it predicted)
    plus the size and the entropy of both masks. A feature or bond
    entry whose mask receives no gradient in the first epoch gets the mask zero (PyG's hard masks). The defaults
    are the paper's.

    Args:
        epochs: steps of Adam.
        lr: its learning rate.
        edge_size, edge_ent: weight of the sum of the bond masks, and of their mean entropy.
        node_feat_size, node_feat_ent: weight of the mean of the feature masks, and of their mean entropy.
        seed: of the initial masks.
    """

    epochs: int = within(100, 1, 10_000)
    lr: float = within(0.01, 0.0, 100.0)
    edge_size: float = within(0.005, 0.0, 1e6)
    edge_ent: float = within(1.0, 0.0, 1e6)
    node_feat_size: float = within(1.0, 0.0, 1e6)
    node_feat_ent: float = within(0.1, 0.0, 1e6)
    seed: int = within(0, 0, 2**31 - 1)

    name: ClassVar[str] = "gnn-explainer"
    title: ClassVar[str] = "GNNExplainer"
    summary: ClassVar[str] = (
        "Masks on atom features and bonds, learnt so that what stays visible keeps the prediction with little shown."
    )
    expensive: ClassVar[bool] = True
    when_null: ClassVar[str] = (
        "All masks start near one half; where a channel has a negative bias, half of every message stays below it, so "
        "F = 0 without a gradient, and PyG sets every mask that receives none in the first epoch to zero."
    )
    null_reasons: ClassVar[NullReasons] = NullReasons(
        sigmoid="no mask receives a gradient in the first epoch, and PyG sets such masks to zero"
    )
    masks: ClassVar[tuple[str, ...]] = ("node", "edge", "feature")
    node_seconds: ClassVar[float] = 0.14

    def estimate(self, model: nn.Module, num_atoms: int) -> Estimate:
        # 1.5 ms an epoch and layer; answers that the first epoch makes null take no more than that epoch.
        from .explained import num_layers

        return Estimate(0.0015 * self.epochs * num_layers(model), at_most=True)

    def attribute(self, model: nn.Module, batch: GraphBatch) -> list[Attribution]:
        # PyG hangs its masks on the network; a copy keeps them from others who use the same one.
        from ..molecules.graphs import GraphBatch

        model, graphs = copy.deepcopy(model), batch.to_data_list()
        chunks = [graphs[first : first + GRAPHS_AT_ONCE] for first in range(0, len(graphs), GRAPHS_AT_ONCE)]
        answers = each(chunks, lambda chunk: self._some(model, GraphBatch.from_data_list(chunk)))
        return [answer for chunk in answers for answer in chunk]

    def _some(self, model: nn.Module, batch: GraphBatch) -> list[Attribution]:
        import torch

        from ..molecules.graphs import GraphBatch

        start = time.perf_counter()
        # Entries without a gradient in the first epoch end at zero whatever follows; such graphs need no more.
        atoms, edges = self._masks(model, batch, epochs=1)
        first = split(atoms.numpy(), edges.numpy(), batch, 0.0)
        live = [bool(found.atoms.any() or (found.edge_mask is not None and found.edge_mask.any())) for found in first]
        if any(live):
            chosen = [graph for graph, alive in zip(batch.to_data_list(), live, strict=True) if alive]
            on_atoms = torch.tensor(live)[batch.batch]
            on_edges = on_atoms[batch.edge_index[0]]
            found = self._masks(model, GraphBatch.from_data_list(chosen), epochs=self.epochs)
            atoms[on_atoms], edges[on_edges] = found
        seconds = (time.perf_counter() - start) / batch.num_graphs
        return split(atoms.numpy().astype(np.float64), edges.numpy().astype(np.float64), batch, seconds)

    def _masks(self, model: nn.Module, batch: GraphBatch, epochs: int) -> tuple[torch.Tensor, torch.Tensor]:
        from .gnn_masks import masks

        weights = ("edge_size", "edge_ent", "node_feat_size", "node_feat_ent")
        return masks(model, batch, self.seed, epochs, self.lr, **{name: getattr(self, name) for name in weights})
