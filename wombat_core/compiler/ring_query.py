"""A SMARTS with rings as balls look at it: a label for every atom, a kind for every bond, conditions around an atom.

With ``wombat+`` a label also says what the input shows of charge, aromaticity and rings, and every atom and bond of a
ring of the SMARTS asks for a cycle of that length: RDKit's search maps a ring to a cycle of as many atoms.
"""

from dataclasses import dataclass
from math import lcm

from rdkit import Chem

from ..molecules.cycles import LENGTHS, cycle_flags
from ..molecules.features import NUM_ELEMENTS, RING_BONDS, RINGS, SMALLEST
from ..molecules.usability import MAX_VALENCE
from .boxes import DOMAINS, Box, make_box
from .channels import Builder
from .conditions import Surroundings, disjoint_boxes, node_of, read_box
from .exclusion import either
from .predicates import Label as FeatureLabel
from .predicates import Predicate
from .query import RING_PROPERTIES, Query, QueryAtom
from .rooted import notes_inside, predicate_of_recursive
from .smarts_error import SmartsError

AROMATIC = 3
ORDERS = (1, 2, 3, 1)
_CAN_BE_AROMATIC = frozenset((5, 6, 7, 8, 14, 15, 16, 33, 34, 52))
_MOST_NEIGHBOURS = 8
_GROUPS = {"ring_count": RINGS, "smallest_ring": SMALLEST, "ring_bonds": RING_BONDS}

_PLUS = ("charge", *RING_PROPERTIES)

Conditions = tuple[tuple[str, ...], ...]


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
            (MAX_VALENCE.get(element, _MOST_NEIGHBOURS) - h) // order
            for element in self.elements
            for h in self.hydrogens
            if MAX_VALENCE.get(element, _MOST_NEIGHBOURS) > h
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


@dataclass(frozen=True)
class RingQuery:
    """The SMARTS as balls look at it.

    Attributes:
        labels, around, own: of every atom its features, conditions on its neighbours, what else it must be.
        neighbours: of every atom, with the kind of the bond to each.
        notes: what is not asked for, a sentence each.
        rings: sizes of the smallest rings.
        linked: whether a bond outside of rings joins two of them.
    """

    labels: tuple[Label, ...]
    around: tuple[tuple[Around, ...], ...]
    own: tuple[Own | None, ...]
    neighbours: tuple[tuple[tuple[int, Kind], ...], ...]
    notes: tuple[str, ...]
    rings: tuple[int, ...] = ()
    linked: bool = False

    def distances(self, root: int) -> list[int]:
        found, queue = {root: 0}, [root]
        for atom in queue:
            for other, _ in self.neighbours[atom]:
                if other not in found:
                    found[other] = found[atom] + 1
                    queue.append(other)
        return [found[atom] for atom in range(len(self.labels))]


CHARGE_NOTE = "With the encoding wombat+ charges are asked for."


def ring_query(query: Query, encoding: str) -> RingQuery:
    """Read the query for an encoding.

    Raises:
        SmartsError: it asks for what balls or the encoding cannot show.
    """
    plus = encoding == "wombat+"
    mol = _skeleton(query)
    in_atoms, in_bonds = _cycles(query, mol)
    kinds = [_kind(query, number, in_bonds[number], plus) for number in range(len(query.bonds))]
    neighbours: list[list[tuple[int, Kind]]] = [[] for _ in query.atoms]
    for bond, kind in zip(query.bonds, kinds, strict=True):
        neighbours[bond.begin].append((bond.end, kind))
        neighbours[bond.end].append((bond.begin, kind))
    labels: list[Label] = []
    around: list[tuple[Around, ...]] = []
    notes = [*query.notes, *notes_inside(query)]
    own: list[Own | None] = []
    for atom in query.atoms:
        at_atom = [kind for _, kind in neighbours[atom.index]]
        if _is_simple(atom, plus):
            (box,) = atom.boxes
            own.append(None)
            around.append(_around(query, atom.index, box, at_atom, plus))
        else:
            box = _hull(atom)
            found, more = _own(query, atom, at_atom, plus)
            own.append(found)
            around.append(())
            notes += more
            if not plus and any(own.asks("charge") for own in atom.boxes):
                notes.append(CHARGE_NOTE)
        labels.append(_label(query, atom.index, box, in_atoms[atom.index], plus))
    if len(query.atoms) == 1 and not any(one.wanted for one in around[0]):
        around[0] = (Around(EVERY, 1), *around[0])
    return RingQuery(
        tuple(labels),
        tuple(around),
        tuple(own),
        tuple(map(tuple, neighbours)),
        tuple(dict.fromkeys(notes)),
        tuple(sorted(map(len, mol.GetRingInfo().AtomRings()))),
        _are_linked(mol),
    )


