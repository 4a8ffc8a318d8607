"""A generated graph and what is known of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import networkx as nx
from torch import Tensor

from ..errors import InputError
from ..molecules.graphs import Graph
from .parameters import Parameters
from .statistics import Statistics, statistics_of
from .truth import Truth, TruthFinder


@dataclass(frozen=True, eq=False)
class PlantedGraph:
    """A graph whose right explanations are known.

    Attributes:
        parameters: what it was generated from.
        data: ``x`` [n, n_f] float32; ``edge_index`` [2, 2 * edges], both directions, sorted by source, without
            self-loops; ``y`` [n] labels 0 to K - 1; ``train_mask``, ``val_mask``, ``test_mask`` [n] bool; ``motif`` [n]
            the planted copy a node belongs to, or -1; ``subgraph_id`` [n] the subgraph it grew in; ``informative`` and
            ``redundant`` [n_f]
            bool; ``protected`` the column of the protected feature (int).
    """

    parameters: Parameters
    data: Graph

    @property
    def num_nodes(self) -> int:
        return self.data.num_nodes

    @property
    def protected(self) -> int:
        """The column of the protected feature."""
        return self.data.protected

    @property
    def informative(self) -> Tensor:
        """[n_f] bool, the informative features."""
        return self.data.informative

    @cached_property
    def graph(self) -> nx.Graph:
        """The same graph for networkx, nodes with ``label``, ``motif`` and ``subgraph``."""
        graph = nx.Graph()
        rows = zip(self.data.y.tolist(), self.data.motif.tolist(), self.data.subgraph_id.tolist(), strict=True)
        for node, (label, motif, subgraph) in enumerate(rows):
            graph.add_node(node, label=label, motif=motif, subgraph=subgraph)
        graph.add_edges_from((a, b) for a, b in self.data.edge_index.t().tolist() if a < b)
        return graph

    def truth(self, node: int) -> Truth:
        """The planted explanation of one node.

        Raises:
            InputError: there is no such node.
        """
        return next(self.truths([node]))

    def truths(self, nodes: Sequence[int]) -> Iterator[Truth]:
        """The planted explanations of these nodes, in their order, one at a time: all of them need not fit in memory.

        Raises:
            InputError: one of the nodes does not exist.
        """
        for node in nodes:
            if not 0 <= node < self.num_nodes:
                raise InputError(f"There is no node {node}; the graph has nodes 0 to {self.num_nodes - 1:,}.")
        return self._finder.truths(nodes)

    @cached_property
    def statistics(self) -> Statistics:
        """What the paper's Table 6 reports of a graph, and the realised homophily."""
        return statistics_of(self.data, self.parameters)

    @cached_property
    def _finder(self) -> TruthFinder:
        one_hop = self.parameters.truth == "one-hop"
        return TruthFinder(
            self.data.edge_index, self.data.motif, self.data.informative, self.parameters.num_layers, one_hop
        )
