"""GraphXAI's metrics: numbers worked out by hand, and the cases at the edge."""

import math

import numpy as np
import pytest
import torch
from torch_geometric.data import Batch, Data

from wombat_core.errors import InputError
from wombat_core.explainers.masked import on_masked
from wombat_core.metrics.accuracy import gea, jaccard
from wombat_core.metrics.fairness import gecf, gegf, statistical_parity
from wombat_core.metrics.faithfulness import gef, kl_divergence, two_classes
from wombat_core.metrics.masks import binarise, quarter
from wombat_core.metrics.stability import cosine_distance, ges
from wombat_core.metrics.summary import of_gaps, of_values
from wombat_core.networks.networks import Architecture, Predictor
from wombat_core.shapeggen import PRESETS, generate


def mask(text):
    return np.array([character == "1" for character in text])


# Masks


@pytest.mark.parametrize(("entries", "kept"), [(1, 1), (2, 1), (4, 1), (5, 1), (6, 2), (10, 3), (11, 3), (100, 25)])
def test_a_quarter_is_rounded_to_the_nearest_halves_up(entries, kept):
    assert quarter(entries) == kept
    assert binarise(np.arange(1.0, entries + 1)).sum() == kept


def test_the_highest_quarter_is_kept():
    assert binarise(np.array([0.1, 0.9, 0.5, 0.8, 0.2, 0.7, 0.0, 0.3])).tolist() == mask("01010000").tolist()


def test_ties_are_broken_the_same_way_each_time_and_favour_no_place():
    state = np.random.get_state()[1].tolist()
    tied = np.array([0.1, 0.9, 0.5, 0.9, 0.2, 0.9, 0.0, 0.3])
    kept = binarise(tied)
    assert kept.sum() == 2 and (tied[kept] == 0.9).all()
    assert (binarise(tied) == kept).all() and (binarise(100 * tied) == kept).all()
    # The mean place of the kept entries, from 0 for the first to 1 for the last: half for a draw, an eighth for the
    # earlier ones. Its standard error over these sizes is about 0.02.
    places = [np.flatnonzero(binarise(np.ones(size))).mean() / (size - 1) for size in range(5, 105)]
    assert abs(np.mean(places) - 0.5) < 0.05
    assert np.random.get_state()[1].tolist() == state


def test_a_constant_score_is_no_better_than_a_random_one():
    """Motif nodes have the lower numbers in a neighbourhood: the earlier of equal scores would find them."""
    graph, rng = generate(PRESETS["SG-Base-500"].changed(homophily=0.0)), np.random.default_rng(0)
    known = [graph.truth(node).node_mask.numpy() for node in range(0, graph.num_nodes, 3)]
    constant = np.mean([gea([own], binarise(np.ones(len(own)))) for own in known])
    drawn = np.mean([gea([own], binarise(rng.random(len(own)))) for own in known for _ in range(5)])
    earlier = np.mean([gea([own], np.arange(len(own)) < quarter(len(own))) for own in known])
    assert abs(constant - drawn) < 0.02 < earlier - drawn


def test_zeros_are_never_kept():
    assert binarise(np.array([0, 0, 1, 0, 0, 0, 0, 0.0])).tolist() == mask("00100000").tolist()
    assert not binarise(np.zeros(8)).any()


def test_the_thresholds_of_the_released_code():
    scores = np.array([0.05, 0.2, 0.8, 0.81, 2.0])
    assert binarise(scores, "above-0.8").tolist() == mask("00011").tolist()
    assert binarise(scores, "above-0.1-max").tolist() == mask("00111").tolist()
    assert not binarise(np.zeros(3), "above-0.1-max").any()
    assert not binarise(np.zeros(0), "above-0.1-max").any()
    with pytest.raises(InputError, match="choose from top-25%"):
        binarise(scores, "half")


# GEA


