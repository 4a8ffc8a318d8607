"""What the engine found, as plain dictionaries: one JSON object a molecule, for the terminal and for export."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .ground_truth import contains_motif, difference
from .molecules.molecule import Molecule
from .whitebox.catalogue import Pattern

if TYPE_CHECKING:  # the terminal lists whiteboxes without torch
    from .explanation import Explanation
    from .studies.graphxai_scores import GraphXAIScores
    from .whitebox.build import Network
    from .whitebox.model import Trace


def pattern_record(pattern: Pattern) -> dict:
    """A whitebox: id, SMARTS (KRFP and relaxed), layers and channels."""
    return {
        "pattern": pattern.id,
        "krfp": pattern.krfp,
        "smarts": pattern.smarts,
        "variant_of": pattern.variant_of,
        "layers": pattern.num_layers,
        "channels": pattern.num_channels,
    }


def compiled_record(pattern: Pattern) -> dict:
    """A compiled whitebox: what it was made from, and its channels in the notation of ``patterns.yaml``."""
    origin = pattern.origin
    if origin is None:
        raise AssertionError("the whitebox was compiled")
    return {
        **pattern_record(pattern),
        "style": origin.style,
        "root": origin.root,
        "encoding": pattern.encoding,
        "notes": list(origin.notes),
        "network": [
            {
                channel.letter: [
                    channel.self_term.text,
                    channel.neighbour_term.text,
                    channel.bond_term.text,
                    channel.bias,
                ]
                for channel in layer
            }
            for layer in pattern.layers
        ],
    }


def predict_record(molecule: Molecule, model: Network, prediction: float) -> dict:
    """One prediction beside the label."""
    from .whitebox.model import is_positive

    found = contains_motif(molecule, model.pattern)
    return {
        **_head(molecule, model),
        "prediction": prediction,
        "positive": is_positive(prediction),
        "contains_motif": found,
        **_no_truth(None if model.pattern.origin is None else difference(found, is_positive(prediction))),
    }


def explain_record(
    molecule: Molecule, model: Network, explanation: Explanation, graphxai: GraphXAIScores | None = None
) -> dict:
    """One explanation beside the ground truth; undefined scores are None, with the reason in ``undefined``.

    With GraphXAI's scores it has ``gea`` (None without the motif) and ``gef`` too; with something to tell of the
    explainer itself, ``notes``.
    """
    scores = explanation.scores
    attribution = explanation.attribution
    return {
        **_head(molecule, model),
        "explainer": explanation.explainer,
        "prediction": explanation.prediction,
        "ground_truth": explanation.truth.astype(int).tolist(),
        **_no_truth(explanation.no_truth),
        "atom_attributions": attribution.atom_scores.tolist(),
        "bond_attributions": _bonds(molecule, attribution.bond_scores),
        "auroc": scores.auroc,
        "average_precision": scores.average_precision,
        "ap_baseline": scores.ap_baseline,
        "perfect": scores.perfect,
        "iqr_pass": scores.iqr_pass,
        "null": attribution.is_null,
        "undefined": scores.why,
        "seconds": attribution.seconds,
        **_notes(molecule, explanation.notes),
        **({} if explanation.gap is None else {"completeness_gap": explanation.gap}),
        **({} if graphxai is None else graphxai.as_record()),
    }


def trace_record(molecule: Molecule, model: Network, trace: Trace) -> dict:
    """A forward pass: every layer's activations [num_atoms][channels] and the readouts."""
    return {
        **molecule.as_record(),
        "pattern": model.pattern.id,
        "layers": [
            {"layer": layer.layer, "channels": layer.channels, "activations": layer.activations.tolist()}
            for layer in trace.layers
        ],
        "readouts": {name: value.item() for name, value in trace.readouts.items()},
    }


def _notes(molecule: Molecule, more: Sequence[str]) -> dict:
    """What was changed on the way in, and what an explainer has to tell."""
    return {"notes": [*molecule.notes, *more]} if molecule.notes or more else {}


def _no_truth(why: str | None) -> dict:
    """Only where a compiled network and RDKit differ is there something to say."""
    return {} if why is None else {"no_ground_truth": why}


def _head(molecule: Molecule, model: Network) -> dict:
    named = {} if molecule.name is None else {"name": molecule.name}
    return {**molecule.as_record(), **named, "pattern": model.pattern.id, "readout": model.readout}


def _bonds(molecule: Molecule, scores: np.ndarray | None) -> list[dict] | None:
    if scores is None:
        return None
    return [
        {"begin": bond.GetBeginAtomIdx(), "end": bond.GetEndAtomIdx(), "value": float(value)}
        for bond, value in zip(molecule.mol.GetBonds(), scores, strict=True)
    ]
