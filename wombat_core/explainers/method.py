"""What every explainer says of itself; a class that does not say it has what stands here."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..settings import Checked

MASKS = ("node", "edge", "feature")
"""The kinds of answers: over nodes (atoms), over edges, over the features of nodes."""


@dataclass(frozen=True)
class NullReasons:
    """Why an explainer can give every atom the same score, case by case; "" where it has nothing to say of a case.

    All are clauses that go on after a colon. Of F = 0 under a sigmoid nothing holds that is said for a whitebox.

    Attributes:
        alike: every atom has the same score above 0.
        sigmoid: the readout is a sigmoid.
        saturated: F is 1 under r2.
        zero: F is 0.
        otherwise: none of these.
    """

    alike: str = ""
    sigmoid: str = ""
    saturated: str = ""
    zero: str = ""
    otherwise: str = ""

    def clause(self, atoms: np.ndarray, readout: str, prediction: float) -> str:
        """The clause of the first case that holds and of which something is said, or ""."""
        if self.alike and np.ptp(atoms) == 0 and atoms.max() > 0:
            return self.alike
        if readout == "sigmoid":
            return self.sigmoid
        if readout == "r2" and prediction >= 1 and self.saturated:
            return self.saturated
        return (self.zero if prediction == 0 else "") or self.otherwise


_EQUALLY = "the prediction changes equally with each of them"
GRADIENT = NullReasons(
    alike=_EQUALLY,
    sigmoid="every gradient that it looks at is 0",
    saturated="r2 is saturated, so all gradients are 0",
    zero="F is 0 and its ReLUs are shut, so all gradients are 0",
    otherwise="all gradients are 0",
)
"""Of methods that look at one gradient at the input."""
SWITCHING = NullReasons(
    alike=_EQUALLY,
    sigmoid="F stays the same whichever atoms are switched on",
    zero="F stays 0 whichever atoms are switched on",
)
"""Of methods that switch atoms on."""


class Method(Checked):
    """Facts that an explainer may say of itself, with what holds where it does not.

    An explainer's class has these beside what :class:`~wombat_core.explainers.protocol.Explainer` asks for. The
    explainers here inherit from this class; a user's own need not, and is treated alike (:func:`fact`).

    Attributes:
        when_null: one sentence on why it can give every atom the same score on a whitebox.
        null_reasons: the same, case by case.
        masks: the kinds of answers it gives, of ``MASKS``, for a network that reads no features of bonds.
        node_settings: defaults for the class of one node among some fifty, where the others would take long.
        node_seconds: about how long it takes there, for one node, on one core of a small machine.
        first_seconds: what it takes there once, the first time.
        node_refusal: one sentence on why it cannot explain the class of a node, or "".
    """

    when_null: ClassVar[str] = ""
    null_reasons: ClassVar[NullReasons] = NullReasons()
    masks: ClassVar[tuple[str, ...]] = ("node",)
    node_settings: ClassVar[Mapping[str, Any]] = {}
    node_seconds: ClassVar[float] = 0.004
    first_seconds: ClassVar[float] = 0.0
    node_refusal: ClassVar[str] = ""


def fact(kind: type, name: str) -> Any:
    """A fact of an explainer's class, see :class:`Method`."""
    return getattr(kind, name, getattr(Method, name))
