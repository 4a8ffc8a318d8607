"""The equation itself (Eq. 1 and 2), for whoever evaluates it: layer by layer, in part, along a line, one number."""

from torch import Tensor


def message(own: Tensor, neighbour: Tensor, bond: Tensor) -> Tensor:
    """Eq. 1, ``relu(self . z_i) * relu(neighbour . z_j) * relu(bond . e_ij)``, from its factors (of one shape)."""
    return own * neighbour * bond


def update(total: Tensor, bias: Tensor) -> Tensor:
    """Eq. 2, ``relu(sum of the messages + bias)``, from that sum; ``bias`` is broadcast."""
    return (total + bias).relu()
