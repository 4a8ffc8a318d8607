"""The motifs that can be planted: by name, as a list of edges, or any networkx graph."""

import re

import networkx as nx

from ..errors import InputError
from ..registry import Registry, no_such

MOTIFS = Registry(
    "motif",
    {
        "house": nx.house_graph,
        "triangle": lambda: nx.cycle_graph(3),
        "square": lambda: nx.cycle_graph(4),
        "pentagon": lambda: nx.cycle_graph(5),
        "hexagon": lambda: nx.cycle_graph(6),
        "diamond": nx.diamond_graph,
        "house-x": nx.house_x_graph,
        "clique-4": lambda: nx.complete_graph(4),
        "wheel": lambda: nx.wheel_graph(6),
        "star": lambda: nx.star_graph(4),
    },
)
"""Motifs with a name; house and triangle are the paper's."""

MAX_NODES = 100
_EDGE = re.compile(r"\s*(\d{1,6})\s*-\s*(\d{1,6})\s*")


def motif_graph(motif: str | nx.Graph) -> nx.Graph:
    """The motif with nodes 0 to n - 1, in the order in which the graph given lists them.

    Args:
        motif: a name in :data:`MOTIFS`, edges such as ``"0-1,1-2,2-0"``, or an undirected networkx graph.

    Raises:
        InputError: no such motif, or one that cannot be planted: empty, without edges, directed, with self-loops or
            parallel edges, in several parts, or with more than :data:`MAX_NODES` nodes.
    """
    if isinstance(motif, str):
        motif = MOTIFS[motif]() if motif in MOTIFS else _from_text(motif)
    if not isinstance(motif, nx.Graph):
        raise InputError("The motif must be a name, a list of edges or a networkx graph.")
    if motif.is_directed() or motif.is_multigraph():
        raise InputError("The motif must be an undirected graph without parallel edges.")
    if motif.number_of_nodes() == 0:
        raise InputError("The motif is empty; it needs at least two nodes and an edge.")
    if motif.number_of_nodes() > MAX_NODES:
        raise InputError(f"The motif has {motif.number_of_nodes():,} nodes; at most {MAX_NODES} can be planted.")
    if nx.number_of_selfloops(motif):
        raise InputError("The motif has an edge from a node to itself; remove it.")
    if motif.number_of_edges() == 0:
        raise InputError("The motif has no edge; it needs at least one.")
    if not nx.is_connected(motif):
        raise InputError("The motif is in several parts; it must be connected.")
    plain = nx.Graph()
    plain.add_nodes_from(range(motif.number_of_nodes()))
    place = {node: index for index, node in enumerate(motif)}
    plain.add_edges_from((place[a], place[b]) for a, b in motif.edges)
    return plain


def _from_text(text: str) -> nx.Graph:
    parts = text.split(",")
    edges = [edge for part in parts if (edge := _EDGE.fullmatch(part))]
    if len(edges) < len(parts):
        raise no_such("motif", text, MOTIFS, otherwise=", or give its edges such as 0-1,1-2,2-0")
    return nx.Graph([(int(edge[1]), int(edge[2])) for edge in edges])
