"""The planted explanation of a node (eq. 2), by hand and against PyG and networkx."""

import networkx as nx
import numpy as np
import pytest
import torch
from torch_geometric.utils import k_hop_subgraph

from wombat_core.errors import InputError
from wombat_core.shapeggen import PRESETS, generate
from wombat_core.shapeggen.truth import TruthFinder

SMALL = PRESETS["SG-Base-500"].changed(homophily=0.0)


@pytest.fixture(scope="module")
def small():
    return generate(SMALL)


def finder(edges, motif, hops, one_hop=False):
    graph = nx.Graph(edges)
    both = sorted([(a, b) for a, b in graph.edges] + [(b, a) for a, b in graph.edges])
    informative = torch.tensor([True, False])
    return TruthFinder(torch.tensor(both).t(), torch.tensor(motif), informative, hops, one_hop)


# A triangle 1-2-3 (motif 0), node 0 hanging on 1, node 4 hanging on 3, and a second motif 5-6 beyond node 4.
EDGES = [(0, 1), (1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 6)]
MOTIF = [-1, 0, 0, 0, -1, 1, 1]


def pairs(truth, chosen=None):
    edges = truth.nodes[truth.edge_index if chosen is None else truth.edge_index[:, chosen]]
    return {tuple(sorted(edge)) for edge in edges.t().tolist()}


def test_masks_by_hand():
    (truth,) = finder(EDGES, MOTIF, hops=2).truths([0])
    assert truth.nodes.tolist() == [0, 1, 2, 3]  # two hops from node 0
    assert truth.node_mask.tolist() == [False, True, True, True]
    assert pairs(truth) == {(0, 1), (1, 2), (2, 3), (1, 3)}
    assert pairs(truth, truth.edge_mask) == pairs(truth)  # the node's own edge counts by eq. 2
    assert truth.edge_index.shape[1] == 8 and truth.feature_mask.tolist() == [True, False]


def test_edge_to_a_node_outside_every_motif_is_no_truth():
    (truth,) = finder(EDGES, MOTIF, hops=2).truths([1])
    assert truth.nodes.tolist() == [1, 0, 2, 3, 4]
    assert truth.node_mask.tolist() == [True, False, True, True, False]
    assert pairs(truth) - pairs(truth, truth.edge_mask) == {(0, 1), (3, 4)}


def test_one_hop_leaves_motifs_beyond_out():
    near, far = (next(finder(EDGES, MOTIF, 3, one_hop).truths([2])) for one_hop in (True, False))
    assert near.nodes.tolist() == far.nodes.tolist() == [2, 0, 1, 3, 4, 5]
    assert near.nodes[near.node_mask].tolist() == [2, 1, 3]
    assert far.nodes[far.node_mask].tolist() == [2, 1, 3, 5]


def test_subgraph_is_pyg_s(small):
    data = small.data
    for node in (0, 7, 123, small.num_nodes - 1):
        truth = small.truth(node)
        nodes, edge_index, _, edge_mask = k_hop_subgraph(node, 3, data.edge_index, relabel_nodes=False)
        assert truth.nodes[0] == node and truth.node == node
        assert truth.nodes.sort().values.tolist() == nodes.tolist()
        assert truth.edges.tolist() == edge_mask.nonzero().flatten().tolist()
        assert torch.equal(truth.nodes[truth.edge_index], edge_index)
        assert torch.equal(truth.node_mask, data.motif[truth.nodes] >= 0)
        assert torch.equal(truth.feature_mask, data.informative)


def test_reach_is_networkx_s(small):
    for node in (3, 77):
        within = nx.single_source_shortest_path_length(small.graph, node, cutoff=3)
        assert set(small.truth(node).nodes.tolist()) == set(within)


def test_all_at_once_are_the_single_ones(small):
    every = list(small.truths(range(small.num_nodes)))
    assert [truth.node for truth in every] == list(range(small.num_nodes))
    for node in (5, 250):
        one = small.truth(node)
        for name in ("nodes", "edge_index", "edges", "node_mask", "edge_mask"):
            assert torch.equal(getattr(one, name), getattr(every[node], name))
    assert all(truth.node_mask.any() and truth.edge_mask.any() for truth in every)


def test_more_layers_see_further():
    sizes = [
        np.mean([len(truth.nodes) for truth in generate(SMALL.changed(num_layers=layers)).truths(range(100))])
        for layers in (1, 2, 3)
    ]
    assert sizes[0] < sizes[1] < sizes[2]


def test_reading_of_the_code_is_an_option(small):
    code = generate(SMALL.changed(truth="one-hop"))
    label = small.data.y
    for node in range(0, 100, 7):
        truth = code.truth(node)
        motifs = set(code.data.motif[truth.nodes[truth.node_mask]].tolist())
        # Eq. 1: as many motifs touch the 1-hop neighbourhood as the label says, plus one.
        assert len(motifs) == label[node] + 1
        assert set(truth.nodes[truth.node_mask].tolist()) <= set(
            small.truth(node).nodes[small.truth(node).node_mask].tolist()
        )


def test_a_node_that_does_not_exist(small):
    for node in (-1, small.num_nodes):
        with pytest.raises(InputError, match="no node"):
            small.truth(node)
