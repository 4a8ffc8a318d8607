"""What an explainer gives back."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Attribution:
    """One explainer's answer for one graph.

    Attributes:
        atoms: attribution of every atom feature, [num_atoms, features].
        bonds: attribution of every bond feature, [num_edges, bond features] (both directions of a bond),
            or None where the method gives none.
        seconds: wall time of this graph (its share, where several were explained together).
    """

    atoms: np.ndarray
    bonds: np.ndarray | None
    seconds: float

    @classmethod
    def of_atoms(cls, scores, graph, seconds: float = 0.0) -> "Attribution":
        """An answer that has one number an atom, ``scores`` [num_atoms], for a PyG graph; none for bonds."""
        atoms = np.zeros(graph.x.shape)
        atoms[:, 0] = scores
        return cls(atoms, None, seconds)

    @property
    def atom_scores(self) -> np.ndarray:
        """Importance of every atom, the sum of absolute attributions over its features, [num_atoms]."""
        return np.abs(self.atoms).sum(axis=1)

    @property
    def signed_atom_scores(self) -> np.ndarray:
        """The sum of attributions over the features of every atom, [num_atoms]."""
        return self.atoms.sum(axis=1)

    @property
    def bond_scores(self) -> np.ndarray | None:
        """Importance of every bond over both directions, [num_bonds], or None."""
        return None if self.bonds is None else _both_directions(np.abs(self.bonds))

    @property
    def signed_bond_scores(self) -> np.ndarray | None:
        """The sum of attributions over both directions of every bond, [num_bonds], or None."""
        return None if self.bonds is None else _both_directions(self.bonds)

    @property
    def is_null(self) -> bool:
        """Whether every atom scores alike, so that the answer ranks nothing."""
        scores = self.atom_scores
        return bool(np.ptp(scores) <= NULL_TOLERANCE * max(1.0, np.abs(scores).max())) if len(scores) else True

    @property
    def total(self) -> float:
        """The sum of all attributions, atoms and bonds (completeness compares it with F(x) - F(0))."""
        return float(self.atoms.sum() + (0 if self.bonds is None else self.bonds.sum()))


NULL_TOLERANCE = 1e-9


def _both_directions(bonds: np.ndarray) -> np.ndarray:
    return bonds.sum(axis=1).reshape(-1, 2).sum(axis=1)
