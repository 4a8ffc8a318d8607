"""Guided backpropagation, through Captum."""

import copy
import time
import warnings
from dataclasses import dataclass
from typing import ClassVar

from torch import nn
from torch_geometric.data import Batch

from .attribution import Attribution
from .gradient import arrays_of, inputs_of, split
from .relu_modules import WithReluModules


@dataclass(frozen=True)
class GuidedBackprop:
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

    def attribute(self, model: nn.Module, batch: Batch) -> list[Attribution]:
        from captum.attr import GuidedBackprop as CaptumGuidedBackprop

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
