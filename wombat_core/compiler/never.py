"""Whether an atom of the motif can ever be counted as one of its neighbour's branches.

Where it never can, nothing needs to be done against walking back to it.

What may be used of an atom is what the network has asked for by then. The features and own conditions of every atom of
the motif are asked for, and its branches are different atoms (Hall's condition). That its branches are also different
from the atom before it is what is being shown, from the root on: it may be used of atoms nearer to the root only. To
use it of the others would be to argue in a circle, each of two walks back resting on the other.
"""

from .predicates import Label, Literal, Node, Predicate, disjoint, options
from .tree import Tree
from .valence import AROMATIC, least_order, limit


class Never:
    """The answers for one tree and root, made once each."""

    def __init__(self, tree: Tree, root: int):
        self.tree, self.root = tree, root
        self.depths = tree.distances(root)
        self._known: dict[tuple[int, Predicate, int], bool] = {}

    def depth(self, atom: int) -> int:
        """How many bonds an atom is away from the root."""
        return self.depths[atom]

    def __call__(self, atom: int, predicate: Predicate, depth: int) -> bool:
        """Whether what plays an atom of the motif can never be of a predicate.

        Args:
            atom: of the motif.
            predicate: of some branch.
            depth: atoms nearer to the root than this have no branch that is the atom before them.
        """
        key = atom, predicate, depth
        if key not in self._known:
            own = self.tree.alone(atom)
            self._known[key] = all(
                all(disjoint(mine, option) for mine in options(own)) or self._no_room(atom, option, depth)
                for option in options(predicate)
            )
        return self._known[key]

    def _surely_apart(self, atom: int, depth: int) -> list[int]:
        """Neighbours of an atom in the motif that are different atoms for sure."""
        around = self.tree.around(atom)
        if self.depths[atom] < depth or len(around) < 2:
            return around
        return [other for other in around if self.depths[other] > self.depths[atom]]

    def _no_room(self, atom: int, option: Label | Node, depth: int) -> bool:
        """Whether the neighbours that are there leave too few places for those the predicate counts."""
        if isinstance(option, Label):
            return False
        return any(self._too_few(atom, option, literal, depth) for literal in option.all_literals if literal.wanted)

    def _too_few(self, atom: int, option: Node, literal: Literal, depth: int) -> bool:
        others = self._surely_apart(atom, depth)
        extra = sum(least_order(self.tree.types(atom, other)) - 1 for other in others)
        elements = (
            frozenset(e for piece in self.tree.pieces[atom] for e in piece.label.elements) & option.label.elements
        )
        hydrogens = (
            frozenset(h for piece in self.tree.pieces[atom] for h in piece.label.hydrogens) & option.label.hydrogens
        )
        room = max((limit(e) - h - extra for e in elements for h in hydrogens), default=0)
        if elements <= {6, 7} and any(self.tree.types(atom, other) == {AROMATIC} for other in others):
            room = min(room, 3 - min(hydrogens, default=0))
        degrees = [box.allowed("degree") for box in self.tree.query.atoms[atom].boxes]
        room = min(room, max(max(allowed) for allowed in degrees))
        least_degree = max(len(others), min(min(allowed) for allowed in degrees))
        beyond = literal.least * (min(least_order(bonds) for _, bonds in literal.terms) - 1)
        if not literal.shares and all(
            least_degree + max(extra, beyond) > limit(e) - h for e in elements for h in hydrogens
        ):
            return True
        if literal.shares:
            if literal.by_order:
                return False
            return all(limit(e) - h - extra < least for e in elements for h, least in literal.shares)
        fitting = sum(
            any(
                self.tree.types(atom, other) & bonds and not self(other, predicate, depth)
                for predicate, bonds in literal.terms
            )
            for other in others
        )
        return fitting + max(0, room - len(others)) < literal.least
