"""The GINE whitebox: one ``GINEConv`` with hand-set weights that asks for two motifs at once.

``h_i = X[element_i]``; ``z_i = h_i + sum_j relu(h_j + E[bond_ij])`` (``GINEConv``, eps = 0);
``a_i = tanh(W z_i + c)``; ``F = sigmoid(sum over the columns of max_i a_i - 1.51)``, positive above 0.5.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch_geometric.nn import GINEConv
from torch_geometric.utils import to_dense_batch

from .. import progress
from ..errors import InputError
from ..molecules.features import BOND_TYPES, NUM_ATOM_FEATURES, NUM_BOND_FEATURES, NUM_ELEMENTS, element_slots
from .catalogue import GinePattern, Vector
from .model import LayerTrace, Trace
from .readouts import READOUTS, batch_vector

READOUT = "sigmoid"
OFFSET = 1.51
"""Both columns of ``a`` reach tanh(1) = 0.76 on a match: together 1.523, of which one alone is far short."""

EMBEDDING_COLUMNS = ("F", "−F", "C or F", "C, double-bonded", "double bond")
"""What the five columns of ``h`` and ``z`` carry: fluorines (the second takes the atom's own fluorine back), a mark
that excludes carbon and fluorine as the carbonyl's oxygen, carbons and double bonds that the neighbours send."""
ANSWER_COLUMNS = ("carbonyl", "fluorine")
"""What the two columns of ``a`` say: the oxygen of a carbonyl, an atom that carries fluorine."""


class Gine(nn.Module):
    """The network that detects several motifs at once; it is called as a ``Whitebox`` is.

    Of the atom features it reads the 100 element slots, not the hydrogen counts. A bond of none of the four types
    has the embedding zero, as has an element without a slot.

    Args:
        pattern: what to detect, and the weights.
        readout: the network has a readout of its own; "r1" and "r2" are accepted and mean that one as well.

    Raises:
        InputError: unknown readout.

    Attributes:
        readout: "sigmoid".
    """

    readout = READOUT
    network_kind = "gine"

    def __init__(self, pattern: GinePattern, readout: str = READOUT):
        super().__init__()
        if readout not in (READOUT, *READOUTS):
            raise InputError(f"There is no readout {str(readout)[:40]!r}; {pattern.id} has one of its own, {READOUT}.")
        self.pattern = pattern
        elements = [""] * NUM_ELEMENTS
        for symbol, slot in element_slots().items():
            elements[slot] = symbol
        self.elements = _embedding(elements, pattern.element_embedding, NUM_ATOM_FEATURES)
        self.bonds = _embedding(BOND_TYPES, pattern.bond_embedding, NUM_BOND_FEATURES)
        self.convolution = GINEConv(nn.Identity())
        self.mix = nn.Linear(len(pattern.weight[0]), len(pattern.weight))
        with torch.no_grad():
            self.mix.weight.copy_(torch.tensor(pattern.weight))
            self.mix.bias.copy_(torch.tensor(pattern.bias))
        self.requires_grad_(False)

    def forward(self, x: Tensor, edge_index: Tensor, edge_attr: Tensor, batch: Tensor | None = None) -> Tensor:
        """F(G) of every graph, [num_graphs]; arguments as :func:`wombat_core.molecules.encoding.encode` gives them."""
        progress.check()
        batch, num_graphs = batch_vector(x.size(0), batch, x.device)
        return self._read_out(self._activations(x, edge_index, edge_attr)[-1], batch, num_graphs)

    @torch.no_grad()
    def trace(self, x: Tensor, edge_index: Tensor, edge_attr: Tensor, batch: Tensor | None = None) -> Trace:
        """The forward pass in three named tables: embeddings ``h``, convolution ``z``, answers ``a``."""
        batch, num_graphs = batch_vector(x.size(0), batch, x.device)
        tables = self._activations(x, edge_index, edge_attr)
        letters = ("h", "z", "a")
        columns = (EMBEDDING_COLUMNS, EMBEDDING_COLUMNS, ANSWER_COLUMNS)
        layers = [
            LayerTrace(depth, [f"{letter}: {column}" for column in own], table)
            for depth, (letter, own, table) in enumerate(zip(letters, columns, tables, strict=True), start=1)
        ]
        return Trace(layers, None, {READOUT: self._read_out(tables[-1], batch, num_graphs)})

    def _activations(self, x: Tensor, edge_index: Tensor, edge_attr: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        embedded = self.elements(x)
        gathered = self.convolution(embedded, edge_index, self.bonds(edge_attr))
        return embedded, gathered, self.mix(gathered).tanh()

    def _read_out(self, answers: Tensor, batch: Tensor, num_graphs: int) -> Tensor:
        """F [num_graphs]. Of atoms that tie for a column's maximum the first carries the gradient, as published."""
        padded, _ = to_dense_batch(answers, batch, fill_value=-1.0, batch_size=num_graphs)
        return (padded.max(dim=1).values.sum(dim=1) - OFFSET).sigmoid()


def _embedding(slots: Sequence[str], rows: tuple[tuple[str, Vector], ...], num_features: int) -> nn.Linear:
    """A look-up of one-hot slots, as a linear map so that gradients reach them; features after the slots weigh 0."""
    known = dict(rows)
    table = torch.tensor([known.get(slot, known["other"]) for slot in slots])
    embedding = nn.Linear(num_features, table.size(1), bias=False)
    with torch.no_grad():
        embedding.weight.zero_()
        embedding.weight[:, : len(slots)] = table.T
    return embedding
