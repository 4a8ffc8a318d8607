"""Intervals of alpha, several of them on each of several graphs."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Pieces:
    """Intervals of alpha, each of one graph: all [pieces]."""

    graph: np.ndarray
    start: np.ndarray
    end: np.ndarray

    def __len__(self) -> int:
        return len(self.graph)

    def __getitem__(self, chosen: np.ndarray) -> "Pieces":
        return Pieces(self.graph[chosen], self.start[chosen], self.end[chosen])

    def halves(self) -> "Pieces":
        """Both halves of every piece; piece k becomes 2k and 2k + 1."""
        middle = (self.start + self.end) / 2
        start, end = np.stack([self.start, middle], axis=1), np.stack([middle, self.end], axis=1)
        return Pieces(np.repeat(self.graph, 2), start.ravel(), end.ravel())


def pieces_between(kinks: list[np.ndarray], points: np.ndarray | None = None) -> Pieces:
    """[0, 1] cut at every graph's kinks, and at further ``points`` where given."""
    cuts = [np.unique(np.concatenate([[0.0, 1.0], own, [] if points is None else points])) for own in kinks]
    graph = np.repeat(np.arange(len(cuts)), [len(own) - 1 for own in cuts])
    return Pieces(graph, np.concatenate([own[:-1] for own in cuts]), np.concatenate([own[1:] for own in cuts]))


def rank_within(groups: np.ndarray) -> np.ndarray:
    """How many earlier entries belong to the same group, [entries]."""
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    ranks = np.empty(len(groups), dtype=np.int64)
    ranks[order] = np.arange(len(groups)) - np.searchsorted(ordered, ordered)
    return ranks
