"""GECF and GEGF (GraphXAI, Eq. 7 and 8): does the explanation keep the model's dealings with a protected feature?"""

import numpy as np

from .stability import cosine_distance


def gecf(mask: np.ndarray, counterfactual: np.ndarray) -> float:
    """Counterfactual fairness mismatch (Eq. 7): the cosine distance between the mask of a graph and that of the same
    graph with its protected feature changed, [entries] each."""
    return cosine_distance(mask, counterfactual)


def statistical_parity(predictions: np.ndarray, protected: np.ndarray, positive: int = 1) -> float:
    """``|P(y = positive | s = 0) - P(y = positive | s = 1)|``; nan where a group has no member.

    Args:
        predictions: classes [n].
        protected: the protected feature [n], 0 or 1.
        positive: the class whose share is compared.
    """
    is_positive = np.asarray(predictions) == positive
    group = np.asarray(protected) > 0.5
    if group.all() or not group.any():
        return float("nan")
    return float(abs(is_positive[~group].mean() - is_positive[group].mean()))


def gegf(predictions: np.ndarray, masked: np.ndarray, protected: np.ndarray, positive: int = 1) -> float:
    """Group fairness mismatch (Eq. 8): how far the statistical parity moves when only the masks are shown.

    Args:
        predictions: classes with all of the input, [n].
        masked: classes when only each graph's explanation is shown, [n].
        protected, positive: as in :func:`statistical_parity`.
    """
    own = (statistical_parity(found, protected, positive) for found in (predictions, masked))
    return abs(next(own) - next(own))
