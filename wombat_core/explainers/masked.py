"""A network that is shown only what a mask keeps."""

import copy

import numpy as np
import torch
from torch import Tensor, nn
from torch_geometric.explain.algorithm.utils import set_masks

from ..molecules.graphs import GraphBatch
from ..registry import check_name

KINDS = ("node", "edge", "feature")
"""What a mask is over: nodes (atoms), edge entries, or the columns of ``x``, the same for all nodes of a graph."""


@torch.no_grad()
def on_masked(model: nn.Module, batch: GraphBatch, kind: str, masks: list[np.ndarray], ask=None) -> Tensor:
    """What the model gives where only the masked part of each graph is shown.

    Nodes outside a node mask, and features outside a feature mask, are set to zero; edges outside an edge mask pass no
    message (all else, the degrees in a GCN included, stays).

    Args:
        model: called as ``model(x, edge_index, edge_attr, batch)``.
        batch: the graphs.
        kind: one of ``KINDS``.
        masks: a mask a graph, bool [nodes], [edge entries] or [features].
        ask: what is asked of the model, from it and these arguments; its value where None.

    Raises:
        InputError: no such kind.
    """
    check_name("kind of mask", kind, KINDS)
    ask = ask or (lambda network, *arguments: network(*arguments))
    x = batch.x
    if kind == "edge":
        # The mask is hung on the convolutions; a copy keeps it from others who use the same network.
        model = copy.deepcopy(model)
        kept = torch.from_numpy(np.concatenate(masks)).to(x.dtype)
        set_masks(model, kept, batch.edge_index, apply_sigmoid=False)
    elif kind == "node":
        x = x * torch.from_numpy(np.concatenate(masks)).unsqueeze(1)
    else:
        x = x * torch.from_numpy(np.stack(masks))[batch.batch]
    return ask(model, x, batch.edge_index, batch.edge_attr, batch.batch)
