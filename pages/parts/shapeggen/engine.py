"""Graphs, networks and explanations of the ShapeGGen page, kept for all sessions; importing this loads no torch."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pages.shared.jobs import Job, get_job
from pages.shared.memory import remembered
from pages.shared.text import title_of
from wombat_core.errors import InputError
from wombat_core.explainers.registry import explainer_class
from wombat_core.metrics.accuracy import gea
from wombat_core.metrics.faithfulness import gef
from wombat_core.metrics.masks import binarise
from wombat_core.progress import each
from wombat_core.shapeggen.node_explainers import node_explainer

if TYPE_CHECKING:
    import numpy as np

    from pages.addresses.shapeggen import ShapeGGenState
    from wombat_core.networks.networks import Predictor
    from wombat_core.networks.training import Training, TrainingSettings
    from wombat_core.shapeggen import Parameters, PlantedGraph
    from wombat_core.shapeggen.node_masks import Scores
    from wombat_core.shapeggen.node_tasks import NodeTask

LOADING = 1.0
"""Seconds of :func:`graph_seconds` that pass once a server, until the libraries are there."""


@dataclass(frozen=True, eq=False)
class Graph:
    """A generated graph and places for its nodes, [n, 2]."""

    key: str
    planted: PlantedGraph
    places: np.ndarray


@dataclass(frozen=True, eq=False)
class Network:
    """A network trained on a graph; the key names both."""

    key: tuple
    training: Training


@dataclass(frozen=True, eq=False)
class NodeAnswer:
    """What an explainer says of one node, or why it says nothing.

    Attributes:
        name, title: of the explainer.
        scores: importance of nodes, edges and features.
        problem: why it says nothing, in a sentence.
        offer: the job that explains when asked to; None where it is done or needs no asking.
    """

    name: str
    title: str
    scores: Scores | None = None
    problem: str = ""
    offer: Job | None = None


def size_of(parameters: Parameters) -> int:
    """About how many nodes the graph will have."""
    return parameters.num_subgraphs * parameters.subgraph_size


def graph_seconds(parameters: Parameters) -> float:
    """About how long generating and laying out takes on one core of a small machine."""
    joins = parameters.num_subgraphs**2 / 2 * parameters.join_probability
    return LOADING + size_of(parameters) * 6e-4 * (parameters.num_features / 11) + joins * 4e-4


def graph_job(parameters: Parameters) -> Job:
    """The work of generating this graph; its answer is a :class:`Graph`."""
    from wombat_core.shapeggen.store import graph_key

    key = graph_key(parameters)
    return get_job("graph", key, "Generating the graph").of(lambda: _graph(key, parameters))


def _graph(key: str, parameters: Parameters) -> Graph:
    from wombat_core.drawing.graph_layout import overview_layout
    from wombat_core.shapeggen import stored_graph

    made: list = []

    def places() -> np.ndarray:
        data = made[0].data
        _ = made[0].statistics
        return overview_layout(data.edge_index.numpy(), data.subgraph_id.numpy(), data.motif.numpy())

    found = each((lambda: made.append(stored_graph(parameters)), places), lambda step: step())[-1]
    return Graph(key, made[0], found)


def training_settings(page: ShapeGGenState) -> TrainingSettings:
    """How the network is trained: the paper's settings for its kind, but for what the address changes."""
    from wombat_core.networks.training import PUBLISHED

    own = PUBLISHED[page.network]
    return replace(own, seed=page.train_seed, epochs=page.epochs or own.epochs)


def training_job(graph: Graph, page: ShapeGGenState) -> Job:
    """The work of training on this graph; its answer is a :class:`Network`, what it tells a ``Curve``."""
    from wombat_core.networks.training import Curve
    from wombat_core.shapeggen.predictor import train_predictor

    kind, settings = page.network, training_settings(page)
    key = (graph.key, kind, settings.epochs, settings.seed)
    found = get_job("training", key, f"Training {kind.upper()}, {settings.epochs:,} epochs")

    def work() -> Network:
        found.told = Curve()
        return Network(key, train_predictor(graph.planted, kind, settings, found.told))

    return found.of(work)


@remembered(60)
def node_task_of(key: tuple, node: int, _graph: Graph, _network: Network) -> NodeTask:
    """One node as a task for explainers."""
    from wombat_core.shapeggen.node_tasks import node_task

    return node_task(_graph.planted, _network.training.model, [node])


def answer(graph: Graph, network: Network, node: int, name: str) -> NodeAnswer:
    """An explainer's answer on one node; of a costly one only when it was asked for."""
    head = {"name": name, "title": title_of(name)}
    try:
        if not explainer_class(name).expensive:
            return NodeAnswer(**head, scores=_explained(network.key, node, name, graph, network))
        task = node_task_of(network.key, node, graph, network)
        found = get_job("node", (network.key, node, name), head["title"]).of(lambda: _explain(task, name))
        if found.answer is not None:
            return NodeAnswer(**head, scores=found.answer)
        waiting = "At work." if found.is_active else "It takes seconds, and runs when asked to."
        return NodeAnswer(**head, problem=(found.problem if found.state == "failed" else None) or waiting, offer=found)
    except InputError as error:
        return NodeAnswer(**head, problem=str(error))


@remembered(500)
def _explained(key: tuple, node: int, name: str, _graph: Graph, _network: Network) -> Scores:
    return _explain(node_task_of(key, node, _graph, _network), name)


def _explain(task: NodeTask, name: str) -> Scores:
    return replace(task, predictor=own_copy(task.predictor)).explain(node_explainer(name))[0]


def own_copy(predictor: Predictor) -> Predictor:
    """The network for one thread: some explainers hang hooks on it, which others must not run into."""
    return deepcopy(predictor)


def mask_of(scores: Scores, kind: str, rule: str) -> np.ndarray | None:
    """The binary mask of that kind, or None where the explainer gives none."""
    own = scores.of(kind)
    return None if own is None else binarise(own, rule)


def accuracy_of(task: NodeTask, kind: str, mask: np.ndarray) -> float:
    """GEA of a mask of the task's only node; nan where nothing is planted and nothing marked."""
    return gea([getattr(task.truths[0], f"{kind}_mask").numpy()], mask)


def unfaithfulness_of(task: NodeTask, kind: str, mask: np.ndarray, direction: str) -> float:
    """GEF of a mask of the task's only node."""
    from torch_geometric.data import Batch

    from wombat_core.explainers.masked import on_masked
    from wombat_core.networks.class_value import ClassValue

    batch = Batch.from_data_list(list(task.graphs))
    model = ClassValue(task.predictor, 0)
    shown = on_masked(model, batch, kind, [mask], lambda own, *inputs: own.probabilities(*inputs))
    return float(gef(task.probabilities, shown.numpy(), direction)[0])


def test_nodes(graph: Graph) -> list[int]:
    """Nodes of the test split, ascending."""
    return graph.planted.data.test_mask.nonzero()[:, 0].tolist()
