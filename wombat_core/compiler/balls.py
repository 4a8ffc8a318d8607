"""Rings, by balls: every atom asks for all its neighbours, on every layer.

``B_t(q)`` holds at an atom where the label of q fits, ``B_(t-1)(q)`` holds, and for every neighbour r of q in the
SMARTS there are enough neighbours with ``B_(t-1)(r)``: as many as q has neighbours whose own ball implies r's. A match
satisfies every ball of any radius, so none is missed; answers are wrong only where branches meet in one atom or a
walk leaves its ring.

Query atoms that ask for the same have one ball, so that benzene takes one at every radius.
"""

from dataclasses import dataclass
from itertools import combinations
from math import inf

from .predicates import Predicate
from .ring_labels import Around, Kind, Label
from .ring_query import RingQuery

MORE = 1
"""How many bonds beyond a branch its atoms look, back over the atom it hangs on."""
Term = tuple[Kind, int]


@dataclass(frozen=True)
class Count:
    """At least so many neighbours, each in a ball of the radius before and over such a bond.

    Attributes:
        terms: one (kind of bond, number of the ball), or two for those that are of either.
        least: how many.
    """

    terms: tuple[Term, ...]
    least: int

    @property
    def is_union(self) -> bool:
        return len(self.terms) > 1

    @property
    def types(self) -> frozenset[int]:
        """All types of bond that count."""
        return frozenset().union(*(kind.types for kind, _ in self.terms))


@dataclass(frozen=True)
class Ball:
    """One ball of some radius; balls are numbered, equal ones have one number.

    Attributes:
        label: what the atom itself must be.
        before: the ball of the radius before of the same atom (-1 at radius 0).
        counts: what its neighbours must be.
        around: conditions on its neighbours that are no atoms of the SMARTS (at radius 1 only).
        own: what else the atom must be, at the radius at which that is known.
    """

    label: Label
    before: int = -1
    counts: tuple[Count, ...] = ()
    around: tuple[Around, ...] = ()
    own: Predicate | None = None


class Balls:
    """The balls of a query, radius by radius.

    Attributes:
        at: for every radius, the number of every query atom's ball.
        table: for every radius, the balls by number.
        atoms: for every radius and number, the query atoms it stands for.
    """

    def __init__(self, query: RingQuery, core: frozenset[int] | None = None):
        self.query = query
        self._last = _last_radii(query, core)
        self.at: list[list[int]] = []
        self.table: list[list[Ball]] = []
        self._implied: dict[tuple[int, int, int], bool] = {}
        self._number([Ball(label) for label in query.labels])

    def grow(self, radius: int) -> None:
        """Make the balls up to a radius."""
        while len(self.at) <= radius:
            self._number([self._ball(atom, len(self.at)) for atom in range(len(self.query.labels))])

    def atoms(self, radius: int, number: int) -> tuple[int, ...]:
        """The query atoms a ball stands for."""
        return tuple(atom for atom, own in enumerate(self.at[radius]) if own == number)

    def implies(self, radius: int, one: int, other: int) -> bool:
        """Whether every atom in the first ball is surely in the second (False where that cannot be seen)."""
        if one == other:
            return True
        key = radius, one, other
        if key not in self._implied:
            a, b = self.table[radius][one], self.table[radius][other]
            if radius == 0:
                self._implied[key] = a.label.implies(b.label)
            else:
                self._implied[key] = (
                    self.implies(radius - 1, a.before, b.before)
                    and set(b.around) <= set(a.around)
                    and b.own in (None, a.own)
                    and all(any(self._covers(radius - 1, x, y) for x in a.counts) for y in b.counts)
                )
        return self._implied[key]

    def excludes(self, radius: int, one: int, other: int) -> bool:
        """Whether no atom is in both balls, which only labels decide."""
        return self.table[radius][one].label.excludes(self.table[radius][other].label)

    def _number(self, balls: list[Ball]) -> None:
        known = {ball: number for number, ball in enumerate(dict.fromkeys(balls))}
        self.table.append(list(known))
        self.at.append([known[ball] for ball in balls])

    def _ball(self, atom: int, radius: int) -> Ball:
        before = self.at[radius - 1]
        if radius > self._last[atom]:
            return Ball(self.query.labels[atom], before[atom])
        counts = []
        around = self.query.neighbours[atom]
        asked = [(kind, before[other]) for other, kind in around if radius <= self._last[other] + 1]
        for term in dict.fromkeys(asked):
            counts.append(Count((term,), self._least(radius, atom, [term])))
        counts += self._unions(atom, radius, counts)
        return Ball(
            self.query.labels[atom],
            before[atom],
            self._without_implied(radius - 1, counts),
            self.query.around[atom] if radius == 1 else (),
            own.predicate if (own := self.query.own[atom]) is not None and own.layer == radius else None,
        )

    def _least(self, radius: int, atom: int, terms: list[Term]) -> int:
        """How many of the query atom's neighbours are surely of one of the terms."""
        before = self.at[radius - 1]
        return sum(
            any(self._within(radius - 1, (kind, before[other]), term) for term in terms)
            for other, kind in self.query.neighbours[atom]
        )

    def _unions(self, atom: int, radius: int, counts: list[Count]) -> list[Count]:
        """Hall's condition for two types of which one neighbour can be both."""
        found = []
        for one, other in combinations([count.terms[0] for count in counts], 2):
            if one[0].excludes(other[0]) or self.excludes(radius - 1, one[1], other[1]):
                continue
            if self._within(radius - 1, one, other) or self._within(radius - 1, other, one):
                continue
            terms = tuple(sorted((one, other), key=_term_key))
            found.append(Count(terms, self._least(radius, atom, list(terms))))
        return found

    def _without_implied(self, radius: int, counts: list[Count]) -> tuple[Count, ...]:
        kept = list(dict.fromkeys(counts))
        for count in list(kept):
            if any(other is not count and self._covers(radius, other, count) for other in kept):
                kept.remove(count)
        return tuple(sorted(kept, key=lambda own: (len(own.terms), list(map(_term_key, own.terms)), -own.least)))

    def _covers(self, radius: int, one: Count, other: Count) -> bool:
        """Whether the first count surely brings the second."""
        return one.least >= other.least and all(
            any(self._within(radius, mine, theirs) for theirs in other.terms) for mine in one.terms
        )

    def _within(self, radius: int, one: Term, other: Term) -> bool:
        """Whether every neighbour of the first kind is surely of the second."""
        return one[0].implies(other[0]) and self.implies(radius, one[1], other[1])


def _last_radii(query: RingQuery, core: frozenset[int] | None) -> list[float]:
    """Of every atom the radius from which on nothing more is asked: of a branch, when it has been seen to its end."""
    last = [inf if core is None or atom in core else 0 for atom in range(len(query.labels))]
    if core is None:
        return last
    order = list(core)
    before: dict[int, int | None] = dict.fromkeys(core)
    for atom in order:
        for other, _ in query.neighbours[atom]:
            if other not in before:
                before[other] = atom
                order.append(other)
    heights = [0] * len(last)
    for atom in reversed(order):
        inner = before[atom]
        if inner is not None:
            heights[inner] = max(heights[inner], heights[atom] + 1)
            own = query.own[atom]
            last[atom] = max(heights[atom] + MORE, own.layer if own is not None else 0)
    return last


def _term_key(term: Term) -> tuple:
    kind, number = term
    return number, sorted(kind.types), kind.conditions
