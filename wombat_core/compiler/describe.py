"""RDKit's own description of a query atom or bond, read into boxes and bond types.

RDKit is asked what it understood (``DescribeQuery``), so that the compiler and the label can never read a SMARTS in
two ways. Every line is one node, indented by its depth: "AtomAnd", "AtomHCount 1 = val", "range_AtomTotalDegree 2
val 4", "RecursiveStructure val not in )".
"""

import re
from dataclasses import dataclass, field

from .boxes import ANY, DOMAINS, MOST_BOXES, Box, make_box, products, simplify
from .smarts_error import SmartsError

_PROPERTIES = {
    "AtomAtomicNum": "elements",
    "AtomHCount": "hydrogens",
    "AtomExplicitDegree": "degree",
    "AtomTotalDegree": "connections",
    "AtomTotalValence": "valence",
    "AtomFormalCharge": "charge",
    "AtomMinRingSize": "smallest_ring",
    "AtomRingSize": "ring_size",
    "AtomRingBondCount": "ring_bonds",
}
_REFUSED = {
    "AtomIsotope": "an isotope",
    "AtomHybridization": "hybridisation (^)",
    "AtomImplicitHCount": "implicit hydrogens (h)",
    "AtomHasImplicitH": "implicit hydrogens (h)",
    "AtomNumHeteroatomNeighbors": "heteroatom neighbours (z)",
    "AtomHasHeteroatomNeighbors": "heteroatom neighbours (z)",
    "AtomNumAliphaticHeteroatomNeighbors": "aliphatic heteroatom neighbours (Z)",
    "AtomHasAliphaticHeteroatomNeighbors": "aliphatic heteroatom neighbours (Z)",
    "AtomMass": "a mass",
    "AtomUnsaturated": "unsaturation",
}
_CHAINS = frozenset(("AtomAnd", "AtomOr", "BondAnd", "BondOr"))
_BOND_SLOTS = {1: 0, 2: 1, 3: 2, 12: 3}
_ALL_BONDS = frozenset(range(4))
_LINE = re.compile(
    r"(?P<indent> *)(?P<not>not )?(?P<kind>range_|less_|greater_)?(?P<name>[A-Za-z]+)(?P<rest>.*)", re.DOTALL
)


@dataclass
class Node:
    """One line of the description with what is below it."""

    name: str
    kind: str
    rest: str
    negated: bool
    below: list["Node"] = field(default_factory=list)


def read_description(text: str) -> Node:
    """The description as a tree; what hangs on the same operator is below one node."""
    stack: list[tuple[int, Node]] = []
    root: Node | None = None
    for line in text.splitlines():
        match = _LINE.fullmatch(line)
        if match is None:
            continue
        depth = len(match["indent"])
        negated = bool(match["not"]) or "!=" in match["rest"] or "not in" in match["rest"]
        node = Node(match["name"], match["kind"] or "", match["rest"], negated)
        while stack and stack[-1][0] >= depth:
            stack.pop()
        if stack and not negated and node.name in _CHAINS and node.name == stack[-1][1].name:
            # RDKit nests "a, b, c" as ((a, b), c): one node for all, however many they are.
            stack.append((depth, stack[-1][1]))
            continue
        if stack:
            stack[-1][1].below.append(node)
        else:
            root = node
        stack.append((depth, node))
    if root is None:
        raise AssertionError("RDKit describes every atom and bond of a query")
    return root


def atom_boxes(node: Node, recursive: list[str], what: str, atom: int) -> tuple[Box, ...]:
    """What the description of an atom allows.

    Args:
        node: of the atom.
        recursive: the SMARTS of its ``$(...)`` in the order in which they come; used up from the front.
        what: the atom in words, for the sentences ("Atom 1 of the SMARTS ([R])").
        atom: its index, from 0.

    Raises:
        SmartsError: it asks for something that no network's input shows, or for too many alternatives.
    """
    return simplify(_boxes(node, False, recursive, what, atom))


