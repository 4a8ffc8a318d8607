"""Different branches need different neighbours, and none may be the atom one came from.

Branches that can stand for one neighbour are counted together: for every set of types that overlap, at least as many
neighbours are of one of them as the set has branches (Hall's condition). The atom from which the branches are looked
at may be one of those counted. Where its own part of the motif always makes it one, one more is asked for; where it
can never be one, nothing changes; where neither is sure, the caller has to find another way (``Undecided``).
"""

from collections import Counter
from itertools import combinations

from .predicates import (
    Either,
    Label,
    Literal,
    Node,
    Predicate,
    disjoint,
    implies,
    literal_implies,
    options,
)
from .smarts_error import SmartsError

Branch = tuple[Predicate, frozenset[int]]
"""What a branch asks of its first atom, and over which bonds."""

MOST_TYPES = 8


class Undecided(Exception):
    """Whether the atom from which one looks is itself counted depends on the molecule."""


def type_sets(branches: list[Branch]) -> list[tuple[tuple[Branch, ...], int]]:
    """Every set of branch types that hangs together, with the number of neighbours it needs.

    Raises:
        SmartsError: too many different branches can stand for the same atoms.
    """
    counts = Counter(branches)
    types = list(counts)
    found = []
    for group in _components(types):
        if len(group) > MOST_TYPES:
            raise SmartsError("Too many branches of the SMARTS can stand for the same atoms.")
        for size in range(1, len(group) + 1):
            for chosen in combinations(group, size):
                if len(_components(list(chosen))) == 1:
                    # A type within another of the set adds no neighbours to it.
                    outer = [a for place, a in enumerate(chosen) if not _is_inner(place, a, chosen)]
                    found.append((tuple(outer), sum(counts[own] for own in chosen)))
    best: dict[tuple[Branch, ...], int] = {}
    for outer, least in found:
        best[outer] = max(least, best.get(outer, 0))
    return list(best.items())


def _is_inner(place: int, own: Branch, chosen: tuple[Branch, ...]) -> bool:
    """Whether a type lies within another of the set; of two that are the same the first stays."""
    return any(
        other is not own and _within(own, other) and not (_within(other, own) and place < index)
        for index, other in enumerate(chosen)
    )


def _components(types: list[Branch]) -> list[list[Branch]]:
    groups: list[list[Branch]] = []
    for own in types:
        touching = [group for group in groups if any(overlap(own, other) for other in group)]
        groups = [group for group in groups if group not in touching]
        groups.append([other for group in touching for other in group] + [own])
    return groups


def overlap(one: Branch, other: Branch) -> bool:
    """Whether one neighbour could be both."""
    return bool(one[1] & other[1]) and not disjoint(one[0], other[0])


def _within(one: Branch, other: Branch) -> bool:
    return one[1] <= other[1] and implies(one[0], other[0])


def count(types: tuple[Branch, ...], least: int) -> Literal:
    """At least so many neighbours of one of the types."""
    if least == 1:
        return Literal(tuple(dict.fromkeys(types)), 1)
    return Literal(tuple(_separate(types)), least)


def _separate(types: tuple[Branch, ...]) -> list[Branch]:
    """The types so that no neighbour is two of them."""
    found: list[Branch] = []
    for predicate, bonds in types:
        rest = [(predicate, bonds)]
        for other, others in found:
            rest = [part for own in rest for part in _less(own, (other, others))]
        found += rest
    return found


def _less(own: Branch, other: Branch) -> list[Branch]:
    if not overlap(own, other):
        return [own]
    predicate, bonds = own
    parts = []
    if bonds - other[1]:
        parts.append((predicate, bonds - other[1]))
    shared = bonds & other[1]
    left = [rest for option in options(predicate) for rest in _without(option, other[0])]
    parts += [(rest, shared) for rest in left]
    return parts


def _without(own: Label | Node, other: Predicate) -> list[Label | Node]:
    if disjoint(own, other):
        return [own]
    if isinstance(own, Label) and isinstance(other, Label):
        parts = []
        if own.elements - other.elements:
            parts.append(Label(own.elements - other.elements, own.hydrogens))
        if own.hydrogens - other.hydrogens:
            parts.append(Label(own.elements & other.elements, own.hydrogens - other.hydrogens))
        return parts
    if isinstance(own, Label):
        return [Node(own, (), nots=(other,))]
    return [Node(own.label, own.literals, own.anchors, own.base, (*own.nots, other))]


def drop_implied(literals: list[Literal]) -> tuple[Literal, ...]:
    """Without conditions that others bring with them."""
    kept: list[Literal] = []
    for literal in dict.fromkeys(literals):
        if any(literal_implies(other, literal) for other in kept):
            continue
        kept = [other for other in kept if not literal_implies(literal, other)]
        kept.append(literal)
    return tuple(kept)


def either(found: list[Label | Node]) -> Predicate:
    """One predicate for several alternatives."""
    return found[0] if len(found) == 1 else Either(tuple(found))
