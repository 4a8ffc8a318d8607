"""How masks and metrics of an evaluation are read."""

from dataclasses import dataclass, field

from ..metrics.faithfulness import DIRECTIONS
from ..metrics.masks import RULES
from ..registry import check_name
from .perturb import FLIPS, Perturbation


@dataclass(frozen=True)
class Options:
    """How masks and metrics are read.

    Args:
        rule: how importance becomes a mask, see ``metrics.masks.RULES``.
        direction: of the divergence in GEF, see ``metrics.faithfulness.DIRECTIONS``.
        perturbation: the copies of GES.
        flip: whose protected feature is changed for GECF, the node's or its whole neighbourhood's; the paper leaves
            it open.
        positive: the class whose share GEGF compares.
    """

    rule: str = "top-25%"
    direction: str = "printed"
    perturbation: Perturbation = field(default_factory=Perturbation)
    flip: str = "node"
    positive: int = 1

    def __post_init__(self):
        for what, value, known in (
            ("rule for masks", self.rule, RULES),
            ("direction", self.direction, DIRECTIONS),
            ("flip", self.flip, FLIPS),
        ):
            check_name(what, value, known)
