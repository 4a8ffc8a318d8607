"""One forward pass for the Layers page, cached: the network, its input, its trace and what decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pages.shared import engine

from .memory import remembered

if TYPE_CHECKING:
    import numpy as np
    from torch_geometric.data import Data

    from wombat_core.drawing.depiction import Depiction
    from wombat_core.whitebox.build import Network
    from wombat_core.whitebox.decision import Decision
    from wombat_core.whitebox.model import Trace

THUMB_WIDTH, THUMB_HEIGHT = 300, 200


@dataclass(frozen=True, eq=False)
class Pass:
    """A forward pass.

    Attributes:
        model, data, trace: the network, the encoded molecule, every layer's activations.
        decision: what carried the prediction; None for a network without channels to follow.
        labels: symbol and number of every atom ("C5").
        tables: activations of every layer, [num_atoms, channels] each.
        letters: letter of every channel, layer by layer.
        sentences: what every channel stands for, in Markdown, layer by layer.
    """

    model: Network
    data: Data
    trace: Trace
    decision: Decision | None
    labels: tuple[str, ...]
    tables: tuple[np.ndarray, ...]
    letters: tuple[tuple[str, ...], ...]
    sentences: tuple[tuple[str, ...], ...]

    @property
    def depth(self) -> int:
        """Number of tables before the readout."""
        return len(self.tables)

    def names(self, layer: int) -> list[str]:
        """The channels' names in a layer (from 1)."""
        return self.trace.layers[layer - 1].channels

    def limit(self, layer: int) -> float:
        """The value with the strongest colour in a layer."""
        table = self.tables[layer - 1]
        return max(1.0, float(abs(table).max())) if table.size else 1.0

    def decided(self, layer: int) -> set[tuple[int, int]]:
        """Atom and channel of the activations that were carried to the readout."""
        if self.decision is None:
            return set()
        return {(atom, channel) for depth, atom, channel in self.decision.activations if depth == layer}


@remembered(100)
def forward_pass(text: str, id: str, readout: str) -> Pass:
    """The pass of a molecule that ``engine.find`` knows and the network can read."""
    from wombat_core.whitebox.kind import kind_of

    using = engine.get_engine()
    molecule, model = using.molecule(text), using.network(id, readout)
    data, trace = using.graph(text, model.pattern.encoding), using.trace(text, id)
    reading = kind_of(model).read(model, data, trace)
    return Pass(
        model,
        data,
        trace,
        reading.decision,
        tuple(f"{atom.GetSymbol()}{atom.GetIdx()}" for atom in molecule.mol.GetAtoms()),
        tuple(layer.activations.numpy() for layer in trace.layers),
        reading.letters,
        reading.sentences,
    )


@remembered(100)
def thumbnail(text: str) -> Depiction:
    """The bare molecule in the size of the strip, on which the layers are marked."""
    from wombat_core.drawing.depiction import depict

    return depict(engine.find(text).molecule, width=THUMB_WIDTH, height=THUMB_HEIGHT)


@remembered(200)
def layer_picture(
    text: str,
    scores: np.ndarray | None,
    bond_scores: np.ndarray | None,
    limit: float,
    signed: bool,
    dim: np.ndarray | None,
    notes: tuple[str | None, ...] | None,
    room: int | None,
    numbers: bool,
    width: int,
    height: int,
) -> Depiction:
    """The large molecule of one layer; labels keep off the atom ``room``, which the page marks."""
    from wombat_core.drawing.depiction import depict

    return depict(
        engine.find(text).molecule,
        width=width,
        height=height,
        scores=scores,
        bond_scores=bond_scores,
        limit=limit,
        signed=signed,
        dim=dim,
        notes=notes,
        room=room,
        numbers=numbers,
    )
