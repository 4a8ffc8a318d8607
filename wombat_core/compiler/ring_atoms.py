"""An atom of a SMARTS with rings: its label, the conditions on its neighbours, what it must be besides."""

from math import lcm

from ..molecules.features import RING_BONDS, RINGS, SMALLEST
from .boxes import DOMAINS, Box, make_box
from .channels import Builder
from .conditions import Surroundings, disjoint_boxes, node_of, read_box
from .exclusion import either
from .predicates import Label as FeatureLabel
from .query import RING_PROPERTIES, Query, QueryAtom
from .ring_labels import ANY, EVERY, Around, Conditions, Kind, Label, Own
from .rooted import predicate_of_recursive
from .smarts_error import SmartsError
from .valence import AROMATIC, AROMATIC_ELEMENTS, limit

_GROUPS = {"ring_count": RINGS, "smallest_ring": SMALLEST, "ring_bonds": RING_BONDS}
_PLUS = ("charge", *RING_PROPERTIES)


def is_simple(atom: QueryAtom, plus: bool) -> bool:
    """Whether an atom is one label with conditions that are ranges."""
    box = atom.boxes[0]
    counts = ("degree", "connections")
    return (
        len(atom.boxes) == 1
        and not box.inside
        and not box.asks("valence")
        and (plus or not box.asks("charge"))
        and all(len(box.allowed(name)) == max(box.allowed(name)) - min(box.allowed(name)) + 1 for name in counts)
    )


def hull_of(atom: QueryAtom) -> Box:
    """The least that all alternatives of an atom ask for, but for what its :class:`Own` asks."""
    names = DOMAINS.keys() - {"valence", "degree"}
    return make_box({name: frozenset().union(*(box.allowed(name) for box in atom.boxes)) for name in names})


def own_of(query: Query, atom: QueryAtom, kinds: list[Kind], plus: bool) -> tuple[Own | None, list[str]]:
    shown = _PLUS if plus else ()
    for name in shown:
        if len({box.allowed(name) for box in atom.boxes}) > 1:
            raise SmartsError(
                f"{query.name_atom(atom.index)} lists alternatives that differ in charge or rings and in other things; "
                "with the encoding wombat+ they cannot be compiled yet.",
                atom=query.original[atom.index],
                span=query.spans[atom.index],
            )
    around = Surroundings([kind.types for kind in kinds])
    boxes = disjoint_boxes(tuple(box.without(*shown) for box in atom.boxes))
    pieces = [piece for box in boxes for piece in read_box(box, around, predicate_of_recursive)]
    if not pieces:
        raise SmartsError(
            f"{query.name_atom(atom.index)} can match no atom the benchmark uses.",
            atom=query.original[atom.index],
            span=query.spans[atom.index],
        )
    predicate = either(list(dict.fromkeys(node_of(piece) for piece in pieces)))
    notes = [note for piece in pieces for note in piece.notes]
    if len(atom.boxes) == 1 and isinstance(predicate, FeatureLabel):
        return None, notes  # a charge that cannot be seen was all
    return Own(predicate, max(1, Builder(late=True).depth(predicate))), notes


def label_of(query: Query, atom: int, box: Box, cycles: Conditions, plus: bool) -> Label:
    elements = box.allowed("elements")
    elements = ANY.elements if elements == DOMAINS["elements"] else elements
    conditions: list[tuple[str, ...]] = []
    for name, _ in box.sets:
        if name in ("elements", "hydrogens", "degree", "connections", "valence"):
            continue
        if name == "aromatic":
            if plus and elements & AROMATIC_ELEMENTS:
                conditions.append(("aromatic",) if box.allowed(name) == {1} else ("!aromatic",))
        elif name == "charge":
            if plus:
                conditions.append(_charge(query, atom, box.allowed(name)))
        elif plus and name == "in_ring":
            conditions.append(("ring",) if box.allowed(name) == {1} else ("!ring",))
        elif plus and name in _GROUPS:
            conditions.append(_listed(query, atom, name, box.allowed(name)))
        else:
            raise SmartsError(
                f"{query.name_atom(atom)} asks for {RING_PROPERTIES[name]}, which the network's input does not show.",
                atom=query.original[atom],
                span=query.spans[atom],
            )
    if plus:
        conditions += [own for own in cycles if own not in conditions]
        if any(own[0].startswith("cycle") for own in conditions):
            conditions = [own for own in conditions if own != ("ring",)]
    hydrogens = frozenset(h for h in box.allowed("hydrogens") if h < max(box.allowed("connections")))
    if not hydrogens:
        raise SmartsError(
            f"{query.name_atom(atom)} can match no atom with a bond: it has as many hydrogens as connections.",
            atom=query.original[atom],
            span=query.spans[atom],
        )
    return Label(elements, hydrogens, tuple(sorted(conditions)))


