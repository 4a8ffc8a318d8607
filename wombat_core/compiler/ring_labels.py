"""What balls ask of an atom, a bond and an atom's neighbours: the values a query for rings is made of."""

from dataclasses import dataclass

from ..molecules.features import NUM_ELEMENTS
from .boxes import DOMAINS
from .predicates import Predicate
from .valence import AROMATIC, ORDERS, limit

Conditions = tuple[tuple[str, ...], ...]
"""Words of ``wombat+``, all of which must be; of those in one tuple one."""


@dataclass(frozen=True)
class Label:
    """Features of an atom: element slots, hydrogen counts, conditions of ``wombat+``."""

    elements: frozenset[int]
    hydrogens: frozenset[int]
    conditions: Conditions = ()

    def implies(self, other: "Label") -> bool:
        return (
            self.elements <= other.elements
            and self.hydrogens <= other.hydrogens
            and _conditions_imply(self.conditions, other.conditions)
        )

    def excludes(self, other: "Label") -> bool:
        """Whether no atom can be both."""
        return (
            not self.elements & other.elements
            or not self.hydrogens & other.hydrogens
            or _any_contradict(self.conditions, other.conditions)
        )

    def both(self, other: "Label") -> "Label":
        """What is of both labels; there is such an atom."""
        return Label(
            self.elements & other.elements,
            self.hydrogens & other.hydrogens,
            tuple(sorted({*self.conditions, *other.conditions})),
        )

    def room(self, types: frozenset[int]) -> int:
        """The most neighbours over such bonds that the valences of such an atom allow."""
        order = min(ORDERS[kind] for kind in types)
        rooms = [
            (limit(element) - h) // order for element in self.elements for h in self.hydrogens if limit(element) > h
        ]
        most = max(rooms, default=1)
        only_aromatic = types == {AROMATIC} or ("aromatic",) in self.conditions
        return max(1, min(most, 3) if only_aromatic else most)


ANY = Label(frozenset(range(NUM_ELEMENTS)), DOMAINS["hydrogens"])


@dataclass(frozen=True)
class Kind:
    """What a bond may be: its types and conditions of ``wombat+``."""

    types: frozenset[int]
    conditions: Conditions = ()

    def implies(self, other: "Kind") -> bool:
        return self.types <= other.types and _conditions_imply(self.conditions, other.conditions)

    def excludes(self, other: "Kind") -> bool:
        """Whether no bond can be both."""
        return not self.types & other.types or _any_contradict(self.conditions, other.conditions)

    def both(self, other: "Kind") -> "Kind":
        """What is of both kinds; there is such a bond."""
        return Kind(self.types & other.types, tuple(sorted({*self.conditions, *other.conditions})))


EVERY = Kind(frozenset(range(4)))


@dataclass(frozen=True)
class Around:
    """A condition on the neighbours of an atom that is no atom of the SMARTS: its degree, an aromatic bond.

    With ``factors`` it is one of connections (X): (hydrogens, what each neighbour of such an atom counts).
    """

    kind: Kind
    least: int
    wanted: bool = True
    factors: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Own:
    """What an atom must be that no one label says, as the compiler for trees sees it: alternatives, ``$()``, a valence.

    Attributes:
        predicate: of the atom.
        layer: the first in which it is known.
    """

    predicate: Predicate
    layer: int


def _conditions_imply(mine: Conditions, theirs: Conditions) -> bool:
    def implied(words: tuple[str, ...]) -> bool:
        if words == ("ring",):
            return any(own == words or own[0].startswith("cycle") for own in mine)
        return any(set(own) <= set(words) for own in mine)

    return all(map(implied, theirs))


def _any_contradict(mine: Conditions, theirs: Conditions) -> bool:
    return any(_contradict(one, other) for one in mine for other in theirs)


def _contradict(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two conditions exclude each other: a flag and its denial, or disjoint parts of one group."""
    if len(one) == len(other) == 1 and one[0].removeprefix("!") == other[0].removeprefix("!"):
        return one[0] != other[0]
    if {one[0], other[0]} & {"!ring"}:
        return any(words[0].startswith("cycle") or words[0] == "ring" for words in (one, other))
    same = one[0].rstrip("0123456789+-?") == other[0].rstrip("0123456789+-?")
    grouped = same and not one[0].lstrip("!").startswith("cycle")
    return grouped and not set(one) & set(other)
