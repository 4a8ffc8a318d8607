"""One molecule on its way from a baseline: F, its slope, and every atom's share, at every alpha."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from ..errors import InputError
from ..molecules.graphs import Graph
from ..whitebox.build import Network
from ..whitebox.model import Trace
from .baselines import Baseline, zero
from .breakpoints import breakpoints
from .exact import integrate_up_to
from .line import Line
from .ray import Ray

if TYPE_CHECKING:
    from pandas import DataFrame

MAX_POINTS = 20_000


@dataclass(frozen=True, repr=False)
class Path:
    """F and its gradients at ``baseline + alpha * (input - baseline)``, atoms and bonds together.

    Attributes:
        model: the whitebox, with the readout of all gradients below.
        data: the encoded molecule.
        baseline: where alpha = 0.
        alphas: [points], ascending, in [0, 1].
        outputs: F under "r1" and "r2", [points] each; under its own readout for a network that has one.
        slope: dF/dalpha, [points].
        atom_gradients: gradient times (input - baseline), summed over the features of every atom, [points, atoms].
        bond_gradients: likewise, over both directions of every bond, [points, bonds].
        gathered_atoms: the integral of ``atom_gradients`` from 0 to alpha, [points, atoms]. At alpha = 1 it is
            the attribution.
        gathered_bonds: likewise, [points, bonds].
        gathered_how: "exact", integrated piece by piece between the kinks of F (all-zero baseline), or
            "trapezoid", the trapezoidal rule on ``alphas``, from the first of them.
        kinks: alphas where F bends, [kinks]; None where not known.
    """

    model: Network
    data: Graph
    baseline: Baseline
    alphas: np.ndarray
    outputs: dict[str, np.ndarray]
    slope: np.ndarray
    atom_gradients: np.ndarray
    bond_gradients: np.ndarray
    gathered_atoms: np.ndarray
    gathered_bonds: np.ndarray
    gathered_how: str
    kinks: np.ndarray | None

    def __repr__(self) -> str:
        ends = ", ".join(f"{name} {values[0]:.4g} to {values[-1]:.4g}" for name, values in self.outputs.items())
        return (
            f"<Path of {len(self.data.x)} atoms from {self.baseline.name}, {len(self.alphas)} points: {ends}, "
            f"gathered {self.gathered_how}, gap {self.gap:.3g}>"
        )

    def to_frame(self) -> DataFrame:
        """A row a point: ``alpha``, F by readout, ``slope``, and gradient times (input - baseline) of every atom."""
        from pandas import DataFrame

        columns = {"alpha": self.alphas, **self.outputs, "slope": self.slope}
        columns |= {f"atom {place}": values for place, values in enumerate(self.atom_gradients.T)}
        return DataFrame(columns)

    @property
    def gap(self) -> float:
        """What the gathered attributions exceed the gain of F by, between the first and the last alpha.

        Under the trapezoidal rule a large gap says that F rises between two of the alphas.
        """
        gathered = self.gathered_atoms.sum(axis=1) + self.gathered_bonds.sum(axis=1)
        values = self.outputs[self.model.readout]
        return float(gathered[-1] - gathered[0] - (values[-1] - values[0]))

    def activations_at(self, alpha: float) -> Trace:
        """Every layer's activations and both readouts at one alpha, which need not be among ``alphas``.

        Raises:
            InputError: alpha outside [0, 1].
        """
        at = check_alpha(alpha)
        x = self.baseline.x + at * (self.data.x.double() - self.baseline.x)
        edge_attr = self.baseline.edge_attr + at * (self.data.edge_attr.double() - self.baseline.edge_attr)
        return deepcopy(self.model).double().trace(x, self.data.edge_index, edge_attr)


def interpolate(
    model: Network, data: Graph, alphas: np.ndarray | None = None, baseline: Baseline | None = None
) -> Path:
    """Walk from the baseline to the molecule.

    Args:
        model: a whitebox; gradients are those of its readout.
        data: one encoded molecule.
        alphas: ascending, in [0, 1]; 0, 0.01, ..., 1 where None.
        baseline: all zero where None (see :mod:`wombat_core.paths.baselines`).

    Raises:
        InputError: alphas that are not ascending numbers in [0, 1], fewer than 1 or more than 20,000; a network
            that is no whitebox, from another baseline than zero.
    """
    alphas = _check_alphas(np.linspace(0, 1, 101) if alphas is None else np.asarray(alphas, dtype=np.float64))
    baseline = baseline or zero(data)
    walk = _from_zero if baseline.is_zero else _from_elsewhere
    return Path(model=model, data=data, baseline=baseline, alphas=alphas, **walk(model, data, alphas, baseline))


def _from_zero(model: Network, data: Graph, alphas: np.ndarray, baseline: Baseline) -> dict:
    ray = Ray(model, data)
    column = torch.from_numpy(alphas).unsqueeze(1)
    known = ray.is_piecewise_polynomial
    kinks = breakpoints(ray)[0]
    values = ray.values_by_readout(column) if known else {model.readout: ray.values(column)}
    gathered = integrate_up_to(ray, alphas, kinks)
    gradients = ray.gradients(column)
    atoms, bonds = len(data.x), len(data.edge_attr) // 2
    atom_entry, bond_entry = ray.atom_entries[0], ray.bond_entries[0] // 2
    return {
        "outputs": {name: value[:, 0].numpy() for name, value in values.items()},
        "slope": sum((gradient.sum(dim=1) for gradient in gradients), torch.zeros(len(alphas)).double()).numpy(),
        "atom_gradients": _summed(gradients[0], atom_entry, atoms),
        "bond_gradients": _summed(gradients[1], bond_entry, bonds),
        "gathered_atoms": _summed(torch.from_numpy(gathered.atoms), atom_entry, atoms),
        "gathered_bonds": _summed(torch.from_numpy(gathered.bonds), bond_entry, bonds),
        "gathered_how": "exact",
        "kinks": kinks if known else None,
    }


def _from_elsewhere(model: Network, data: Graph, alphas: np.ndarray, baseline: Baseline) -> dict:
    line = Line(model, data, baseline)
    points = torch.from_numpy(alphas)
    atoms, edges = line.gradients(points)
    bonds = edges.view(len(points), -1, 2).sum(dim=2)
    return {
        "outputs": {name: values.numpy() for name, values in line.values(points).items()},
        "slope": (atoms.sum(dim=1) + bonds.sum(dim=1)).numpy(),
        "atom_gradients": atoms.numpy(),
        "bond_gradients": bonds.numpy(),
        "gathered_atoms": _trapezoid(atoms, points),
        "gathered_bonds": _trapezoid(bonds, points),
        "gathered_how": "trapezoid",
        "kinks": None,
    }


def _summed(entries: Tensor, owner: Tensor, num_owners: int) -> np.ndarray:
    """Sum entries [points, entries] over the atom or bond they belong to."""
    return entries.new_zeros(len(entries), num_owners).index_add(1, owner, entries).numpy()


def _trapezoid(values: Tensor, points: Tensor) -> np.ndarray:
    start = values.new_zeros(1, values.size(1))
    return torch.cat([start, torch.cumulative_trapezoid(values, points, dim=0)]).numpy()


def check_alpha(alpha: float) -> float:
    """The alpha as a float.

    Raises:
        InputError: it is not a number in [0, 1].
    """
    if not 0 <= alpha <= 1:
        raise InputError(f"Alpha is {alpha:g}; it has to lie between 0 and 1.")
    return float(alpha)


def _check_alphas(alphas: np.ndarray) -> np.ndarray:
    if not 1 <= len(alphas) <= MAX_POINTS:
        raise InputError(f"The path has {len(alphas):,} points; it needs 1 to {MAX_POINTS:,}.")
    for alpha in (alphas.min(), alphas.max()):
        check_alpha(alpha)
    if (np.diff(alphas) <= 0).any():
        raise InputError("The alphas of a path have to ascend.")
    return alphas
