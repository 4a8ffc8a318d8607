"""What a channel asks of an atom, as a tree: features, and neighbours that ask for more in turn."""

from dataclasses import dataclass, replace
from functools import cached_property

from ..molecules.usability import MAX_VALENCE

ELEMENTS = frozenset(range(100))
COUNTS = frozenset(range(10))
BONDS = frozenset(range(4))
_ORDERS = (1, 2, 3, 1)
_MOST = 8


@dataclass(frozen=True)
class Ask:
    """So many neighbours at least.

    Attributes:
        target: what such a neighbour is, one of these.
        bonds: types of the bond to it (0 single, 1 double, 2 triple, 3 aromatic).
        least: how many.
    """

    target: tuple["Atom", ...]
    bonds: frozenset[int]
    least: int = 1

    @property
    def is_any(self) -> bool:
        """Whether any neighbour counts."""
        return len(self.target) == 1 and self.target[0].is_any

    @cached_property
    def size(self) -> int:
        return self.least * sum(atom.size for atom in self.target)

    def __hash__(self):
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.target, self.bonds, self.least))


@dataclass(frozen=True)
class Atom:
    """All of these conditions at once.

    Attributes:
        elements: slots; all of them where any element will do.
        hydrogens: counts; all of them where any number will do.
        asks: neighbours that must be there.
        never: what it must not be.
        more: primitives of SMARTS besides ("X{3-}").
    """

    elements: frozenset[int] = ELEMENTS
    hydrogens: frozenset[int] = COUNTS
    asks: tuple[Ask, ...] = ()
    never: tuple["Atom", ...] = ()
    more: tuple[str, ...] = ()

    @property
    def is_any(self) -> bool:
        return self == ANY

    @cached_property
    def size(self) -> int:
        """Atoms it takes to write it down."""
        return 1 + sum(ask.size for ask in self.asks) + sum(atom.size for atom in self.never)

    def __hash__(self):
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.elements, self.hydrogens, self.asks, self.never, self.more))

    @property
    def room(self) -> int:
        """How much valence is there for bonds, at most."""
        return max((MAX_VALENCE.get(e, _MOST) - min(self.hydrogens, default=0) for e in self.elements), default=0)


ANY = Atom()


def most_neighbours(atom: Atom, bonds: frozenset[int]) -> int:
    """How many neighbours over such bonds it can have."""
    return max(0, atom.room // min((_ORDERS[kind] for kind in bonds), default=1))


def both(one: Atom, other: Atom) -> Atom | None:
    """The conditions of both, or None where no atom fits both."""
    elements, hydrogens = one.elements & other.elements, one.hydrogens & other.hydrogens
    if not elements or not hydrogens:
        return None
    asks = list(dict.fromkeys((*one.asks, *other.asks)))
    kept = [
        ask
        for place, ask in enumerate(asks)
        if not any(
            covers(wider, ask) and not (covers(ask, wider) and later > place)
            for later, wider in enumerate(asks)
            if later != place
        )
    ]
    return Atom(
        elements,
        hydrogens,
        tuple(kept),
        tuple(dict.fromkeys((*one.never, *other.never))),
        tuple(dict.fromkeys((*one.more, *other.more))),
    )


def without(atom: Atom, never: tuple[Atom, ...]) -> Atom:
    """The atom, and none of those; what its features exclude anyway is not repeated."""
    open_ones = [other for other in never if not disjoint(atom, other)]
    return replace(atom, never=tuple(dict.fromkeys((*atom.never, *open_ones))))


def implies(one: Atom, other: Atom) -> bool:
    """Whether every atom that is the first is surely the second (False where that cannot be seen)."""
    return (
        one.elements <= other.elements
        and one.hydrogens <= other.hydrogens
        and set(other.never) <= set(one.never)
        and set(other.more) <= set(one.more)
        and all(any(covers(mine, theirs) for mine in one.asks) for theirs in other.asks)
    )


def covers(one: Ask, other: Ask) -> bool:
    """Whether the first surely brings the second."""
    return one.least >= other.least and counts_as(one, other)


def counts_as(one: Ask, other: Ask) -> bool:
    """Whether every neighbour of the first counts for the second."""
    return one.bonds <= other.bonds and all(any(implies(a, b) for b in other.target) for a in one.target)


def apart(one: Ask, other: Ask) -> bool:
    """Whether no neighbour counts for both (False where that cannot be seen)."""
    return not one.bonds & other.bonds or all(disjoint(a, b) for a in one.target for b in other.target)


def disjoint(one: Atom, other: Atom) -> bool:
    """Whether no atom is both (False where that cannot be seen)."""
    return not (one.elements & other.elements and one.hydrogens & other.hydrogens)
