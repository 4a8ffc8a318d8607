"""Trees whose directions stay undecided, by balls: every atom asks for all its neighbours, on every layer.

``ball(q, t)``: the label of q fits, and the neighbours of q have neighbours of the atom of their own with
``ball(., t - 1)``. No direction, hence no exclusion: an atom that is walked back to still has to show all its
neighbours. Larger than the directed way, and the fallback where that one cannot decide.
"""

from .exclusion import count, drop_implied, either, type_sets
from .predicates import Label, Node, Predicate, literal_implies, options
from .tree import Tree, narrow


class Balls:
    """The balls of a tree's atoms, made once each."""

    def __init__(self, tree: Tree):
        self.tree = tree
        self._known: dict[tuple[int, int], Predicate] = {}

    def ball(self, atom: int, radius: int) -> Predicate:
        """The predicate of atoms whose surroundings fit those of the query atom up to a radius."""
        key = atom, radius
        if key not in self._known:
            self._known[key] = self._ball(atom, radius)
        return self._known[key]

    def _ball(self, atom: int, radius: int) -> Predicate:
        if radius == 0:
            return self.tree.alone(atom)
        branches = [(self.ball(other, radius - 1), self.tree.types(atom, other)) for other in self.tree.around(atom)]
        literals = [count(types, least) for types, least in type_sets(branches)]
        if radius == 1:
            return self.tree.node(atom, literals)
        before = options(self.ball(atom, radius - 1))
        found: list[Label | Node] = []
        for base in before:
            known = base.all_literals if isinstance(base, Node) else ()
            fresh = drop_implied(
                [narrow(literal, base.label if isinstance(base, Node) else base) for literal in literals]
            )
            fresh = tuple(one for one in fresh if not any(literal_implies(other, one) for other in known))
            found.append(Node(base.label, fresh, (), base, base.nots) if fresh and isinstance(base, Node) else base)
        return either(found)
