"""Quadrature of the gradient on many pieces of the path at once."""

from dataclasses import dataclass

import numpy as np
import torch

from .pieces import Pieces, rank_within
from .ray import Ray

NARROWEST = 1e-13

# Gauss-Kronrod 7/15 on [-1, 1], as in QUADPACK's qk15: node, Kronrod weight, Gauss weight.
_HALF = np.array(
    [
        [0.991455371120812639206854697526329, 0.022935322010529224963732008058970, 0.0],
        [0.949107912342758524526189684047851, 0.063092092629978553290700663189204, 0.129484966168869693270611432679082],
        [0.864864423359769072789712788640926, 0.104790010322250183839876322541518, 0.0],
        [0.741531185599394439863864773280788, 0.140653259715525918745189590510238, 0.279705391489276667901467771423780],
        [0.586087235467691130294144691693013, 0.169004726639267902826583426598550, 0.0],
        [0.405845151377397166906606412076961, 0.190350578064785409913256402421014, 0.381830050505118944950369775488975],
        [0.207784955007898467600689403773245, 0.204432940075298892414161999234649, 0.0],
    ]
)
_CENTRE = np.array([[0.0, 0.209482141084727828012999174891714, 0.417959183673469387755102040816327]])
_NODES, _KRONROD, _GAUSS = np.concatenate([_HALF * (-1, 1, 1), _CENTRE, _HALF[::-1]]).T


@dataclass(frozen=True)
class Integrals:
    """Integrals of gradient times input over pieces of the path.

    ``atoms`` is [rows, atom entries], ``bonds`` [rows, bond entries]; an entry's column belongs to its own graph,
    so that one row holds one piece of every graph.
    """

    atoms: np.ndarray
    bonds: np.ndarray


def integrate(ray: Ray, pieces: Pieces, row: np.ndarray, num_rows: int, tolerance: float) -> Integrals:
    """Adaptive Gauss-Kronrod quadrature: halve every piece on which the two rules disagree.

    Args:
        ray: the path.
        pieces: where to integrate.
        row: the row of the result each piece is added to, [pieces].
        num_rows: rows of the result.
        tolerance: largest disagreement on a piece, in absolute values summed over the entries of its graph,
            relative to ``max(1, |F(x)|)``. The error of the result is far smaller, since it is the better rule's.
    """
    atom_graph, bond_graph = ray.atom_entry_graph, ray.bond_entry_graph
    found = empty(ray, num_rows)
    at_input = ray.values(torch.ones(1, ray.num_graphs, dtype=torch.float64))[0].numpy()
    allowed = tolerance * np.maximum(1, np.abs(at_input))
    while len(pieces):
        kronrod, difference = weighted_sums(ray, pieces, _NODES, np.stack([_KRONROD, _KRONROD - _GAUSS]))
        error = _per_graph(difference.atoms, atom_graph, ray.num_graphs)
        error += _per_graph(difference.bonds, bond_graph, ray.num_graphs)
        good = error[rank_within(pieces.graph), pieces.graph] <= allowed[pieces.graph]
        good |= pieces.end - pieces.start < NARROWEST
        add(found, kronrod, ray, pieces, np.where(good, row, -1))
        pieces, row = pieces[~good].halves(), np.repeat(row[~good], 2)
    return found


def empty(ray: Ray, num_rows: int) -> Integrals:
    """Rows of zeros, to add to."""
    return Integrals(np.zeros((num_rows, len(ray.atom_entry_graph))), np.zeros((num_rows, len(ray.bond_entry_graph))))


def weighted_sums(ray: Ray, pieces: Pieces, nodes: np.ndarray, weights: np.ndarray) -> list[Integrals]:
    """Apply rules on [-1, 1] to the gradient on every piece.

    Args:
        nodes: [n], shared by the rules. weights: [rules, n].

    Returns:
        One a rule; the k-th piece of a graph stands in row k of the graph's entries.
    """
    rank = rank_within(pieces.graph)
    middle, half = np.ones((rank.max() + 1, ray.num_graphs)), np.zeros((rank.max() + 1, ray.num_graphs))
    middle[rank, pieces.graph] = (pieces.start + pieces.end) / 2
    half[rank, pieces.graph] = (pieces.end - pieces.start) / 2
    alphas = middle[:, None] + half[:, None] * nodes[:, None]
    atoms, bonds = (
        gradient.numpy().reshape(len(half), len(nodes), gradient.size(1))
        for gradient in ray.gradients(torch.from_numpy(alphas).view(-1, ray.num_graphs))
    )
    atom_half, bond_half = half[:, ray.atom_entry_graph], half[:, ray.bond_entry_graph]
    return [
        Integrals(np.einsum("n,rne->re", rule, atoms) * atom_half, np.einsum("n,rne->re", rule, bonds) * bond_half)
        for rule in weights
    ]


def add(found: Integrals, sums: Integrals, ray: Ray, pieces: Pieces, row: np.ndarray) -> None:
    """Add the sums of every piece to its row of ``found``; row -1 leaves a piece out."""
    rank = rank_within(pieces.graph)
    rows = np.full((len(sums.atoms), ray.num_graphs), -1)
    rows[rank, pieces.graph] = row
    for into, values, graph in (
        (found.atoms, sums.atoms, ray.atom_entry_graph),
        (found.bonds, sums.bonds, ray.bond_entry_graph),
    ):
        for own_rows, own_values in zip(rows, values, strict=True):
            entry = (own_rows[graph] >= 0).nonzero()[0]
            into[own_rows[graph[entry]], entry] += own_values[entry]


def _per_graph(values: np.ndarray, graph: np.ndarray, num_graphs: int) -> np.ndarray:
    """Absolute values [rows, entries] summed over each graph, [rows, num_graphs]."""
    sums = np.zeros((num_graphs, len(values)))
    np.add.at(sums, graph, np.abs(values).T)
    return sums.T
