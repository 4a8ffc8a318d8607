"""What an explainer gives back."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

NULL_TOLERANCE = 1e-9


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Attribution:
    """One explainer's answer for one graph: masks over its nodes, their features and its edges, as PyG names them.

    ``Attribution(atoms, bonds, seconds)`` is an answer that has a number for every feature; :meth:`of_atoms` and
    :meth:`of_masks` are for those that have one for every atom or bond.

    Attributes:
        node_feat_mask: attribution of every atom feature, [num_atoms, features]; None where the method gives one number
            an atom.
        edge_feat_mask: attribution of every bond feature, [num_edges, bond features] (both directions of a bond); None
            where the method gives one number an edge, or none for bonds.
        seconds: wall time of this graph (its share, where several were explained together).
        notes: what is to be told beside the answer, a sentence each.
    """

    node_feat_mask: np.ndarray | None
    edge_feat_mask: np.ndarray | None
    seconds: float
    notes: tuple[str, ...]

    if TYPE_CHECKING:
        # Not fields: one number an atom or edge, where that is the answer, and how many features each has.
        _node_mask: np.ndarray | None
        _edge_mask: np.ndarray | None
        _widths: tuple[int, int]

    def __init__(self, atoms: np.ndarray, bonds: np.ndarray | None = None, seconds: float = 0.0):
        self._set(atoms, bonds, None, None, (0, 0), seconds)

    def _set(self, node_feat_mask, edge_feat_mask, node_mask, edge_mask, widths, seconds, notes=()) -> None:
        own = {
            "node_feat_mask": node_feat_mask,
            "edge_feat_mask": edge_feat_mask,
            "seconds": seconds,
            "_node_mask": node_mask,
            "_edge_mask": edge_mask,
            "_widths": widths,
            "notes": notes,
        }
        for name, value in own.items():
            object.__setattr__(self, name, value)

    @classmethod
    def of_atoms(cls, scores: Any, graph: Any, seconds: float = 0.0) -> "Attribution":
        """An answer that has one number an atom, ``scores`` [num_atoms], for a PyG graph; none for bonds."""
        return cls.of_masks(graph, scores, None, seconds)

    @classmethod
    def of_masks(
        cls,
        graph: Any,
        node_mask: Any = None,
        edge_mask: Any = None,
        seconds: float = 0.0,
        *,
        node_feat_mask: np.ndarray | None = None,
        edge_feat_mask: np.ndarray | None = None,
    ) -> "Attribution":
        """An answer from the masks that a method gives for a PyG graph.

        Args:
            graph: says how many atoms, edges and features there are.
            node_mask: [num_atoms], or ``node_feat_mask`` [num_atoms, features] in its place.
            edge_mask: [num_edges], or ``edge_feat_mask`` [num_edges, bond features] in its place, or neither.
            seconds: see the class.
        """
        own = cls.__new__(cls)
        nodes = None if node_feat_mask is not None else _filled(node_mask, len(graph.x))
        edges = None if edge_feat_mask is not None or edge_mask is None else _filled(edge_mask, len(graph.edge_attr))
        widths = (graph.x.shape[1], graph.edge_attr.shape[1])
        own._set(node_feat_mask, edge_feat_mask, nodes, edges, widths, seconds)
        return own

    @classmethod
    def of_arrays(
        cls, nodes: np.ndarray, edges: np.ndarray | None, widths: tuple[int, int], seconds: float
    ) -> "Attribution":
        """An answer from arrays with a column for every feature or, one-dimensional, with one number each.

        Args:
            nodes: [num_atoms, features] or [num_atoms].
            edges: [num_edges, bond features] or [num_edges], or None.
            widths: how many features atoms and bonds have.
            seconds: see the class.
        """
        own = cls.__new__(cls)
        features = (nodes, None) if nodes.ndim == 2 else (None, nodes)
        of_bonds = (None, None) if edges is None else (edges, None) if edges.ndim == 2 else (None, edges)
        own._set(features[0], of_bonds[0], features[1], of_bonds[1], widths, seconds)
        return own

    def timed(self, seconds: float) -> "Attribution":
        """The same answer, with another wall time."""
        own = type(self).__new__(type(self))
        masks = (self.node_feat_mask, self.edge_feat_mask, self._node_mask, self._edge_mask)
        own._set(*masks, self._widths, float(seconds), self.notes)
        return own

    def detached(self, seconds: float, notes: tuple[str, ...] = ()) -> "Attribution":
        """The same answer with a wall time and notes, in arrays of its own, which nobody else can change."""
        own = Attribution.__new__(Attribution)
        features, nodes = _copied(self.node_feat_mask), _copied(self._node_mask)
        edge_features, edges = _copied(self.edge_feat_mask), _copied(self._edge_mask)
        own._set(features, edge_features, nodes, edges, self._widths, float(seconds), notes)
        return own

    def __repr__(self) -> str:
        kinds = "node features" if self.node_feat_mask is not None else "nodes"
        edges = "no edges" if self.edge_mask is None else f"{len(self.edge_mask)} edges"
        null = ", null" if self.is_null else ""
        return f"<Attribution of {kinds} of {len(self.node_mask)} atoms, {edges}, total {self.total:.4g}{null}>"

    @property
    def node_mask(self) -> np.ndarray:
        """The sum of attributions over the features of every atom, [num_atoms]."""
        return self.atoms.sum(axis=1) if self._node_mask is None else self._node_mask

    @property
    def edge_mask(self) -> np.ndarray | None:
        """The sum of attributions over the features of every edge, [num_edges] (both directions of a bond), or None."""
        return self.edge_feat_mask.sum(axis=1) if self.edge_feat_mask is not None else self._edge_mask

    @property
    def atoms(self) -> np.ndarray:
        """Attribution of every atom feature, [num_atoms, features]; one number an atom stands in the first column."""
        if self._node_mask is None:
            if self.node_feat_mask is None:
                raise AssertionError("an answer has numbers for atoms or for their features")
            return self.node_feat_mask
        return _first_column(self._node_mask, self._widths[0])

    @property
    def bonds(self) -> np.ndarray | None:
        """Attribution of every bond feature, [num_edges, bond features], or None; one number an edge as in `atoms`."""
        if self.edge_feat_mask is not None or self._edge_mask is None:
            return self.edge_feat_mask
        return _first_column(self._edge_mask, self._widths[1])

    @property
    def atom_scores(self) -> np.ndarray:
        """Importance of every atom, the sum of absolute attributions over its features, [num_atoms]."""
        if self._node_mask is not None:
            return np.abs(self._node_mask)
        return np.abs(self.atoms).sum(axis=1)

    @property
    def signed_atom_scores(self) -> np.ndarray:
        """The sum of attributions over the features of every atom, [num_atoms]."""
        return self.node_mask

    @property
    def edge_scores(self) -> np.ndarray | None:
        """Importance of every edge, the sum of absolute attributions over its features, [num_edges], or None."""
        if self.edge_feat_mask is not None:
            return np.abs(self.edge_feat_mask).sum(axis=1)
        return None if self._edge_mask is None else np.abs(self._edge_mask)

    @property
    def bond_scores(self) -> np.ndarray | None:
        """Importance of every bond over both directions, [num_bonds], or None."""
        return _both_directions(self.edge_scores)

    @property
    def signed_bond_scores(self) -> np.ndarray | None:
        """The sum of attributions over both directions of every bond, [num_bonds], or None."""
        return _both_directions(self.edge_mask)

    @property
    def is_null(self) -> bool:
        """Whether every atom scores alike, so that the answer ranks nothing."""
        scores = self.atom_scores
        return bool(np.ptp(scores) <= NULL_TOLERANCE * max(1.0, np.abs(scores).max())) if len(scores) else True

    @property
    def total(self) -> float:
        """The sum of all attributions, atoms and bonds (completeness compares it with F(x) - F(baseline))."""
        edges = self.edge_mask
        return float(self.node_mask.sum() + (0 if edges is None else edges.sum()))


def _copied(mask: np.ndarray | None) -> np.ndarray | None:
    return None if mask is None else np.array(mask)


def _filled(values: Any, count: int) -> np.ndarray:
    """The numbers as an array [count], a single one repeated."""
    mask = np.zeros(count)
    mask[:] = values
    return mask


def _first_column(mask: np.ndarray, width: int) -> np.ndarray:
    found = np.zeros((len(mask), width))
    found[:, 0] = mask
    return found


def _both_directions(edges: np.ndarray | None) -> np.ndarray | None:
    return None if edges is None else edges.reshape(-1, 2).sum(axis=1)
