"""ShapeGGen's graphs: structure, features, homophily, options, and the paper's Table 6."""

import random
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
import torch
from torch.nn.functional import cosine_similarity

from wombat_core.progress import Stopped, listening
from wombat_core.shapeggen import PRESETS, Parameters, generate, published, stored_graph
from wombat_core.shapeggen.features import draw_features
from wombat_core.shapeggen.homophily import Pairs, draw_pairs, gradient, loss_weights
from wombat_core.shapeggen.split import split_masks
from wombat_core.shapeggen.structure import build_structure, motif_counts

SMALL = PRESETS["SG-Base-500"].changed(homophily=0.0)


@pytest.fixture(scope="module")
def base():
    """SG-Base at the paper's size."""
    return generate(PRESETS["SG-Base"])


def structure(parameters, seed=0):
    return build_structure(parameters, np.random.default_rng(seed))


def test_motifs_are_counted_by_eq_1():
    # Path 0-1-2-3-4; nodes 0 and 1 are motif 7, node 3 is motif 9. By hand: 0 and 1 see {7}, 2 sees {7, 9}, 3 sees
    # {9}, 4 sees {9}; a node without any motif near it sees none.
    edges = np.array([[0, 1, 2, 3], [1, 2, 3, 4]])
    both = np.concatenate([edges, edges[::-1]], axis=1)
    assert motif_counts(both, np.array([7, 7, -1, 9, -1])).tolist() == [1, 1, 2, 1, 1]
    assert motif_counts(both, np.array([7, -1, -1, -1, -1])).tolist() == [1, 1, 0, 0, 0]


def test_base_is_near_table_6(base):
    own, paper = base.statistics, published("SG-Base")
    assert own.nodes == pytest.approx(paper.nodes, rel=0.03)
    assert own.edges == pytest.approx(paper.edges, rel=0.03)
    assert own.mean_degree == pytest.approx(paper.mean_degree, abs=0.1)
    assert own.degree_error == pytest.approx(paper.degree_error, abs=0.005)
    assert own.classes[1] / own.nodes == pytest.approx(paper.classes[1] / paper.nodes, abs=0.04)


def test_small_explanations_are_near_table_6():
    parameters, paper = PRESETS["SG-SmallEx"], published("SG-SmallEx")
    found = structure(parameters)
    assert len(found.labels) == pytest.approx(paper.nodes, rel=0.03)
    assert found.edge_index.shape[1] == pytest.approx(paper.edges, rel=0.03)
    assert found.labels.mean() == pytest.approx(paper.classes[1] / paper.nodes, abs=0.04)


def test_probability_p_gives_fewer_edges_than_published():
    found = structure(PRESETS["SG-Base"].changed(connection="p"))
    inner = len(found.labels) + 1200  # a house has one edge more than nodes, and each grown node one edge
    # 719,400 pairs of subgraphs, each joined with probability 0.006: 4,316 +- 65 edges.
    assert found.edge_index.shape[1] / 2 - inner == pytest.approx(4316, abs=5 * 65)
    assert found.edge_index.shape[1] < 0.85 * published("SG-Base").edges


def test_structure_is_what_algorithm_2_says(base):
    data, graph = base.data, base.graph
    assert nx.is_connected(graph) and nx.number_of_selfloops(graph) == 0
    assert torch.equal(data.edge_index.unique(dim=1), data.edge_index)
    assert data.is_undirected()
    for copy in (0, 500, 1199):
        planted = graph.subgraph(np.flatnonzero(data.motif == copy))
        assert nx.is_isomorphic(planted, nx.house_graph())
        own = graph.subgraph(np.flatnonzero(data.subgraph_id == copy))
        # Every grown node hangs on the motif by one edge.
        assert own.number_of_edges() == own.number_of_nodes() + 1
        assert all(own.degree(node) == 1 for node in own if data.motif[node] < 0)
    between = data.subgraph_id[data.edge_index]
    joins = between[:, between[0] < between[1]]
    assert joins.unique(dim=1).shape == joins.shape  # at most one edge a pair of subgraphs


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_every_node_sees_1_to_k_motifs(classes):
    found = structure(SMALL.changed(num_classes=classes, num_subgraphs=80))
    counts = motif_counts(found.edge_index, found.motif)
    assert counts.min() == 1 and counts.max() == classes
    assert np.array_equal(counts - 1, found.labels)


