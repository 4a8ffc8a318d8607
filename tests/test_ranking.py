import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from wombat_core.metrics.ranking import auroc_and_average_precision


@pytest.mark.parametrize("levels", [1, 2, 5, 1000])
def test_the_numbers_of_scikit_learn(levels):
    random = np.random.default_rng(levels)
    for _ in range(50):
        truth = np.zeros(random.integers(2, 40), dtype=bool)
        truth[random.permutation(len(truth))[: random.integers(1, len(truth))]] = True
        scores = random.integers(0, levels, len(truth)) / 7
        auroc, precision = auroc_and_average_precision(scores, truth)
        assert auroc == pytest.approx(roc_auc_score(truth, scores), abs=1e-12)
        assert precision == pytest.approx(average_precision_score(truth, scores), abs=1e-12)


def test_perfect_is_exactly_one():
    for size in range(2, 60):
        truth = np.arange(size) < max(1, size // 3)
        assert auroc_and_average_precision(truth * 0.1 + 0.7, truth) == (1.0, 1.0)
