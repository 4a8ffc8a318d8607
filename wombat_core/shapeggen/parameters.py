"""What a generated graph depends on, with the paper's names, and where paper and released code read differently."""

from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Integral, Real

import networkx as nx

from ..errors import InputError
from .motifs import motif_graph

READINGS = {
    "connection": ("p", "2p"),
    "motif_bound": ("K", "two"),
    "truth": ("l-hop", "one-hop"),
    "protected": ("flipped-label", "random"),
    "homophily_pairs": ("different-label", "same-label"),
    "split": ("disjoint", "overlapping"),
}
"""For each question the paper's answer, which is the default, then the released code's."""

MAX_NODES = 200_000
"""Expected nodes above which nothing is generated."""

MAX_JOINS = 200_000
"""Expected pairs of joined subgraphs above which nothing is generated."""

MAX_VALUES = 20_000_000
"""Node features above which nothing is generated."""

_WHOLE = {
    "num_subgraphs": (1, 20_000),
    "subgraph_size": (1, 1000),
    "num_classes": (2, 20),
    "num_features": (1, 1000),
    "num_informative": (1, 1000),
    "num_clusters": (1, 100),
    "num_layers": (1, 10),
    "seed": (0, 2**63 - 1),
}
_REAL = {"p": (0, 1), "class_separation": (0, 1000), "protected_noise": (0, 1), "homophily": (-1000, 1000)}


@dataclass(frozen=True)
class Parameters:
    """Parameters of ShapeGGen (alg. 1 and tab. 6); the defaults are those of SG-Base.

    Attributes:
        motif: S, the planted motif: a name in ``MOTIFS``, edges such as ``"0-1,1-2,2-0"``, or any networkx graph that
            is undirected and connected.
        num_subgraphs: N_s, how many copies of the motif are planted, each in a subgraph of its own.
        p: the probability that an edge joins a pair of subgraphs (alg. 2).
        subgraph_size: n_s, the expected nodes of a subgraph; the number of nodes beside the motif's is Poisson
            distributed. Alg. 2 is read so that each of them is attached to one of the motif's nodes, not to nodes
            grown before it: a subgraph is the motif with leaves.
        num_classes: K; a node sees 1 to K motifs in its 1-hop neighbourhood, and its label is that number minus one.
        num_features: n_f, all features of a node: informative, redundant, and the protected one (11 = 4 + 6 + 1 in
            SG-Base, tab. 6; the released code calls the same graph ``n_features = 10`` and adds the protected one).
        num_informative: n_i, the features that depend on the label.
        class_separation: s_f, half the side of the hypercube on whose corners the clusters lie.
        num_clusters: c_f, clusters a class.
        protected_noise: phi, the probability that the protected feature is not the label.
        homophily: eta; above 0 connected nodes of one label become alike in their redundant features, below 0 unlike;
            0 leaves them as they are.
        num_layers: L, the layers of the network to be explained; the ground truth covers L hops.
        seed: where the graph's own random numbers begin.
        connection: "p": a pair of subgraphs is joined with probability p (tab. 6, "connection probability"; alg. 2
            prints "if p: continue"). "2p": with probability 1 - (1 - p)^2, nearly 2p, since the released code draws
            from a binomial distribution of two trials (bound_graph_pref_att.py#L147-L148). The published numbers of
            edges are those of "2p", so the presets of the paper's size say so.
        motif_bound: "K": a node sees at most K motifs (alg. 2). "two": at most two whatever K
            (bound_graph_pref_att.py#L201-L202).
        truth: "l-hop": the ground truth of a node are the motif nodes in its L-hop subgraph (alg. 1 and eq. 2).
            "one-hop": only those of motifs that touch its 1-hop neighbourhood (shape_graph.py#L329-L333).
        protected: "flipped-label": the label, flipped with probability phi (alg. 1). "random": 0 or 1 at random,
            whatever the label (shape_graph.py#L263-L275, remake_SG.py#L38).
        homophily_pairs: the labels of the unconnected pairs that alg. 3 drives apart: "different-label" (alg. 3) or
            "same-label" (opt_homophily.py#L72-L75).
        split: 70 % of the nodes for training, 5 % for validation, 25 % for testing: "disjoint" (the paper's Results) or
            "overlapping", three independent draws (shape_graph.py#L218-L227).

    Raises:
        InputError: a value that cannot be generated, in one sentence; nothing has been generated yet.
    """

    motif: str | nx.Graph = "house"
    num_subgraphs: int = 1200
    p: float = 0.006
    subgraph_size: int = 11
    num_classes: int = 2
    num_features: int = 11
    num_informative: int = 4
    class_separation: float = 0.6
    num_clusters: int = 2
    protected_noise: float = 0.5
    homophily: float = 1.0
    num_layers: int = 3
    seed: int = 0
    connection: str = "p"
    motif_bound: str = "K"
    truth: str = "l-hop"
    protected: str = "flipped-label"
    homophily_pairs: str = "different-label"
    split: str = "disjoint"

    def __post_init__(self) -> None:
        for name, (low, high) in _WHOLE.items():
            object.__setattr__(self, name, _whole(name, getattr(self, name), low, high))
        for name, (low, high) in _REAL.items():
            object.__setattr__(self, name, _real(name, getattr(self, name), low, high))
        for name, answers in READINGS.items():
            if getattr(self, name) not in answers:
                raise InputError(f"{name} must be {' or '.join(answers)}, not {str(getattr(self, name))[:40]!r}.")
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


def _whole(name: str, value, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral) or not low <= value <= high:
        raise InputError(f"{name} must be a whole number from {low:,} to {high:,}, not {str(value)[:40]}.")
    return int(value)


def _real(name: str, value, low: float, high: float) -> float:
    # The comparison is False for NaN.
    if isinstance(value, bool) or not isinstance(value, Real) or not low <= value <= high:
        raise InputError(f"{name} must be a number from {low:,} to {high:,}, not {str(value)[:40]}.")
    return float(value)
