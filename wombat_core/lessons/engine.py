"""What lessons ask of the engine. A page puts its own caches in the place of these memories."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import InputError
from ..explainers.registry import explainer, explainer_class
from ..explanation import explain
from ..ground_truth import ground_truth
from ..metrics.scores import Scores
from ..molecules import Molecule, find_molecule
from ..molecules.encoding import encode
from ..paths.path import Path, interpolate
from ..whitebox.build import Network, build
from ..whitebox.model import Trace
from .lesson import Situation

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


@dataclass
class Engine:
    """Molecules, networks, answers and paths by situation, each computed once."""

    _kept: dict[tuple, Any] = field(default_factory=dict)

    def molecule(self, text: str) -> Molecule:
        """Raises InputError: the text stands for no molecule."""
        return self._once(("molecule", text), lambda: find_molecule(text))

    def network(self, situation: Situation) -> Network:
        """The network of the pattern under the readout. Raises InputError: there is no such pattern."""
        key = ("network", situation.pattern, situation.readout)
        return self._once(key, lambda: build(situation.pattern, situation.readout).eval().requires_grad_(False))

    def answer(self, situation: Situation, name: str) -> Answer:
        """One explainer's answer.

        Raises:
            NotYet: it is not there yet.
            InputError: there is no such explainer, or it refuses the molecule.
        """
        return self._once(("answer", situation, name), lambda: self._explained(situation, name))

    def path(self, situation: Situation, fine: tuple[float, float] = (0.9, 1.0)) -> Path:
        """The path from the all-zero baseline, with most of its points in ``fine``."""
        return self._once(("path", situation, fine), lambda: walk(self.network(situation), self.data(situation), fine))

    def data(self, situation: Situation):
        """The encoded molecule. Raises InputError: it cannot be encoded."""
        return encode(self.molecule(situation.molecule), self.network(situation).pattern.encoding)

    def trace(self, situation: Situation) -> Trace:
        """The forward pass."""
        data = self.data(situation)
        return self.network(situation).trace(data.x, data.edge_index, data.edge_attr)

    def truth(self, situation: Situation) -> np.ndarray:
        """The ground-truth atoms, bool [num_atoms]."""
        return ground_truth(self.molecule(situation.molecule), self.network(situation).pattern)

    def labels(self, situation: Situation) -> list[str]:
        """Symbol and number of every atom: "C7"."""
        return [f"{atom.GetSymbol()}{atom.GetIdx()}" for atom in self.molecule(situation.molecule).mol.GetAtoms()]

    def title(self, name: str) -> str:
        """An explainer's title."""
        return explainer_class(name).title

    def _explained(self, situation: Situation, name: str) -> Answer:
        own = explainer(name, **situation.settings_of(name))
        [found] = explain([self.molecule(situation.molecule)], self.network(situation), own)
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

    def _once(self, key: tuple, make):
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]


def walk(model: Network, data, fine: tuple[float, float]) -> Path:
    """A path whose points lie densely in ``fine``."""
    alphas = np.concatenate([np.linspace(0, 1, 101), np.linspace(*fine, POINTS)])
    return interpolate(model, data, np.unique(alphas.round(9)))
