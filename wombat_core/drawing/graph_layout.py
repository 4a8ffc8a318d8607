"""Places for the nodes of a generated graph: all of them, or the neighbourhood of one."""

import networkx as nx
import numpy as np
from scipy.linalg import eigh

MAX_FORCES = 300
"""Subgraphs up to which forces decide which of them lie near each other."""

MAX_SPECTRAL = 1500
"""Above that, up to this number, the two smoothest eigenvectors of the Laplacian do; more lie in their own order."""

EXACT = 90
"""Nodes up to which a neighbourhood is laid out by its distances, which is best and slow."""

_TURN = np.pi * (3 - np.sqrt(5))


def overview_layout(edge_index: np.ndarray, subgraph: np.ndarray, motif: np.ndarray) -> np.ndarray:
    """Every subgraph as a small picture of its motif with its other nodes around it, none over another.

    The subgraphs lie on a disc at equal distances; those joined by an edge lie near each other as far as that goes.

    Args:
        edge_index: [2, 2 * edges], both directions.
        subgraph: [n] the subgraph of each node.
        motif: [n] the planted copy of each node, or -1.

    Returns:
        [n, 2]; neighbouring subgraphs are about 2 apart.
    """
    _, subgraph = np.unique(subgraph, return_inverse=True)
    source, target = edge_index
    inner = subgraph[source] == subgraph[target]
    centres = _centres(subgraph[edge_index[:, ~inner]], int(subgraph.max(initial=-1)) + 1)
    places = centres[subgraph]
    order = np.argsort(subgraph, kind="stable")
    inner_edges = edge_index[:, inner]
    inner_edges = inner_edges[:, np.argsort(subgraph[inner_edges[0]], kind="stable")]
    copies = np.arange(len(centres) + 1)
    nodes_from = np.searchsorted(subgraph[order], copies)
    edges_from = np.searchsorted(subgraph[inner_edges[0]], copies)
    shapes: dict[tuple, np.ndarray] = {}
    for copy in range(len(centres)):
        members = order[nodes_from[copy] : nodes_from[copy + 1]]
        edges = np.searchsorted(members, inner_edges[:, edges_from[copy] : edges_from[copy + 1]])
        places[members] += _subgraph_shape(edges, motif[members] >= 0, shapes)
    return places


def neighbourhood_layout(edge_index: np.ndarray, num_nodes: int, seed: int = 0) -> np.ndarray:
    """The L-hop subgraph of a node, which is its node 0: near nodes near each other, node 0 at the origin.

    Args:
        edge_index: [2, e], both directions, a connected graph.
        num_nodes: n.
        seed: of the random start of large neighbourhoods; global random state stays as it is.

    Returns:
        [n, 2]; an edge is about 1 long.
    """
    graph = nx.Graph()
    graph.add_nodes_from(range(num_nodes))
    graph.add_edges_from(edge_index.T.tolist())
    if num_nodes <= EXACT:
        places = nx.kamada_kawai_layout(graph)
    else:
        places = nx.spring_layout(graph, k=2 / np.sqrt(num_nodes), iterations=150, seed=seed)
    places = np.array([places[node] for node in range(num_nodes)]).reshape(num_nodes, 2)
    places = places - places[:1]
    if edge_index.shape[1]:
        lengths = np.linalg.norm(places[edge_index[0]] - places[edge_index[1]], axis=1)
        places = places / (np.median(lengths) or 1)
    return places


def _centres(joins: np.ndarray, size: int) -> np.ndarray:
    """[subgraphs, 2] on a sunflower, which covers a disc evenly."""
    steps = np.arange(size) + 0.5
    disc = 1.15 * np.sqrt(steps)[:, None] * np.stack([np.cos(steps * _TURN), np.sin(steps * _TURN)], axis=1)
    if not 3 < size <= MAX_SPECTRAL or joins.shape[1] == 0:
        return disc
    graph = nx.Graph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from(joins.T.tolist())
    if size <= MAX_FORCES:
        start = dict(enumerate(disc / np.abs(disc).max()))
        found = nx.spring_layout(graph, pos=start, iterations=50, seed=0)
        wanted = np.array([found[node] for node in range(size)])
    else:
        laplacian = nx.laplacian_matrix(graph).toarray().astype(float)
        _, wanted = eigh(laplacian, subset_by_index=[1, 2])
    return disc[_nearest_free(wanted - wanted.mean(axis=0), disc)]


