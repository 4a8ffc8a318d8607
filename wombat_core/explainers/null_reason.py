"""Why every atom scored alike: what is known of this molecule and readout, else the explainer's own sentence."""

import numpy as np

_GRADIENTS = ("saliency", "input-x-gradient")
_SWITCHING = ("integrated-gradients", "integrated-gradients-exact", "shapley-value-sampling", "shapley-exact")
# F of a sigmoid is never 0, so that what the classes say of F = 0 does not hold there.
_SIGMOID = dict.fromkeys((*_GRADIENTS, "grad-cam", "guided-backprop"), "every gradient that it looks at is 0") | {
    "gnn-explainer": "no mask receives a gradient in the first epoch, and PyG sets such masks to zero",
    "pg-explainer": (
        "in training the penalties on open masks outweigh what the masks do to the prediction, so every mask goes to "
        "zero"
    ),
}


def null_reason(name: str, when_null: str, atoms: np.ndarray, readout: str, prediction: float) -> str:
    """Why an explanation is null, as what goes on after a colon: "r2 is saturated, so all gradients are 0".

    Args:
        name, when_null: of the explainer; a user's own may have no sentence, "".
        atoms: what it answered, all alike, [num_atoms].
        readout, prediction: the network's, "r1", "r2" or "sigmoid", and F of the molecule.
    """
    if len(atoms) == 1:
        return "there is only one atom"
    if np.ptp(atoms) == 0 and atoms.max() > 0:
        if name == "subgraphx":
            return "the piece of highest reward holds every atom"
        if name in _GRADIENTS + _SWITCHING:
            return "the prediction changes equally with each of them"
    if readout == "sigmoid":
        if name in _SWITCHING:
            return "F stays the same whichever atoms are switched on"
        if name in _SIGMOID:
            return _SIGMOID[name]
    elif name in _GRADIENTS:
        if readout == "r2" and prediction >= 1:
            return "r2 is saturated, so all gradients are 0"
        if prediction == 0:
            return "F is 0 and its ReLUs are shut, so all gradients are 0"
        return "all gradients are 0"
    elif prediction == 0 and name in _SWITCHING:
        return "F stays 0 whichever atoms are switched on"
    return _clause(when_null) or "no atom moves the prediction more than another"


def _clause(sentence: str) -> str:
    """A sentence that goes on after a colon; a name or a symbol keeps its capital."""
    first, _, rest = sentence.strip().removesuffix(".").partition(" ")
    return f"{first.lower() if first.istitle() and len(first) > 1 else first} {rest}".strip()
