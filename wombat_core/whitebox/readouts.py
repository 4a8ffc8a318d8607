"""From the last layer's activations to one value a graph (Eq. 3 and 4 of the paper)."""

import torch
from torch import Tensor
from torch_geometric.utils import to_dense_batch

from ..registry import Registry

THRESHOLD = 0.5


def atom_products(z: Tensor) -> Tensor:
    """``p_i``, the product over channels of ``relu(z_i[c])``: [num_atoms, channels] to [num_atoms]."""
    return z.relu().prod(dim=1)


def r1(products: Tensor, batch: Tensor, num_graphs: int) -> Tensor:
    """Eq. 3, ``max_i p_i``: [num_atoms] to [num_graphs].

    Where several atoms reach the maximum, the gradient goes to the first of them, as in the published run (a
    shared gradient gives other AUROCs, for example on two equal chloroethyl groups under Pattern 14).
    """
    if not products.numel():
        return products.new_zeros(num_graphs)
    padded, _ = to_dense_batch(products, batch, batch_size=num_graphs)
    return padded.max(dim=1).values


def r2(products: Tensor, batch: Tensor, num_graphs: int) -> Tensor:
    """Eq. 4, ``relu(1 - product_i relu(1 - p_i))``: [num_atoms] to [num_graphs]."""
    missing, _ = to_dense_batch((1 - products).relu(), batch, fill_value=1.0, batch_size=num_graphs)
    return (1 - missing.prod(dim=1)).relu()


READOUTS = Registry("readout", {"r1": r1, "r2": r2})


def readout(name: str):
    """The readout function of that name.

    Raises:
        InputError: there is none.
    """
    return READOUTS[name]


def batch_vector(num_atoms: int, batch: Tensor | None, device) -> tuple[Tensor, int]:
    """The batch vector (all zero where None) and the number of graphs in it."""
    if batch is None:
        return torch.zeros(num_atoms, dtype=torch.long, device=device), 1
    return batch, int(batch.max()) + 1 if batch.numel() else 1
