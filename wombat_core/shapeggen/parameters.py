"""What a generated graph depends on, with the paper's names, and where paper and released code read differently."""

from dataclasses import dataclass, replace
from functools import cached_property

import networkx as nx

from ..errors import InputError
from ..settings import settings_of
from .graph_settings import GraphSettings
from .motifs import motif_graph

MAX_NODES = 200_000
"""Expected nodes above which nothing is generated."""

MAX_JOINS = 200_000
"""Expected pairs of joined subgraphs above which nothing is generated."""

MAX_VALUES = 20_000_000
"""Node features above which nothing is generated."""

READINGS = {name: each.choices for name, each in settings_of(GraphSettings).items() if each.choices}
"""For each question the paper's answer, which is the default, then the released code's."""


@dataclass(frozen=True)
class Parameters(GraphSettings):
    """Parameters of ShapeGGen (alg. 1 and tab. 6): its settings, which go together.

    The motif S is a name in ``MOTIFS``, edges such as ``"0-1,1-2,2-0"``, or any networkx graph that is undirected and
    connected; the other settings, with their limits, are those of :class:`GraphSettings`.

    Raises:
        InputError: a value that cannot be generated, in one sentence; nothing has been generated yet.
    """

    def __post_init__(self) -> None:
        for name, setting in settings_of(GraphSettings).items():
            if name != "motif":
                object.__setattr__(self, name, setting.check(getattr(self, name)))
        for problem in (self._motif_problem(), self._feature_problem(), self._size_problem()):
            if problem:
                raise InputError(problem)

    def _motif_problem(self) -> str | None:
        size = self.motif_graph.number_of_nodes()
        if size > self.subgraph_size:
            return f"The motif has {size} nodes, more than subgraph_size (n_s) = {self.subgraph_size}; raise n_s."
        if self.num_subgraphs < self.num_classes:
            return (
                f"num_subgraphs (N_s) = {self.num_subgraphs} is below num_classes (K) = {self.num_classes}:"
                " no node can see K motifs."
            )
        return None

    def _feature_problem(self) -> str | None:
        informative, features = self.num_informative, self.num_features
        clusters, corners = self.num_classes * self.num_clusters, 2**self.num_informative
        if informative > features:
            return f"num_informative (n_i) = {informative} is above num_features (n_f) = {features}; lower n_i."
        if informative == features:
            return (
                f"num_informative (n_i) = {informative} leaves none of the num_features (n_f) = {features} columns for"
                " the protected feature; lower n_i or raise n_f by one."
            )
        if clusters > corners:
            return (
                f"num_classes (K) times num_clusters (c_f) is {clusters}, more than the {corners} corners of a"
                f" hypercube in num_informative (n_i) = {informative} dimensions; raise n_i."
            )
        return None

    def _size_problem(self) -> str | None:
        nodes = self.num_subgraphs * self.subgraph_size
        joins = round(self.num_subgraphs * (self.num_subgraphs - 1) / 2 * self.join_probability)
        if nodes > MAX_NODES:
            return f"num_subgraphs (N_s) times subgraph_size (n_s) is {nodes:,} nodes; at most {MAX_NODES:,} are made."
        if joins > MAX_JOINS:
            return (
                f"p = {self.p:g} joins about {joins:,} pairs of subgraphs; at most {MAX_JOINS:,} are joined, lower p."
            )
        if nodes * self.num_features > MAX_VALUES:
            return (
                f"{nodes:,} nodes with num_features (n_f) = {self.num_features:,} are more than {MAX_VALUES:,} values;"
                " lower n_f."
            )
        return None

    @cached_property
    def motif_graph(self) -> nx.Graph:
        """The motif with nodes 0 to n - 1."""
        return motif_graph(self.motif)

    @property
    def join_probability(self) -> float:
        """The probability that an edge joins a pair of subgraphs, under the chosen reading."""
        return self.p if self.connection == "p" else 1 - (1 - self.p) ** 2

    @property
    def max_motifs(self) -> int:
        """The most motifs a node may see, under the chosen reading."""
        return self.num_classes if self.motif_bound == "K" else 2

    def changed(self, **values) -> "Parameters":
        """The same parameters with some of them changed; raises InputError as the constructor does."""
        return replace(self, **values)

    def as_dict(self) -> dict[str, object]:
        """Names and plain values; a motif given as a graph as its edges."""
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        if not isinstance(self.motif, str):
            values["motif"] = ",".join(f"{a}-{b}" for a, b in self.motif_graph.edges)
        return values