def _skeleton(query: Query) -> Chem.Mol:
    """The atoms and bonds of the SMARTS alone, with its rings."""
    mol = Chem.RWMol()
    for _ in query.atoms:
        mol.AddAtom(Chem.Atom(0))
    for bond in query.bonds:
        mol.AddBond(bond.begin, bond.end, Chem.BondType.SINGLE)
    Chem.FastFindRings(mol)
    Chem.GetSymmSSSR(mol)
    return mol


def _are_linked(mol: Chem.Mol) -> bool:
    """Whether the rings are in several parts once bonds outside of rings are gone."""
    apart = Chem.RWMol(mol)
    for bond in mol.GetBonds():
        if not mol.GetRingInfo().NumBondRings(bond.GetIdx()):
            apart.RemoveBond(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx())
    return sum(len(part) > 1 for part in Chem.GetMolFrags(apart)) > 1


def _cycles(query: Query, mol: Chem.Mol) -> tuple[list[Conditions], list[Conditions]]:
    """The cycles of the SMARTS through every atom and bond, as conditions."""
    atoms, bonds = cycle_flags(mol)
    ring = {index for own in mol.GetRingInfo().BondRings() for index in own}

    def conditions(flags, in_ring: bool) -> Conditions:
        found = tuple((f"cycle{length}",) for length, yes in zip(LENGTHS, flags, strict=True) if yes)
        return found if found or not in_ring else (("ring",),)

    in_bonds = [conditions(flags, number in ring) for number, flags in enumerate(bonds)]
    ends = {end for number in ring for end in (query.bonds[number].begin, query.bonds[number].end)}
    return [conditions(flags, number in ends) for number, flags in enumerate(atoms)], in_bonds


def _kind(query: Query, number: int, cycles: Conditions, plus: bool) -> Kind:
    bond = query.bonds[number]
    types = bond.types
    for end in (bond.begin, bond.end):
        boxes = query.atoms[end].boxes
        if all(box.allowed("aromatic") == {0} or not box.allowed("elements") & _CAN_BE_AROMATIC for box in boxes):
            types -= {AROMATIC}
    ends = query.original[bond.begin], query.original[bond.end]
    if not types:
        raise SmartsError(f"The SMARTS can match nothing: bond {ends[0] + 1}-{ends[1] + 1} is aromatic.", bond=ends)
    if bond.in_ring is None and len(bond.boxes) == 1:
        return Kind(types, cycles if plus else ())
    if not plus or len(bond.boxes) > 1:
        what = f"Bond {ends[0] + 1}-{ends[1] + 1} of the SMARTS"
        raise SmartsError(f"{what} asks for ring bonds (@), which the network's input does not show.", bond=ends)
    if not bond.in_ring:
        return Kind(types, (("!ring",),))
    return Kind(types, cycles or (("ring",),))


def _is_simple(atom: QueryAtom, plus: bool) -> bool:
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


def _hull(atom: QueryAtom) -> Box:
    """The least that all alternatives of an atom ask for, but for what its :class:`Own` asks."""
    names = DOMAINS.keys() - {"valence", "degree"}
    return make_box({name: frozenset().union(*(box.allowed(name) for box in atom.boxes)) for name in names})


def _own(query: Query, atom: QueryAtom, kinds: list[Kind], plus: bool) -> tuple[Own | None, list[str]]:
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


def _label(query: Query, atom: int, box: Box, cycles: Conditions, plus: bool) -> Label:
    elements = box.allowed("elements")
    elements = ANY.elements if elements == DOMAINS["elements"] else elements
    conditions: list[tuple[str, ...]] = []
    for name, _ in box.sets:
        if name in ("elements", "hydrogens", "degree", "connections", "valence"):
            continue
        if name == "aromatic":
            if plus and elements & _CAN_BE_AROMATIC:
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


def _around(query: Query, atom: int, box: Box, kinds: list[Kind], plus: bool) -> tuple[Around, ...]:
    found = []
    elements, hydrogens = box.allowed("elements"), box.allowed("hydrogens")
    if not plus and box.asks("aromatic"):
        aromatic = Kind(frozenset((AROMATIC,)))
        if box.allowed("aromatic") == {1}:
            if not any(kind.types == {AROMATIC} for kind in kinds):
                found.append(Around(aromatic, 2))
        else:
            others = sum(AROMATIC not in kind.types for kind in kinds) + min(hydrogens)
            if not all(others >= {6: 2, 7: 2, 8: 1, 16: 2}.get(e, 4) for e in elements & _CAN_BE_AROMATIC):
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
    most = max((3 if only_aromatic and e in (6, 7) else MAX_VALENCE.get(e, _MOST_NEIGHBOURS)) for e in elements)
    if high < most:
        found.append(at_least(high + 1, False))
    if found and not degree:
        found.append(Around(EVERY, 1))
    return found


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
