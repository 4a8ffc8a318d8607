"""Boxes to features and conditions on neighbours: degree, X, valence, charge, aromaticity, recursive SMARTS."""

from collections.abc import Callable
from dataclasses import dataclass, field

from ..molecules.usability import MAX_VALENCE
from .boxes import DOMAINS, Box
from .predicates import ALL_BONDS, Label, Literal, Node, Predicate, label_of, options
from .valence import (
    AROMATIC,
    AROMATIC_VALENCE,
    CHARGED,
    MOST_AROMATIC_NEIGHBOURS,
    NEUTRAL,
    ORDERS,
    can_be_aromatic,
    limit,
    most_neighbours,
)

CHARGE_NOTE = (
    "Charges are read from valences; of aromatic atoms and rarer elements they cannot be seen and are not asked for."
)
RADICAL_NOTE = "Radicals cannot be told from ions."
VALENCE_NOTE = "The total valence of aromatic atoms is taken to be the neutral atom's."

_ANY = Label(DOMAINS["elements"] | {1}, DOMAINS["hydrogens"])


@dataclass
class Surroundings:
    """The bonds of the SMARTS at an atom: their allowed types, one set a bond."""

    bonds: list[frozenset[int]] = field(default_factory=list)

    @property
    def taken(self) -> int:
        """Valence that these bonds take at least."""
        return sum(min(ORDERS[kind] for kind in types) for types in self.bonds)

    @property
    def extra(self) -> int:
        """Valence that they take beyond one each."""
        return self.taken - len(self.bonds)

    @property
    def not_aromatic(self) -> int:
        return sum(AROMATIC not in types for types in self.bonds)

    @property
    def surely_aromatic(self) -> bool:
        return any(types == {AROMATIC} for types in self.bonds)


@dataclass(frozen=True)
class Piece:
    """One box as features and conditions; ``dropped``: whether a condition could not be kept."""

    label: Label
    literals: tuple[Literal, ...]
    nots: tuple[Predicate, ...]
    notes: tuple[str, ...]
    dropped: bool


def any_atom() -> Label:
    """The label of any atom that has a feature slot."""
    return _ANY


def disjoint_boxes(boxes: tuple[Box, ...]) -> list[Box]:
    """The same union, no two boxes for one atom."""
    found: list[Box] = []
    for box in boxes:
        pieces = [box]
        for earlier in found:
            pieces = [rest for piece in pieces for rest in _minus(piece, earlier)]
        found += pieces
    return found


def _minus(box: Box, other: Box) -> list[Box]:
    left, rest = box, []
    for name, values in other.sets:
        outside = left.narrowed(name, DOMAINS[name] - values)
        if outside is not None:
            rest.append(outside)
        left = left.narrowed(name, values)
        if left is None:
            return rest if rest else [box]
    for text, wanted in other.inside:
        if (text, wanted) in left.inside:
            continue
        if (text, not wanted) in left.inside:
            return [*rest, left]
        rest.append(Box(left.sets, tuple(sorted({*left.inside, (text, not wanted)}))))
        left = Box(left.sets, tuple(sorted({*left.inside, (text, wanted)})))
    return rest


def aromatic_only(box: Box) -> bool | None:
    """True or False where every atom of the box is, or none is, aromatic; None where it may be either."""
    allowed = box.allowed("aromatic")
    if allowed == {1}:
        return True
    if allowed == {0} or not any(map(can_be_aromatic, box.allowed("elements"))):
        return False
    return None


def read_box(box: Box, around: Surroundings, inside: Callable[[str], Predicate]) -> list[Piece]:
    """A box as features and conditions; several where they differ by element.

    Args:
        box: what is allowed.
        around: the bonds of the SMARTS at this atom.
        inside: the predicate of a recursive SMARTS.
    """
    found = []
    for kind, known in _by_aromaticity(box):
        for part, notes, dropped in _by_charge(kind):
            found += _read(part, (*known, *notes), dropped, around, inside)
    return found


