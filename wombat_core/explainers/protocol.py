"""The one protocol of all explainers."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol

from .attribution import Attribution

if TYPE_CHECKING:  # pages ask for the names of explainers long before anything needs torch
    from torch import nn

    from ..molecules.graphs import GraphBatch


class Explainer(Protocol):
    """A method that says which atoms mattered.

    An explainer is a small frozen dataclass: its fields are its settings, with the papers' values as
    defaults, and an instance can be used on any number of graphs.

    Attributes:
        name: what the terminal and the URL call it, such as "integrated-gradients".
        title: what pages call it.
        summary: one sentence on what it does.
        expensive: whether it should run only when asked for.
        when_null: one sentence on why it can give every atom the same score on a whitebox. A user's own explainer
            may leave it out.

    A method ``estimate(model, num_atoms) -> Estimate`` may say before what one molecule takes; fields may say their
    limits, see ``settings``.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    expensive: ClassVar[bool]
    when_null: ClassVar[str]

    def attribute(self, model: nn.Module, batch: GraphBatch) -> list[Attribution]:
        """Explain the model's value of every graph of the batch; one attribution a graph, in order.

        The answer for a graph does not depend on the others in the batch.
        """
        ...


def is_ours(explainer: Explainer) -> bool:
    """Whether the explainer is this package's own, and not a user's."""
    return type(explainer).__module__.partition(".")[0] == __name__.partition(".")[0]