def test_hard_coded_bound_of_two():
    found = structure(SMALL.changed(num_classes=4, num_subgraphs=80, motif_bound="two"))
    assert motif_counts(found.edge_index, found.motif).max() == 2


def test_growth_prefers_high_degrees():
    # Of a star's five nodes the centre has half of all degrees, before anything grows, and more later.
    found = structure(SMALL.changed(motif="star", subgraph_size=30, num_subgraphs=60, p=0.05))
    source, target = found.edge_index
    grown = (found.motif[target] < 0) & (found.motif[source] >= 0) & (found.subgraph[source] == found.subgraph[target])
    first = np.array([np.flatnonzero(found.subgraph == copy)[0] for copy in found.subgraph[source[grown]]])
    assert 0.4 < np.mean(source[grown] == first) < 0.65


@pytest.mark.parametrize("motif", ["triangle", "0-1,1-2,2-3,3-0,0-2", nx.path_graph(list("abc"))])
def test_other_motifs(motif):
    graph = generate(SMALL.changed(motif=motif))
    planted = graph.graph.subgraph(np.flatnonzero(graph.data.motif == 3))
    assert nx.is_isomorphic(planted, graph.parameters.motif_graph)


def test_informative_features_are_normal_around_corners():
    labels = np.repeat([0, 1], 20_000)
    parameters = Parameters(class_separation=3.0)
    found = draw_features(labels, parameters, np.random.default_rng(0))
    assert (found.informative.sum(), found.redundant.sum(), found.x.shape[1]) == (4, 6, 11)
    x = found.x[:, found.informative]
    nearest = np.sign(x)
    # With s_f = 3 a node seldom leaves its corner, so two clusters a class stand out, none shared.
    corners = [
        set(map(tuple, corners[counts > 2000]))
        for corners, counts in map(count_rows, (nearest[:20_000], nearest[20_000:]))
    ]
    assert [len(each) for each in corners] == [2, 2] and not corners[0] & corners[1]
    assert np.std(x - 3 * nearest, axis=0) == pytest.approx(1, abs=0.02)
    assert found.x[:, found.redundant].mean(axis=0) == pytest.approx(0, abs=0.03)
    assert found.x[:, found.redundant].std(axis=0) == pytest.approx(1, abs=0.03)


def count_rows(rows):
    return np.unique(rows, axis=0, return_counts=True)


@pytest.mark.parametrize(("phi", "classes"), [(0.0, 2), (0.75, 2), (1.0, 2), (0.5, 3)])
def test_protected_feature_is_the_flipped_label(phi, classes):
    labels = np.arange(30_000) % classes
    parameters = Parameters(protected_noise=phi, num_classes=classes)
    found = draw_features(labels, parameters, np.random.default_rng(1))
    protected = found.x[:, found.protected]
    assert np.mean(protected == labels) == pytest.approx(1 - phi, abs=0.015)
    assert set(protected) == set(range(classes))


def test_random_protected_feature_ignores_the_label():
    labels = np.arange(30_000) % 2
    found = draw_features(labels, Parameters(protected_noise=0.0, protected="random"), np.random.default_rng(1))
    assert np.mean(found.x[:, found.protected] == labels) == pytest.approx(0.5, abs=0.015)


def test_homophily_gradient_is_that_of_the_cosine_loss():
    rng = np.random.default_rng(0)
    pairs = Pairs(*(rng.integers(20, size=(2, size)) for size in (7, 9, 5)))
    x = torch.from_numpy(rng.standard_normal((20, 4))).float().requires_grad_()
    same, other, unconnected = (
        cosine_similarity(x[one], x[two]).mean()
        for one, two in (pairs.same_label, pairs.other_label, pairs.unconnected)
    )
    (-0.7 * same + 0.7 * unconnected + 0.7 * other).backward()  # alg. 3 with D the cosine similarity
    assert gradient(x.detach().numpy(), loss_weights(pairs, 0.7, 20)) == pytest.approx(x.grad.numpy(), abs=1e-6)


