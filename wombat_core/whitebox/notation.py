"""The channel notation of ``patterns.yaml``, read into terms and weights.

A channel is ``[self, neighbour, bond, bias]``. Terms of layer 1 act on the atom features, terms of later
layers on the channels of the layer before; ``patterns.yaml`` says what each form means.

Compiled networks use a few forms more: element lists (``C,N``, ``!C,N``: all slots but these), bond lists (``-:``),
weighted hydrogens (``C;2H0,3H1``: a carbon counts 2 without hydrogens, 3 with one, and nothing with any other number),
the bond term ``order`` (1, 2, 3 and 1.5), and letters beyond Z (``AA``, ``AB``, ...).
"""

import re
from dataclasses import dataclass, replace

import numpy as np

from ..molecules.features import NUM_ATOM_FEATURES, NUM_BOND_FEATURES, NUM_ELEMENTS, NUM_HYDROGENS, element_slots
from ..molecules.usability import MAX_VALENCE
from .conditions import EXCLUDED, Conditions, atom_weights, bond_weights, split_conditions

_BONDS = {"-": 0, "=": 1, "#": 2, ":": 3}
_ORDERS = (1.0, 2.0, 3.0, 1.5)


@dataclass(frozen=True)
class AtomTerm:
    """A term on the atom features: an element and the hydrogen counts that are not forbidden.

    Attributes:
        element: an element symbol, a list of them ("C,N"; "!C,N": all but these), "*" (any element), "1" (all 110
            slots) or None.
        hydrogens: the listed hydrogen counts, or None where the term lists none. With an element the
            other counts weigh -10; without one the listed count itself weighs 1.
        conditions: what the encoding ``wombat+`` must show besides.
        factors: of every listed count what an atom with it weighs in all; empty: 1 each.
    """

    text: str
    element: str | None
    hydrogens: tuple[int, ...] | None
    conditions: Conditions = ()
    factors: tuple[int, ...] = ()

    @property
    def symbols(self) -> tuple[str, ...]:
        """The elements it names, in the order written; none for "*" and "1"."""
        return () if self.element is None or self.element in ("*", "1") else tuple(self.element.lstrip("!").split(","))

    @property
    def is_negated(self) -> bool:
        """Whether all elements but those named are meant."""
        return self.element is not None and self.element.startswith("!")

    def weights(self) -> np.ndarray:
        """Weights [110]; with conditions, [145]."""
        weights = np.zeros(NUM_ATOM_FEATURES, dtype=np.float32)
        if self.element == "1":
            weights[:] = 1
        elif self.element == "*":
            weights[:NUM_ELEMENTS] = max(self.factors, default=1)
        elif self.element is not None:
            named = [element_slots()[symbol] for symbol in self.symbols]
            most = float(max(self.factors, default=1))
            weights[:NUM_ELEMENTS] = most * self.is_negated
            weights[named] = most * (not self.is_negated)
        if self.hydrogens is not None:
            listed = [NUM_ELEMENTS + count for count in self.hydrogens]
            if self.element is None:
                weights[listed] = 1
            else:
                most = max(self.factors, default=1)
                weights[NUM_ELEMENTS:] = min(EXCLUDED, -most)
                weights[listed] = [factor - most for factor in self.factors] if self.factors else 0
        return atom_weights(weights, self.conditions)


@dataclass(frozen=True)
class ChannelTerm:
    """A term on the previous layer's channels: letter and weight, in the order written."""

    text: str
    parts: tuple[tuple[str, float], ...]

    def weights(self, letters: tuple[str, ...]) -> np.ndarray:
        """Weights [channels of the previous layer]."""
        weights = np.zeros(len(letters), dtype=np.float32)
        for letter, weight in self.parts:
            weights[letters.index(letter)] = weight
        return weights


@dataclass(frozen=True)
class BondTerm:
    """A term on the bond features.

    "-", "=", "#", ":" or several of them ("-:"), "~" (any of the four), "0" (none), or "order" (each bond counts by its
    order); before any conditions.
    """

    text: str
    conditions: Conditions = ()

    def weights(self) -> np.ndarray:
        """Weights [4]; with conditions, [11]."""
        weights = np.zeros(NUM_BOND_FEATURES, dtype=np.float32)
        kind = self.text.partition(";")[0]
        if kind == "~":
            weights[:] = 1
        elif kind == "order":
            weights[:] = _ORDERS
        elif kind != "0":
            weights[[_BONDS[sign] for sign in kind]] = 1
        return bond_weights(weights, self.conditions)