def _by_aromaticity(box: Box) -> list[tuple[Box, tuple[str, ...]]]:
    """A valence asked for, of aromatic atoms as that of the neutral atom, of others by their bonds: (box, notes)."""
    if not box.asks("valence") or aromatic_only(box) is False:
        return [(box, ())]
    allowed = box.allowed("valence")
    elements = frozenset(element for element, own in AROMATIC_VALENCE.items() if own in allowed)
    aromatic, others = box.without("valence"), box.narrowed("aromatic", frozenset((0,)))
    for name, values in (("aromatic", frozenset((1,))), ("elements", elements)):
        aromatic = aromatic.narrowed(name, values) if aromatic is not None else None
    found = [(aromatic, (VALENCE_NOTE,)), (others, (VALENCE_NOTE,))]
    return [(part, notes) for part, notes in found if part is not None]


def _by_charge(box: Box) -> list[tuple[Box, tuple[str, ...], bool]]:
    """The charge as valences, element by element: (box without charge, notes, whether it was dropped)."""
    if not box.asks("charge"):
        return [(box, (), False)]
    allowed, groups = box.allowed("charge"), {}
    for element in sorted(box.allowed("elements")):
        valences: frozenset[int] | None = None
        if box.allowed("aromatic") != {1} and element in NEUTRAL:
            known = {charge for own, charge in CHARGED if own == element}
            seen = set(NEUTRAL[element]) if 0 in allowed else set()
            for charge in allowed & known:
                seen |= set(CHARGED[element, charge])
            hidden = set(NEUTRAL[element]) if 0 not in allowed else set()
            for charge in known - allowed:
                hidden |= set(CHARGED[element, charge])
            if seen and not (seen & hidden and 0 in allowed and seen <= hidden):
                valences = frozenset(seen)
        groups.setdefault(valences, set()).add(element)
    found = []
    for valences, elements in groups.items():
        part = box.without("charge").narrowed("elements", frozenset(elements))
        if part is None:
            raise AssertionError("these are elements of the box")
        if valences is None:
            found.append((part, (CHARGE_NOTE,), True))
        elif (narrow := part.narrowed("valence", valences)) is not None:
            notes = (CHARGE_NOTE, *((RADICAL_NOTE,) if 0 not in allowed else ()))
            found.append((narrow, notes, False))
    return found


def _read(box: Box, notes: tuple[str, ...], dropped: bool, around: Surroundings, inside) -> list[Piece]:
    elements, hydrogens = box.allowed("elements"), box.allowed("hydrogens")
    # What no valence allows need not be asked for.
    hydrogens = frozenset(h for h in hydrogens if any(limit(e) - h >= around.taken for e in elements))
    elements = frozenset(e for e in elements if any(limit(e) - h >= around.taken for h in hydrogens))
    if not elements or not hydrogens:
        return []
    if not box.asks("hydrogens") and (len(around.bonds) < 2 or not elements <= set(MAX_VALENCE)):
        hydrogens = DOMAINS["hydrogens"]
    literals: list[Literal] = []
    nots = tuple(inside(text) for text, wanted in box.inside if not wanted)
    aromatic = box.allowed("aromatic")
    if aromatic == {1}:
        if not around.surely_aromatic:
            literals.append(Literal(((_ANY, frozenset((AROMATIC,))),)))
    elif aromatic == {0} and not _surely_aliphatic(box, elements, hydrogens, around):
        literals.append(Literal(((_ANY, frozenset((AROMATIC,))),), wanted=False))
    parts = [(elements, hydrogens, literals)]
    for name, by_order in (("degree", False), ("connections", False), ("valence", True)):
        if box.asks(name):
            parts = [
                (e, h, [*own, *more])
                for elements, hydrogens, own in parts
                for low, high in _ranges(box.allowed(name))
                for e, h, more in _counted(elements, hydrogens, low, high, name, by_order, around)
            ]
    pieces = [
        Piece(Label(_with_hydrogen(e), h, aromatic == {0}), tuple(dict.fromkeys(own)), nots, notes, dropped)
        for e, h, own in parts
    ]
    for text, wanted in box.inside:
        if wanted:
            pieces = [both for piece in pieces for option in options(inside(text)) if (both := _join(piece, option))]
    return pieces


