"""How well a predictor predicts."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class SplitScores:
    """Accuracy and F1 on one part of the data.

    Attributes:
        size: nodes or graphs in it.
        accuracy: share that is predicted right.
        f1: of class 1 where there are two classes, else the mean over classes (macro).
    """

    size: int
    accuracy: float
    f1: float


def score_split(found: np.ndarray, labels: np.ndarray, num_classes: int) -> SplitScores:
    """The scores of predictions ``found`` [size] against ``labels`` [size]."""
    from sklearn.metrics import accuracy_score, f1_score

    how = "binary" if num_classes == 2 else "macro"
    own = None if num_classes == 2 else range(num_classes)
    # scikit-learn has no types; the checker takes zero_division to be as its default, "warn".
    f1 = f1_score(labels, found, average=how, labels=own, zero_division=0)  # pyright: ignore[reportArgumentType]
    return SplitScores(len(labels), float(accuracy_score(labels, found)), float(f1))
