"""F of a graph when only some of its atoms are present: absent ones have zero features, all bonds stay."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from ..molecules.graphs import Graph, GraphBatch
from ..whitebox.evaluation import scaled_evaluation

MESSAGES_AT_ONCE = 200_000


class Coalitions:
    """F as a function of the atoms that are present.

    Only atoms that can reach the readout make a difference, and coalitions that agree on these are evaluated once.

    Args:
        model: called as ``model(x, edge_index, edge_attr, batch)``.
        graph: one graph.
        dtype: of the evaluation.

    Attributes:
        players: the atoms that can reach the readout, in order.
    """

    def __init__(self, model: nn.Module, graph: Graph, dtype: torch.dtype = torch.float32):
        self._part = scaled_evaluation(model, GraphBatch.from_data_list([graph]), dtype)
        self.players, owner = np.unique(self._part.atom_entries[0].numpy(), return_inverse=True)
        self._owner = torch.from_numpy(owner)
        self._bonds = torch.ones(1, self._part.bond_entries.size(1))
        self._at_once = max(1, MESSAGES_AT_ONCE // max(1, self._part.size))
        self._known: dict[bytes, float] = {}

    def values(self, present: np.ndarray) -> np.ndarray:
        """F [coalitions] from the atoms present, bool [coalitions, num_atoms]."""
        masks = present[:, self.players]
        first, place = _distinct(masks)
        keys = [packed.tobytes() for packed in np.packbits(masks[first], axis=1)]
        new = [index for index, key in enumerate(keys) if key not in self._known]
        if new:
            for index, value in zip(new, self.evaluate(masks[first[new]]), strict=True):
                self._known[keys[index]] = value
        return np.array([self._known[key] for key in keys])[place]

    @torch.no_grad()
    def evaluate(self, present: np.ndarray) -> np.ndarray:
        """F [coalitions] from the players present, bool [coalitions, players], each evaluated anew."""
        found = []
        for chunk in torch.from_numpy(present).split(self._at_once):
            atom_scales = chunk[:, self._owner].float()
            found.append(self._part(atom_scales, self._bonds.expand(len(chunk), -1))[:, 0])
        return torch.cat(found).numpy()


def _distinct(masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One row index of every distinct row of ``masks`` [rows, players], and of every row which distinct one it is."""
    if masks.shape[1] > 62:
        _, first, place = np.unique(np.packbits(masks, axis=1), axis=0, return_index=True, return_inverse=True)
    else:
        # As whole numbers, rows are sorted several times faster.
        numbers = masks @ (1 << np.arange(masks.shape[1]))
        _, first, place = np.unique(numbers, return_index=True, return_inverse=True)
    return first, place.ravel()
