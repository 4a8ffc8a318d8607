"""Importance of nodes, edges and features from what explainers answer."""

from dataclasses import dataclass

import numpy as np
from torch_geometric.data import Data

from ..explainers.attribution import Attribution
from ..explainers.masked import KINDS
from ..explainers.protocol import Explainer
from ..explainers.seeding import graph_seed

_FEATURES = (
    "saliency",
    "input-x-gradient",
    "guided-backprop",
    "integrated-gradients",
    "integrated-gradients-exact",
    "gnn-explainer",
    "random",
)
_EDGES = ("gnn-explainer", "pg-explainer", "subgraphx", "random")


@dataclass(frozen=True)
class Scores:
    """Importance, not negative; None where the explainer gives none of that kind.

    Attributes:
        node: [nodes], sums of absolute attributions over features.
        edge: [edge entries], both directions apart.
        feature: [features], means of absolute attributions over nodes.
    """

    node: np.ndarray
    edge: np.ndarray | None
    feature: np.ndarray | None

    def of(self, kind: str) -> np.ndarray | None:
        return getattr(self, kind)


def kinds_of(name: str) -> tuple[str, ...]:
    """The kinds of masks the explainer of that name gives: "node", "edge", "feature" (as the paper's Tables 1 to 4).

    Gradients with respect to edges are not taken, as in the paper.
    """
    gives = {"node": True, "edge": name in _EDGES, "feature": name in _FEATURES}
    return tuple(kind for kind in KINDS if gives[kind])


def scores_of(explainer: Explainer, graph: Data, answer: Attribution) -> Scores:
    """The importance of everything in a graph.

    An explainer that answers with a piece of the graph (SubgraphX) marks the edges within it. GNNExplainer's masks on
    every node's features are averaged over nodes. Random draws numbers of its own for edges and features.
    """
    name = explainer.name
    edge = feature = None
    if name == "random":
        draw = np.random.default_rng(graph_seed(explainer.seed + 1, graph))
        return Scores(answer.atom_scores, draw.random(graph.num_edges), draw.random(graph.num_features))
    if name in _EDGES:
        if answer.bonds is None:
            edge = answer.atom_scores[graph.edge_index.numpy()].min(axis=0)
        else:
            edge = np.abs(answer.bonds).sum(axis=1)
    if name in _FEATURES:
        feature = np.abs(answer.atoms).mean(axis=0)
    return Scores(answer.atom_scores, edge, feature)
