"""Molecules in, explanations with scores out: the step every page and command takes."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch_geometric.explain import Explanation as PyGExplanation

from .errors import InputError
from .explainers.attribution import Attribution
from .explainers.checked import attribute
from .explainers.protocol import Explainer
from .metrics.scores import Scores, score
from .molecules.graphs import GraphBatch
from .molecules.molecule import Molecule
from .molecules.parse_problems import shorten
from .paths.baselines import baseline
from .subject import Subject
from .whitebox.build import Network

if TYPE_CHECKING:
    from pandas import DataFrame
    from torch_geometric.explain import Explanation as PyGExplanation

    from .plots import Picture


@dataclass(frozen=True, repr=False, eq=False)
class Explanation:
    """One explainer's answer on one molecule, beside the ground truth.

    Attributes:
        explainer: the explainer's name.
        prediction: F(G).
        truth: ground-truth atoms, bool [num_atoms]; all False where there is no ground truth (``no_truth``).
        attribution: what the explainer answered.
        scores: how well that agrees with the ground truth.
        subject: the molecule under its pattern, with its graph.
        model: the network.
        method: the explainer with its settings.
    """

    explainer: str
    prediction: float
    truth: np.ndarray
    attribution: Attribution
    scores: Scores
    subject: Subject = field(repr=False)
    model: Network = field(repr=False)
    method: Explainer = field(repr=False)

    def __repr__(self) -> str:
        return f"<Explanation by {self.explainer} of {self.title}: {self.verdict}>"

    @property
    def molecule(self) -> Molecule:
        """What was explained."""
        return self.subject.molecule

    @property
    def title(self) -> str:
        """Molecule, pattern, readout and F, for people."""
        name = self.molecule.name or shorten(self.molecule.smiles)
        return f"{name}, {self.model.pattern.title}, {self.model.readout} = {self.prediction:.4g}"

    @property
    def verdict(self) -> str:
        """The score in words: "AUROC 0.979", "AUROC undefined", "IQR pass", "IQR pass (null)"."""
        if self.no_truth is not None:
            said = "no ground truth"
        elif not self.truth.any():
            said = f"IQR {'pass' if self.scores.iqr_pass else 'fail'}"
        else:
            said = "AUROC undefined" if self.auroc is None else f"AUROC {self.auroc:.3f}"
        return f"{said} (null)" if self.is_null else said

    @property
    def no_truth(self) -> str | None:
        """Why there is no ground truth: a compiled network and RDKit differ on the molecule. Else None."""
        return self.subject.no_truth

    @property
    def auroc(self) -> float | None:
        """Of ``atom_scores`` against ``truth``; None without the motif, or where every atom is ground truth."""
        return self.scores.auroc

    @property
    def average_precision(self) -> float | None:
        """Likewise; a constant answer gets ``scores.ap_baseline``."""
        return self.scores.average_precision

    @property
    def atom_scores(self) -> np.ndarray:
        """Importance of every atom, the sum of absolute attributions over its features, [num_atoms]."""
        return self.attribution.atom_scores

    @property
    def bond_scores(self) -> np.ndarray | None:
        """Importance of every bond over both directions, [num_bonds], or None where the method gives none."""
        return self.attribution.bond_scores

    @property
    def is_null(self) -> bool:
        """Whether every atom scores alike, so that the answer ranks nothing."""
        return self.attribution.is_null

    @cached_property
    def gap(self) -> float | None:
        """What all attributions together exceed F(x) - F(baseline) by, the completeness gap.

        None of a method that promises no completeness, which are those that have no baseline.
        """
        name = getattr(self.method, "baseline", None)
        if not isinstance(name, str):
            return None
        start = baseline(name, self.subject.graph)
        with torch.no_grad():
            value = self.model(start.x.float(), self.subject.graph.edge_index, start.edge_attr.float()).item()
        return self.attribution.total - (self.prediction - value)

    @property
    def notes(self) -> tuple[str, ...]:
        """What there is to tell of the answer: by the explainer itself, and of its completeness."""
        return tuple(note for note in (*self.attribution.notes, self.incomplete) if note)

    @property
    def incomplete(self) -> str | None:
        """What there is to tell where the attributions promise completeness and miss it by over a hundredth; else None.

        Integrated gradients and Shapley values are to add up to F(x) - F(baseline); a sum of 0.01 where F is 1 ranks
        atoms all the same, and looks like any other heatmap.
        """
        gap = self.gap
        if gap is None or abs(gap) <= 0.01 * max(1.0, abs(self.attribution.total - gap)):
            return None
        total = self.attribution.total
        wanted = total - gap
        meant = "F" if abs(wanted - self.prediction) < 1e-6 else "F less F of the baseline"
        return f"Not complete: the attributions add up to {total:.3g}, {meant} is {wanted:.3g}."

    def to_frame(self) -> DataFrame:
        """A row an atom: ``element``, ``truth``, ``score`` (importance), ``signed`` (sum of attributions)."""
        from pandas import DataFrame

        columns = {
            "element": [atom.GetSymbol() for atom in self.molecule.mol.GetAtoms()],
            "truth": self.truth,
            "score": self.atom_scores,
            "signed": self.attribution.signed_atom_scores,
        }
        return DataFrame(columns).rename_axis("atom")

    def plot(self, *, signed: bool = False) -> Picture:
        """The heatmap with the ground truth beside it; a notebook shows it, ``.save("a.svg")`` keeps it.

        Args:
            signed: colour by sign (purple to orange) in place of importance (white to orange).
        """
        from .plots import picture_of

        return picture_of([self], signed=signed)

    def to_pyg(self) -> PyGExplanation:
        """The same as PyG's ``Explanation``, which PyG has validated.

        It has ``x``, ``edge_index``, ``edge_attr``, ``node_mask`` ([num_atoms, features], or [num_atoms, 1] where the
        method gives one number an atom), ``edge_mask`` [num_edges] where it gives any for edges, ``prediction`` [1],
        and the ground truth as ``truth``, bool [num_atoms].
        """
        graph, answer = self.subject.graph, self.attribution
        nodes = answer.node_mask[:, None] if answer.node_feat_mask is None else answer.node_feat_mask
        masks = {"node_mask": torch.from_numpy(np.ascontiguousarray(nodes)).float()}
        if answer.edge_mask is not None:
            masks["edge_mask"] = torch.from_numpy(answer.edge_mask).float()
        found = PyGExplanation(
            x=graph.x,
            edge_index=graph.edge_index,
            edge_attr=graph.edge_attr,
            prediction=torch.tensor([self.prediction]),
            truth=torch.from_numpy(self.truth),
            **masks,
        )
        found.validate(raise_on_error=True)
        return found


def predict(molecules: Sequence[Molecule | Subject], model: Network) -> list[float]:
    """F(G) of several molecules, evaluated together.

    Raises:
        InputError: a molecule cannot be encoded (more than 9 hydrogens on an atom), or none is given.
    """
    if not molecules:
        raise InputError("There is no molecule to encode.")
    subjects = [Subject.of(each, model.pattern) for each in molecules]
    return _predict(GraphBatch.from_data_list([subject.graph for subject in subjects]), model)


def explain(molecules: Sequence[Molecule | Subject], model: Network, explainer: Explainer) -> list[Explanation]:
    """Explain several molecules together.

    The graphs that the explainer gets carry the ground truth as ``truth``, bool [num_atoms], for controls only.

    Raises:
        InputError: as :func:`predict`, or the explainer refuses a molecule, or a user's own explainer fails.
    """
    if not molecules:
        raise InputError("There is no molecule to explain.")
    subjects = [Subject.of(each, model.pattern) for each in molecules]
    batch = GraphBatch.from_data_list([_with_truth(subject) for subject in subjects])
    attributions = attribute(explainer, model, batch)
    explanations = []
    for subject, prediction, attribution in zip(subjects, _predict(batch, model), attributions, strict=True):
        scores = score(attribution.atom_scores, subject.truth, subject.no_truth)
        explanations.append(
            Explanation(explainer.name, prediction, subject.truth, attribution, scores, subject, model, explainer)
        )
    return explanations


def _with_truth(subject: Subject):
    # A copy that shares the tensors: others may have the same graph, under another pattern.
    return copy(subject.graph).update({"truth": torch.from_numpy(subject.truth)})


def _predict(batch: Any, model: Network) -> list[float]:
    with torch.no_grad():
        return model(batch.x, batch.edge_index, batch.edge_attr, batch.batch).tolist()
