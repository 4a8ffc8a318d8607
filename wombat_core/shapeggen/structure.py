"""The graph's structure: motifs, what grows around them, and the edges that join them (alg. 2, eq. 1).

Two things that the paper leaves open are settled by its own Table 6.

Eq. 1 gives a label in 0 to K - 1 only to a node that sees 1 to K motifs, and the paper says that every node does.
Alg. 2 bounds the number from above only. From below it holds where each new node attaches to a node of its own motif;
one attached to another grown node would see no motif, and its label would be -1 (some 600 of the 13,200 nodes of SG-
Base, and 2,300 of the 15,600 of SG-SmallEx, under the published p). So "an existing node, with probability
proportional to its degree" is read as an existing node of the motif.

Joining edges are drawn by the sum of their ends' degrees. With degrees within the subgraphs, as they are before
anything is joined, 64 % of the nodes of SG-Base and 48 % of SG-SmallEx are of class 1 (published: 67 % and 50 %);
with degrees that count the joining edges, 59 % and 43 %; with the product of degrees within the subgraphs, 72 % and
58 %.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from ..errors import InputError
from ..progress import report
from .parameters import Parameters


@dataclass(frozen=True, eq=False)
class Structure:
    """A connected graph; every node sees 1 to K motifs.

    Attributes:
        edge_index: [2, 2 * edges], both directions, sorted by source, then target.
        motif: [n] the planted copy a node belongs to, or -1.
        subgraph: [n] the subgraph a node grew in; equal to ``motif`` on motif nodes.
        labels: [n] motifs in the 1-hop neighbourhood, minus one (eq. 1).
    """

    edge_index: np.ndarray
    motif: np.ndarray
    subgraph: np.ndarray
    labels: np.ndarray


def build_structure(parameters: Parameters, rng: np.random.Generator) -> Structure:
    """The structure of alg. 2: plant, grow, join, keep the largest connected component.

    Raises:
        InputError: the component holds too little of what was planted to be a data set.
        Stopped: the listener of the progress wants no more.
    """
    grown = _Growth(parameters, rng)
    grown.join(parameters, rng)
    return _largest_component(grown, parameters)


class _Growth:
    """The subgraphs while they are joined: edges, degrees within a subgraph, and which motifs each node sees."""

    def __init__(self, parameters: Parameters, rng: np.random.Generator):
        motif = parameters.motif_graph
        size = motif.number_of_nodes()
        sizes = size + rng.poisson(parameters.subgraph_size - size, size=parameters.num_subgraphs)
        self.starts = np.concatenate([[0], np.cumsum(sizes)])
        self.subgraph = np.repeat(np.arange(len(sizes)), sizes)
        self.motif = np.where(np.arange(len(self.subgraph)) - self.starts[self.subgraph] < size, self.subgraph, -1)
        self.degrees = np.ones(len(self.subgraph), dtype=np.int64)
        self.edges: list[tuple[int, int]] = []
        own = np.array([motif.degree(node) for node in range(size)])
        for start, end in zip(self.starts, self.starts[1:], strict=False):
            self.degrees[start : start + size] = own
            self.edges += [(start + a, start + b) for a, b in motif.edges]
            for new in range(start + size, end):
                weights = np.cumsum(self.degrees[start : start + size])
                target = start + int(np.searchsorted(weights, rng.integers(weights[-1]), side="right"))
                self.edges.append((target, new))
                self.degrees[target] += 1
        # Within its subgraph every node sees the subgraph's own motif and no other.
        self.seen = [{int(copy)} for copy in self.subgraph]

    def join(self, parameters: Parameters, rng: np.random.Generator) -> None:
        """Each pair of subgraphs with the join probability, by one edge, unless a node would see too many motifs."""
        copies, probability = parameters.num_subgraphs, parameters.join_probability
        for one in range(copies - 1):
            others = one + 1 + np.flatnonzero(rng.random(copies - 1 - one) < probability)
            for other in others:
                self._join(one, int(other), parameters.max_motifs, rng)
            if one % 64 == 0:
                report(one / copies)

    def _join(self, one: int, other: int, most: int, rng: np.random.Generator) -> None:
        """One edge between two subgraphs, by the sum of its ends' degrees, among the edges that alg. 2 would keep.

        Alg. 2 draws candidates without replacement until one may stay. The first that may stay has this distribution,
        and a new edge changes what its own two ends see, so these alone are looked at.
        """
        left, right = (np.arange(self.starts[each], self.starts[each + 1]) for each in (one, other))
        allowed = self._may_see(left, other, most)[:, None] | (self.motif[right] < 0)[None]
        allowed &= self._may_see(right, one, most)[None] | (self.motif[left] < 0)[:, None]
        weights = np.cumsum(np.add.outer(self.degrees[left], self.degrees[right]) * allowed)
        if weights[-1] == 0:
            return
        drawn = int(np.searchsorted(weights, rng.integers(weights[-1]), side="right"))
        a, b = int(left[drawn // len(right)]), int(right[drawn % len(right)])
        self.edges.append((a, b))
        for node, neighbour in ((a, b), (b, a)):
            if self.motif[neighbour] >= 0:
                self.seen[node].add(int(self.motif[neighbour]))

    def _may_see(self, nodes: np.ndarray, copy: int, most: int) -> np.ndarray:
        return np.array([len(self.seen[node]) < most or copy in self.seen[node] for node in nodes])


def motif_counts(edge_index: np.ndarray, motif: np.ndarray) -> np.ndarray:
    """[n] different motifs in each node's 1-hop neighbourhood, the node itself included (eq. 1 before its minus one).

    Args:
        edge_index: [2, 2 * edges], both directions.
        motif: [n] the planted copy a node belongs to, or -1.
    """
    size = len(motif)
    nodes = np.concatenate([np.arange(size), edge_index[0]])
    copies = motif[np.concatenate([np.arange(size), edge_index[1]])]
    seen = np.unique(np.stack([nodes, copies])[:, copies >= 0], axis=1)
    return np.bincount(seen[0], minlength=size)


def _largest_component(grown: _Growth, parameters: Parameters) -> Structure:
    size = len(grown.subgraph)
    edges = np.array(grown.edges).T
    edges = np.concatenate([edges, edges[::-1]], axis=1)
    adjacent = csr_matrix((np.ones(edges.shape[1], dtype=np.int8), tuple(edges)), shape=(size, size))
    _, component = connected_components(adjacent, directed=False)
    kept = component == np.argmax(np.bincount(component))
    place = np.cumsum(kept) - 1
    edges = place[edges[:, kept[edges[0]]]]
    edges = edges[:, np.lexsort((edges[1], edges[0]))]
    motif, subgraph = grown.motif[kept], grown.subgraph[kept]
    labels = motif_counts(edges, motif) - 1
    _check_classes(labels, parameters)
    return Structure(edges, motif, subgraph, labels)


def _check_classes(labels: np.ndarray, parameters: Parameters) -> None:
    present = set(labels.tolist())
    for label in range(min(parameters.num_classes, parameters.max_motifs)):
        if label not in present:
            raise InputError(
                f"No node of the {len(labels):,} connected ones sees exactly {label + 1} motif{'s' * (label > 0)}, so"
                f" class {label} is empty; raise p (now {parameters.p:g}) or num_subgraphs (N_s, now"
                f" {parameters.num_subgraphs}), lower num_classes (K), or try another seed."
            )
