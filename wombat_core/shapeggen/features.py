"""Node features: informative, redundant and protected (alg. 1)."""

from dataclasses import dataclass

import numpy as np

from .parameters import Parameters


@dataclass(frozen=True, eq=False)
class Features:
    """Features of all nodes; columns are in a random order, so that no method gains from the order of equals.

    Attributes:
        x: [n, n_f] float64
        informative: [n_f] bool
        redundant: [n_f] bool
        protected: the column of the protected feature.
    """

    x: np.ndarray
    informative: np.ndarray
    redundant: np.ndarray
    protected: int


def draw_features(labels: np.ndarray, parameters: Parameters, rng: np.random.Generator) -> Features:
    """The features of alg. 1, before their homophily is optimised.

    Each class has c_f clusters, their centres on different corners of a hypercube [-s_f, s_f]^n_i; a node belongs to
    one cluster of its class and its informative features are N(centre, 1). Redundant features are N(0, 1). The
    protected feature is the label, or with probability phi another class (for two classes: the other one).

    Args:
        labels: [n] 0 to K - 1.
        parameters: n_f counts all of them: n_i informative, one protected, the rest redundant.
        rng: draws everything.
    """
    size, informative = len(labels), parameters.num_informative
    corners = _corners(parameters, rng)
    cluster = rng.integers(parameters.num_clusters, size=size)
    centres = corners[labels * parameters.num_clusters + cluster]
    x = rng.standard_normal((size, parameters.num_features))
    x[:, :informative] += centres
    x[:, -1] = _protected(labels, parameters, rng)
    order = rng.permutation(parameters.num_features)
    kind = np.zeros(parameters.num_features, dtype=int)
    kind[:informative], kind[-1] = 1, 2
    kind = kind[order]
    return Features(x[:, order], kind == 1, kind == 0, int(np.flatnonzero(kind == 2)[0]))


def _corners(parameters: Parameters, rng: np.random.Generator) -> np.ndarray:
    """[K * c_f, n_i] different corners of the hypercube, in random order."""
    wanted, dimensions = parameters.num_classes * parameters.num_clusters, parameters.num_informative
    # Twenty dimensions have corners enough for every K and c_f; the corners differ in those already.
    leading = min(dimensions, 20)
    codes = rng.choice(2**leading, size=wanted, replace=False)
    bits = np.concatenate(
        [codes[:, None] >> np.arange(leading) & 1, rng.integers(2, size=(wanted, dimensions - leading))], 1
    )
    return parameters.class_separation * (2.0 * bits - 1)


def _protected(labels: np.ndarray, parameters: Parameters, rng: np.random.Generator) -> np.ndarray:
    if parameters.protected == "random":
        return rng.integers(2, size=len(labels))
    flipped = rng.random(len(labels)) < parameters.protected_noise
    shift = rng.integers(1, parameters.num_classes, size=len(labels))
    return np.where(flipped, (labels + shift) % parameters.num_classes, labels)
