"""Seeds for explainers that draw random numbers."""

import zlib

from torch_geometric.data import Data


def graph_seed(seed: int, graph: Data) -> int:
    """A seed for one graph: the same alone or in a batch, another for every graph.

    One seed shared by all graphs would correlate their sampling errors: those of equal size would draw the
    same orders, and a mean over molecules would not average the errors out.
    """
    parts = (graph.x, graph.edge_index, graph.edge_attr)
    digest = zlib.crc32(b"".join(part.detach().numpy().tobytes() for part in parts))
    return (digest * 1_000_003 + seed) % 2**63
