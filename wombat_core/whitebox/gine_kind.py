"""The GINE whitebox as a kind of network: three tables, and a readout of its own."""

from ..molecules.graphs import Graph
from .catalogue import GinePattern
from .gine import OFFSET, READOUT, Gine
from .gine_calculation import calculate_gine
from .kind import Explained, NetworkKind
from .model import Trace

_EQUATIONS = (
    (
        rf"F=\sigma\Big(\sum_k\max_i a_i[k]-{OFFSET}\Big)",
        "Every column of **a** contributes its largest atom; F is positive above 0.5.",
    ),
    (r"h_i=X[\mathrm{element}_i]", "The embedding is looked up by element."),
    (
        r"z_i=h_i+\sum_{j\in\mathcal{N}(i)}\operatorname{relu}(h_j+E[\mathrm{bond}_{ij}])",
        "Every neighbour sends its embedding plus that of the bond; the ReLU leaves what is wanted.",
    ),
    (r"a_i=\tanh(W z_i+c)", "Each column answers one motif: close to 0.76 where it is found."),
)
"""The readout's, then those of the tables ``h``, ``z`` and ``a``."""


class GineKind(NetworkKind):
    """See :class:`NetworkKind`."""

    summary = "One graph convolution asks for several motifs at once; it has no channels of the paper's kind to follow."
    headlines = ("Embeddings of the atoms", "What the neighbours send", "The answers")

    def build(self, pattern: GinePattern, readout: str = READOUT) -> Gine:
        return Gine(pattern, readout)

    def take_apart(self, model: Gine, data: Graph, trace: Trace, layer: int, column: int, atom: int) -> Explained:
        found = calculate_gine(model, data, trace, layer, column, atom)
        return Explained(found.value, *_EQUATIONS[layer], found.latex)


GINE = GineKind()
