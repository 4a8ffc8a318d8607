"""A query tree looked at from its root: what every atom has to show to the one before it.

``evidence(q, p)`` is the predicate of the atoms that can be q, with all branches away from p, read by a neighbour that
can be p. It never counts that neighbour as one of the branches.
"""

from functools import lru_cache

from .conditions import Piece, Surroundings, any_atom, disjoint_boxes, read_box
from .exclusion import Branch, Undecided, count, drop_implied, either, type_sets
from .predicates import ALL_BONDS, Either, Label, Literal, Node, Predicate, disjoint, implies, options
from .query import Query, read_query
from .smarts_error import SmartsError
from .valence import AROMATIC, ORDERS, can_be_aromatic, least_order, limit

_MOST_AROMATIC = {6: 3, 7: 3, 8: 2}
"""Neighbours and hydrogens that an aromatic atom of an element can have, where that is few."""


class Tree:
    """A query without rings, with what its atoms ask for worked out once.

    Attributes:
        bonds: bond types of every pair of neighbours, narrowed to what both atoms allow.
        notes: what is not asked for, a sentence each.
    """

    def __init__(self, query: Query):
        self.query = query
        self.bonds = _narrow_bonds(query)
        self.pieces = [self._pieces(index) for index in range(len(query.atoms))]
        self.notes = tuple(dict.fromkeys(note for own in self.pieces for piece in own for note in piece.notes))
        self._refuse_dropped()
        self._evidence: dict[tuple[int, int | None], Predicate] = {}
        self._never: dict[tuple[int, Predicate], bool] = {}

    def around(self, atom: int, apart: int | None = None) -> list[int]:
        return [other for other, _ in self.query.neighbours[atom] if other != apart]

    def types(self, one: int, other: int) -> frozenset[int]:
        return self.bonds[min(one, other), max(one, other)]

    def label(self, atom: int) -> Predicate:
        """The features of an atom alone."""
        return either(list(dict.fromkeys(piece.label for piece in self.pieces[atom])))

    def alone(self, atom: int) -> Predicate:
        """An atom with its own conditions, but without its branches."""
        return either([self._node(piece, (), ()) for piece in self.pieces[atom]])

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

    def evidence(self, atom: int, reader: int | None) -> Predicate:
        """What the atom shows to the atom that reads it (None: it is the root).

        Raises:
            Undecided: a branch may or may not walk back to the reader.
        """
        key = atom, reader
        if key not in self._evidence:
            literals, counted = self._branch_literals(atom, reader)
            taken = 0 if counted or reader is None else least_order(self.types(atom, reader))
            anchors = tuple(
                (self.label(other), self.types(atom, other))
                for other in self.around(atom)
                if not isinstance(self.label(other), Either)
            )
            nodes = [self._node(piece, literals, anchors, taken) for piece in self.pieces[atom]]
            self._evidence[key] = either(list(dict.fromkeys(nodes)))
        return self._evidence[key]

    def _branch_literals(self, atom: int, reader: int | None) -> tuple[list[Literal], bool]:
        branches: list[Branch] = [
            (self.evidence(other, atom), self.types(atom, other)) for other in self.around(atom, reader)
        ]
        found, counted = [], False
        for types, least in type_sets(branches):
            more = 0 if reader is None else self._counts_reader(atom, reader, types)
            found.append(count(types, least + more))
            counted = counted or more > 0
        return found, counted

    def _counts_reader(self, atom: int, reader: int, types: tuple[Branch, ...]) -> int:
        """1 where the reader is always one of the counted, 0 where it never is."""
        bonds = self.types(atom, reader)
        if any(bonds <= allowed and self._reader_is(reader, atom, predicate) for predicate, allowed in types):
            return 1
        if all(not (bonds & allowed) or self.never(reader, predicate) for predicate, allowed in types):
            return 0
        raise Undecided

    def _reader_is(self, reader: int, atom: int, predicate: Predicate) -> bool:
        """Whether the reader, with all its branches away from the atom, is always what is counted."""
        return implies(self._full(reader, atom), predicate)

    def _full(self, atom: int, apart: int) -> Predicate:
        """An atom with all its branches away from another, as the whole motif has it there."""
        branches = [(self._full(other, atom), self.types(atom, other)) for other in self.around(atom, apart)]
        literals = [count(types, least) for types, least in type_sets(branches)]
        # Its neighbour on the other side is there as well.
        whole = [*branches, (self.label(apart), self.types(atom, apart))]
        literals += [count(types, least) for types, least in type_sets(whole)]
        literals.append(count(((any_atom(), ALL_BONDS),), len(whole)))
        return either([self._node(piece, literals, ()) for piece in self.pieces[atom]])

    def never(self, atom: int, predicate: Predicate) -> bool:
        """Whether what plays an atom of the motif, with all its neighbours there, can never be of a predicate."""
        key = atom, predicate
        if key not in self._never:
            own = self.alone(atom)
            self._never[key] = all(
                all(disjoint(mine, option) for mine in options(own)) or self._no_room(atom, option)
                for option in options(predicate)
            )
        return self._never[key]

    def _no_room(self, atom: int, option: Label | Node) -> bool:
        """Whether the neighbours that are there leave too few places for those the predicate counts."""
        if isinstance(option, Label):
            return False
        return any(self._too_few(atom, option, literal) for literal in option.all_literals if literal.wanted)

    def _too_few(self, atom: int, option: Node, literal: Literal) -> bool:
        others = self.around(atom)
        extra = sum(least_order(self.types(atom, other)) - 1 for other in others)
        elements = frozenset(e for piece in self.pieces[atom] for e in piece.label.elements) & option.label.elements
        hydrogens = frozenset(h for piece in self.pieces[atom] for h in piece.label.hydrogens) & option.label.hydrogens
        room = max((limit(e) - h - extra for e in elements for h in hydrogens), default=0)
        if elements <= {6, 7} and any(self.types(atom, other) == {AROMATIC} for other in others):
            room = min(room, 3 - min(hydrogens, default=0))
        degrees = [box.allowed("degree") for box in self.query.atoms[atom].boxes]
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
                self.types(atom, other) & bonds and not self.never(other, predicate)
                for predicate, bonds in literal.terms
            )
            for other in others
        )
        return fitting + max(0, room - len(others)) < literal.least

    def node(self, atom: int, literals) -> Predicate:
        """An atom with its own conditions and some on its neighbours."""
        anchors = tuple(
            (self.label(other), self.types(atom, other))
            for other in self.around(atom)
            if not isinstance(self.label(other), Either)
        )
        return either(list(dict.fromkeys(self._node(piece, literals, anchors) for piece in self.pieces[atom])))

    def _node(self, piece: Piece, literals, anchors, taken: int = 0) -> Label | Node:
        mine = [narrow(literal, piece.label) for literal in (*piece.literals, *literals)]
        label, kept = piece.label, drop_implied(mine)
        if not kept and not piece.nots and not anchors:
            return label
        return Node(label, kept, anchors, None, piece.nots, taken)

    def _pieces(self, index: int) -> list[Piece]:
        atom = self.query.atoms[index]
        around = Surroundings([self.types(index, other) for other in self.around(index)])
        found = [piece for box in disjoint_boxes(atom.boxes) for piece in read_box(box, around, predicate_of_recursive)]
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


@lru_cache(maxsize=500)
def predicate_of_recursive(smarts: str) -> Predicate:
    """The predicate of a recursive SMARTS at its first atom."""
    tree = Tree(read_query(smarts, 1))
    found = tree.evidence(0, None)
    plain = []
    for option in options(found):
        if isinstance(option, Node):
            option = Node(option.label, option.literals, (), None, option.nots)
            if not option.literals and not option.nots:
                option = option.label
        plain.append(option)
    return either(plain)


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