def test_jaccard_by_hand():
    """TP = 2, FP = 1, FN = 1: 2 / 4."""
    assert jaccard(mask("11100"), mask("01110")) == 0.5
    assert jaccard(mask("110"), mask("110")) == 1.0
    assert jaccard(mask("110"), mask("001")) == 0.0
    assert jaccard(mask("110"), mask("000")) == 0.0
    assert jaccard(mask("000"), mask("110")) == 0.0
    assert math.isnan(jaccard(mask("000"), mask("000")))


def test_gea_takes_the_best_ground_truth():
    """1/3 against the first, 2/3 against the second."""
    truths = [mask("110000"), mask("011100")]
    assert gea(truths, mask("011000")) == pytest.approx(2 / 3)
    assert gea(reversed(truths), mask("011000")) == pytest.approx(2 / 3)
    assert math.isnan(gea([], mask("011000")))
    assert gea([mask("000000"), mask("100000")], mask("000000")) == 0.0


def test_gea_under_the_released_threshold():
    """Scores above 0.8 are nodes 0, 1 and 3; TP = 2, FP = 1, FN = 0: 2/3. The top quarter is node 1 alone: 1/2."""
    scores, truth = np.array([0.85, 0.95, 0.5, 0.9]), mask("1100")
    assert gea([truth], binarise(scores, "above-0.8")) == pytest.approx(2 / 3)
    assert gea([truth], binarise(scores)) == 0.5


# GEF


def test_gef_by_hand_in_both_directions():
    """p = [3/4, 1/4], q = [1/2, 1/2]: KL(p||q) = 3/4 ln(3/2) + 1/4 ln(1/2), KL(q||p) = 1/2 ln(2/3) + 1/2 ln 2."""
    p, q = np.array([0.75, 0.25]), np.array([0.5, 0.5])
    printed = 0.75 * math.log(1.5) + 0.25 * math.log(0.5)
    reverse = 0.5 * math.log(2 / 3) + 0.5 * math.log(2)
    assert kl_divergence(p, q) == pytest.approx(printed) == pytest.approx(0.130812, abs=1e-6)
    assert gef(p, q) == pytest.approx(1 - math.exp(-printed)) == pytest.approx(0.122617, abs=1e-6)
    assert gef(p, q, "reversed") == pytest.approx(1 - math.exp(-reverse)) == pytest.approx(0.133975, abs=1e-6)
    with pytest.raises(InputError, match="printed or reversed"):
        gef(p, q, "sideways")


def test_the_reversed_direction_is_that_of_torch():
    """``F.kl_div(org.log(), pert)`` is what the released code computes (seed: metrics/base.py#L133)."""
    org, pert = torch.tensor([0.6, 0.3, 0.1]), torch.tensor([0.2, 0.5, 0.3])
    divergence = torch.nn.functional.kl_div(org.log(), pert, reduction="sum").item()
    assert gef(org.numpy(), pert.numpy(), "reversed") == pytest.approx(1 - math.exp(-divergence), abs=1e-6)


def test_gef_at_the_edges():
    certain, other = np.array([0.0, 1.0]), np.array([1.0, 0.0])
    assert gef(certain, certain) == 0.0
    assert gef(certain, other) == 1.0
    assert gef(certain, np.array([0.5, 0.5])) == pytest.approx(0.5)
    assert gef(np.stack([certain, other]), np.stack([certain, certain])).tolist() == [0.0, 1.0]


def test_a_whitebox_is_two_classes():
    assert two_classes(np.array([0.25, 16.0, 0.0])).tolist() == [[0.75, 0.25], [0.0, 1.0], [1.0, 0.0]]


# GES, GECF


def test_cosine_distance_by_hand():
    """Two of three in common: 1 - 2/3."""
    assert cosine_distance(mask("1110"), mask("0111")) == pytest.approx(1 / 3)
    assert cosine_distance(mask("1100"), mask("1100")) == 0.0
    assert cosine_distance(mask("1100"), mask("0011")) == 1.0
    assert cosine_distance(mask("0000"), mask("0011")) == 1.0
    assert cosine_distance(mask("0000"), mask("0000")) == 0.0


def test_ges_is_the_largest_distance():
    own = mask("1110")
    assert ges(own, [own, mask("0111"), mask("1100")]) == pytest.approx(1 / 3)
    assert ges(own, [own, own]) == 0.0
    assert math.isnan(ges(own, []))


