"""Importance of nodes, edges and features from what explainers answer."""

from dataclasses import dataclass

import numpy as np

from ..explainers.attribution import Attribution
from ..explainers.masked import KINDS
from ..explainers.method import fact
from ..explainers.protocol import Explainer
from ..explainers.registry import explainer_class
from ..molecules.graphs import Graph


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
    gives = fact(explainer_class(name), "masks")
    return tuple(kind for kind in KINDS if kind in gives)


def scores_of(explainer: Explainer, graph: Graph, answer: Attribution) -> Scores:
    """The importance of everything in a graph.

    An explainer that answers with a piece of the graph (SubgraphX) marks the edges within it. GNNExplainer's masks on
    every node's features are averaged over nodes. One that draws at random may have numbers of its own for edges and
    features (``drawn_masks``).
    """
    kinds = kinds_of(explainer.name)
    if draw := getattr(explainer, "drawn_masks", None):
        return Scores(answer.atom_scores, *draw(graph))
    edge = feature = None
    if "edge" in kinds:
        within = answer.atom_scores[graph.edge_index.numpy()].min(axis=0)
        edge = within if answer.edge_scores is None else answer.edge_scores
    if "feature" in kinds:
        feature = np.abs(answer.atoms).mean(axis=0)
    return Scores(answer.atom_scores, edge, feature)
