"""What explainers ask of a network beyond its value: a whitebox has the plain answers, a trained network its own.

A whitebox gives F and reads the features of bonds. A trained network (:class:`wombat_core.networks.ClassValue`) gives
the probability of a class, may classify the first node of a graph, and brings its own answers as attributes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from torch import Tensor, nn


def reads_bonds(model: nn.Module) -> bool:
    """Whether the value depends on ``edge_attr`` as features; where not, no explainer moves them."""
    return getattr(model, "reads_bonds", True)


def centre_of(model: nn.Module) -> int | None:
    """The node of every graph whose class is explained, or None where it is the graph's."""
    return getattr(model, "centre", None)


def embedding_scale(model: nn.Module) -> float:
    """What activations are divided by before PGExplainer reads them; 1 for whiteboxes."""
    return getattr(model, "embedding_scale", 1.0)


def num_layers(model: nn.Module) -> int:
    """Convolutions, for estimates of time."""
    from torch_geometric.nn import MessagePassing

    pattern = getattr(model, "pattern", None)
    if pattern is not None and pattern.num_layers:
        return pattern.num_layers
    return sum(isinstance(module, MessagePassing) for module in model.modules())


def worth(model: nn.Module, values: np.ndarray) -> np.ndarray:
    """What a search for good subgraphs goes by, from values [n] to [n].

    Of a whitebox the second entry of the softmax over [1 - F, F], as in the published run; a probability as it is.
    """
    own = getattr(model, "worth", None)
    return own(values) if own else 1 / (1 + np.exp(1 - 2 * np.asarray(values, dtype=np.float64)))


def fit_loss(model: nn.Module, found: Tensor, wanted: Tensor) -> Tensor:
    """What fitted masks minimise, summed over graphs: ``(F(masked) - F)^2`` of a whitebox, else the network's own.

    Args:
        found: values of the masked graphs [num_graphs].
        wanted: their values without masks, or labels.
    """
    own = getattr(model, "loss", None)
    return own(found, wanted) if own else (found - wanted).square().sum()