def test_gecf_is_the_distance():
    assert gecf(mask("1110"), mask("0111")) == pytest.approx(1 / 3)
    assert gecf(mask("10"), mask("10")) == 0.0


# GEGF


def test_statistical_parity_by_hand():
    """Group 0: 1 of 2 positive, group 1: 3 of 3."""
    protected = np.array([0, 0, 1, 1, 1])
    assert statistical_parity(np.array([1, 0, 1, 1, 1]), protected) == 0.5
    assert statistical_parity(np.array([1, 0, 1, 1, 1]), protected, positive=0) == 0.5
    assert math.isnan(statistical_parity(np.array([1, 0]), np.array([1, 1])))


def test_gegf_by_hand():
    """Parity 1/2 with all of the input, |1 - 1/3| with the masks: 1/6."""
    protected = np.array([0, 0, 1, 1, 1])
    own, masked = np.array([1, 0, 1, 1, 1]), np.array([1, 1, 1, 0, 0])
    assert gegf(own, masked, protected) == pytest.approx(1 / 6)
    assert gegf(own, own, protected) == 0.0


# Means


def test_means_leave_out_what_is_undefined():
    """1, 2, 3: mean 2, s = 1, standard error 1 / sqrt 3."""
    found = of_values([1.0, 2.0, math.nan, 3.0])
    assert (found.mean, found.count) == (2.0, 3)
    assert found.error == pytest.approx(3**-0.5)
    assert of_values([math.nan]).count == 0
    assert str(of_values([])) == "undefined"
    assert math.isnan(of_values([1.0]).error)


def test_the_error_of_a_gap_is_seeded():
    random = np.random.default_rng(0)
    own, masked, protected = (random.integers(2, size=60) for _ in range(3))
    first = of_gaps(own, masked, protected, 1, seed=3)
    assert first == of_gaps(own, masked, protected, 1, seed=3) != of_gaps(own, masked, protected, 1, seed=4)
    assert first.mean == gegf(own, masked, protected)
    assert 0 < first.error < 0.5


# Masked inputs


@pytest.fixture
def batch():
    random = torch.Generator().manual_seed(0)
    graphs = [
        Data(torch.randn(n, 3, generator=random), torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]]), torch.ones(4, 2))
        for n in (3, 4)
    ]
    return Batch.from_data_list(graphs)


def test_masks_zero_nodes_or_features_or_silence_edges(batch):
    model = Predictor(Architecture("gin", 3, level="graph"), seed=1)
    whole = model(batch.x, batch.edge_index, None, batch.batch)
    everything = {"node": (3, 4), "edge": (4, 4), "feature": (3, 3)}
    for kind, sizes in everything.items():
        ones = [np.ones(size, dtype=bool) for size in sizes]
        assert torch.allclose(on_masked(model, batch, kind, ones), whole, atol=1e-6)
    x = batch.x.clone()
    x[[1, 2, 3, 5, 6]] = 0
    shown = on_masked(model, batch, "node", [mask("100"), mask("0100")])
    assert torch.allclose(shown, model(x, batch.edge_index, None, batch.batch))
    x = batch.x.clone()
    x[:3, 1:], x[3:, :2] = 0, 0
    shown = on_masked(model, batch, "feature", [mask("100"), mask("001")])
    assert torch.allclose(shown, model(x, batch.edge_index, None, batch.batch))
    kept = batch.edge_index[:, [0, 1, 6, 7]]
    shown = on_masked(model, batch, "edge", [mask("1100"), mask("0011")])
    assert torch.allclose(shown, model(batch.x, kept, None, batch.batch), atol=1e-6)
    # The network itself carries no mask afterwards.
    assert torch.equal(model(batch.x, batch.edge_index, None, batch.batch), whole)


def test_there_is_no_other_kind_of_mask(batch):
    with pytest.raises(InputError, match="choose from node, edge, feature"):
        on_masked(Predictor(Architecture("gin", 3, level="graph")), batch, "graph", [])
