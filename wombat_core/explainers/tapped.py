"""A network with one convolution's output within reach of Captum."""

from torch import Tensor, nn
from torch_geometric.nn import MessagePassing
from torch_geometric.utils import to_dense_batch

from ..errors import InputError
from ..molecules.graphs import GraphBatch


class Tapped(nn.Module):
    """The network with one convolution's output passed through ``tap`` as [graphs, channels, atoms].

    Args:
        model: any network.
        layer: which convolution, 1 for the first; 0 for the last.
        batch: the graphs of every forward pass.

    Raises:
        InputError: the network has no such layer.
    """

    def __init__(self, model: nn.Module, layer: int, batch: GraphBatch):
        super().__init__()
        convolutions = [module for module in model.modules() if isinstance(module, MessagePassing)]
        if not 0 <= layer <= len(convolutions):
            raise InputError(f"There is no layer {layer}; this network has {len(convolutions)} (0 is the last).")
        self.model, self.batch, self.tap = model, batch, nn.Identity()
        self.convolution = convolutions[layer - 1]

    def forward(self, x: Tensor) -> Tensor:
        batch = self.batch
        handle = self.convolution.register_forward_hook(self._through_tap)
        try:
            return self.model(x, batch.edge_index, batch.edge_attr, batch.batch)
        finally:
            handle.remove()

    def _through_tap(self, _module: nn.Module, _inputs: tuple, activations: Tensor) -> Tensor:
        dense, there = to_dense_batch(activations, self.batch.batch, batch_size=self.batch.num_graphs)
        return self.tap(dense.transpose(1, 2)).transpose(1, 2)[there]
