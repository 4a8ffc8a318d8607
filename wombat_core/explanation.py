"""Molecules in, explanations with scores out: the step every page and command takes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch_geometric.data import Batch

from .explainers.attribution import Attribution
from .explainers.protocol import Explainer
from .ground_truth import ground_truth
from .metrics.scores import Scores, score
from .molecules.encoding import encode_batch
from .molecules.molecule import Molecule
from .whitebox.model import Whitebox


@dataclass(frozen=True)
class Explanation:
    """One explainer's answer on one molecule, beside the ground truth.

    Attributes:
        explainer: the explainer's name.
        prediction: F(G).
        truth: ground-truth atoms, bool [num_atoms].
        attribution: what the explainer answered.
        scores: how well that agrees with the ground truth.
    """

    explainer: str
    prediction: float
    truth: np.ndarray
    attribution: Attribution
    scores: Scores


def predict(molecules: Sequence[Molecule], model: Whitebox) -> list[float]:
    """F(G) of several molecules, evaluated together.

    Raises:
        InputError: a molecule cannot be encoded (more than 9 hydrogens on an atom), or none is given.
    """
    return _predict(encode_batch(molecules), model)


def explain(molecules: Sequence[Molecule], model: Whitebox, explainer: Explainer) -> list[Explanation]:
    """Explain several molecules together.

    Raises:
        InputError: as :func:`predict`.
    """
    batch = encode_batch(molecules)
    attributions = explainer.attribute(model, batch)
    explanations = []
    for molecule, prediction, attribution in zip(molecules, _predict(batch, model), attributions, strict=True):
        truth = ground_truth(molecule, model.pattern)
        scores = score(attribution.atom_scores, truth)
        explanations.append(Explanation(explainer.name, prediction, truth, attribution, scores))
    return explanations


def _predict(batch: Batch, model: Whitebox) -> list[float]:
    with torch.no_grad():
        return model(batch.x, batch.edge_index, batch.edge_attr, batch.batch).tolist()
