"""How long an explainer will take, said before it runs."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import InputError
from .protocol import is_ours

if TYPE_CHECKING:
    from torch import nn

    from .protocol import Explainer


@dataclass(frozen=True)
class Estimate:
    """What an explainer will take on one molecule, from measurements on one core of a small machine.

    Attributes:
        seconds: the time.
        at_most: whether it is an upper bound, which many molecules stay far below.
        note: what else there is to know, such as "the first time".
    """

    seconds: float
    at_most: bool = False
    note: str = ""

    @property
    def time(self) -> str:
        """For people: "about 5 s", "under 1 s"."""
        if self.seconds < 1:
            return "under 1 s"
        how = "at most" if self.at_most else "about"
        if self.seconds < 90:
            step = 1 if self.seconds < 10 else 5
            return f"{how} {step * math.ceil(self.seconds / step)} s"
        return f"{how} {math.ceil(self.seconds / 60):,} min"

    def __str__(self) -> str:
        return f"{self.time} {self.note}".strip()


def estimate(explainer: Explainer, model: nn.Module, num_atoms: int) -> Estimate | None:
    """What the explainer will take on a molecule; None where its class has no method ``estimate``.

    Nothing either where a user's own method fails, or answers anything else: the explanation is not its concern.

    Raises:
        InputError: it would refuse the molecule.
    """
    own = getattr(explainer, "estimate", None)
    if own is None:
        return None
    if is_ours(explainer):
        return own(model, num_atoms)
    try:
        found = own(copy.deepcopy(model), num_atoms)
    except InputError:
        raise
    except (Exception, SystemExit):
        return None
    return found if isinstance(found, Estimate) else None