def test_pairs_are_what_they_are_called():
    found = structure(SMALL)
    edges = set(map(tuple, found.edge_index.T.tolist()))
    for alike in (False, True):
        pairs = draw_pairs(found.edge_index, found.labels, np.random.default_rng(0), unconnected_alike=alike)
        assert pairs.same_label.shape[1] + pairs.other_label.shape[1] == len(edges) // 2
        assert (found.labels[pairs.same_label[0]] == found.labels[pairs.same_label[1]]).all()
        assert (found.labels[pairs.other_label[0]] != found.labels[pairs.other_label[1]]).all()
        assert ((found.labels[pairs.unconnected[0]] == found.labels[pairs.unconnected[1]]) == alike).all()
        assert pairs.unconnected.shape[1] == len(edges) // 2
        assert not edges & set(map(tuple, pairs.unconnected.T.tolist()))


def test_eta_shapes_the_redundant_features_only():
    plain, alike, unlike = (generate(SMALL.changed(homophily=eta)) for eta in (0.0, 1.0, -1.0))
    redundant = plain.data.redundant
    assert torch.equal(plain.data.x[:, ~redundant], alike.data.x[:, ~redundant])
    assert torch.equal(plain.data.edge_index, unlike.data.edge_index)
    similarity = [graph.statistics.same_label_similarity for graph in (unlike, plain, alike)]
    assert similarity[0] < -0.3 < similarity[1] < 0.3 < similarity[2]
    assert unlike.statistics.other_label_similarity > 0.3 > -0.3 > alike.statistics.other_label_similarity


def test_unconnected_pairs_of_two_labels_let_redundant_features_tell_the_label():
    paper, code = (
        generate(SMALL.changed(homophily=1.0, homophily_pairs=pairs)).statistics
        for pairs in ("different-label", "same-label")
    )
    assert paper.redundant_accuracy > 0.95
    assert code.redundant_accuracy < code.largest_class + 0.1
    assert code.informative_accuracy > code.largest_class + 0.1
    assert paper.redundant_tell and not code.redundant_tell
    for above, told in ((0.14, False), (0.16, True)):
        assert replace(code, redundant_accuracy=code.largest_class + above).redundant_tell is told


@pytest.mark.parametrize("size", [500, 13_150, 7])
def test_split_is_a_partition(size):
    train, val, test = split_masks(size, np.random.default_rng(0))
    assert (train.astype(int) + val + test == 1).all()
    assert train.sum() == pytest.approx(0.7 * size, abs=1)
    assert val.sum() == pytest.approx(0.05 * size, abs=1)


def test_overlapping_split():
    train, val, test = split_masks(1000, np.random.default_rng(0), overlapping=True)
    assert (train.sum(), val.sum(), test.sum()) == (700, 50, 250)
    assert (train & test).sum() == pytest.approx(175, abs=40)


def test_same_seed_same_graph_and_no_global_random_state():
    np.random.seed(5)
    random.seed(5)
    torch.manual_seed(5)
    before = (np.random.get_state()[1].copy(), random.getstate(), torch.get_rng_state())
    one, two, other = (generate(SMALL.changed(homophily=1.0, seed=seed)) for seed in (4, 4, 5))
    after = (np.random.get_state()[1], random.getstate(), torch.get_rng_state())
    assert (before[0] == after[0]).all() and before[1] == after[1] and torch.equal(before[2], after[2])
    for name in one.data.to_dict():
        if name != "protected":
            assert torch.equal(one.data[name], two.data[name])
    assert one.data.num_edges != other.data.num_edges


def test_progress_rises_to_one_and_can_stop():
    seen = []
    with listening(seen.append):
        generate(SMALL.changed(homophily=1.0))
    assert seen == sorted(seen) and seen[-1] == 1 and len(seen) > 50

    def stop(share):
        if share > 0.6:
            raise Stopped

    with pytest.raises(Stopped), listening(stop):
        generate(SMALL.changed(homophily=1.0))


def test_stored_graph_is_the_generated_one():
    parameters = SMALL.changed(seed=11)
    first, again = stored_graph(parameters), stored_graph(parameters)
    assert first.data is not again.data
    assert torch.equal(first.data.x, again.data.x) and torch.equal(first.data.edge_index, again.data.edge_index)
    assert again.protected == first.protected and again.statistics == first.statistics
