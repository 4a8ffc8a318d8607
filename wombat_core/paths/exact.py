"""Integrals of the gradient along ``alpha * x``, piece by piece to tolerance.

Between two kinks F is a polynomial in alpha, of degree up to 255 (Pattern 3: every layer's message multiplies two
activations and a bond feature), and so is its gradient. Pieces where F stands still contribute nothing. On other
networks the kinks are not known, and pieces are halved around them until they do not matter.
"""

import numpy as np
import torch

from .breakpoints import breakpoints
from .pieces import Pieces, rank_within
from .quadrature import Integrals, add, empty, integrate, weighted_sums
from .ray import Ray

TOLERANCE = 1e-7
PIECES_AT_ONCE = 256

_THREE_NODES, _THREE_WEIGHTS = np.polynomial.legendre.leggauss(3)


def integrate_path(ray: Ray, tolerance: float = TOLERANCE) -> tuple[np.ndarray, np.ndarray]:
    """Exact integrated gradients of every live entry: [atom entries], [bond entries].

    Args:
        ray: the path of a batch.
        tolerance: as in :func:`wombat_core.paths.quadrature.integrate`.
    """
    pieces = pieces_between(breakpoints(ray))
    pieces = pieces[moving(ray, pieces)]
    found = integrate(ray, pieces, np.zeros(len(pieces), dtype=np.int64), 1, tolerance)
    return found.atoms[0], found.bonds[0]


def integrate_up_to(ray: Ray, alphas: np.ndarray, kinks: np.ndarray, tolerance: float = TOLERANCE) -> Integrals:
    """The integral from 0 to every one of ``alphas`` (ascending), on a path of one graph: one row an alpha.

    On a fine grid the pieces are short. There three Gauss-Legendre nodes do, wherever what they find agrees with
    the gain of F over the piece; the other pieces are integrated adaptively.
    """
    pieces = pieces_between([kinks], alphas)
    row = np.searchsorted(alphas, pieces.end)
    wanted = (row < len(alphas)) & moving(ray, pieces)
    pieces, row = pieces[wanted], row[wanted]
    found = empty(ray, len(alphas))
    good = np.zeros(len(pieces), dtype=bool)
    for first in range(0, len(pieces), PIECES_AT_ONCE):
        some = np.arange(first, min(first + PIECES_AT_ONCE, len(pieces)))
        (sums,) = weighted_sums(ray, pieces[some], _THREE_NODES, _THREE_WEIGHTS[None])
        ends = values_at(ray, pieces[some].graph, np.stack([pieces[some].start, pieces[some].end], axis=1))
        gap = np.abs(sums.atoms.sum(axis=1) + sums.bonds.sum(axis=1) - (ends[:, 1] - ends[:, 0]))
        good[some] = gap <= tolerance * np.maximum(1, np.abs(ends[:, 1])) / len(pieces)
        add(found, sums, ray, pieces[some], np.where(good[some], row[some], -1))
    others = integrate(ray, pieces[~good], row[~good], len(alphas), tolerance)
    found = Integrals(found.atoms + others.atoms, found.bonds + others.bonds)
    return Integrals(found.atoms.cumsum(axis=0), found.bonds.cumsum(axis=0))


def pieces_between(kinks: list[np.ndarray], points: np.ndarray | None = None) -> Pieces:
    """[0, 1] cut at every graph's kinks, and at further ``points`` where given."""
    more = np.zeros(0) if points is None else points
    cuts = [np.unique(np.concatenate([[0.0, 1.0], own, more])) for own in kinks]
    graph = np.repeat(np.arange(len(cuts)), [len(own) - 1 for own in cuts])
    return Pieces(graph, np.concatenate([own[:-1] for own in cuts]), np.concatenate([own[1:] for own in cuts]))


def moving(ray: Ray, pieces: Pieces) -> np.ndarray:
    """Whether F changes on each piece, bool [pieces].

    On a piece without kinks, F = 0 strictly inside means that a closed ReLU stands between input and readout, and
    F = 1 under r2 that an atom has saturated it; neither changes before the next kink.
    """
    alphas = np.stack([pieces.start, (pieces.start + pieces.end) / 2, pieces.end], axis=1)
    values = values_at(ray, pieces.graph, alphas)
    still = values[:, 1] == 0
    if not ray.is_piecewise_polynomial:
        still[:] = False
    elif ray.live_part.readout == "r2":
        still |= values[:, 1] == 1
    return ~still | (np.abs(values - values[:, 1:2]).max(axis=1, initial=0) > TOLERANCE)


def values_at(ray: Ray, graph: np.ndarray, alphas: np.ndarray) -> np.ndarray:
    """F of ``graph[k]`` at ``alphas[k]``: [k, points] for [k] and [k, points]."""
    rank, points = rank_within(graph), alphas.shape[1]
    laid_out = np.ones((rank.max(initial=0) + 1, points, ray.num_graphs))
    laid_out[rank, :, graph] = alphas
    values = ray.values(torch.from_numpy(laid_out).view(-1, ray.num_graphs)).numpy()
    return values.reshape(-1, points, ray.num_graphs)[rank, :, graph]