def _join(piece: Piece, option: Label | Node) -> Piece | None:
    """A box that must be a recursive SMARTS as well."""
    label = label_of(option)
    elements, hydrogens = piece.label.elements & label.elements, piece.label.hydrogens & label.hydrogens
    if not elements or not hydrogens:
        return None
    more = option.all_literals if isinstance(option, Node) else ()
    nots = option.nots if isinstance(option, Node) else ()
    literals = tuple(dict.fromkeys((*piece.literals, *more)))
    return Piece(
        Label(elements, hydrogens, piece.label.aliphatic or label.aliphatic),
        literals,
        (*piece.nots, *nots),
        piece.notes,
        piece.dropped,
    )


def _with_hydrogen(elements: frozenset[int]) -> frozenset[int]:
    """The slot of hydrogen, which no atom uses, goes with the others where all others are allowed."""
    return elements | {1} if elements == DOMAINS["elements"] else elements


def _surely_aliphatic(box: Box, elements: frozenset[int], hydrogens: frozenset[int], around: Surroundings) -> bool:
    """Whether the bonds and hydrogens of the SMARTS leave no room for two aromatic bonds."""
    least = min(hydrogens)
    connections, degree = box.allowed("connections"), box.allowed("degree")

    def decided(element: int) -> bool:
        if not can_be_aromatic(element) or max(connections) < 2 or max(degree) < 2:
            return True
        taken = sum(min(ORDERS[kind] for kind in types) for types in around.bonds if AROMATIC not in types)
        others = around.not_aromatic + least
        if element in (6, 7, 8, 16) and taken + least + 2 > limit(element):
            return True
        if element == 6 and 3 not in connections:
            return True
        if element in (6, 7) and min(max(min(connections), min(degree) + least), 4) > 3:
            return True
        return others >= {6: 2, 7: 2, 8: 1, 16: 2}.get(element, 4)

    return all(map(decided, elements))


def _ranges(values: frozenset[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for value in sorted(values):
        if found and found[-1][1] == value - 1:
            found[-1] = (found[-1][0], value)
        else:
            found.append((value, value))
    return found


def _counted(elements, hydrogens, low: int, high: int, name: str, by_order: bool, around: Surroundings):
    """A range of degrees, connections or valences: (elements, hydrogens, conditions), several where elements differ."""
    own = name != "degree"
    have = around.taken if by_order else len(around.bonds)
    groups: dict[tuple, set[int]] = {}
    for element in elements:
        lows, highs = [], []
        for h in sorted(hydrogens):
            least, most = (low - h, high - h) if own else (low, high)
            room = most_neighbours(element, h) if by_order else most_neighbours(element, h, around.extra)
            if not by_order and around.surely_aromatic and element in (6, 7):
                room = min(room, MOST_AROMATIC_NEIGHBOURS - h)
            if most < have or least > room or high < low:
                continue
            lows.append((h, least if least > have else 0))
            highs.append((h, most + 1 if room > most else 0))
        if lows:
            groups.setdefault((tuple(lows), tuple(highs)), set()).add(element)
    for (lows, highs), group in groups.items():
        kept = frozenset(h for h, _ in lows)
        if not (hydrogens - kept) or (hydrogens == DOMAINS["hydrogens"] and not own and not group <= set(MAX_VALENCE)):
            kept = hydrogens
        conditions = []
        if any(least for _, least in lows):
            conditions.append(_share(tuple((h, max(least, 1)) for h, least in lows), True, by_order))
        if any(most for _, most in highs):
            conditions.append(_share(tuple((h, most) for h, most in highs if most), False, by_order))
        yield frozenset(group), kept, conditions


def _share(shares: tuple[tuple[int, int], ...], wanted: bool, by_order: bool) -> Literal:
    counts = {least for _, least in shares}
    if len(counts) == 1 and not by_order and wanted:
        return Literal(((_ANY, ALL_BONDS),), counts.pop())
    return Literal(((_ANY, ALL_BONDS),), wanted=wanted, shares=shares, by_order=by_order)


def node_of(piece: Piece) -> Label | Node:
    """The predicate of a box alone."""
    if not piece.literals and not piece.nots:
        return piece.label
    return Node(piece.label, piece.literals, nots=piece.nots)
