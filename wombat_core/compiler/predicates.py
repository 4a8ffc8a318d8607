"""Predicates of an atom: what a channel, or a sum of channels, is positive on.

A predicate looks at one atom and never knows from where a message will be read; that a branch may not walk back is
put into its counts (``exclusion.py``). Predicates that are equal are one value, so that they share channels.
"""

from dataclasses import dataclass
from functools import cached_property

from ..molecules.usability import MAX_VALENCE
from .valence import least_order, limit

ALL_BONDS = frozenset(range(4))


@dataclass(frozen=True)
class Label:
    """Features alone: an element of a set, a hydrogen count of a set.

    ``aliphatic``: whether the SMARTS leaves such an atom no way to be aromatic; it is no feature.
    """

    elements: frozenset[int]
    hydrogens: frozenset[int]
    aliphatic: bool = False

    @property
    def depth(self) -> int:
        """The first layer after which it is known; 0: it can be read off the input."""
        return 0

    @cached_property
    def key(self) -> int:
        return hash(self)


@dataclass(frozen=True)
class Literal:
    """A condition on the neighbours of an atom.

    Attributes:
        terms: what counts as such a neighbour: (predicate, bond types); of several, no two hold for one neighbour.
        least: how many there must be. Unused where ``shares`` is set.
        wanted: False: there must be fewer.
        shares: (hydrogen count, how many neighbours an atom with that count needs); neighbours needed then depend on
            the hydrogens of the atom itself, as for X and v.
        by_order: neighbours count by the order of their bond (1, 2, 3, 1.5), as for v.
    """

    terms: tuple[tuple["Predicate", frozenset[int]], ...]
    least: int = 1
    wanted: bool = True
    shares: tuple[tuple[int, int], ...] = ()
    by_order: bool = False

    @cached_property
    def depth(self) -> int:
        return 1 + max(predicate.depth for predicate, _ in self.terms)

    def __hash__(self):
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.terms, self.least, self.wanted, self.shares, self.by_order))


@dataclass(frozen=True)
class Node:
    """An atom with conditions on its neighbours.

    Attributes:
        label: its features.
        literals: all must hold.
        anchors: neighbours that are there wherever the motif is, (predicate, bond types); they are no condition, but a
            value can be carried to a later layer through them.
        base: a node that must hold as well (its conditions are not repeated), or None.
        nots: predicates that must not hold for the atom.
        taken: valence that the bond to the reader takes, where the reader is never one of those counted.
    """

    label: Label
    literals: tuple[Literal, ...]
    anchors: tuple[tuple["Predicate", frozenset[int]], ...] = ()
    base: "Node | None" = None
    nots: tuple["Predicate", ...] = ()
    taken: int = 0

    @cached_property
    def depth(self) -> int:
        own = max((literal.depth for literal in self.literals), default=0)
        own = max((own, *(max(1, predicate.depth) for predicate in self.nots)))
        return max(own, self.base.depth if self.base is not None else 0)

    @property
    def all_literals(self) -> tuple[Literal, ...]:
        return self.literals + (self.base.all_literals if self.base is not None else ())

    def __hash__(self):
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.label, self.literals, self.anchors, self.base, self.nots, self.taken))


@dataclass(frozen=True)
class Either:
    """One of several predicates, of which no two hold for one atom."""

    options: tuple[Label | Node, ...]

    @cached_property
    def depth(self) -> int:
        return max(option.depth for option in self.options)

    def __hash__(self):
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(self.options)


Predicate = Label | Node | Either


def options(predicate: Predicate) -> tuple[Label | Node, ...]:
    """The alternatives of a predicate."""
    return predicate.options if isinstance(predicate, Either) else (predicate,)


def label_of(predicate: Label | Node) -> Label:
    """The features a predicate asks for."""
    return predicate if isinstance(predicate, Label) else predicate.label


def implies(one: Predicate, other: Predicate) -> bool:
    """Whether every atom of the first is surely one of the second (False where that cannot be seen)."""
    if one == other:
        return True
    return all(any(_implies(a, b) for b in options(other)) for a in options(one))


