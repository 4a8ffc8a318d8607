"""Molecules in, explanations with scores out: the step every page and command takes."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch_geometric.data import Batch

from .errors import InputError
from .explainers.attribution import Attribution
from .explainers.checked import attribute
from .explainers.protocol import Explainer
from .explainers.start import start_of
from .metrics.scores import Scores, score
from .molecules.molecule import Molecule
from .subject import Subject
from .whitebox.build import Network

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, repr=False, eq=False)
class Explanation:
    """One explainer's answer on one molecule, beside the ground truth.

    Attributes:
        explainer: the explainer's name.
        prediction: F(G).
        truth: ground-truth atoms, bool [num_atoms].
        attribution: what the explainer answered.
        scores: how well that agrees with the ground truth.
        subject: the molecule under its pattern, with its graph.
        model: the network.
        method: the explainer with its settings.
        start: F of the baseline, for methods that share out what F gains from there; None for others.
    """

    explainer: str
    prediction: float
    truth: np.ndarray
    attribution: Attribution
    scores: Scores
    subject: Subject = field(repr=False)
    model: Network = field(repr=False)
    method: Explainer = field(repr=False)

    start: float | None = None

    @property
    def molecule(self) -> Molecule:
        """What was explained."""
        return self.subject.molecule

    @property
    def gap(self) -> float | None:
        """F(x) - F(baseline) - the sum of the attributions: 0 where they are complete; None without a baseline."""
        return None if self.start is None else self.prediction - self.start - self.attribution.total


def predict(molecules: Sequence[Molecule | Subject], model: Network) -> list[float]:
    """F(G) of several molecules, evaluated together.

    Raises:
        InputError: a molecule cannot be encoded (more than 9 hydrogens on an atom), or none is given.
    """
    if not molecules:
        raise InputError("There is no molecule to encode.")
    subjects = [Subject.of(each, model.pattern) for each in molecules]
    return _predict(Batch.from_data_list([subject.graph for subject in subjects]), model)


def explain(molecules: Sequence[Molecule | Subject], model: Network, explainer: Explainer) -> list[Explanation]:
    """Explain several molecules together.

    The graphs that the explainer gets carry the ground truth as ``truth``, bool [num_atoms], for controls only.

    Raises:
        InputError: as :func:`predict`, or the explainer refuses a molecule, or a user's own explainer fails.
    """
    if not molecules:
        raise InputError("There is no molecule to explain.")
    subjects = [Subject.of(each, model.pattern) for each in molecules]
    batch = Batch.from_data_list([_with_truth(subject) for subject in subjects])
    attributions = attribute(explainer, model, batch)
    found = zip(subjects, _predict(batch, model), attributions, _starts(batch, model, explainer), strict=True)
    explanations = []
    for subject, prediction, attribution, start in found:
        scores = score(attribution.atom_scores, subject.truth)
        own = (explainer.name, prediction, subject.truth, attribution, scores, subject, model, explainer)
        explanations.append(Explanation(*own, start))
    return explanations


def _starts(batch: Batch, model: Network, explainer: Explainer) -> list[float | None]:
    """F of every graph at the explainer's baseline."""
    baseline = getattr(explainer, "baseline", None)
    if not isinstance(baseline, str):
        return [None] * batch.num_graphs
    x, edge_attr = start_of(batch, baseline) or (torch.zeros_like(batch.x), torch.zeros_like(batch.edge_attr))
    with torch.no_grad():
        return model(x.to(batch.x.dtype), batch.edge_index, edge_attr.to(batch.x.dtype), batch.batch).tolist()


def _with_truth(subject: Subject):
    # A copy that shares the tensors: others may have the same graph, under another pattern.
    return copy(subject.graph).update({"truth": torch.from_numpy(subject.truth)})


def _predict(batch: Batch, model: Network) -> list[float]:
    with torch.no_grad():
        return model(batch.x, batch.edge_index, batch.edge_attr, batch.batch).tolist()
