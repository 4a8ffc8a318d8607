"""Seeds for explainers that draw random numbers."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..molecules.graphs import Graph

from ..progress import unpaused

generator = threading.RLock()
"""Held while torch's one generator of this process is somebody's own; others draw from it in other threads."""


def graph_seed(seed: int, graph: Graph) -> int:
    """A seed for one graph: the same alone or in a batch, another for every graph.

    One seed shared by all graphs would correlate their sampling errors: those of equal size would draw the
    same orders, and a mean over molecules would not average the errors out.
    """
    parts = (graph.x, graph.edge_index, graph.edge_attr)
    digest = zlib.crc32(b"".join(part.detach().numpy().tobytes() for part in parts))
    return (digest * 1_000_003 + seed) % 2**63


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Within the block, torch draws from ``seed`` on, whatever other threads draw; afterwards it goes on as before."""
    import torch

    with unpaused(), generator, torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield


class Stream:
    """Random numbers of a long calculation that gives way to other threads between its steps.

    Args:
        seed: where they begin.
    """

    def __init__(self, seed: int):
        import torch

        with seeded(seed):
            self._state = torch.get_rng_state()

    @contextmanager
    def step(self) -> Iterator[None]:
        """Within the block, torch draws this stream's next numbers."""
        import torch

        with unpaused(), generator, torch.random.fork_rng(devices=[]):
            torch.set_rng_state(self._state)
            yield
            self._state = torch.get_rng_state()
