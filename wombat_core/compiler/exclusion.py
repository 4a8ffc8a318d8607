"""Different branches need different neighbours, and none may be the atom one came from.

Branches that can stand for one neighbour are counted together: for every set of types that overlap, at least as many
neighbours are of one of them as the set has branches (Hall's condition). Whether the atom from which the branches are
looked at is one of those counted is answered in ``rooted.py``.
"""

from collections import Counter
from itertools import combinations

from ..molecules.usability import MAX_VALENCE
from .predicates import (
    Either,
    Label,
    Literal,
    Node,
    Predicate,
    contradict,
    disjoint,
    implies,
    label_of,
    least_taken,
    literal_implies,
    options,
)
from .smarts_error import too_many_branches
from .valence import limit

Term = tuple[Predicate, frozenset[int]]
"""What is asked of a neighbour, and over which bonds."""
Branch = tuple[Term, ...]
"""What a branch asks of its first atom; no two terms hold for one neighbour."""

MOST_TYPES = 8


def type_sets(branches: list[Branch]) -> list[tuple[tuple[Branch, ...], int]]:
    """Every set of branch types that hangs together, with the number of neighbours it needs.

    Raises:
        TooLarge: too many different branches can stand for the same atoms.
    """
    counts = Counter(branches)
    types = list(counts)
    found = []
    for group in _components(types):
        if len(group) > MOST_TYPES:
            raise too_many_branches()
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
    return any(_overlap(mine, theirs) for mine in one for theirs in other)


def _overlap(one: Term, other: Term) -> bool:
    return bool(one[1] & other[1]) and not disjoint(one[0], other[0])


def _within(one: Branch, other: Branch) -> bool:
    return all(any(bonds <= others and implies(mine, theirs) for theirs, others in other) for mine, bonds in one)


def count(types: tuple[Branch, ...], least: int) -> Literal:
    """At least so many neighbours of one of the types."""
    terms = tuple(dict.fromkeys(term for branch in types for term in branch))
    if least == 1:
        return Literal(terms, 1)
    return Literal(tuple(_separate(terms)), least)


def _separate(terms: tuple[Term, ...]) -> list[Term]:
    """The terms so that no neighbour is two of them."""
    found: list[Term] = []
    for term in terms:
        rest = [term]
        for other in found:
            rest = [part for own in rest for part in _less(own, other)]
        found += rest
    return found


def _less(own: Term, other: Term) -> list[Term]:
    if not _overlap(own, other):
        return [own]
    predicate, bonds = own
    parts = []
    if bonds - other[1]:
        parts.append((predicate, bonds - other[1]))
    shared = bonds & other[1]
    left = [rest for option in options(predicate) for rest in without(option, other[0])]
    parts += [(rest, shared) for rest in left]
    return parts


def unanchored(predicate: Predicate) -> Predicate:
    """A predicate for atoms that need not be read by the motif's own neighbour."""
    found = []
    for option in options(predicate):
        if isinstance(option, Node):
            bare = not (option.literals or option.nots or option.base)
            option = option.label if bare else Node(option.label, option.literals, (), option.base, option.nots)
        found.append(option)
    return either(found)


def without(own: Label | Node, other: Predicate) -> list[Label | Node]:
    """The atoms of a predicate that are not of another, as alternatives."""
    left = [own]
    for option in options(other):
        left = [rest for one in left for rest in _without(one, option)]
    return left


def _without(own: Label | Node, other: Label | Node) -> list[Label | Node]:
    if disjoint(own, other):
        return [own]
    mine, theirs = label_of(own), label_of(other)
    if isinstance(other, Label):
        parts = []
        if mine.elements - theirs.elements:
            parts.append(Label(mine.elements - theirs.elements, mine.hydrogens, mine.aliphatic))
        if mine.hydrogens - theirs.hydrogens:
            rest = mine.hydrogens - theirs.hydrogens
            parts.append(Label(mine.elements & theirs.elements, rest, mine.aliphatic))
        return [_relabelled(own, part) for part in parts]
    node = own if isinstance(own, Node) else Node(own, ())
    asked = other.all_literals
    if mine.elements <= theirs.elements and mine.hydrogens <= theirs.hydrogens and len(asked) == 1 and not other.nots:
        (only,) = asked
        opposite = Literal(only.terms, only.least, not only.wanted, only.shares, only.by_order)
        found = Node(mine, drop_implied([*node.literals, opposite]), node.anchors, node.base, node.nots, node.taken)
        return [] if impossible(found) else [found]
    nots = (*node.nots, other)
    return [Node(mine, node.literals, node.anchors, node.base, tuple(dict.fromkeys(nots)), node.taken)]


def _relabelled(own: Label | Node, label: Label) -> Label | Node:
    if isinstance(own, Label):
        return label
    return Node(label, own.literals, own.anchors, own.base, own.nots, own.taken)


def both(own: Label | Node, other: Predicate) -> list[Label | Node]:
    """The atoms of a predicate that are of another as well, as alternatives."""
    found = []
    for option in options(other):
        if disjoint(own, option):
            continue
        mine, theirs = label_of(own), label_of(option)
        elements, hydrogens = mine.elements & theirs.elements, mine.hydrogens & theirs.hydrogens
        label = Label(elements, hydrogens, mine.aliphatic or theirs.aliphatic)
        parts = [one for one in (own, option) if isinstance(one, Node)]
        if not parts:
            found.append(label)
            continue
        literals = drop_implied([literal for one in parts for literal in one.all_literals])
        anchors = own.anchors if isinstance(own, Node) else ()
        nots = tuple(dict.fromkeys(no for one in parts for no in one.nots))
        joined = Node(label, literals, anchors, None, nots)
        if not impossible(joined):
            found.append(joined)
    return found


def impossible(node: Label | Node) -> bool:
    """Whether no atom can be of a predicate (False where that cannot be seen)."""
    if isinstance(node, Label):
        return not (node.elements and node.hydrogens)
    asked = node.all_literals
    if any(contradict(one, other) for one, other in combinations(asked, 2)):
        return True
    if any(implies(Node(node.label, asked), no) for no in node.nots):
        return True
    for literal in asked:
        if literal.shares and literal.wanted and not node.label.hydrogens & {h for h, _ in literal.shares}:
            return True
    if not node.label.elements <= set(MAX_VALENCE):
        return False
    room = max((limit(e) - h for e in node.label.elements for h in node.label.hydrogens), default=0)
    return least_taken(asked) > room


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
