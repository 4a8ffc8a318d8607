"""Copies of neighbourhoods that differ a little (GES), or in the protected feature (GECF)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from ..errors import InputError
from ..explainers.seeding import graph_seed
from ..molecules.graphs import Graph
from ..registry import check_name

FLIPS = ("node", "neighbourhood")


@dataclass(frozen=True)
class Perturbation:
    """How copies are perturbed. The paper does not say how; these are our choices, small by default.

    Every feature with more than two values in the graph gets Gaussian noise of ``noise`` times its standard deviation
    there; features of two values (the protected one) stay. Every edge is taken out, in both directions, with
    probability ``drop``; the nodes stay. A GCN keeps the degrees of the whole graph, for nodes that keep an edge.

    Args:
        copies: how many of each graph.
        noise: standard deviations of the noise.
        drop: the probability that an edge is taken out.
        seed: mixed with each graph.
    """

    copies: int = 5
    noise: float = 0.1
    drop: float = 0.01
    seed: int = 0

    def __post_init__(self):
        if not 1 <= self.copies <= 1000 or not 0 <= self.noise <= 100 or not 0 <= self.drop <= 1:
            raise InputError("Perturbed copies take 1 to 1,000 copies, noise from 0 to 100 and drop from 0 to 1.")


def perturbed(graphs: Sequence[Graph], whole: torch.Tensor, how: Perturbation, copy: int) -> list[Graph]:
    """One perturbed copy of every graph, with ``kept`` [e] bool for the edges that are still there.

    Args:
        graphs: neighbourhoods.
        whole: features of the whole graph [n, n_f], for their standard deviations.
        how: what is changed.
        copy: the number of the copy.
    """
    spread = how.noise * whole.std(dim=0)
    spread[torch.tensor([len(torch.unique(column)) <= 2 for column in whole.T])] = 0
    return [_one(graph, spread.numpy(), how.drop, graph_seed(how.seed * 1_000_003 + copy, graph)) for graph in graphs]


def _one(graph: Graph, spread: np.ndarray, drop: float, seed: int) -> Graph:
    random = np.random.default_rng(seed)
    noise = torch.from_numpy(random.normal(size=tuple(graph.x.shape)) * spread).to(graph.x.dtype)
    ends = np.sort(graph.edge_index.numpy(), axis=0)
    _, pair = np.unique(ends, axis=1, return_inverse=True)
    kept = torch.from_numpy((random.random(pair.max(initial=-1) + 1) >= drop)[pair.ravel()])
    return Graph(
        x=graph.x + noise,
        edge_index=graph.edge_index[:, kept],
        edge_attr=graph.edge_attr[kept],
        truth=graph.truth,
        kept=kept,
    )


def counterfactuals(graphs: Sequence[Graph], protected: int, flip: str = "node") -> list[Graph]:
    """Every graph with its protected feature changed: 1 where it was 0, else 0.

    Args:
        protected: the column.
        flip: "node": of the node that is explained alone; "neighbourhood": of all its nodes.

    Raises:
        InputError: no such choice.
    """
    check_name("flip", flip, FLIPS)
    found = []
    for graph in graphs:
        x = graph.x.clone()
        rows = slice(0, 1) if flip == "node" else slice(None)
        x[rows, protected] = (x[rows, protected] == 0).to(x.dtype)
        found.append(Graph(x=x, edge_index=graph.edge_index, edge_attr=graph.edge_attr, truth=graph.truth))
    return found
