"""Grad-CAM on a convolution's activations, through Captum."""

from __future__ import annotations

import copy
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..settings import within
from .attribution import Attribution
from .method import Method, NullReasons

if TYPE_CHECKING:
    from torch import nn

    from ..molecules.graphs import GraphBatch


@dataclass(frozen=True)
class GradCam(Method):
    """Activations of one convolution, weighted by each channel's mean gradient over the atoms (``LayerGradCam``).

    Captum averages over what follows the channels; here these are the atoms of a molecule, as Grad-CAM was carried
    over to graphs by Pope et al. (CVPR 2019). One score an atom, none for bonds.

    Args:
        layer: which convolution, 1 for the first; 0 for the last.
        relu: whether negative scores become zero, as in Grad-CAM.

    Raises:
        InputError: the network has no such layer.
    """

    layer: int = within(0, 0, 99)
    relu: bool = True

    name: ClassVar[str] = "grad-cam"
    title: ClassVar[str] = "Grad-CAM"
    summary: ClassVar[str] = (
        "The last layer's activations, each channel weighted by its mean gradient: it sees where evidence was gathered."
    )
    expensive: ClassVar[bool] = False
    when_null: ClassVar[str] = (
        "Under r2 an atom with p = 1 makes F flat in every activation, so that all channels weigh zero; without the "
        "motif all p are zero and flat as well."
    )
    null_reasons: ClassVar[NullReasons] = NullReasons(sigmoid="every gradient that it looks at is 0")
    node_seconds: ClassVar[float] = 0.0004

    def attribute(self, model: nn.Module, batch: GraphBatch) -> list[Attribution]:
        from captum.attr import LayerGradCam
        from torch import Tensor
        from torch_geometric.utils import to_dense_batch

        from .tapped import Tapped

        start = time.perf_counter()
        # Hooks hang on a copy: others may use the same network meanwhile.
        tapped = Tapped(copy.deepcopy(model), self.layer, batch)
        x = batch.x.detach().clone().requires_grad_()
        answer = LayerGradCam(tapped, tapped.tap).attribute(x, relu_attributions=self.relu)
        if not isinstance(answer, Tensor):
            raise AssertionError("one layer was asked for")
        scores = answer[:, 0].detach()
        _, there = to_dense_batch(batch.x, batch.batch, batch_size=batch.num_graphs)
        # The mean ran over the padding as well.
        sizes = there.sum(dim=1)
        scores = scores * (there.size(1) / sizes).unsqueeze(1)
        seconds = (time.perf_counter() - start) / batch.num_graphs
        return [
            Attribution.of_atoms(own[:size].numpy().astype(np.float64), graph, seconds)
            for own, size, graph in zip(scores, sizes.tolist(), batch.to_data_list(), strict=True)
        ]
