"""Rings, by balls: every atom asks for all its neighbours, on every layer.

``B_t(q)`` holds at an atom where the label of q fits, ``B_(t-1)(q)`` holds, and for every neighbour r of q in the
SMARTS there are enough neighbours with ``B_(t-1)(r)``: as many as q has neighbours whose own ball implies r's. A match
satisfies every ball of any radius, so none is missed; answers are wrong only where branches meet in one atom or a
walk leaves its ring.

Query atoms that ask for the same have one ball, so that benzene takes one at every radius.
"""

from dataclasses import dataclass
from itertools import combinations

from .ring_query import Around, Kind, Label, RingQuery


@dataclass(frozen=True)
class Count:
    """At least so many neighbours over such bonds in a ball of the radius before; of two balls, in either.

    Attributes:
        kind: of the bonds.
        balls: one number, or two for their union.
        least: how many.
    """

    kind: Kind
    balls: tuple[int, ...]
    least: int


@dataclass(frozen=True)
class Ball:
    """One ball of some radius; balls are numbered, equal ones have one number.

    Attributes:
        label: what the atom itself must be.
        before: the ball of the radius before of the same atom (None at radius 0).
        counts: what its neighbours must be.
        around: conditions on its neighbours that are no atoms of the SMARTS (at radius 1 only).
    """

    label: Label
    before: int | None = None
    counts: tuple[Count, ...] = ()
    around: tuple[Around, ...] = ()


class Balls:
    """The balls of a query, radius by radius.

    Attributes:
        at: for every radius, the number of every query atom's ball.
        table: for every radius, the balls by number.
        atoms: for every radius and number, the query atoms it stands for.
    """

    def __init__(self, query: RingQuery):
        self.query = query
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
        around = self.query.neighbours[atom]
        counts = []
        for kind, number in dict.fromkeys((kind, before[other]) for other, kind in around):
            counts.append(Count(kind, (number,), self._least(radius, atom, [(kind, number)])))
        counts += self._unions(atom, radius, counts)
        return Ball(
            self.query.labels[atom],
            before[atom],
            self._without_implied(radius - 1, counts),
            self.query.around[atom] if radius == 1 else (),
        )

    def _least(self, radius: int, atom: int, types: list[tuple[Kind, int]]) -> int:
        """How many of the query atom's neighbours are surely of one of the types."""
        before = self.at[radius - 1]
        return sum(
            any(kind.implies(own) and self.implies(radius - 1, before[other], number) for own, number in types)
            for other, kind in self.query.neighbours[atom]
        )

    def _unions(self, atom: int, radius: int, counts: list[Count]) -> list[Count]:
        """Hall's condition for two types of which one neighbour can be both."""
        found = []
        for one, other in combinations(counts, 2):
            (a,), (b,) = one.balls, other.balls
            if one.kind != other.kind or self.excludes(radius - 1, a, b):
                continue
            if self.implies(radius - 1, a, b) or self.implies(radius - 1, b, a):
                continue
            least = self._least(radius, atom, [(one.kind, a), (other.kind, b)])
            found.append(Count(one.kind, (min(a, b), max(a, b)), least))
        return found

    def _without_implied(self, radius: int, counts: list[Count]) -> tuple[Count, ...]:
        kept = list(dict.fromkeys(counts))
        for count in list(kept):
            if any(other is not count and self._covers(radius, other, count) for other in kept):
                kept.remove(count)
        return tuple(sorted(kept, key=lambda own: (own.balls, -own.least, sorted(own.kind.types))))

    def _covers(self, radius: int, one: Count, other: Count) -> bool:
        """Whether the first count surely brings the second."""
        return (
            one.least >= other.least
            and one.kind.implies(other.kind)
            and all(any(self.implies(radius, a, b) for b in other.balls) for a in one.balls)
        )
