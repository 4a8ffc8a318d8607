"""Molecules in, explanations with scores out: the step every page and command takes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch_geometric.data import Batch

from .errors import InputError
from .explainers.attribution import Attribution
from .explainers.checked import attribute
from .explainers.protocol import Explainer
from .ground_truth import ground_truth
from .metrics.scores import Scores, score
from .molecules.encoding import encode, encode_batch
from .molecules.molecule import Molecule
from .whitebox.build import Network


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


def predict(molecules: Sequence[Molecule], model: Network) -> list[float]:
    """F(G) of several molecules, evaluated together.

    Raises:
        InputError: a molecule cannot be encoded (more than 9 hydrogens on an atom), or none is given.
    """
    return _predict(encode_batch(molecules), model)


def explain(molecules: Sequence[Molecule], model: Network, explainer: Explainer) -> list[Explanation]:
    """Explain several molecules together.

    The graphs that the explainer gets carry the ground truth as ``truth``, bool [num_atoms], for controls only.

    Raises:
        InputError: as :func:`predict`, or the explainer refuses a molecule, or a user's own explainer fails.
    """
    if not molecules:
        raise InputError("There is no molecule to explain.")
    truths = [ground_truth(molecule, model.pattern) for molecule in molecules]
    graphs = [
        encode(molecule).update({"truth": torch.from_numpy(t)}) for molecule, t in zip(molecules, truths, strict=True)
    ]
    batch = Batch.from_data_list(graphs)
    attributions = attribute(explainer, model, batch)
    explanations = []
    for truth, prediction, attribution in zip(truths, _predict(batch, model), attributions, strict=True):
        scores = score(attribution.atom_scores, truth)
        explanations.append(Explanation(explainer.name, prediction, truth, attribution, scores))
    return explanations


def _predict(batch: Batch, model: Network) -> list[float]:
    with torch.no_grad():
        return model(batch.x, batch.edge_index, batch.edge_attr, batch.batch).tolist()