def _boxes(node: Node, flip: bool, recursive: list[str], what: str, atom: int) -> list[Box]:
    negated = node.negated != flip
    if node.name in ("AtomAnd", "AtomOr", "AtomXor"):
        if node.name == "AtomXor":
            raise SmartsError(f"{what} uses an exclusive or, which the compiler does not read.", atom=atom)
        is_union = (node.name == "AtomAnd") == negated
        found = [] if is_union else [ANY]
        for below in node.below:
            part = _boxes(below, negated, recursive, what, atom)
            found = list(simplify(found + part if is_union else list(products(found, part))))
            if len(found) > MOST_BOXES:
                raise SmartsError(f"{what} lists too many alternatives: more than {MOST_BOXES}.", atom=atom)
        return found
    if node.name == "RecursiveStructure":
        return [Box((), ((recursive.pop(0), not negated),))]
    if node.name in ("AtomNull", "AtomAny"):
        return [] if negated else [ANY]
    if node.name in _REFUSED:
        sentence = f"{what} asks for {_REFUSED[node.name]}, which the network's input does not show."
        raise SmartsError(sentence, atom=atom)
    if node.name == "AtomType":
        element, aromatic = _number(node) % 1000, _number(node) // 1000
        own = make_box({"elements": DOMAINS["elements"] & {element}, "aromatic": frozenset((aromatic,))})
        if not negated:
            return [own] if own.allowed("elements") else []
        return [_one("elements", DOMAINS["elements"] - {element}), _one("aromatic", frozenset((1 - aromatic,)))]
    if node.name in ("AtomIsAromatic", "AtomIsAliphatic"):
        value = int((node.name == "AtomIsAromatic") != negated)
        return [_one("aromatic", frozenset((value,)))]
    if node.name == "AtomInRing" or (node.name == "AtomInNRings" and "-1" in node.rest):
        return [_one("in_ring", frozenset((0 if negated else 1,)))]
    name = "ring_count" if node.name == "AtomInNRings" else _PROPERTIES.get(node.name)
    if name is None:
        raise SmartsError(f"{what} asks for {node.name}, which the compiler does not know.", atom=atom)
    values = _values(node, DOMAINS[name])
    values = DOMAINS[name] - values if negated else values
    return [_one(name, values)] if values else []


def _one(name: str, values: frozenset[int]) -> Box:
    return make_box({name: values})


def _number(node: Node) -> int:
    return int(re.findall(r"-?\d+", node.rest)[0])


def _values(node: Node, domain: frozenset[int]) -> frozenset[int]:
    numbers = [int(text) for text in re.findall(r"-?\d+", node.rest)]
    if node.kind == "range_":
        return frozenset(value for value in domain if numbers[0] <= value <= numbers[1])
    if node.kind == "less_":
        return frozenset(value for value in domain if value >= numbers[0])
    if node.kind == "greater_":
        return frozenset(value for value in domain if value <= numbers[0])
    return domain & {numbers[0]}


BondBox = tuple[frozenset[int], frozenset[int]]
"""Allowed bond types (0 single, 1 double, 2 triple, 3 aromatic) and allowed ring membership (of 0 and 1)."""
_FREE: frozenset[int] = frozenset((0, 1))


def bond_boxes(node: Node, what: str, bond: tuple[int, int]) -> list[BondBox]:
    """What the description of a bond allows, as a union.

    Raises:
        SmartsError: it asks for something other than types and ring membership.
    """
    return _bond_boxes(node, False, what, bond)


def _bond_boxes(node: Node, flip: bool, what: str, bond: tuple[int, int]) -> list[BondBox]:
    negated = node.negated != flip
    if node.name in ("BondAnd", "BondOr"):
        parts = [_bond_boxes(below, negated, what, bond) for below in node.below]
        if (node.name == "BondAnd") == negated:
            return list(dict.fromkeys(box for part in parts for box in part))
        found: list[BondBox] = [(_ALL_BONDS, _FREE)]
        for part in parts:
            found = list(dict.fromkeys((a & c, b & d) for a, b in found for c, d in part if a & c and b & d))
        return found
    if node.name in ("BondNull", "BondAny"):
        return [] if negated else [(_ALL_BONDS, _FREE)]
    if node.name == "BondInRing":
        return [(_ALL_BONDS, frozenset((0 if negated else 1,)))]
    if node.name == "SingleOrAromaticBond":
        types = frozenset((0, 3))
    elif node.name == "BondOrder":
        types = frozenset({_BOND_SLOTS[_number(node)]} if _number(node) in _BOND_SLOTS else ())
    elif node.name == "BondDir":
        types = _ALL_BONDS
    else:
        raise SmartsError(f"{what} asks for {node.name}, which the network's input does not show.", bond=bond)
    types = _ALL_BONDS - types if negated else types
    return [(types, _FREE)] if types else []
