"""Why every atom scored alike: what is known of this molecule and readout, else the explainer's own sentence."""

import numpy as np

from .method import fact


def null_reason(kind: type, atoms: np.ndarray, readout: str, prediction: float) -> str:
    """Why an explanation is null, as what goes on after a colon: "r2 is saturated, so all gradients are 0".

    Args:
        kind: the explainer's class.
        atoms: what it answered, all alike, [num_atoms].
        readout, prediction: the network's, "r1", "r2" or "sigmoid", and F of the molecule.
    """
    if len(atoms) == 1:
        return "there is only one atom"
    return (
        fact(kind, "null_reasons").clause(atoms, readout, prediction)
        or _clause(fact(kind, "when_null"))
        or "no atom moves the prediction more than another"
    )


def _clause(sentence: str) -> str:
    """A sentence that goes on after a colon; a name or a symbol keeps its capital."""
    first, _, rest = sentence.strip().removesuffix(".").partition(" ")
    return f"{first.lower() if first.istitle() and len(first) > 1 else first} {rest}".strip()
