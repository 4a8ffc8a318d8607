import numpy as np
import pytest

from wombat_core.metrics.scores import iqr_pass, score


def test_auroc_and_average_precision_by_hand():
    scores = score(np.array([0.9, 0.1, 0.8, 0.2]), np.array([True, False, False, True]))
    assert scores.auroc == 0.75  # of the 4 pairs, 3 are in order
    assert scores.average_precision == pytest.approx((1 + 2 / 3) / 2)
    assert scores.ap_baseline == 0.5 and scores.perfect is False and scores.iqr_pass is None


def test_perfect_means_auroc_one():
    assert score(np.array([3.0, 1.0, 2.0]), np.array([True, False, True])).perfect is True


def test_a_constant_answer_scores_the_baselines():
    scores = score(np.zeros(4), np.array([True, False, False, False]))
    assert (scores.auroc, scores.average_precision) == (0.5, scores.ap_baseline)


def test_undefined_where_every_atom_is_ground_truth():
    scores = score(np.array([1.0, 2.0]), np.array([True, True]))
    assert (scores.auroc, scores.average_precision, scores.perfect, scores.ap_baseline) == (None, None, None, 1.0)
    assert scores.why["auroc"].startswith("Every atom is ground truth")


def test_negatives_are_judged_by_the_iqr_criterion_alone():
    scores = score(np.array([0.0, 0.0, 1.0]), np.zeros(3, dtype=bool))
    assert scores.auroc is None and "does not contain the motif" in scores.why["auroc"]
    assert scores.iqr_pass is not None


@pytest.mark.parametrize(
    ("values", "passed"),
    [
        ([0, 0, 0, 0, 0, 0, 0, 1], False),  # q1 = q3 = 0: anything above 1.5e-6 stands out
        ([0, 0, 0, 0, 0, 0, 0, 1e-6], True),
        ([1, 1, 1, 1], True),
        ([0, 1, 2, 3, 4], True),
        ([0, 1, 2, 3, 100], False),
        ([5], True),
    ],
)
def test_iqr_criterion(values, passed):
    assert iqr_pass(np.array(values, dtype=float)) is passed


def test_iqr_uses_the_lower_and_the_higher_quartile():
    # Quartiles 1 (lower) and 4 (higher) give a reach to 8.5; interpolated ones (1.25, 3.75) would end at 7.5.
    assert iqr_pass(np.array([0.0, 1, 2, 3, 4, 8.0]))
