"""Atoms as sentences name them, and which atoms an answer puts first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np


def named(labels: Sequence[str], atoms: Iterable[int]) -> str:
    """ "C5, C9 and N3"; "none" where there is none."""
    found = [labels[atom] for atom in atoms]
    if len(found) < 2:
        return found[0] if found else "none"
    return f"{', '.join(found[:-1])} and {found[-1]}"


def strongest(values: np.ndarray, count: int) -> list[int]:
    """The atoms with the largest values, largest first; equal ones in the order of the molecule."""
    return np.argsort(-values, kind="stable")[:count].tolist()


def rank(values: np.ndarray, atom: int) -> int:
    """The rank of an atom's value, 1 for the largest; equal ones share the better rank."""
    return 1 + int((values > values[atom]).sum())


@dataclass(frozen=True)
class Overlap:
    """How far two sets of atoms agree.

    Attributes:
        hits: atoms of both.
        missed: atoms of the second alone.
        extra: atoms of the first alone.
    """

    hits: tuple[int, ...]
    missed: tuple[int, ...]
    extra: tuple[int, ...]

    @property
    def jaccard(self) -> float:
        """Shared atoms by all atoms of either; 1 where both are empty."""
        union = len(self.hits) + len(self.missed) + len(self.extra)
        return len(self.hits) / union if union else 1.0


def overlap(guess: Iterable[int], other: Iterable[int]) -> Overlap:
    """Compare a guess with another set of atoms."""
    first, second = set(guess), set(other)
    return Overlap(*(tuple(sorted(part)) for part in (first & second, second - first, first - second)))
