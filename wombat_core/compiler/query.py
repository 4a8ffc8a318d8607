"""SMARTS to a query: its atoms as unions of boxes, its bonds as sets of types.

Reading is the first step of the compiler and where every bad input ends, with one sentence and the place it is about.
"""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from rdkit import Chem, rdBase

from .boxes import DOMAINS, Box
from .describe import atom_boxes, bond_boxes, read_description
from .smarts_error import SmartsError
from .unreadable import find_fault

MOST_CHARACTERS = 2_000
MOST_ATOMS = 60
MOST_BRANCHES = 12
MOST_NESTED = 3
BOND_SIGNS = "-=#:"

RING_PROPERTIES = {
    "in_ring": "ring membership (R)",
    "ring_count": "a number of rings (R)",
    "smallest_ring": "ring size (r)",
    "ring_size": "ring size (k)",
    "ring_bonds": "ring bonds (x)",
}
_ATOM_TEXT = re.compile(r"Cl|Br|[BCNOPSFIAbcnopsa*]")


@dataclass(frozen=True)
class QueryAtom:
    """An atom of the SMARTS.

    Attributes:
        index: from 0, in the label SMARTS.
        text: as RDKit writes it ("[C&H1]").
        boxes: what it allows, a union.
    """

    index: int
    text: str
    boxes: tuple[Box, ...]


@dataclass(frozen=True)
class QueryBond:
    """A bond of the SMARTS.

    Attributes:
        begin, end: its atoms.
        types: allowed bond types (0 single, 1 double, 2 triple, 3 aromatic).
        in_ring: True or False where it asks for ring membership (@, !@), else None.
        boxes: the union as RDKit read it, (types, ring membership) each; more than one only where types and ring
            membership depend on each other.
    """

    begin: int
    end: int
    types: frozenset[int]
    in_ring: bool | None
    boxes: tuple[tuple[frozenset[int], frozenset[int]], ...]


@dataclass(frozen=True)
class Query:
    """A SMARTS as the compiler sees it.

    Attributes:
        smarts: as it was given.
        label: the SMARTS that gives the label: hydrogens that were atoms are counts here.
        atoms, bonds: those of the label SMARTS.
        notes: what is not asked for, a sentence each.
        spans: of every atom its place in ``smarts``, (start, end), or None where it has none.
        original: of every atom its index in ``smarts`` (they differ where hydrogens were folded in).
    """

    smarts: str
    label: str
    atoms: tuple[QueryAtom, ...]
    bonds: tuple[QueryBond, ...]
    notes: tuple[str, ...]
    spans: tuple[tuple[int, int] | None, ...]
    original: tuple[int, ...]

    @property
    def num_rings(self) -> int:
        """How many rings the SMARTS closes."""
        return len(self.bonds) - len(self.atoms) + 1

    @cached_property
    def neighbours(self) -> tuple[tuple[tuple[int, QueryBond], ...], ...]:
        """Of every atom its neighbours with the bond to them, in the order of the bonds."""
        found: list[list[tuple[int, QueryBond]]] = [[] for _ in self.atoms]
        for bond in self.bonds:
            found[bond.begin].append((bond.end, bond))
            found[bond.end].append((bond.begin, bond))
        return tuple(map(tuple, found))

    @property
    def mol(self) -> Chem.Mol:
        """RDKit's query for the label."""
        return Chem.MolFromSmarts(self.label)

    def name_atom(self, index: int) -> str:
        """The atom in words, as sentences begin ("Atom 1 of the SMARTS ([R])")."""
        return _name_atom(self.original[index], _own_text(self.smarts, self.spans[index], self.atoms[index].text))


def read_query(smarts: str, nested: int = 0) -> Query:
    """Read a SMARTS.

    Args:
        smarts: one motif.
        nested: how deep inside recursive SMARTS it stands.

    Raises:
        SmartsError: it cannot be read, is too large, has several parts or asks for what no input shows.
    """
    if not isinstance(smarts, str):
        raise SmartsError(f"A SMARTS is a text, not {type(smarts).__name__}.")
    text = smarts.strip()
    _check_text(text)
    return _read(text, nested)


