"""What differs between kinds of network, one class a kind; whoever needs to know asks :func:`kind_of`.

A third kind is a network (``forward``, ``trace``, ``pattern``, ``readout``, ``network_kind``), one subclass of
:class:`NetworkKind` beside it, and one line in :data:`KINDS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeGuard

import numpy as np
import torch

from ..molecules.encoding import encode_types
from ..molecules.molecule import Molecule
from ..progress import report
from ..registry import Registry

if TYPE_CHECKING:
    from torch import Tensor, nn

    from ..molecules.arrays import MoleculeArrays
    from ..molecules.graphs import Graph
    from ..molecules.levels import Inputs
    from .catalogue import Pattern
    from .decision import Decision
    from .model import Trace, Whitebox

AT_ONCE = 2048
"""Molecules in one batch."""


@dataclass(frozen=True, eq=False)
class Reading:
    """A forward pass in words.

    Attributes:
        decision: what carried the prediction; None for a kind without channels to follow.
        letters: one for every channel, layer by layer.
        sentences: what every channel stands for, in Markdown, layer by layer.
    """

    decision: Decision | None
    letters: tuple[tuple[str, ...], ...]
    sentences: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Explained:
    """One number of a forward pass, taken apart.

    Attributes:
        value: the number.
        equation: how it comes about in general, LaTeX.
        meaning: the same in a sentence.
        latex: the equation with the numbers, line by line; ``&`` stands where lines are aligned.
    """

    value: float
    equation: str
    meaning: str
    latex: tuple[str, ...]


class NetworkKind:
    """What can be asked of any network; a kind says more where it knows more."""

    has_channels: ClassVar[bool] = False
    """Whether its layers are channels in the sense of Eq. 1 and 2 (``model.convolutions``), which can be followed."""
    summary: ClassVar[str] = "This network has no channels of the paper's kind to follow."
    headlines: ClassVar[tuple[str, ...]] = ()
    """What happens in each layer, for a heading, where there are no channels."""

    def build(self, pattern: Pattern, readout: str) -> Any:
        """The network of a pattern."""
        raise NotImplementedError

    def live_part(
        self, model: nn.Module, batch: Graph, dtype: torch.dtype, start: tuple[Tensor, Tensor] | None
    ) -> Any | None:
        """F between a start and the input without repeating the batch (see ``evaluation``), or None."""
        return None

    def predictions(self, model: Any, arrays: MoleculeArrays, inputs: Inputs) -> dict[str, np.ndarray]:
        """F of every molecule, float32 [molecules], by readout; molecules that are left out have no meaning."""
        values = np.zeros(len(arrays), dtype=np.float32)
        usable = np.flatnonzero(arrays.usable)
        for start in range(0, len(usable), AT_ONCE):
            report(start / len(usable))
            places = usable[start : start + AT_ONCE]
            data = encode_types([Molecule(arrays.mol(place), "") for place in places])
            with torch.no_grad():
                values[places] = model(data.x[data.rows], data.edge_index, data.edge_attr, data.batch).numpy()
        return {model.readout: values}

    def read(self, model: Any, data: Graph, trace: Trace) -> Reading:
        """A forward pass in words: columns are lettered in order and called by their names."""
        names = tuple(tuple(layer.channels) for layer in trace.layers)
        return Reading(None, tuple(tuple(chr(ord("A") + i) for i in range(len(own))) for own in names), names)

    def take_apart(self, model: Any, data: Graph, trace: Trace, layer: int, column: int, atom: int) -> Explained:
        """One entry of a layer (from 1) or, at layer 0, the readout; for kinds without channels."""
        raise NotImplementedError


KINDS: Registry[NetworkKind] = Registry(
    "kind of network",
    {"whitebox": "whitebox_kind:WHITEBOX", "gine": "gine_kind:GINE", "any": NetworkKind()},
    __package__,
)
"""By the name that networks and patterns have as ``network_kind``."""


def has_channels(network: Any) -> TypeGuard[Whitebox]:
    """Whether the layers of a network are channels in the sense of Eq. 1 and 2, which can be followed."""
    return kind_of(network).has_channels


def kind_of(network: Any) -> NetworkKind:
    """The kind of a network or a pattern; one of somebody's own is of any kind."""
    return KINDS[getattr(network, "network_kind", "any")]
