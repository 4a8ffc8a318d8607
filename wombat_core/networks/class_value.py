"""What is explained of a predictor: one class of one graph, as a network with one value a graph.

With this face a predictor can be given to the explainers of whole molecules. Of a node predictor the graphs are
neighbourhoods, each with the node in question first.
"""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor, nn
from torch_geometric.utils import get_embeddings

from ..errors import InputError
from ..molecules.graphs import Graph
from ..registry import check_name
from ..whitebox.readouts import batch_vector
from .networks import Predictor

OUTPUTS = ("probability", "logit")

Examples = list[tuple[Graph, float]]


class ClassValue(nn.Module):
    """The probability, or the logit, of one class.

    Args:
        predictor: a node or graph predictor.
        target: the class.
        output: "probability" (after the softmax) or "logit".
        examples: for explainers that are trained: from numbers of positives and negatives to (graph, 1 or 0) for
            graphs of the class and others.
        embedding_scale: what activations are divided by before PGExplainer's network reads them, see
            :func:`activation_scale`.

    Raises:
        InputError: no such class or output.

    Attributes:
        reads_bonds: False: nothing depends on features of edges, so no explainer moves them.
        centre: 0, the node whose class it is, for a node predictor; else None.
        readout: the output, under the name that whiteboxes give theirs.
    """

    reads_bonds = False

    def __init__(
        self,
        predictor: Predictor,
        target: int = 1,
        output: str = "probability",
        examples: Callable[[int, int], Examples] | None = None,
        embedding_scale: float = 1.0,
    ):
        super().__init__()
        if not 0 <= target < predictor.architecture.num_classes:
            raise InputError(f"There is no class {target}; the predictor has {predictor.architecture.num_classes}.")
        check_name("output", output, OUTPUTS)
        self.predictor = predictor
        self.target, self.readout = target, output
        self.examples = examples
        self.embedding_scale = embedding_scale
        self.centre = 0 if predictor.architecture.level == "node" else None
        self.requires_grad_(False)

    def forward(
        self, x: Tensor, edge_index: Tensor, edge_attr: Tensor | None = None, batch: Tensor | None = None
    ) -> Tensor:
        """The value of every graph, [num_graphs]."""
        logits = self._logits(x, edge_index, edge_attr, batch)
        values = logits.softmax(dim=1) if self.readout == "probability" else logits
        return values[:, self.target]

    @torch.no_grad()
    def probabilities(
        self, x: Tensor, edge_index: Tensor, edge_attr: Tensor | None = None, batch: Tensor | None = None
    ) -> Tensor:
        """The probability of every class, [num_graphs, classes]."""
        return self._logits(x, edge_index, edge_attr, batch).softmax(dim=1)

    def worth(self, values: np.ndarray) -> np.ndarray:
        """What searches for good subgraphs go by, [values]: the values themselves."""
        return np.asarray(values, dtype=np.float64)

    def loss(self, found: Tensor, wanted: Tensor) -> Tensor:
        """What fitted masks minimise, summed over graphs: the cross-entropy of the class that was predicted.

        Args:
            found: values of the masked graphs [num_graphs].
            wanted: their values without masks, or labels of 0 and 1, [num_graphs].
        """
        if self.readout == "logit":
            return (found - wanted).square().sum()
        label = (wanted > 0.5).to(found.dtype)
        return nn.functional.binary_cross_entropy(found.clamp(1e-7, 1 - 1e-7), label, reduction="sum")

    def _logits(self, x, edge_index, edge_attr, batch) -> Tensor:
        logits = self.predictor(x, edge_index, edge_attr, batch)
        if self.centre is None:
            return logits
        batch, num_graphs = batch_vector(len(x), batch, x.device)
        return logits[torch.searchsorted(batch, torch.arange(num_graphs, device=x.device))]


def activation_scale(predictor: Predictor, x: Tensor, edge_index: Tensor) -> float:
    """The root mean square of the last convolution's activations on some graphs.

    Activations of a GIN grow with every sum over neighbours. Where they are in the tens, PGExplainer's network, which
    reads them, starts out with masks of 0 and 1 that pass no gradient, and learns nothing.
    """
    return float(get_embeddings(predictor, x, edge_index)[-1].square().mean().sqrt().clamp(min=1e-6))