@lru_cache(maxsize=2_000)
def _read(text: str, nested: int) -> Query:
    with rdBase.BlockLogs():
        raw = Chem.MolFromSmarts(text)
        if raw is None or raw.GetNumAtoms() == 0:
            fault = find_fault(text)
            if fault is None:
                raise SmartsError(f"The SMARTS {_short(text)} cannot be read.")
            raise SmartsError(f"The SMARTS {_short(text)} cannot be read: {fault.words}.", span=fault.span)
        spans = atom_spans(text, raw.GetNumAtoms())
        for atom in raw.GetAtoms():
            if atom.GetAtomMapNum():
                raise SmartsError(
                    f"Atom {atom.GetIdx() + 1} of the SMARTS has the map number {atom.GetAtomMapNum()}; "
                    "leave map numbers out.",
                    atom=atom.GetIdx(),
                    span=spans[atom.GetIdx()],
                )
            atom.SetIntProp("_place", atom.GetIdx())
        parts = Chem.GetMolFrags(raw)
        if len(parts) > 1:
            sentence = (
                f"The SMARTS has {len(parts)} parts: a readout that looks at one atom at a time cannot ask for parts "
                "in different places."
            )
            raise SmartsError(sentence, atom=parts[1][0], span=spans[parts[1][0]])
        merged = _merge_hydrogens(raw, text)
    label = Chem.MolToSmarts(merged) if merged is not raw else text
    mol = merged
    if mol.GetNumAtoms() > MOST_ATOMS:
        raise SmartsError(f"The SMARTS has {mol.GetNumAtoms()} atoms; at most {MOST_ATOMS} are compiled.")
    original = tuple(atom.GetIntProp("_place") for atom in mol.GetAtoms())
    if merged is not raw:
        # Written out and read again, atoms come in the order of the new text.
        order = list(merged.GetPropsAsDict(True, True).get("_smilesAtomOutputOrder", range(mol.GetNumAtoms())))
        original = tuple(original[place] for place in order)
        mol = Chem.MolFromSmarts(label)
    atoms = tuple(_atom(atom, original, spans, nested, text) for atom in mol.GetAtoms())
    bonds = tuple(_bond(bond, original, spans) for bond in mol.GetBonds())
    for atom in mol.GetAtoms():
        place = original[atom.GetIdx()]
        if atom.GetDegree() > MOST_BRANCHES:
            raise SmartsError(
                f"{_name_atom(place, _own_text(text, spans[place], atom.GetSmarts()))} has {atom.GetDegree()} "
                f"branches; at most {MOST_BRANCHES} are compiled.",
                atom=place,
                span=spans[place],
            )
    notes = _notes(text, label)
    return Query(text, label, atoms, bonds, notes, tuple(spans[place] for place in original), original)


def asked_ring(query: Query) -> str | None:
    """What of rings an atom or bond asks for, in words; None where none does."""
    for atom in query.atoms:
        for box in atom.boxes:
            for name, words in RING_PROPERTIES.items():
                if box.asks(name):
                    return words
    return next(("ring bonds (@)" for bond in query.bonds if _asks_ring(bond)), None)


def asks_more(query: Query) -> bool:
    """Whether it asks for a charge or for rings, which only ``wombat+`` shows."""
    return asked_ring(query) is not None or any(box.asks("charge") for atom in query.atoms for box in atom.boxes)


def _asks_ring(bond: QueryBond) -> bool:
    return bond.in_ring is not None or len(bond.boxes) > 1


def refuse_ring_queries(query: Query) -> None:
    """Refuse what the 110 atom features and 4 bond features do not show: rings.

    Raises:
        SmartsError: an atom or a bond asks for rings; the first is named.
    """
    for atom in query.atoms:
        for box in atom.boxes:
            for name, words in RING_PROPERTIES.items():
                if box.asks(name):
                    raise SmartsError(
                        f"{query.name_atom(atom.index)} asks for {words}, which the network's input does not show.",
                        atom=query.original[atom.index],
                        span=query.spans[atom.index],
                    )
    for bond in query.bonds:
        if _asks_ring(bond):
            begin, end = query.original[bond.begin], query.original[bond.end]
            raise SmartsError(
                f"Bond {begin + 1}-{end + 1} of the SMARTS asks for ring bonds (@), which the network's input does "
                "not show.",
                bond=(begin, end),
            )


def _check_text(text: str) -> None:
    if not text:
        raise SmartsError("The SMARTS is empty.")
    if len(text) > MOST_CHARACTERS:
        raise SmartsError(f"The SMARTS has {len(text):,} characters; at most {MOST_CHARACTERS:,} are read.")
    for place, character in enumerate(text):
        if not character.isascii() or not character.isprintable():
            raise SmartsError(
                f"The SMARTS {_short(text)} cannot be read: {character!r} at position {place + 1} is not a character "
                "of SMARTS.",
                span=(place, place + 1),
            )
        if character == " ":
            raise SmartsError(
                f"The SMARTS {_short(text)} has a blank at position {place + 1}; a SMARTS has none.",
                span=(place, place + 1),
            )
    if ">" in text.replace("->", ""):
        place = text.index(">")
        raise SmartsError(
            f"The SMARTS {_short(text)} is a reaction (>>); a motif is one side of it.", span=(place, place + 1)
        )
    if text.count("[") > 4 * MOST_ATOMS or text.count("(") > 4 * MOST_ATOMS:
        raise SmartsError(f"The SMARTS has too many brackets; at most {MOST_ATOMS} atoms are compiled.")


def _merge_hydrogens(raw: Chem.Mol, text: str) -> Chem.Mol:
    """Hydrogens that are atoms of the SMARTS become counts of their neighbours, as RDKit does it."""
    if not any("AtomAtomicNum 1 = val" in atom.DescribeQuery() for atom in raw.GetAtoms()):
        return raw
    merged = Chem.MergeQueryHs(raw)
    if merged.GetNumAtoms() in (0, raw.GetNumAtoms()):
        return raw
    return merged


