"""Nodes of a generated graph as graphs to be explained: each node's L-hop neighbourhood, the node first."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import torch
from torch import Tensor
from torch_geometric.utils import degree

from ..errors import InputError
from ..explainers.checked import attribute
from ..explainers.protocol import Explainer
from ..molecules.graphs import Graph, GraphBatch
from ..networks.class_value import ClassValue, Examples, activation_scale
from ..networks.networks import Predictor
from ..progress import each
from .graph import PlantedGraph
from .node_masks import Scores, scores_of
from .truth import Truth

AT_ONCE = 100
"""Neighbourhoods that a gradient method takes in one pass."""


def neighbourhoods(planted: PlantedGraph, nodes: Sequence[int]) -> list[Graph]:
    """The L-hop neighbourhoods of nodes.

    Returns:
        One ``Data`` a node: ``x`` [n, n_f] and ``edge_index`` [2, e] with the node first, in the order of the ground
        truth's; ``edge_attr`` [e, 2], the degrees of every edge's ends in the whole graph (which a GCN needs);
        ``truth`` [n] bool, the planted nodes.

    Raises:
        InputError: there is no such node.
    """
    return [_graph(planted.data, _degrees(planted), truth) for truth in planted.truths(nodes)]


def _degrees(planted: PlantedGraph) -> Tensor:
    return degree(planted.data.edge_index[1], planted.num_nodes)


def _graph(data: Graph, degrees: Tensor, truth: Truth) -> Graph:
    own = degrees[truth.nodes]
    return Graph(
        x=data.x[truth.nodes],
        edge_index=truth.edge_index,
        edge_attr=own[truth.edge_index].T.contiguous(),
        truth=truth.node_mask,
    )


@dataclass(frozen=True, eq=False)
class NodeTask:
    """Some nodes of a graph, what a predictor says of them, and their planted explanations.

    Attributes:
        planted: the graph.
        predictor: a node predictor of as many layers as the ground truth has hops.
        nodes: which nodes.
        truths: their planted explanations.
        graphs: their neighbourhoods, see :func:`neighbourhoods`.
        probabilities: of every class, [nodes, K].
    """

    planted: PlantedGraph
    predictor: Predictor
    nodes: tuple[int, ...]
    truths: tuple[Truth, ...]
    graphs: tuple[Graph, ...]
    probabilities: np.ndarray

    @property
    def predicted(self) -> np.ndarray:
        """The class that is predicted, and explained, of every node, [nodes]."""
        return self.probabilities.argmax(axis=1)

    def with_graphs(self, graphs: Sequence[Graph]) -> "NodeTask":
        """The same nodes with other features or edges in their neighbourhoods."""
        return replace(self, graphs=tuple(graphs), probabilities=probabilities(self.predictor, graphs))

    def _explained(self, target: int) -> ClassValue:
        data = self.planted.data
        examples = partial(_examples, self.planted, self.predictor, target)
        scale = activation_scale(self.predictor, data.x, data.edge_index)
        return ClassValue(self.predictor, target, examples=examples, embedding_scale=scale)

    def part(self, places: np.ndarray) -> "NodeTask":
        """The task with only the nodes in these places."""
        return replace(
            self,
            nodes=tuple(self.nodes[place] for place in places),
            truths=tuple(self.truths[place] for place in places),
            graphs=tuple(self.graphs[place] for place in places),
            probabilities=self.probabilities[places],
        )

    def explain(self, explainer: Explainer, classes: np.ndarray | None = None) -> list[Scores]:
        """Explain the predicted class of every node, or the ``classes`` [nodes] given.

        Each class is one task for the explainer, which sees all its nodes together.

        Returns:
            For every node the importance of its neighbourhood's nodes, edges and features, what the explainer gives.

        Raises:
            InputError: the explainer refuses a graph.
            Stopped: the listener wants no more.
        """
        classes = self.predicted if classes is None else classes
        found: dict[int, Scores] = {}
        chunks = [
            (int(target), chunk)
            for target in np.unique(classes)
            for chunk in _chunks(np.flatnonzero(classes == target))
        ]

        def some(job: tuple[int, np.ndarray]) -> None:
            target, places = job
            model = self._explained(target)
            graphs = [self.graphs[place] for place in places]
            answers = attribute(explainer, model, GraphBatch.from_data_list(graphs))
            for place, graph, answer in zip(places, graphs, answers, strict=True):
                found[int(place)] = scores_of(explainer, graph, answer)

        each(chunks, some)
        return [found[place] for place in range(len(self.graphs))]


def node_task(planted: PlantedGraph, predictor: Predictor, nodes: Sequence[int]) -> NodeTask:
    """The task of explaining these nodes.

    Raises:
        InputError: no node, a node that does not exist, or a predictor that does not fit the graph.
    """
    own = predictor.architecture
    if not len(nodes):
        raise InputError("There is no node to explain.")
    if own.level != "node" or own.num_features != planted.data.num_features:
        raise InputError(f"The predictor is none for nodes of {planted.data.num_features} features.")
    if own.layers > planted.parameters.num_layers:
        raise InputError(
            f"The predictor looks {own.layers} hops far, the ground truth {planted.parameters.num_layers}; train one of"
            " as many layers, or generate the graph with a larger num_layers (L)."
        )
    truths = tuple(planted.truths(nodes))
    degrees = _degrees(planted)
    graphs = tuple(_graph(planted.data, degrees, truth) for truth in truths)
    return NodeTask(planted, predictor, tuple(nodes), truths, graphs, probabilities(predictor, graphs))


def probabilities(predictor: Predictor, graphs: Sequence[Graph]) -> np.ndarray:
    """The probability of every class for the first node of every neighbourhood, [nodes, K]."""
    model = ClassValue(predictor, 0)
    batches = (GraphBatch.from_data_list([graphs[place] for place in part]) for part in _chunks(np.arange(len(graphs))))
    found = [model.probabilities(own.x, own.edge_index, own.edge_attr, own.batch).numpy() for own in batches]
    return np.concatenate(found)


def sampled_test_nodes(planted: PlantedGraph, count: int, seed: int = 0) -> list[int]:
    """Some nodes of the test split, drawn at random, ascending; all of them where they are fewer."""
    there = planted.data.test_mask.nonzero()[:, 0].numpy()
    return sorted(np.random.default_rng(seed).permutation(there)[:count].tolist())


def _chunks(places: np.ndarray) -> list[np.ndarray]:
    return [places[first : first + AT_ONCE] for first in range(0, len(places), AT_ONCE)]


def _examples(planted: PlantedGraph, predictor: Predictor, target: int, positives: int, negatives: int) -> Examples:
    """Neighbourhoods of training nodes for explainers that learn: of the class, then of others."""
    with torch.no_grad():
        found = predictor(planted.data.x, planted.data.edge_index).argmax(dim=1)
    examples: Examples = []
    for label, count, chosen in ((1.0, positives, found == target), (0.0, negatives, found != target)):
        there = (chosen & planted.data.train_mask).nonzero()[:, 0].numpy()
        nodes = np.random.default_rng(0).permutation(there)[:count].tolist()
        examples += [(graph, label) for graph in neighbourhoods(planted, nodes)]
    return examples