def _implies(one: Label | Node, other: Label | Node) -> bool:
    a, b = label_of(one), label_of(other)
    if not (a.elements <= b.elements and a.hydrogens <= b.hydrogens):
        return False
    if isinstance(other, Label):
        return True
    have = one.all_literals if isinstance(one, Node) else ()
    nots = one.nots if isinstance(one, Node) else ()
    if not set(other.nots) <= set(nots):
        return False
    return all(
        (a.aliphatic and _is_aliphatic(theirs)) or any(literal_implies(mine, theirs) for mine in have)
        for theirs in other.all_literals
    )


def _is_aliphatic(literal: Literal) -> bool:
    return not literal.wanted and literal.least == 1 and all(bonds == {3} for _, bonds in literal.terms)


def literal_implies(one: Literal, other: Literal) -> bool:
    """Whether the first condition surely brings the second."""
    if one == other:
        return True
    if one.shares or other.shares or one.by_order or other.by_order or one.wanted != other.wanted:
        return False
    if one.wanted:
        return one.least >= other.least and _covers(one.terms, other.terms)
    return one.least <= other.least and _covers(other.terms, one.terms)


def _covers(small, large) -> bool:
    """Whether every neighbour of the first terms is one of the second."""
    return all(any(bonds <= others and implies(p, q) for q, others in large) for p, bonds in small)


def disjoint(one: Predicate, other: Predicate) -> bool:
    """Whether no atom can be both (False where that cannot be seen)."""
    return all(_disjoint(a, b) for a in options(one) for b in options(other))


def _disjoint(one: Label | Node, other: Label | Node) -> bool:
    a, b = label_of(one), label_of(other)
    if not (a.elements & b.elements and a.hydrogens & b.hydrogens):
        return True
    mine = one.all_literals if isinstance(one, Node) else ()
    if (a.aliphatic and _is_aromatic(other)) or (b.aliphatic and _is_aromatic(one)):
        return True
    theirs = other.all_literals if isinstance(other, Node) else ()
    return any(contradict(x, y) for x in mine for y in theirs) or _no_room(a, b, (*mine, *theirs))


def _no_room(one: Label, other: Label, literals: tuple[Literal, ...]) -> bool:
    """Whether the valence of such an atom leaves too few places for all neighbours that are asked for."""
    elements, hydrogens = one.elements & other.elements, one.hydrogens & other.hydrogens
    if not elements <= set(MAX_VALENCE):
        return False
    room = max(limit(e) - h for e in elements for h in hydrogens)
    return least_taken(literals) > room


def least_taken(literals: tuple[Literal, ...]) -> int:
    """Valence that the neighbours asked for take at least; those that may be the same neighbours are taken once."""
    sizes = {
        literal: literal.least * min(least_order(bonds) for _, bonds in literal.terms if bonds)
        for literal in literals
        if literal.wanted and not literal.shares and any(bonds for _, bonds in literal.terms)
    }
    taken: list[Literal] = []
    for literal in sorted(sizes, key=lambda own: -sizes[own]):
        if all(_apart(literal, other) for other in taken):
            taken.append(literal)
    return sum(sizes[literal] for literal in taken)


def _apart(one: Literal, other: Literal) -> bool:
    """Whether no neighbour counts for both."""
    return all(not (bonds & others) or disjoint(p, q) for p, bonds in one.terms for q, others in other.terms)


def _is_aromatic(predicate: Label | Node) -> bool:
    if isinstance(predicate, Label):
        return False
    return any(
        literal.wanted and not literal.shares and all(bonds == {3} for _, bonds in literal.terms)
        for literal in predicate.all_literals
    )


def contradict(one: Literal, other: Literal) -> bool:
    """Whether two conditions cannot both hold (False where that cannot be seen)."""
    if one.wanted == other.wanted or one.shares or other.shares or one.by_order or other.by_order:
        return False
    there, missing = (one, other) if one.wanted else (other, one)
    return there.least >= missing.least and _covers(there.terms, missing.terms)
