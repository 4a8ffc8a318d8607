"""GEF, graph explanation unfaithfulness (GraphXAI, Eq. 5): how far the answer moves when only the mask is shown."""

import numpy as np

from ..registry import check_name

DIRECTIONS = ("printed", "reversed")
"""Of the Kullback-Leibler divergence. "printed": KL(original || masked), as Eq. 5 has it. "reversed":
KL(masked || original), as the released code computes it (metrics/base.py#L133)."""


def gef(original: np.ndarray, masked: np.ndarray, direction: str = "printed") -> np.ndarray:
    """``1 - exp(-KL)``, 0 where both agree and 1 where the masked input rules out what was predicted.

    Args:
        original: class probabilities with all of the input, [..., classes].
        masked: with the masked input, [..., classes].
        direction: one of ``DIRECTIONS``.

    Returns:
        [...].

    Raises:
        InputError: no such direction.
    """
    check_name("direction", direction, DIRECTIONS)
    pair = (original, masked) if direction == "printed" else (masked, original)
    # Rounding can leave a divergence below zero.
    return 1 - np.exp(-np.maximum(kl_divergence(*pair), 0.0))


def kl_divergence(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """``KL(p || q)``, the sum over classes of ``p log(p / q)``, [..., classes] to [...].

    A class with p = 0 adds nothing; one with p > 0 and q = 0 makes it infinite.
    """
    from scipy.special import rel_entr

    return rel_entr(np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64)).sum(axis=-1)


def two_classes(values: np.ndarray) -> np.ndarray:
    """A whitebox's F [n] as class probabilities ``[1 - F, F]`` [n, 2]; F clipped to [0, 1], as r1 can exceed 1."""
    values = np.clip(np.asarray(values, dtype=np.float64), 0.0, 1.0)
    return np.stack([1 - values, values], axis=-1)
