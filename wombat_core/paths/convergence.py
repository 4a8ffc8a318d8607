"""How far steps of integrated gradients are from the integral, against their number and the quadrature rule."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from ..errors import InputError
from ..metrics.scores import score
from ..molecules.molecule import Molecule
from ..registry import check_name
from ..subject import Subject
from ..whitebox.build import Network
from .exact import integrate_path
from .ray import Ray
from .rules import METHODS, quadrature_rule

STEPS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
MAX_STEPS = 20_000
EXACT = "exact"


@dataclass(frozen=True)
class ConvergenceRow:
    """Integrated gradients with one rule and number of steps, beside the exact integral.

    Attributes:
        method: one of ``METHODS``, or "exact".
        steps: None for the exact integral.
        total: the sum of all attributions, atoms and bonds.
        gap: ``total - (F(x) - F(0))``; its size is the completeness gap.
        auroc: of the atoms' importance against the ground truth; None where undefined.
        error: largest difference of an atom's importance from the exact one.
    """

    method: str
    steps: int | None
    total: float
    gap: float
    auroc: float | None
    error: float


def convergence(
    model: Network, molecule: Molecule | Subject, steps: Sequence[int] = STEPS, methods: Sequence[str] = METHODS
) -> list[ConvergenceRow]:
    """One row a rule and number of steps, rules first; the exact integral is the last row.

    Attributions are those of Captum's ``IntegratedGradients`` from an all-zero baseline, in double precision.

    Raises:
        InputError: an unknown rule, or steps outside 2 to 20,000.
    """
    _check(steps, methods)
    subject = Subject.of(molecule, model.pattern)
    ray, truth = Ray(model, subject.graph), subject.truth
    ends = ray.values(torch.tensor([[0.0], [1.0]], dtype=torch.float64))[:, 0]
    gain = float(ends[1] - ends[0])
    exact = integrate_path(ray)
    reference = _importance(ray, exact[0], len(truth))

    def row(method: str, count: int | None, atoms: np.ndarray, bonds: np.ndarray) -> ConvergenceRow:
        importance = _importance(ray, atoms, len(truth))
        total = float(atoms.sum() + bonds.sum())
        error = float(np.abs(importance - reference).max(initial=0))
        return ConvergenceRow(method, count, total, total - gain, score(importance, truth).auroc, error)

    rows = [row(method, count, *_steps(ray, method, count)) for method in methods for count in steps]
    return [*rows, row(EXACT, None, *exact)]


def _steps(ray: Ray, method: str, steps: int) -> tuple[np.ndarray, np.ndarray]:
    alphas, weights = quadrature_rule(method, steps)
    atoms, bonds = ray.gradients(torch.from_numpy(alphas).unsqueeze(1))
    return weights @ atoms.numpy(), weights @ bonds.numpy()


def _importance(ray: Ray, atoms: np.ndarray, num_atoms: int) -> np.ndarray:
    """Absolute attributions of the entries summed over every atom, [num_atoms]."""
    return np.bincount(ray.atom_entries[0].numpy(), np.abs(atoms), minlength=num_atoms)


def _check(steps: Sequence[int], methods: Sequence[str]) -> None:
    for method in methods:
        check_name("quadrature rule", method, METHODS)
    for count in steps:
        if not 2 <= count <= MAX_STEPS:
            raise InputError(f"{count:,} steps cannot be taken; choose 2 to {MAX_STEPS:,}.")
