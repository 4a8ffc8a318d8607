"""The channel notation of ``patterns.yaml``, read into terms and weights.

A channel is ``[self, neighbour, bond, bias]``. Terms of layer 1 act on the atom features, terms of later
layers on the channels of the layer before; ``patterns.yaml`` says what each form means.
"""

import re
from dataclasses import dataclass, replace

import numpy as np

from ..molecules.features import NUM_ATOM_FEATURES, NUM_BOND_FEATURES, NUM_ELEMENTS, element_slots
from .conditions import EXCLUDED, Conditions, atom_weights, bond_weights, split_conditions

_BONDS = {"-": 0, "=": 1, "#": 2, ":": 3}


@dataclass(frozen=True)
class AtomTerm:
    """A term on the atom features: an element and the hydrogen counts that are not forbidden.

    Attributes:
        element: an element symbol, "*" (any element), "1" (all 110 slots) or None.
        hydrogens: the listed hydrogen counts, or None where the term lists none. With an element the
            other counts weigh -10; without one the listed count itself weighs 1.
        conditions: what the encoding ``wombat+`` must show besides.
    """

    text: str
    element: str | None
    hydrogens: tuple[int, ...] | None
    conditions: Conditions = ()

    def weights(self) -> np.ndarray:
        """Weights [110]; with conditions, [145]."""
        weights = np.zeros(NUM_ATOM_FEATURES, dtype=np.float32)
        if self.element == "1":
            weights[:] = 1
        elif self.element == "*":
            weights[:NUM_ELEMENTS] = 1
        elif self.element is not None:
            weights[element_slots()[self.element]] = 1
        if self.hydrogens is not None:
            listed = [NUM_ELEMENTS + count for count in self.hydrogens]
            if self.element is None:
                weights[listed] = 1
            else:
                weights[NUM_ELEMENTS:] = EXCLUDED
                weights[listed] = 0
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
    """A term on the bond features: "-", "=", "#", ":", "~" (any of the four) or "0" (none), before any conditions."""

    text: str
    conditions: Conditions = ()

    def weights(self) -> np.ndarray:
        """Weights [4]; with conditions, [11]."""
        weights = np.zeros(NUM_BOND_FEATURES, dtype=np.float32)
        kind = self.text.partition(";")[0]
        if kind == "~":
            weights[:] = 1
        elif kind != "0":
            weights[_BONDS[kind]] = 1
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
    if element not in ("*", "1", "0") and element not in element_slots():
        raise ValueError(f"{text!r} names no element")
    if not counts:
        return AtomTerm(text, None if element == "0" else element, None)
    if not re.fullmatch(r"H\d(,H\d)*", counts):
        raise ValueError(f"{text!r} lists no hydrogen counts after ';'")
    return AtomTerm(text, element, tuple(int(count[1]) for count in counts.split(",")))


def read_channel_term(text: str) -> ChannelTerm:
    if text == "0":
        return ChannelTerm(text, ())
    if not re.fullmatch(r"\d*[A-Z]([+-]\d*[A-Z])*", text):
        raise ValueError(f"{text!r} is no sum of channels")
    parts = []
    for sign, factor, letter in re.findall(r"([+-]?)(\d*)([A-Z])", text):
        parts.append((letter, (-1.0 if sign == "-" else 1.0) * float(factor or 1)))
    return ChannelTerm(text, tuple(parts))


def read_bond_term(text: str) -> BondTerm:
    rest, conditions = split_conditions(text, bond=True)
    if conditions:
        return replace(read_bond_term(rest), text=text, conditions=conditions)
    if text not in _BONDS and text not in ("~", "0"):
        raise ValueError(f"{text!r} is no bond term")
    return BondTerm(text)
