"""What the paper's Table 6 reports of a graph, and how alike its neighbours turned out."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity
from torch_geometric.utils import homophily

from ..molecules.graphs import Graph

if TYPE_CHECKING:
    from .parameters import Parameters


TELLS = 0.15
"""How far above guessing the redundant features must predict before readers are warned of them."""


@dataclass(frozen=True)
class Statistics:
    """Numbers of one graph.

    Attributes:
        nodes: n.
        edges: both directions counted, as tab. 6 does.
        classes: nodes of class 0, 1, ...
        mean_degree: edges over nodes.
        degree_error: the standard error of that mean, which tab. 6 prints behind its plus-minus sign.
        motifs: planted copies that are in the graph.
        motif_nodes: nodes of those copies.
        label_homophily: the share of edges that join two nodes of one label.
        same_label_similarity: mean cosine similarity of the redundant features over edges within a label; None where
            there is no such edge or no redundant feature.
        other_label_similarity: the same over edges between labels.
        protected_agreement: the share of nodes whose protected feature is their label.
        largest_class: the share of test nodes in the training nodes' largest class: what guessing scores.
        informative_accuracy: of a logistic regression on the informative features, trained and tested on those nodes.
        redundant_accuracy: the same on the redundant features, which should not tell the label; None without any.
            Where this is near 1, a network can do without the planted informative features.
    """

    nodes: int
    edges: int
    classes: tuple[int, ...]
    mean_degree: float
    degree_error: float
    motifs: int
    motif_nodes: int
    label_homophily: float
    same_label_similarity: float | None
    other_label_similarity: float | None
    protected_agreement: float
    largest_class: float
    informative_accuracy: float | None
    redundant_accuracy: float | None

    @property
    def redundant_tell(self) -> bool:
        """Whether the redundant features, which should not, tell the label."""
        return self.redundant_accuracy is not None and self.redundant_accuracy > self.largest_class + TELLS

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"classes": list(self.classes)}


def statistics_of(data: Graph, parameters: "Parameters") -> Statistics:
    source, target = data.edge_index
    degrees = torch.bincount(source, minlength=data.num_nodes).numpy()
    same = data.y[source] == data.y[target]
    alike = cosine_similarity(data.x[source][:, data.redundant], data.x[target][:, data.redundant])
    return Statistics(
        nodes=data.num_nodes,
        edges=data.num_edges,
        classes=tuple(torch.bincount(data.y, minlength=parameters.num_classes).tolist()),
        mean_degree=float(degrees.mean()),
        degree_error=float(degrees.std(ddof=1) / np.sqrt(len(degrees))),
        motifs=len(data.motif[data.motif >= 0].unique()),
        motif_nodes=int((data.motif >= 0).sum()),
        label_homophily=homophily(data.edge_index, data.y, method="edge"),
        same_label_similarity=_mean(alike[same], data.redundant),
        other_label_similarity=_mean(alike[~same], data.redundant),
        protected_agreement=float((data.x[:, data.protected] == data.y).float().mean()),
        largest_class=float((data.y[data.test_mask] == data.y[data.train_mask].mode().values).float().mean()),
        informative_accuracy=_accuracy(data, data.informative),
        redundant_accuracy=_accuracy(data, data.redundant) if data.redundant.any() else None,
    )


def _mean(values: Tensor, columns: Tensor) -> float | None:
    return float(values.mean()) if len(values) and columns.any() else None


def _accuracy(data: Graph, columns: Tensor) -> float | None:
    """Of a logistic regression on some columns; None where there is nothing to learn or to test."""
    # Imported here, since it takes a second that only statistics need.
    from sklearn.linear_model import LogisticRegression

    x, y = data.x[:, columns].numpy(), data.y.numpy()
    train, test = data.train_mask.numpy(), data.test_mask.numpy()
    if len(np.unique(y[train])) < 2 or not test.any():
        return None
    return float(LogisticRegression(max_iter=1000).fit(x[train], y[train]).score(x[test], y[test]))