@dataclass(frozen=True)
class Channel:
    """One channel of one layer: its letter, its layer (from 1), its three terms and its bias."""

    letter: str
    layer: int
    self_term: AtomTerm | ChannelTerm
    neighbour_term: AtomTerm | ChannelTerm
    bond_term: BondTerm
    bias: float

    @property
    def name(self) -> str:
        """The paper's name, such as ``A.1``."""
        return f"{self.letter}.{self.layer}"

    @property
    def atom_terms(self) -> tuple[AtomTerm, AtomTerm]:
        """The self and the neighbour term of a channel of layer 1."""
        own, neighbour = self.self_term, self.neighbour_term
        if not isinstance(own, AtomTerm) or not isinstance(neighbour, AtomTerm):
            raise AssertionError(f"{self.name} reads no atom features")
        return own, neighbour

    @property
    def channel_terms(self) -> tuple[ChannelTerm, ChannelTerm]:
        """The self and the neighbour term of a channel of a later layer."""
        own, neighbour = self.self_term, self.neighbour_term
        if not isinstance(own, ChannelTerm) or not isinstance(neighbour, ChannelTerm):
            raise AssertionError(f"{self.name} reads no channels")
        return own, neighbour


def read_channel(letter: str, layer: int, spec: list) -> Channel:
    """Read one ``[self, neighbour, bond, bias]`` entry.

    Raises:
        ValueError: a term is not in the notation; the message names the channel and the term.
    """
    own, neighbour, bond, bias = spec
    read = read_atom_term if layer == 1 else read_channel_term
    try:
        return Channel(letter, layer, read(str(own)), read(str(neighbour)), read_bond_term(str(bond)), float(bias))
    except ValueError as error:
        raise ValueError(f"Channel {letter}.{layer}: {error}") from error


def read_atom_term(text: str) -> AtomTerm:
    rest, conditions = split_conditions(text)
    if conditions:
        return replace(read_atom_term(rest), text=text, conditions=conditions)
    element, _, counts = text.partition(";")
    if re.fullmatch(r"H\d", text):
        return AtomTerm(text, None, (int(text[1]),))
    named = element.removeprefix("!").split(",")
    if element not in ("*", "1", "0") and not all(symbol in element_slots() for symbol in named):
        raise ValueError(f"{text!r} names no element")
    if not counts:
        return AtomTerm(text, None if element == "0" else element, None)
    if not re.fullmatch(r"\d*H\d(,\d*H\d)*", counts):
        raise ValueError(f"{text!r} lists no hydrogen counts after ';'")
    listed = re.findall(r"(\d*)H(\d)", counts)
    factors = tuple(int(factor or 1) for factor, _ in listed) if any(factor for factor, _ in listed) else ()
    return AtomTerm(text, element, tuple(int(count) for _, count in listed), factors=factors)


def read_channel_term(text: str) -> ChannelTerm:
    if text == "0":
        return ChannelTerm(text, ())
    if not re.fullmatch(r"\d*[A-Z]+([+-]\d*[A-Z]+)*", text):
        raise ValueError(f"{text!r} is no sum of channels")
    parts = []
    for sign, factor, letter in re.findall(r"([+-]?)(\d*)([A-Z]+)", text):
        parts.append((letter, (-1.0 if sign == "-" else 1.0) * float(factor or 1)))
    return ChannelTerm(text, tuple(parts))


def read_bond_term(text: str) -> BondTerm:
    rest, conditions = split_conditions(text, bond=True)
    if conditions:
        return replace(read_bond_term(rest), text=text, conditions=conditions)
    listed = text and len(set(text)) == len(text) and all(sign in _BONDS for sign in text)
    if not listed and text not in ("~", "0", "order"):
        raise ValueError(f"{text!r} is no bond term")
    return BondTerm(text)


def write_atom_term(elements: frozenset[int], hydrogens: frozenset[int], factors: dict[int, int] | None = None) -> str:
    """The term of atoms with one of these element slots and hydrogen counts.

    Args:
        elements: slots, 0 to 99.
        hydrogens: counts, 0 to 9; where all that such an atom with a neighbour can have are among them, none is listed.
        factors: what atoms with each count weigh, where that is not 1.
    """
    symbols = {slot: symbol for symbol, slot in element_slots().items()}
    if len(elements) >= NUM_ELEMENTS:
        own = "*"
    elif 0 in elements or len(elements) > NUM_ELEMENTS // 2:
        missing = [symbols[slot] for slot in range(1, NUM_ELEMENTS) if slot not in elements and slot in symbols]
        own = "!" + ",".join(missing)
    else:
        own = ",".join(symbols[slot] for slot in sorted(elements))
    if factors and set(factors.values()) != {1}:
        return f"{own};" + ",".join(f"{factors[count]}H{count}" for count in sorted(hydrogens))
    if all(set(range(MAX_VALENCE.get(slot, NUM_HYDROGENS))) <= hydrogens for slot in elements):
        return own
    return f"{own};" + ",".join(f"H{count}" for count in sorted(hydrogens))


def write_bonds(types: frozenset[int]) -> str:
    """The bond term of a set of bond types (0 single, 1 double, 2 triple, 3 aromatic)."""
    return "~" if len(types) == NUM_BOND_FEATURES else "".join(sign for sign, kind in _BONDS.items() if kind in types)


def channel_letter(place: int) -> str:
    """The letter of the channel at that place of its layer, from 0: A to Z, AA, AB, ..."""
    letters = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
