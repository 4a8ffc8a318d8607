"""PyG's GNNExplainer on several graphs at once, each with the masks it would get alone."""

from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import Parameter
from torch_geometric.explain import Explainer as PygExplainer
from torch_geometric.explain import GNNExplainer as PygGNNExplainer

from ..molecules.graphs import GraphBatch
from ..progress import report
from .explained import fit_loss
from .seeding import graph_seed, seeded

MODEL_CONFIG = {"mode": "regression", "task_level": "graph", "return_type": "raw"}


class GNNExplainerOnBatch(PygGNNExplainer):
    """``GNNExplainer`` whose masks and loss are those of every graph of a block-diagonal batch on its own.

    The loss is a sum of terms of which each belongs to one graph, and Adam works entry by entry; so the masks
    are those of one run a graph. PyG's own loss on a batch is not: its means run over all graphs together.

    Args:
        model: says what is minimised, see ``explained.fit_loss``.
        batch: the graphs.
        seed: of the initial masks, mixed with each graph.
        epochs, lr, coefficients: as in PyG.
    """

    def __init__(self, model: nn.Module, batch: GraphBatch, seed: int, epochs: int, lr: float, **coefficients):
        super().__init__(epochs, lr, **coefficients)
        self.loss_of = partial(fit_loss, model)
        self.graphs = batch.to_data_list()
        self.seed = seed
        self.owners = {2: batch.batch, 1: batch.batch[batch.edge_index[0]]}
        self.epoch = 0

    def _initialize_homogeneous_masks(self, node_mask_type, edge_mask_type, N, F, E, device):
        node_masks, edge_masks = [], []
        for graph in self.graphs:
            with seeded(graph_seed(self.seed, graph)):
                super()._initialize_homogeneous_masks(
                    node_mask_type, edge_mask_type, graph.num_nodes, F, graph.num_edges, device
                )
            node_masks.append(self.node_mask.detach())
            edge_masks.append(self.edge_mask.detach())
        self.node_mask, self.edge_mask = Parameter(torch.cat(node_masks)), Parameter(torch.cat(edge_masks))

    def _loss(self, y_hat: Tensor, y: Tensor) -> Tensor:
        report(self.epoch / self.epochs)
        self.epoch += 1
        return super()._loss(y_hat, y)

    def _calculate_base_loss(self, y_hat: Tensor, y: Tensor) -> Tensor:
        return self.loss_of(y_hat, y)

    def _add_mask_regularization(self, loss, mask, hard_mask, size_coeff, reduction_name, ent_coeff):
        owner = self.owners[mask.dim()].view(-1, *[1] * (mask.dim() - 1)).expand_as(mask)[hard_mask]
        share = 1 / torch.bincount(owner)[owner]
        m = mask[hard_mask].sigmoid()
        entropy = -m * torch.log(m + self.coeffs["EPS"]) - (1 - m) * torch.log(1 - m + self.coeffs["EPS"])
        size = (m * share).sum() if reduction_name == "mean" else m.sum()
        return loss + size_coeff * size + ent_coeff * (entropy * share).sum()


def masks(model, batch: GraphBatch, seed: int, epochs: int, lr: float, **coefficients) -> tuple[Tensor, Tensor]:
    """The node mask [num_atoms, 110] and edge mask [num_edges] that PyG's ``Explainer`` gives."""
    algorithm = GNNExplainerOnBatch(model, batch, seed, epochs, lr, **coefficients)
    found = PygExplainer(
        model,
        algorithm,
        explanation_type="model",
        model_config=MODEL_CONFIG,
        node_mask_type="attributes",
        edge_mask_type="object",
    )(batch.x, batch.edge_index, edge_attr=batch.edge_attr, batch=batch.batch)
    return found.node_mask, found.edge_mask
