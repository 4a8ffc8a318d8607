"""Why a ground-truth atom scores exactly 0 under r1: of matches that tie for the maximum one speaks."""

import numpy as np

_FOLLOWS_ONE = (
    "integrated-gradients",
    "integrated-gradients-exact",
    "saliency",
    "input-x-gradient",
    "guided-backprop",
)


def tie_reason(name: str, atoms: np.ndarray, truth: np.ndarray, tied: int, readout: str) -> str:
    """The sentence about ties where it holds, else "".

    Args:
        name: of the explainer.
        atoms: its scores, [num_atoms].
        truth: the ground-truth atoms, bool [num_atoms].
        tied: atoms whose product of the last channels is the largest of all.
        readout: the network's.
    """
    if readout != "r1" or name not in _FOLLOWS_ONE or tied < 2 or not (atoms[truth] == 0).any():
        return ""
    return (
        f"{tied} atoms tie for the maximum that r1 takes; the gradient follows the first in the molecule's order, so "
        "ground-truth atoms of the others score exactly 0."
    )
