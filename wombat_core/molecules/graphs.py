"""PyG's ``Data`` and ``Batch`` as this package makes them: with all their tensors.

PyG declares every attribute of ``Data`` optional, and that a ``Batch`` is a ``Data`` as well it decides only while a
program runs. Here both are said once, for the type checker alone: ``Graph`` is ``Data``, ``GraphBatch`` is ``Batch``.
"""

from typing import TYPE_CHECKING

from torch_geometric.data import Batch, Data

if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor

    class Graph(Data):
        """One graph: ``x`` [num_atoms, features], ``edge_index`` [2, num_edges], ``edge_attr`` [num_edges, features].

        ``y`` is there where graphs or nodes have labels; ``batch`` [num_atoms] where there are several graphs.
        """

        x: Tensor
        edge_index: Tensor
        edge_attr: Tensor
        y: Tensor
        batch: Tensor | None
        num_nodes: int

    # PyG makes the common metaclass when the first batch is made.
    class GraphBatch(Graph, Batch):  # pyright: ignore[reportGeneralTypeIssues]
        """Several graphs as one; graph i has the nodes ``ptr[i]`` to ``ptr[i + 1]``."""

        batch: Tensor
        ptr: Tensor
        num_graphs: int

        @classmethod
        def from_data_list(cls, data_list: list[Graph], *options: list[str] | None) -> Self: ...

        def to_data_list(self) -> list[Graph]: ...

        def get_example(self, idx: int) -> Graph: ...

else:
    Graph, GraphBatch = Data, Batch

__all__ = ["Graph", "GraphBatch"]
