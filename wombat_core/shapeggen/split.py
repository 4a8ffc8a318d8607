"""Which nodes train, validate and test."""

import numpy as np

SHARES = (0.70, 0.05, 0.25)
"""Training, validation and test nodes of synthetic graphs (the paper's Results, Implementation details)."""


def split_masks(size: int, rng: np.random.Generator, overlapping: bool = False) -> tuple[np.ndarray, ...]:
    """Three [size] bool masks: training, validation, test.

    Args:
        size: the nodes.
        rng: draws them.
        overlapping: three independent draws (the released code, shape_graph.py#L218-L227) in place of a partition.
    """
    ends = np.round(np.cumsum(SHARES) * size).astype(int)
    masks, order = [], rng.permutation(size)
    for start, end in zip((0, *ends[:-1]), ends, strict=True):
        mask = np.zeros(size, dtype=bool)
        mask[rng.permutation(size)[: end - start] if overlapping else order[start:end]] = True
        masks.append(mask)
    return tuple(masks)
