"""The paper's kind of network: channels that follow Eq. 1 and 2."""

import torch
from torch import Tensor

from ..molecules.arrays import MoleculeArrays
from ..molecules.graphs import Graph
from ..molecules.levels import Inputs
from .active_part import ActivePart
from .catalogue import Pattern
from .decision import decision
from .evaluation import AnchoredPart
from .kind import NetworkKind, Reading
from .model import Trace, Whitebox
from .sentences import readings
from .sweep import sweep


class WhiteboxKind(NetworkKind):
    """See :class:`NetworkKind`."""

    has_channels = True

    def build(self, pattern: Pattern, readout: str) -> Whitebox:
        return Whitebox(pattern, readout)

    def live_part(
        self, model: Whitebox, batch: Graph, dtype: torch.dtype, start: tuple[Tensor, Tensor] | None
    ) -> ActivePart | None:
        if start is None:
            return ActivePart(model, batch, dtype)
        ends = zip(start, (batch.x, batch.edge_attr), strict=True)
        if all(bool(((begins == 0) | (begins == end)).all()) for begins, end in ends):
            return AnchoredPart(model, batch, dtype, start)
        return None

    def predictions(self, model: Whitebox, arrays: MoleculeArrays, inputs: Inputs):
        found = sweep(model, inputs, len(arrays))
        return {"r1": found.r1, "r2": found.r2}

    def read(self, model: Whitebox, data: Graph, trace: Trace) -> Reading:
        letters = tuple(tuple(channel.letter for channel in layer) for layer in model.pattern.layers)
        sentences = tuple(tuple(reading.sentence for reading in layer) for layer in readings(model.pattern))
        return Reading(decision(model, data, trace), letters, sentences)


WHITEBOX = WhiteboxKind()
