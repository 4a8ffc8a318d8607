"""How alike connected nodes are in the features that say nothing of the label (alg. 3)."""

from dataclasses import dataclass

import numpy as np
import torch
from scipy.sparse import csr_matrix
from torch import Tensor

from ..progress import report

EPOCHS = 1000
RATE = 0.3
"""Steps and learning rate of Adam: the released code's (opt_homophily.py#L51, shape_graph.py#L303-L304); the paper
gives none."""


@dataclass(frozen=True)
class Pairs:
    """The three kinds of pairs of alg. 3, each [2, pairs] node ids; drawn once, before the optimisation."""

    same_label: np.ndarray
    other_label: np.ndarray
    unconnected: np.ndarray


def optimise_homophily(features: Tensor, pairs: Pairs, eta: float) -> Tensor:
    """Features whose homophily is pushed the way of eta.

    Minimises, with Adam, ``-eta * mean D(same_label) + eta * mean D(unconnected) + eta * mean D(other_label)``
    (alg. 3). The paper leaves D open. Read as a distance, its signs would drive connected nodes of one label apart for
    eta > 0, against the paper's own words; here D is the cosine similarity, as in the released code. Two consequences:
    Adam hardly heeds the size of a loss, so that little but the sign of eta counts; and the features grow longer, since
    their length is free.

    Args:
        features: [n, redundant] the redundant features alone; they are not changed.
        pairs: see :func:`draw_pairs`.
        eta: the homophily coefficient; 0 returns the features as they are.

    Returns:
        [n, redundant]

    Raises:
        Stopped: the listener of the progress wants no more.
    """
    if eta == 0 or features.shape[1] == 0:
        return features
    weights = loss_weights(pairs, eta, len(features))
    found = features.clone().requires_grad_()
    adam = torch.optim.Adam([found], lr=RATE)
    for epoch in range(EPOCHS):
        found.grad = torch.from_numpy(gradient(found.detach().numpy(), weights))
        adam.step()
        if epoch % 10 == 9:
            report((epoch + 1) / EPOCHS)
    return found.detach()


def loss_weights(pairs: Pairs, eta: float, size: int) -> csr_matrix:
    """The symmetric [n, n] float32 matrix W for which the loss is half the sum of ``W_ij * cosine(i, j)``."""
    total = csr_matrix((size, size), dtype=np.float32)
    for sign, (one, other) in ((-eta, pairs.same_label), (eta, pairs.unconnected), (eta, pairs.other_label)):
        if len(one):
            share = np.full(len(one), sign / len(one), dtype=np.float32)
            half = csr_matrix((share, (one, other)), shape=(size, size))
            total = total + half + half.T
    return total.tocsr()


def gradient(features: np.ndarray, weights: csr_matrix) -> np.ndarray:
    """[n, redundant] gradient of the loss: that by the unit vectors, less its part along them, over the length."""
    lengths = np.maximum(np.linalg.norm(features, axis=1, keepdims=True), 1e-8)
    unit = features / lengths
    pull = weights @ unit
    return (pull - (pull * unit).sum(axis=1, keepdims=True) * unit) / lengths


def draw_pairs(
    edge_index: np.ndarray, labels: np.ndarray, rng: np.random.Generator, unconnected_alike: bool = False
) -> Pairs:
    """Every edge once, by its labels, and as many unconnected pairs as there are edges.

    The paper names no number of pairs. With all edges, eta > 0 and unconnected pairs of two labels, what minimises the
    loss is one direction for each class: the redundant features then tell the label, and better than the informative
    ones. ``Statistics.redundant_accuracy`` says how far that went; unconnected pairs of one label do not lead there.

    Args:
        edge_index: [2, 2 * edges] both directions.
        labels: [n]
        rng: draws the unconnected pairs.
        unconnected_alike: unconnected pairs have one label (the released code) in place of two (alg. 3).

    Returns:
        The pairs. Fewer unconnected ones, or none, where the graph has hardly any.
    """
    size, (source, target) = len(labels), edge_index.astype(np.int64)
    edges = np.stack([source, target])[:, source < target]
    same = labels[edges[0]] == labels[edges[1]]
    # Enough draws that most graphs fill the number; a graph too dense for it goes with what was found.
    one, other = rng.integers(size, size=(2, 8 * edges.shape[1] + 64))
    connected = np.isin(one * size + other, source * size + target)
    usable = ~connected & (one != other) & ((labels[one] == labels[other]) == unconnected_alike)
    unconnected = np.stack([one[usable], other[usable]])[:, : edges.shape[1]]
    return Pairs(edges[:, same], edges[:, ~same], unconnected)
