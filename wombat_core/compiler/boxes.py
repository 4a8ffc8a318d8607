"""What one atom of a SMARTS asks for, as a union of boxes.

A box allows, of every property, a set of values (``elements`` {6, 7}, ``hydrogens`` {1}, ...), and lists the recursive
SMARTS that must and must not match at the atom. A property that a box does not name may have any value.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

ELEMENTS = frozenset(range(100)) - {1}
"""The element slots an atom can have: hydrogens are no atoms here, elements from 100 on have no slot."""

DOMAINS: dict[str, frozenset[int]] = {
    "elements": ELEMENTS,
    "hydrogens": frozenset(range(10)),
    "degree": frozenset(range(21)),
    "connections": frozenset(range(21)),
    "valence": frozenset(range(21)),
    "charge": frozenset(range(-15, 16)),
    "aromatic": frozenset((0, 1)),
    "in_ring": frozenset((0, 1)),
    "ring_count": frozenset(range(21)),
    "smallest_ring": frozenset(range(101)),
    "ring_size": frozenset(range(101)),
    "ring_bonds": frozenset(range(21)),
}
"""Every property and the values it can have."""

MOST_BOXES = 64


@dataclass(frozen=True)
class Box:
    """A conjunction of allowed sets of values.

    Attributes:
        sets: (property, allowed values), sorted; only those that are not the whole domain.
        inside: (recursive SMARTS, whether it must match), sorted.
    """

    sets: tuple[tuple[str, frozenset[int]], ...] = ()
    inside: tuple[tuple[str, bool], ...] = ()
    _table: dict = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self):
        object.__setattr__(self, "_table", dict(self.sets))

    def allowed(self, what: str) -> frozenset[int]:
        """The values it allows of a property."""
        return self._table.get(what, DOMAINS[what])

    def asks(self, what: str) -> bool:
        """Whether it narrows the property at all."""
        return what in self._table

    def narrowed(self, what: str, values: frozenset[int]) -> "Box | None":
        """The box with fewer values of a property; None where nothing is left."""
        left = self.allowed(what) & values
        if not left:
            return None
        sets = {**self._table, what: left}
        return make_box(sets, self.inside)

    def without(self, *names: str) -> "Box":
        """The box with some properties free again."""
        return make_box({name: values for name, values in self.sets if name not in names}, self.inside)

    def without_inside(self) -> "Box":
        return Box(self.sets)


def make_box(sets: dict[str, frozenset[int]], inside=()) -> Box:
    kept = tuple(sorted(((name, values) for name, values in sets.items() if values != DOMAINS[name]), key=_by_name))
    return Box(kept, tuple(sorted(set(inside))))


ANY = Box()


def intersect(one: Box, other: Box) -> Box | None:
    """What both boxes allow, or None."""
    sets = dict(one.sets)
    for name, values in other.sets:
        left = sets.get(name, DOMAINS[name]) & values
        if not left:
            return None
        sets[name] = left
    inside = set(one.inside) | set(other.inside)
    if any((text, not wanted) in inside for text, wanted in inside):
        return None
    return make_box(sets, inside)


def includes(large: Box, small: Box) -> bool:
    """Whether every atom that ``small`` allows is allowed by ``large``."""
    return all(small.allowed(name) <= values for name, values in large.sets) and set(large.inside) <= set(small.inside)


def simplify(boxes: list[Box]) -> tuple[Box, ...]:
    """Fewer boxes for the same atoms: included ones dropped, those that differ in one property merged."""
    left = list(dict.fromkeys(boxes))
    merged = True
    while merged:
        merged = False
        for one, other in combinations(left, 2):
            if includes(one, other):
                left.remove(other)
            elif includes(other, one):
                left.remove(one)
            elif (union := _merge(one, other)) is not None:
                left.remove(one)
                left.remove(other)
                left.append(union)
            else:
                continue
            merged = True
            break
    return tuple(left)


def _merge(one: Box, other: Box) -> Box | None:
    if one.inside != other.inside:
        return None
    names = {name for name, _ in one.sets} | {name for name, _ in other.sets}
    differing = [name for name in names if one.allowed(name) != other.allowed(name)]
    if len(differing) != 1:
        return None
    name = differing[0]
    return make_box({**dict(one.sets), name: one.allowed(name) | other.allowed(name)}, one.inside)


def products(left: list[Box], right: list[Box]) -> Iterator[Box]:
    """The conjunction of two unions."""
    for one in left:
        for other in right:
            if (both := intersect(one, other)) is not None:
                yield both


def _by_name(entry: tuple[str, frozenset[int]]) -> str:
    return entry[0]
