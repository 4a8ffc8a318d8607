"""What a generated graph depends on, field by field: names as in the paper, limits, meaning, and the two readings."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..settings import one_of, within

if TYPE_CHECKING:
    import networkx as nx


def _reading(title: str, meaning: str, **words: str):
    """A question that the paper and its released code answer differently, the paper's answer first."""
    answers = {name.replace("_", "-"): text for name, text in words.items()}
    return one_of(next(iter(answers)), *answers, meaning=meaning, title=title, words=answers)


@dataclass(frozen=True)
class GraphSettings:
    """The settings of a graph; the defaults are those of SG-Base (tab. 6).

    The number of nodes of a subgraph beside the motif's is Poisson distributed; alg. 2 is read so that each of them is
    attached to one of the motif's nodes, not to nodes grown before it: a subgraph is the motif with leaves. The 11
    features of SG-Base are 4 informative, 6 redundant and the protected one; the released code calls the same graph
    ``n_features = 10`` and adds the protected one.

    Where paper and released code differ: alg. 2 prints "if p: continue" for p, tab. 6 says "connection probability",
    the code draws from a binomial distribution of two trials (bound_graph_pref_att.py#L147-L148); the published numbers
    of edges are those of "2p", so the presets of the paper's size say so. Most motifs: bound_graph_pref_att.py#L201-
    L202. Ground truth: shape_graph.py#L329-L333 against alg. 1 and eq. 2. Protected feature: shape_graph.py#L263-L275
    and remake_SG.py#L38. Pairs: opt_homophily.py#L72-L75. Split, 70 % of the nodes for training, 5 % for validation,
    25 % for testing: shape_graph.py#L218-L227.
    """

    motif: "str | nx.Graph" = "house"
    num_subgraphs: int = within(
        1200,
        1,
        20_000,
        "How many copies of the motif are planted, each with nodes of its own around.",
        title="N_s, subgraphs",
    )
    p: float = within(
        0.006,
        0,
        1,
        "Probability that an edge joins two subgraphs: higher gives more edges, and more of class 1.",
        title="p, joining",
    )
    subgraph_size: int = within(
        11,
        1,
        1000,
        "Expected nodes of a subgraph: more give more leaves on the nodes of each motif.",
        title="n_s, subgraph size",
    )
    num_classes: int = within(
        2, 2, 20, "A node sees 1 to K motifs next to it; its class is that number less one.", title="K, classes"
    )
    num_features: int = within(
        11, 1, 1000, "Features of a node: informative, redundant, and the protected one.", title="n_f, features"
    )
    num_informative: int = within(
        4, 1, 1000, "Features that depend on the class: the ground truth of feature masks.", title="n_i, informative"
    )
    class_separation: float = within(
        0.6,
        0,
        1000,
        "How far the classes lie apart in the informative features: half the side of the cube with the clusters on its"
        " corners.",
        title="s_f, separation",
    )
    num_clusters: int = within(
        2,
        1,
        100,
        "Clusters a class has in the informative features: more are harder to learn.",
        title="c_f, clusters",
    )
    protected_noise: float = within(
        0.5, 0, 1, "Share of nodes whose protected feature is not the class: 0.5 tells nothing.", title="phi, noise"
    )
    homophily: float = within(
        1.0,
        -1000,
        1000,
        "Above 0 neighbours of one class get alike redundant features, below 0 unlike.",
        title="eta, homophily",
    )
    num_layers: int = within(
        3, 1, 10, "Convolutions of the network, and hops of a node's ground truth.", title="L, layers"
    )
    seed: int = within(0, 0, 2**63 - 1, "Where the graph's own random numbers begin.", title="Seed")
    connection: str = one_of(
        "p",
        "p",
        "2p",
        meaning="The probability of joining a pair of subgraphs.",
        title="Joining probability",
        words={"p": "p, as printed (alg. 2)", "2p": "1 - (1 - p)², the released code's, and Table 6's edges"},
    )
    motif_bound: str = _reading(
        "Most motifs a node sees",
        "How many motifs a node may see at most.",
        K="K (alg. 2)",
        two="two, whatever K (code)",
    )
    truth: str = _reading(
        "Ground truth of a node",
        "Which motifs' nodes are the ground truth of a node.",
        l_hop="motif nodes within L hops (eq. 2)",
        one_hop="only of motifs next to it (code)",
    )
    protected: str = _reading(
        "Protected feature",
        "What the protected feature is.",
        flipped_label="class, flipped with phi (alg. 1)",
        random="random (code)",
    )
    homophily_pairs: str = _reading(
        "Unconnected pairs driven apart",
        "Which unconnected pairs are driven apart where eta is above 0.",
        different_label="of two classes (alg. 3)",
        same_label="of one class (code)",
    )
    split: str = _reading(
        "Training, validation, test",
        "How nodes are divided into training, validation and test.",
        disjoint="disjoint (paper)",
        overlapping="three draws that overlap (code)",
    )