def _charge(query: Query, atom: int, allowed: frozenset[int]) -> tuple[str, ...]:
    found = [name for name, value in (("charge-1", -1), ("charge0", 0), ("charge+1", 1)) if value in allowed]
    rest = {value for value in DOMAINS["charge"] if abs(value) > 1}
    if rest & allowed:
        if not rest <= allowed:
            raise SmartsError(
                f"{query.name_atom(atom)} asks for a charge beyond -1, 0 and +1, which the input does not show.",
                atom=query.original[atom],
                span=query.spans[atom],
            )
        found.append("charge?")
    return tuple(found)


def _listed(query: Query, atom: int, name: str, allowed: frozenset[int]) -> tuple[str, ...]:
    group = _GROUPS[name]
    last = int(group[-1].lstrip("rings maletbod"))
    found = tuple(own for own in group[:-1] if int(own.lstrip("ringsmaletbod")) in allowed)
    beyond = frozenset(value for value in DOMAINS[name] if value >= last)
    if (beyond & allowed and not beyond <= allowed) or not (found or beyond & allowed):
        raise SmartsError(
            f"{query.name_atom(atom)} asks for a number of rings or a ring size that the input does not show.",
            atom=query.original[atom],
            span=query.spans[atom],
        )
    return found + ((group[-1],) if beyond & allowed else ())


def around_of(query: Query, atom: int, box: Box, kinds: list[Kind], plus: bool) -> tuple[Around, ...]:
    found = []
    elements, hydrogens = box.allowed("elements"), box.allowed("hydrogens")
    if not plus and box.asks("aromatic"):
        aromatic = Kind(frozenset((AROMATIC,)))
        if box.allowed("aromatic") == {1}:
            if not any(kind.types == {AROMATIC} for kind in kinds):
                found.append(Around(aromatic, 2))
        else:
            others = sum(AROMATIC not in kind.types for kind in kinds) + min(hydrogens)
            if not all(others >= {6: 2, 7: 2, 8: 1, 16: 2}.get(e, 4) for e in elements & AROMATIC_ELEMENTS):
                found.append(Around(aromatic, 1, wanted=False))
    if box.asks("degree"):
        allowed = box.allowed("degree")
        low, high = min(allowed), max(allowed)
        label = Label(elements, hydrogens)
        if low > len(kinds):
            found.append(Around(EVERY, low))
        if high < label.room(EVERY.types):
            found.append(Around(EVERY, high + 1, wanted=False))
    if box.asks("connections"):
        found += _connections(query, atom, box, len(kinds))
    return tuple(found)


def _connections(query: Query, atom: int, box: Box, degree: int) -> list[Around]:
    """With h hydrogens, n - h neighbours are needed: each counts for K / (n - h) of K."""
    allowed = box.allowed("connections")
    low, high = min(allowed), max(allowed)
    hydrogens = sorted(h for h in box.allowed("hydrogens") if h < high)

    def at_least(number: int, wanted: bool) -> Around:
        shares = {h: max(1, number - h) for h in hydrogens}
        whole = lcm(*shares.values())
        return Around(EVERY, whole, wanted, tuple((h, whole // share) for h, share in shares.items()))

    found = []
    if low > degree + hydrogens[0]:
        found.append(at_least(low, True))
    elements = box.allowed("elements")
    only_aromatic = box.allowed("aromatic") == {1}
    most = max((3 if only_aromatic and e in (6, 7) else limit(e)) for e in elements)
    if high < most:
        found.append(at_least(high + 1, False))
    if found and not degree:
        found.append(Around(EVERY, 1))
    return found
