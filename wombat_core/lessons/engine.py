"""What lessons ask of the one engine, by situation. On a page, explainers that take long are not there at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .. import progress
from ..engine import Engine as CoreEngine
from ..errors import InputError
from ..explainers.registry import explainer, explainer_class
from ..explanation import explain
from ..metrics.scores import Scores
from ..molecules import Molecule
from ..paths.path import Path
from ..studies.sample_size import published_positives
from ..whitebox.build import Network
from ..whitebox.model import Trace
from .lesson import Situation

if TYPE_CHECKING:
    from ..molecules.graphs import Graph

POINTS = 401


class NotYet(InputError):
    """An explainer that takes long has no answer yet; it is at work, or waits to be asked."""


@dataclass(frozen=True, eq=False)
class Answer:
    """One explainer's answer.

    Attributes:
        name, title: of the explainer.
        atoms, signed_atoms: importance and sum of attributions of every atom, [num_atoms].
        bonds, signed_bonds: the same of every bond [num_bonds], or None where the method gives none.
        scores: against the ground truth.
        is_null: every atom scores alike.
    """

    name: str
    title: str
    atoms: np.ndarray
    signed_atoms: np.ndarray
    bonds: np.ndarray | None
    signed_bonds: np.ndarray | None
    scores: Scores
    is_null: bool


class Engine:
    """The engine, asked by situation.

    Args:
        core: where everything is computed and kept; one of its own where None.
    """

    def __init__(self, core: CoreEngine | None = None):
        self.core = core or CoreEngine()

    def molecule(self, text: str) -> Molecule:
        """Raises InputError: the text stands for no molecule."""
        return self.core.molecule(text)

    def network(self, situation: Situation) -> Network:
        """The network of the pattern under the readout. Raises InputError: there is no such pattern."""
        return self.core.network(situation.pattern, situation.readout)

    def answer(self, situation: Situation, name: str) -> Answer:
        """One explainer's answer.

        Raises:
            NotYet: it is not there yet.
            InputError: there is no such explainer, or it refuses the molecule.
        """
        own = explainer(name, **situation.settings_of(name))
        found = self.core.explanation(situation.molecule, situation.pattern, situation.readout, own)
        given = found.attribution
        return Answer(
            name,
            own.title,
            given.atom_scores,
            given.signed_atom_scores,
            given.bond_scores,
            given.signed_bond_scores,
            found.scores,
            given.is_null,
        )

    def published(self, situation: Situation, name: str) -> list[Scores]:
        """One explainer's scores on every published molecule with the motif on which AUROC is defined.

        Raises:
            NotYet: they are not there yet.
            InputError: there is no such molecule, explainer or pattern.
        """
        own, model = explainer(name, **situation.settings_of(name)), self.network(situation)
        molecules = published_positives(model.pattern)
        if not molecules:
            raise InputError("there is no published molecule with the motif.")

        def make() -> list[Scores]:
            found = progress.each(molecules, lambda molecule: explain([molecule], model, own)[0].scores)
            return [scores for scores in found if scores.auroc is not None]

        return self.core.once("published", (model.pattern, situation.readout, name, repr(own)), make)

    def path(self, situation: Situation, fine: tuple[float, float] = (0.9, 1.0)) -> Path:
        """The path from the all-zero baseline, with most of its points in ``fine``."""
        return self.core.path(situation.molecule, situation.pattern, situation.readout, alphas_of(fine))

    def data(self, situation: Situation) -> Graph:
        """The molecule as the network reads it. Raises InputError: it cannot be encoded."""
        return self.core.graph(situation.molecule, self.core.pattern(situation.pattern).encoding)

    def trace(self, situation: Situation) -> Trace:
        """The forward pass. Raises InputError: as :meth:`data` and :meth:`network`."""
        return self.core.trace(situation.molecule, situation.pattern)

    def truth(self, situation: Situation) -> np.ndarray:
        """The ground-truth atoms, bool [num_atoms]."""
        return self.core.truth(situation.molecule, situation.pattern)

    def labels(self, situation: Situation) -> list[str]:
        """Symbol and number of every atom: "C7"."""
        return [f"{atom.GetSymbol()}{atom.GetIdx()}" for atom in self.molecule(situation.molecule).mol.GetAtoms()]

    def title(self, name: str) -> str:
        """An explainer's title."""
        return explainer_class(name).title


def alphas_of(fine: tuple[float, float]) -> np.ndarray:
    """Points of a path that lie densely in ``fine``."""
    return np.unique(np.concatenate([np.linspace(0, 1, 101), np.linspace(*fine, POINTS)]).round(9))
