"""Where F stops being one polynomial along ``alpha * x``: the kinks of the ReLUs and of the readout.

A sum before a ReLU, ``1 - p_i`` under r2, and the difference of two atoms' ``p_i`` under r1 change sign there. Sign
changes are bracketed on a grid and then located by Chandrupatla's method.
"""

from dataclasses import dataclass

import numpy as np
import torch
from scipy.optimize.elementwise import find_root
from torch import Tensor

from .pieces import rank_within
from .ray import TIE, Ray

GRID_CELLS = 64
RESOLUTION = 1e-12
SAME = 1e-10


@dataclass(frozen=True)
class _Crossings:
    """Bracketed sign changes of ``quantity[minuend] - quantity[subtrahend]`` (-1: minus nothing), all [crossings]."""

    graph: np.ndarray
    cell: np.ndarray
    minuend: np.ndarray
    subtrahend: np.ndarray


def breakpoints(ray: Ray) -> list[np.ndarray]:
    """The kinks of F along the path, ascending, of every graph: one array in (0, 1) a graph.

    Kinks that lie in the same one of 64 cells and undo each other may be left out. Networks that are not
    piecewise polynomial have none that are known.
    """
    if not ray.is_piecewise_polynomial:
        return [np.zeros(0)] * ray.num_graphs
    grid = torch.linspace(0, 1, GRID_CELLS + 1, dtype=torch.float64)
    quantities = _quantities(ray, grid.unsqueeze(1).expand(-1, ray.num_graphs))
    crossings = _distinct(_bracket(ray, quantities), quantities)
    kinks = _locate(ray, crossings, grid.numpy())
    return [_merged(kinks[crossings.graph == graph]) for graph in range(ray.num_graphs)]


def _quantities(ray: Ray, alphas: Tensor) -> np.ndarray:
    """Everything whose sign matters, [quantities, points]: sums in the layers, then ``p_i``, then ``p_i - 1``."""
    products, switches = ray.products_and_switches(alphas)
    return torch.cat([switches, products, products - 1]).numpy()


def _bracket(ray: Ray, quantities: np.ndarray) -> _Crossings:
    switch_graph, product_graph = ray.live_part.switch_graph.numpy(), ray.live_part.product_graph.numpy()
    num_switches, num_products = len(switch_graph), len(product_graph)
    row, cell = _changes(quantities[:num_switches])
    found = [(switch_graph[row], cell, row, np.full(len(row), -1))]
    if ray.live_part.readout == "r2":
        row, cell = _changes(quantities[num_switches + num_products :])
        found.append((product_graph[row], cell, row + num_switches + num_products, np.full(len(row), -1)))
    else:
        products = quantities[num_switches : num_switches + num_products]
        for graph in np.unique(product_graph):
            atoms = np.flatnonzero(product_graph == graph)
            if len(atoms) > 1:
                cell, before, after = _takeovers(products[atoms])
                found.append(
                    (np.full(len(cell), graph), cell, num_switches + atoms[before], num_switches + atoms[after])
                )
    return _Crossings(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def _changes(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(row, cell) of strict sign changes. A value that leaves exactly zero follows a kink further up."""
    left, right = values[:, :-1], values[:, 1:]
    row, cell = (((left < 0) & (right > 0)) | ((left > 0) & (right < 0))).nonzero()
    return row, cell


def _takeovers(products: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(cell, atom before, atom after) where another atom becomes the largest, from ``p_i`` [atoms, points]."""
    winner = (products >= products.max(axis=0) * (1 - TIE)).argmax(axis=0)
    cell = np.flatnonzero(winner[:-1] != winner[1:])
    before, after = winner[cell], winner[cell + 1]
    leads = products[before, cell] > products[after, cell]
    falls = products[before, cell + 1] < products[after, cell + 1]
    return cell[leads & falls], before[leads & falls], after[leads & falls]


def _distinct(crossings: _Crossings, quantities: np.ndarray) -> _Crossings:
    """Keep one of the crossings that agree at both ends of their cell: equal surroundings give equal sums."""
    if not len(crossings.graph):
        return crossings
    subtracted = np.where(crossings.subtrahend[:, None] >= 0, quantities[crossings.subtrahend], 0)
    values = quantities[crossings.minuend] - subtracted
    rows = np.arange(len(values))
    ends = np.stack([values[rows, crossings.cell], values[rows, crossings.cell + 1]], axis=1)
    keys = np.column_stack([crossings.graph, crossings.cell, ends.astype(np.float32)])
    _, kept = np.unique(keys, axis=0, return_index=True)
    return _Crossings(crossings.graph[kept], crossings.cell[kept], crossings.minuend[kept], crossings.subtrahend[kept])


def _locate(ray: Ray, crossings: _Crossings, grid: np.ndarray) -> np.ndarray:
    """The alpha of every crossing."""
    if not len(crossings.graph):
        return np.zeros(0)

    def difference(alpha: np.ndarray, graph: np.ndarray, minuend: np.ndarray, subtrahend: np.ndarray) -> np.ndarray:
        point = rank_within(graph)
        alphas = np.ones((point.max() + 1, ray.num_graphs))
        alphas[point, graph] = alpha
        values = _quantities(ray, torch.from_numpy(alphas))
        return values[minuend, point] - np.where(subtrahend >= 0, values[subtrahend, point], 0)

    return find_root(
        difference,
        (grid[crossings.cell], grid[crossings.cell + 1]),
        args=(crossings.graph, crossings.minuend, crossings.subtrahend),
        tolerances={"xatol": RESOLUTION, "xrtol": 0},
    ).x


def _merged(kinks: np.ndarray) -> np.ndarray:
    kinks = np.sort(kinks)
    return kinks[np.diff(kinks, prepend=0) > SAME] if len(kinks) else kinks
