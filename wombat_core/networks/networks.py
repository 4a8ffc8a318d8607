"""GIN and GCN as GraphXAI trains them: three convolutions of 16 channels, ReLU, and a linear layer to the classes."""

from dataclasses import dataclass
from itertools import pairwise

from torch import Tensor, nn
from torch_geometric.nn import GCNConv, GINConv, MessagePassing, global_add_pool, global_mean_pool
from torch_geometric.utils import degree

from ..errors import InputError
from ..explainers.seeding import seeded
from ..registry import check_name
from ..whitebox.readouts import batch_vector

KINDS = ("gin", "gcn")
LEVELS = ("node", "graph")
POOLINGS = {"add": global_add_pool, "mean": global_mean_pool}


@dataclass(frozen=True)
class Architecture:
    """What a predictor is made of; the defaults are the paper's (GraphXAI, Implementation details).

    Args:
        kind: "gin" or "gcn".
        num_features: node features.
        num_classes: classes.
        level: "node" or "graph", what is classified.
        layers: convolutions, which is how many hops a node sees.
        hidden: channels of each.
        mlp_layers: linear layers inside a GIN convolution, with ReLUs between them; the released code has one.
        pooling: how nodes become a graph, "add" or "mean"; a node predictor has no use for it.

    Raises:
        InputError: an unknown kind, level or pooling, or a count below 1 (below 2 for classes).
    """

    kind: str
    num_features: int
    num_classes: int = 2
    level: str = "node"
    layers: int = 3
    hidden: int = 16
    mlp_layers: int = 1
    pooling: str = "add"

    def __post_init__(self):
        for name, value, known in (
            ("network", self.kind, KINDS),
            ("level", self.level, LEVELS),
            ("pooling", self.pooling, tuple(POOLINGS)),
        ):
            check_name(name, value, known)
        for name, least in (("num_features", 1), ("num_classes", 2), ("layers", 1), ("hidden", 1), ("mlp_layers", 1)):
            if getattr(self, name) < least:
                raise InputError(f"A predictor needs {name} of at least {least}, not {getattr(self, name)}.")


class Predictor(nn.Module):
    """The network; what it gives are logits, the softmax is outside.

    Args:
        architecture: what it is made of.
        seed: of its initial weights.

    Attributes:
        reads_bonds: False: nothing depends on features of edges.
    """

    reads_bonds = False

    def __init__(self, architecture: Architecture, seed: int = 0):
        super().__init__()
        self.architecture = architecture
        widths = [architecture.num_features] + [architecture.hidden] * architecture.layers
        with seeded(seed):
            self.convolutions = nn.ModuleList(
                _gin(*ends, architecture.mlp_layers) if architecture.kind == "gin" else KeptDegrees(*ends)
                for ends in pairwise(widths)
            )
            self.head = nn.Linear(architecture.hidden, architecture.num_classes)

    def forward(
        self, x: Tensor, edge_index: Tensor, edge_attr: Tensor | None = None, batch: Tensor | None = None
    ) -> Tensor:
        """Logits, [num_nodes, classes] of a node predictor and [num_graphs, classes] of a graph predictor.

        Args:
            x: [num_nodes, features].
            edge_index: [2, num_edges], both directions of every edge.
            edge_attr: for a node predictor the degrees of every edge's two ends in the whole graph [num_edges, 2],
                where ``edge_index`` is only a part of it; None where it is the whole. A graph predictor ignores it.
            batch: the graph of every node [num_nodes], in order; None for one graph.
        """
        degrees = None
        if self.architecture.kind == "gcn":
            if edge_attr is None or self.architecture.level == "graph":
                degrees = degree(edge_index[1], len(x), x.dtype)
            else:
                degrees = _kept(edge_index, edge_attr, len(x))
        for convolution in self.convolutions:
            x = (convolution(x, edge_index) if degrees is None else convolution(x, edge_index, degrees)).relu()
        if self.architecture.level == "graph":
            batch, num_graphs = batch_vector(len(x), batch, x.device)
            x = POOLINGS[self.architecture.pooling](x, batch, num_graphs)
        return self.head(x)


class KeptDegrees(GCNConv):
    """PyG's ``GCNConv`` that is told the degrees, so that a neighbourhood counts as it does in the whole graph.

    ``z_i = W (x_i / d_i + sum_j x_j / sqrt(d_i d_j)) + b`` with ``d`` the degree and one (the self-loop).
    """

    # PyG writes a faster one into a class with its first object; that of GCNConv, inherited, knows no edge masks.
    propagate = MessagePassing.propagate

    def __init__(self, before: int, after: int):
        super().__init__(before, after, normalize=False, add_self_loops=False)

    def forward(self, x: Tensor, edge_index: Tensor, degrees: Tensor) -> Tensor:
        """From ``x`` [num_nodes, before] and ``degrees`` [num_nodes] to [num_nodes, after]."""
        inverse = 1 / (degrees + 1)
        root = inverse.sqrt()
        x = self.lin(x)
        weights = root[edge_index[0]] * root[edge_index[1]]
        return self.propagate(edge_index, x=x, edge_weight=weights) + x * inverse.unsqueeze(1) + self.bias


class _Stack(nn.Module):
    """Linear layers with ReLUs between them."""

    def __init__(self, before: int, after: int, layers: int):
        super().__init__()
        widths = [before] + [after] * layers
        self.linears = nn.ModuleList(nn.Linear(*ends) for ends in pairwise(widths))

    def forward(self, x: Tensor) -> Tensor:
        first, *others = self.linears
        x = first(x)
        for linear in others:
            x = linear(x.relu())
        return x


def _gin(before: int, after: int, mlp_layers: int) -> GINConv:
    return GINConv(_Stack(before, after, mlp_layers))


def _kept(edge_index: Tensor, edge_attr: Tensor, num_nodes: int) -> Tensor:
    """Degrees [num_nodes] from those of the ends of every edge; a node without an edge has none."""
    return edge_attr.new_zeros(num_nodes).scatter(0, edge_index[1], edge_attr[:, 1])
