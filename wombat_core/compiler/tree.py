"""A query tree with what its atoms ask for: labels, bonds, conditions, distances. ``rooted.py`` gives it directions."""

from collections.abc import Callable

from .conditions import Piece, Surroundings, any_atom, disjoint_boxes, read_box
from .exclusion import drop_implied, either
from .predicates import Either, Label, Literal, Node, Predicate
from .query import Query
from .smarts_error import SmartsError
from .valence import AROMATIC, ORDERS, can_be_aromatic, limit

_MOST_AROMATIC = {6: 3, 7: 3, 8: 2}
"""Neighbours and hydrogens that an aromatic atom of an element can have, where that is few."""


class Tree:
    """A query without rings, with what its atoms ask for worked out once.

    Attributes:
        bonds: bond types of every pair of neighbours, narrowed to what both atoms allow.
        notes: what is not asked for, a sentence each.
    """

    def __init__(self, query: Query, inside: Callable[[str], Predicate]):
        self.query = query
        self.inside = inside
        self.bonds = _narrow_bonds(query)
        self.pieces = [self._pieces(index) for index in range(len(query.atoms))]
        self.notes = tuple(dict.fromkeys(note for own in self.pieces for piece in own for note in piece.notes))
        self._refuse_dropped()

    def around(self, atom: int, apart: int | None = None) -> list[int]:
        return [other for other, _ in self.query.neighbours[atom] if other != apart]

    def types(self, one: int, other: int) -> frozenset[int]:
        return self.bonds[min(one, other), max(one, other)]

    def label(self, atom: int) -> Predicate:
        """The features of an atom alone."""
        return either(list(dict.fromkeys(piece.label for piece in self.pieces[atom])))

    def alone(self, atom: int) -> Predicate:
        """An atom with its own conditions, but without its branches."""
        return either([self.node(piece, (), ()) for piece in self.pieces[atom]])

    def eccentricity(self, root: int) -> int:
        """How many bonds the farthest atom is away."""
        return max(self.distances(root))

    def distances(self, root: int) -> list[int]:
        found, queue = {root: 0}, [root]
        for atom in queue:
            for other in self.around(atom):
                if other not in found:
                    found[other] = found[atom] + 1
                    queue.append(other)
        return [found[atom] for atom in range(len(self.query.atoms))]

    def anchors(self, atom: int) -> tuple[tuple[Predicate, frozenset[int]], ...]:
        """The neighbours that are there wherever the motif is: (features, bond types)."""
        return tuple(
            (self.label(other), self.types(atom, other))
            for other in self.around(atom)
            if not isinstance(self.label(other), Either)
        )

    def node(self, piece: Piece, literals, anchors=(), taken: int = 0) -> Label | Node:
        """An atom with its own conditions and some on its neighbours."""
        mine = [narrow(literal, piece.label) for literal in (*piece.literals, *literals)]
        label, kept = piece.label, drop_implied(mine)
        if not kept and not piece.nots and not anchors:
            return label
        return Node(label, kept, anchors, None, piece.nots, taken)

    def _pieces(self, index: int) -> list[Piece]:
        atom = self.query.atoms[index]
        around = Surroundings([self.types(index, other) for other in self.around(index)])
        found = [piece for box in disjoint_boxes(atom.boxes) for piece in read_box(box, around, self.inside)]
        if not found:
            raise SmartsError(
                f"{self.query.name_atom(index)} can match no atom the benchmark uses.",
                atom=self.query.original[index],
                span=self.query.spans[index],
            )
        return found

    def _refuse_dropped(self) -> None:
        """A charge that cannot be seen may be one condition of several, never the only one."""
        for index, own in enumerate(self.pieces):
            free = any_atom()
            for piece in own:
                bare = piece.label.hydrogens == free.hydrogens and len(piece.label.elements) > 60
                if piece.dropped and bare and not piece.literals and not piece.nots:
                    raise SmartsError(
                        f"{self.query.name_atom(index)} asks for nothing but a charge, which the network's input does "
                        "not show.",
                        atom=self.query.original[index],
                        span=self.query.spans[index],
                    )


def narrow(literal: Literal, label: Label) -> Literal:
    """The condition without bond types that the valence of such an atom leaves no room for."""
    if literal.shares or literal.least < 2 or not literal.wanted or any(not bonds for _, bonds in literal.terms):
        return literal
    terms = []
    for predicate, bonds in literal.terms:
        kept = frozenset(kind for kind in bonds if _has_room(kind, literal.least, label))
        terms.append((predicate, kept or bonds))
    return Literal(tuple(terms), literal.least)


def _has_room(kind: int, least: int, label: Label) -> bool:
    for element in label.elements:
        for h in label.hydrogens:
            if kind == AROMATIC:
                if (
                    not can_be_aromatic(element)
                    or (element in (6, 7) and least + h > 3)
                    or (element == 8 and least > 2)
                ):
                    continue
                return True
            if limit(element) - h - (least - 1) >= ORDERS[kind]:
                return True
    return False


def _narrow_bonds(query: Query) -> dict[tuple[int, int], frozenset[int]]:
    """Bond types that both atoms allow: a bond to an atom that is never aromatic is not aromatic.

    Raises:
        SmartsError: nothing is left of a bond.
    """
    found = {}
    for bond in query.bonds:
        types = bond.types
        for end in (bond.begin, bond.end):
            boxes = query.atoms[end].boxes
            if all(
                box.allowed("aromatic") == {0} or not any(map(can_be_aromatic, box.allowed("elements")))
                for box in boxes
            ):
                types -= {AROMATIC}
                if not types:
                    place = query.original[end]
                    ends = query.original[bond.begin], query.original[bond.end]
                    raise SmartsError(
                        f"The SMARTS can match nothing: bond {ends[0] + 1}-{ends[1] + 1} is aromatic, atom {place + 1} "
                        "cannot be.",
                        atom=place,
                        bond=ends,
                    )
            least = {h for box in boxes for h in box.allowed("hydrogens")}
            elements = {e for box in boxes for e in box.allowed("elements")}
            others = len(query.neighbours[end]) - 1
            fit = frozenset(
                kind
                for kind in types
                if any(limit(e) - min(least) - others >= ORDERS[kind] for e in elements)
                and (kind != AROMATIC or any(e not in (6, 7) or min(least) + others <= 2 for e in elements))
            )
            types = fit or types
        found[min(bond.begin, bond.end), max(bond.begin, bond.end)] = types
    return found
