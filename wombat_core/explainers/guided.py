"""Guided backpropagation, through Captum."""

from __future__ import annotations

import copy
import time
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from .attribution import Attribution
from .gradient import arrays_of, inputs_of, split
from .method import Method, NullReasons

if TYPE_CHECKING:
    from torch import nn

    from ..molecules.graphs import GraphBatch


@dataclass(frozen=True)
class GuidedBackprop(Method):
    """The gradient of F at the input, with negative gradients stopped at every ReLU (Captum ``GuidedBackprop``).

    Every ReLU of the network counts: those in the messages, in the updates and in the readout.
    """

    name: ClassVar[str] = "guided-backprop"
    title: ClassVar[str] = "Guided backpropagation"
    summary: ClassVar[str] = (
        "The gradient of the prediction, with negative gradients stopped at every ReLU on the way back."
    )
    expensive: ClassVar[bool] = False
    when_null: ClassVar[str] = (
        "Under r2 always: F falls when relu(1 - p) rises, so every gradient arrives there negative and is stopped; "
        "under r1 where no atom has p above zero."
    )
    null_reasons: ClassVar[NullReasons] = NullReasons(sigmoid="every gradient that it looks at is 0")
    masks: ClassVar[tuple[str, ...]] = ("node", "feature")
    node_seconds: ClassVar[float] = 0.0004

    def attribute(self, model: nn.Module, batch: GraphBatch) -> list[Attribution]:
        from captum.attr import GuidedBackprop as CaptumGuidedBackprop

        from .relu_modules import WithReluModules

        start = time.perf_counter()
        # Captum hangs its hooks on the network; a copy keeps them from others who use the same one.
        network = WithReluModules(copy.deepcopy(model), (batch.x, batch.edge_index, batch.edge_attr, batch.batch))
        inputs = inputs_of(model, batch)
        fixed = (batch.edge_attr, batch.edge_index, batch.batch)[len(inputs) - 1 :]
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Setting backward hooks on ReLU", UserWarning)
            found = CaptumGuidedBackprop(network).attribute(inputs, additional_forward_args=fixed)
        seconds = (time.perf_counter() - start) / batch.num_graphs
        return split(*arrays_of(found), batch, seconds)
