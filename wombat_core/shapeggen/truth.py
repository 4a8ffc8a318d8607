"""The planted explanation of a node: masks over its L-hop subgraph (alg. 1, eq. 2)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from scipy.sparse import csr_matrix
from torch import Tensor


@dataclass(frozen=True, eq=False)
class Truth:
    """What is known to decide the label of one node.

    Attributes:
        node: the node explained.
        nodes: [n] ids in the whole graph of the nodes at most L hops away; the node itself is the first, the others
            ascend.
        edge_index: [2, e] all edges among them, both directions, as places in ``nodes``.
        edges: [e] the columns of the whole graph's ``edge_index`` that these are.
        node_mask: [n] bool, the motif nodes.
        edge_mask: [e] bool, the edges whose two ends are motif nodes or the node itself (eq. 2).
        feature_mask: [n_f] bool, the informative features.
    """

    node: int
    nodes: Tensor
    edge_index: Tensor
    edges: Tensor
    node_mask: Tensor
    edge_mask: Tensor
    feature_mask: Tensor


class TruthFinder:
    """Finds the planted explanation of any node; the structure is prepared once.

    Args:
        edge_index: [2, e] of the whole graph, both directions, sorted by source.
        motif: [n] the planted copy each node belongs to, or -1.
        informative: [n_f] bool, the informative features.
        hops: L.
        one_hop: only motifs that touch the 1-hop neighbourhood count (the released code's reading).
    """

    def __init__(self, edge_index: Tensor, motif: Tensor, informative: Tensor, hops: int, one_hop: bool = False):
        self._source, self._target = edge_index.numpy()
        self._motif, self._informative, self._hops, self._one_hop = motif.numpy(), informative, hops, one_hop
        size = len(self._motif)
        ones = np.ones(len(self._source), dtype=bool)
        self._adjacent = csr_matrix((ones, (self._source, self._target)), shape=(size, size))

    def truths(self, nodes: Sequence[int]) -> Iterator[Truth]:
        """The explanations of these nodes, in their order, in blocks so that memory stays small."""
        own = np.asarray(nodes, dtype=np.int64)
        # Every node may reach the whole graph.
        size = max(1, min(1024, 20_000_000 // len(self._motif)))
        for start in range(0, len(own), size):
            block = own[start : start + size]
            reached = self._reached(block)
            for row, node in enumerate(block):
                yield self._truth(int(node), reached.indices[reached.indptr[row] : reached.indptr[row + 1]])

    def _reached(self, block: np.ndarray) -> csr_matrix:
        """[block, n] the nodes at most L hops from each node of the block."""
        size = len(block)
        reached = csr_matrix((np.ones(size, dtype=bool), (np.arange(size), block)), shape=(size, len(self._motif)))
        for _ in range(self._hops):
            reached = csr_matrix((reached + reached @ self._adjacent).astype(bool))
        reached.sort_indices()
        return reached

    def _truth(self, node: int, members: np.ndarray) -> Truth:
        nodes = np.concatenate([[node], members[members != node]]).astype(np.int64)
        starts, ends = self._adjacent.indptr[members], self._adjacent.indptr[members + 1]
        edges = np.concatenate([np.arange(start, end) for start, end in zip(starts, ends, strict=True)]).astype(
            np.int64
        )
        target = np.searchsorted(members, self._target[edges])
        target[target == len(members)] = 0
        inside = members[target] == self._target[edges]
        edges, target = edges[inside], target[inside]
        place = np.searchsorted(members, node)
        new = np.arange(len(members)) + (np.arange(len(members)) < place)
        new[place] = 0
        edge_index = np.stack([new[np.searchsorted(members, self._source[edges])], new[target]])
        node_mask = self._planted(node, nodes)
        with_centre = node_mask.copy()
        with_centre[0] = True
        return Truth(
            node=node,
            nodes=torch.from_numpy(nodes),
            edge_index=torch.from_numpy(edge_index),
            edges=torch.from_numpy(edges),
            node_mask=torch.from_numpy(node_mask),
            edge_mask=torch.from_numpy(with_centre[edge_index].all(axis=0)),
            feature_mask=self._informative,
        )

    def _planted(self, node: int, nodes: np.ndarray) -> np.ndarray:
        copies = self._motif[nodes]
        if not self._one_hop:
            return copies >= 0
        near = np.append(self._adjacent.indices[self._adjacent.indptr[node] : self._adjacent.indptr[node + 1]], node)
        return (copies >= 0) & np.isin(copies, self._motif[near])