def _nearest_free(wanted: np.ndarray, disc: np.ndarray) -> np.ndarray:
    """[n] for each wanted place one of the disc's: ring by ring from the middle, in each ring by angle.

    The disc's places come sorted by radius.
    """
    size = len(wanted)
    chosen = np.empty(size, dtype=int)
    by_radius = np.argsort(np.linalg.norm(wanted, axis=1), kind="stable")
    angles, free = (np.arctan2(places[:, 1], places[:, 0]) for places in (wanted, disc))
    # Ring k of a disc that is evenly covered holds 6 k places.
    ends = np.minimum(np.cumsum(6 * np.arange(int(np.sqrt(size)) + 2)) + 1, size)
    for start, end in zip(np.concatenate([[0], ends]), ends, strict=False):
        ring = by_radius[start:end]
        chosen[ring[np.argsort(angles[ring])]] = start + np.argsort(free[start:end])
    return chosen


def _subgraph_shape(edges: np.ndarray, planted: np.ndarray, shapes: dict[tuple, np.ndarray]) -> np.ndarray:
    """[members, 2] within a circle of radius 0.9: the motif inside, and outside it what hangs on it."""
    size = len(planted)
    inside = np.flatnonzero(planted)
    if len(inside) == 0:
        inside = np.arange(1)
    within = np.isin(edges, inside).all(axis=0)
    core = np.searchsorted(inside, edges[:, within])
    key = (len(inside), core.tobytes())
    if key not in shapes:
        shapes[key] = _motif_shape(core, len(inside))
    places = np.zeros((size, 2))
    places[inside] = shapes[key]
    anchors = _anchors(edges, inside, size)
    for anchor in np.unique(anchors[anchors >= 0]):
        hanging = np.flatnonzero(anchors == anchor)
        centre = places[anchor]
        outward = np.arctan2(centre[1], centre[0]) if centre.any() else 0.0
        spread = min(np.pi * 0.9, 0.5 * (len(hanging) - 1)) if centre.any() else 2 * np.pi * (1 - 1 / len(hanging))
        angles = outward + np.linspace(-spread / 2, spread / 2, len(hanging))
        places[hanging] = centre + 0.4 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return places


def _anchors(edges: np.ndarray, inside: np.ndarray, size: int) -> np.ndarray:
    """[members] the motif node each other node hangs on, or -1."""
    anchors = np.full(size, -1)
    planted = np.zeros(size, dtype=bool)
    planted[inside] = True
    hanging = planted[edges[0]] & ~planted[edges[1]]
    anchors[edges[1, hanging]] = edges[0, hanging]
    return anchors


def _motif_shape(edges: np.ndarray, size: int) -> np.ndarray:
    if size == 1:
        return np.zeros((1, 2))
    graph = nx.Graph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from(edges.T.tolist())
    found = nx.kamada_kawai_layout(graph)
    places = np.array([found[node] for node in range(size)])
    places = _upright(places, edges)
    places = places - (places.min(axis=0) + places.max(axis=0)) / 2
    return 0.45 * places / np.abs(np.linalg.norm(places, axis=1)).max()


def _upright(places: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Turned so that as many edges as can be are level or plumb, and then as few nodes as can be are on top."""
    best, best_score = places, (-1, 0)
    along = places[edges[1]] - places[edges[0]]
    for angle in np.unique(np.round(np.arctan2(along[:, 1], along[:, 0]), 6)):
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        turned = places @ turn
        sides = np.abs(along @ turn)
        straight = int((sides.min(axis=1) < 0.06 * sides.max(axis=1)).sum())
        score = (straight, -int((turned[:, 1] > turned[:, 1].max() - 0.06 * np.ptp(turned[:, 1])).sum()))
        if score > best_score:
            best, best_score = turned, score
    return best