def _atom(atom: Chem.Atom, original: tuple[int, ...], spans, nested: int, smarts: str) -> QueryAtom:
    place = original[atom.GetIdx()]
    text = atom.GetSmarts()
    what = _name_atom(place, _own_text(smarts, spans[place], text))
    recursive = _recursive_parts(text)
    if recursive and nested >= MOST_NESTED:
        raise SmartsError(f"{what} nests recursive SMARTS more than {MOST_NESTED} deep.", atom=place, span=spans[place])
    for inner in recursive:
        try:
            found = read_query(inner, nested + 1)
        except SmartsError as error:
            error.atom, error.bond, error.span = place, None, spans[place]  # those of the inner SMARTS are not ours
            raise
        asks = "closes a ring" if found.num_rings > 0 else f"asks for {ring}" if (ring := asked_ring(found)) else ""
        if asks:
            raise SmartsError(
                f"The recursive SMARTS $({_short(inner)[1:-1]}) {asks}, which cannot be compiled inside $().",
                atom=place,
                span=spans[place],
            )
    description = atom.DescribeQuery()
    try:
        boxes = atom_boxes(read_description(description), list(recursive), what, place) if description.strip() else ()
    except SmartsError as error:
        error.span = spans[place]
        raise
    if not boxes:
        sentence = f"{what} can match no atom the benchmark uses."
        raise SmartsError(sentence, atom=place, span=spans[place])
    return QueryAtom(atom.GetIdx(), text, boxes)


def _bond(bond: Chem.Bond, original: tuple[int, ...], spans) -> QueryBond:
    begin, end = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
    ends = (original[begin], original[end])
    what = f"Bond {ends[0] + 1}-{ends[1] + 1} of the SMARTS"
    boxes = bond_boxes(read_description(bond.DescribeQuery()), what, ends)
    types = frozenset(kind for kinds, _ in boxes for kind in kinds)
    if not types:
        raise SmartsError(f"{what} can be of none of the types single, double, triple and aromatic.", bond=ends)
    rings = frozenset(value for _, values in boxes for value in values)
    same = {values for _, values in boxes}
    in_ring = bool(*rings) if len(rings) == 1 else None
    kept = ((types, rings),) if len(same) == 1 else tuple(boxes)
    return QueryBond(begin, end, types, in_ring, kept)


def _recursive_parts(text: str) -> list[str]:
    """The SMARTS inside every ``$(...)`` of an atom's text, outermost ones, in order."""
    found, place = [], 0
    while (start := text.find("$(", place)) >= 0:
        depth, end = 1, start + 2
        while end < len(text) and depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        found.append(text[start + 2 : end - 1])
        place = end
    return found


def atom_spans(text: str, num_atoms: int) -> list[tuple[int, int] | None]:
    """Where every atom stands in the text; all None where counting them does not come out right."""
    found: list[tuple[int, int] | None] = []
    place = 0
    while place < len(text):
        if text[place] == "[":
            depth, end = 1, place + 1
            while end < len(text) and depth:
                depth += {"[": 1, "]": -1}.get(text[end], 0)
                end += 1
            found.append((place, end))
            place = end
        elif (match := _ATOM_TEXT.match(text, place)) is not None:
            found.append(match.span())
            place = match.end()
        else:
            place += 1
    return found if len(found) == num_atoms else [None] * num_atoms


def _notes(text: str, label: str) -> tuple[str, ...]:
    notes = []
    if "@" in re.sub(r"!?@(?![@H\]])", "", text) or "/" in text or "\\" in text:
        notes.append("Chirality and double-bond geometry are not asked for, as in RDKit's default.")
    if label != text:
        notes.append(f"Hydrogens that are atoms of the SMARTS are read as hydrogen counts: {label}.")
    return tuple(notes)


def _name_atom(place: int, text: str) -> str:
    own = text if text.startswith("[") else f"[{text}]"
    return f"Atom {place + 1} of the SMARTS ({_short(own)[1:-1]})"


def _own_text(smarts: str, span: tuple[int, int] | None, text: str) -> str:
    """An atom as it was typed; as RDKit writes it where its place is not known."""
    return text if span is None else smarts[slice(*span)]


def _short(text: str, most: int = 60) -> str:
    text = text if text.isprintable() else repr(text)[1:-1]
    return f"'{text}'" if len(text) <= most else f"'{text[: most - 3]}...'"


def is_free(box: Box) -> bool:
    """Whether the box asks for nothing that features can show."""
    return box.allowed("elements") == DOMAINS["elements"] and not box.asks("hydrogens")


def can_be_alone(box: Box) -> bool:
    """Whether an atom without bonds may fit the box."""
    counts = ("degree", "ring_count", "ring_bonds", "in_ring", "aromatic")
    return (
        all(0 in box.allowed(name) for name in counts)
        and not box.allowed("hydrogens").isdisjoint(box.allowed("connections"))
        and not any(wanted and len(read_query(text).atoms) > 1 for text, wanted in box.inside)
    )
