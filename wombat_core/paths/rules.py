"""Captum's quadrature rules: where along the path its steps lie, and what each counts."""

from functools import lru_cache

import numpy as np

METHODS = ("gausslegendre", "riemann_left", "riemann_right", "riemann_middle", "riemann_trapezoid")
"""Their names."""


@lru_cache(maxsize=256)
def quadrature_rule(method: str, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Captum's alphas [steps] and step sizes [steps] on [0, 1]."""
    if method == "gausslegendre":
        # The same rule as Captum's, which takes minutes for thousands of nodes (numpy's dense eigenvalues).
        from scipy.special import roots_legendre

        nodes, weights = roots_legendre(steps)
        return (1 + nodes) / 2, weights / 2
    from captum.attr._utils.approximation_methods import approximation_parameters

    step_sizes, alphas = approximation_parameters(method)
    return np.array(alphas(steps)), np.array(step_sizes(steps))
