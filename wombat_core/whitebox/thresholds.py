"""How many neighbours a channel with a negative bias needs.

A channel sums whole-number messages and subtracts ``-bias``. If no message can exceed 1, that is a count of
neighbours ("at least 3"); otherwise only the sum can be named. How large a message can be follows from the
valences: an atom with ``h`` hydrogens has room for few neighbours, and a neighbour spends one bond on the atom it
sends to. Valid on molecules that the benchmark uses (``MAX_VALENCE``) with one-hot features.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import floor, inf

import numpy as np

from ..molecules.features import BOND_TYPES, NUM_ATOM_FEATURES, NUM_ELEMENTS, element_slots
from ..molecules.usability import MAX_VALENCE
from .notation import AtomTerm, Channel, ChannelTerm

_ORDERS = (1, 2, 3, 1)
_AROMATIC = BOND_TYPES.index("aromatic")
_MOST_AROMATIC_NEIGHBOURS = 3
"""RDKit takes no atom with more than three neighbours and hydrogens as aromatic."""
MOST_SURROUNDINGS, MOST_PLACES = 3_000, 600
"""Surroundings of an atom, and kinds of atoms that hear one another, that are gone through; where there are more, no
bound is named. The hand-made networks have far fewer."""

Kind = tuple[int, int]
"""Element slot (0 for an element that no term names) and hydrogen count."""
Layer = tuple[Channel, ...]


def neighbours_needed(channel: Channel, previous: Layer | None) -> int | None:
    """The number of neighbours that must send a message, or None where only the sum can be named.

    Args:
        channel: the channel.
        previous: the channels of the layer before; None for layer 1.

    Returns:
        0 where the bias alone suffices, 1 where any message does, n where n - 1 messages can never suffice
        and n always do.
    """
    if channel.bias >= 0:
        return 0 if channel.bias > 0 else 1
    count = floor(-channel.bias) + 1
    return count if (count - 1) * largest_message(channel, previous) <= -channel.bias else None


def largest_message(channel: Channel, previous: Layer | None) -> float:
    """The largest message the channel can receive from one neighbour; infinite where valences do not bound it."""
    if channel.layer == 1:
        own, neighbour = map(_largest_term, channel.atom_terms)
        return own * neighbour
    if channel.layer > 2 or previous is None:
        return inf
    own, neighbour = channel.channel_terms
    return _largest_activation(own, previous) * _largest_activation(neighbour, previous, channel)


def _largest_term(term: AtomTerm) -> float:
    weights = term.weights()
    return max(0.0, float(weights[:NUM_ELEMENTS].max() + weights[NUM_ELEMENTS:].max()))


@lru_cache(maxsize=1_000)
def _largest_activation(term: ChannelTerm, layer: Layer, receiver: Channel | None = None) -> float:
    """The largest ``relu(term . z)`` over all atoms, or over the neighbours that ``receiver`` hears."""
    # Only the channels of the term matter; with more the surroundings would be too many to go through.
    read = {letter for letter, _ in term.parts}
    whole, layer = layer, tuple(channel for channel in layer if channel.letter in read)
    weights = term.weights(tuple(channel.letter for channel in layer))
    kinds = _kinds(term, layer)
    if kinds is None:
        return inf
    surroundings = _neighbour_kinds(layer)
    taken: list[tuple[int, Kind] | None] = [None]
    if receiver is not None:
        receivers = _kinds(receiver.channel_terms[0], whole)
        if receivers is None:
            return inf
        bonds = np.flatnonzero(receiver.bond_term.weights())
        taken = [(int(bond), kind) for bond in bonds for kind in receivers]
    if len(kinds) * len(taken) > MOST_PLACES:
        return inf
    largest, tried = 0.0, 0
    for kind in kinds:
        for bond in taken:
            for activations in _activations(kind, layer, surroundings, bond):
                tried += 1
                if tried > MOST_SURROUNDINGS:
                    return inf
                largest = max(largest, float(weights @ activations))
    return largest


def _kinds(term: ChannelTerm, layer: Layer) -> list[Kind] | None:
    """The atoms on which a channel of the term can be active; None where some have no known valence."""
    kinds = []
    for channel in layer:
        if (channel.letter, True) not in {(letter, weight > 0) for letter, weight in term.parts}:
            continue
        own, _ = channel.atom_terms
        slots = [element_slots()[symbol] for symbol in own.symbols]
        if not slots or own.is_negated or any(slot not in MAX_VALENCE for slot in slots):
            return None
        counts = own.hydrogens
        kinds += [(s, count) for s in slots for count in (range(MAX_VALENCE[s] + 1) if counts is None else counts)]
    return list(dict.fromkeys(kinds))


def _neighbour_kinds(layer: Layer) -> list[Kind]:
    elements = {element_slots()[symbol] for channel in layer for symbol in channel.atom_terms[1].symbols} | {0}
    return [(slot, count) for slot in sorted(elements) for count in range(5)]


def _activations(kind: Kind, layer: Layer, surroundings: list[Kind], taken) -> Iterator[np.ndarray]:
    """Activations of layer 1 at an atom of that kind, over all surroundings its valence allows."""
    own_weights, neighbour_weights, bond_weights, bias = _weights(layer)
    own = (own_weights @ _features(kind)).clip(min=0)

    def sends(bond: int, neighbour: Kind) -> np.ndarray:
        return own * (bond_weights[:, bond] * (neighbour_weights @ _features(neighbour))).clip(min=0)

    options = {}
    for bond, order in enumerate(_ORDERS):
        for neighbour in surroundings:
            options[(tuple(sends(bond, neighbour)), order, bond == _AROMATIC)] = None
    slot, count = kind
    total, room, aromatic, bonds = np.zeros(len(layer)), MAX_VALENCE[slot] - count, False, 0
    if taken is not None:
        bond, neighbour = taken
        total, room, aromatic, bonds = sends(bond, neighbour), room - _ORDERS[bond], bond == _AROMATIC, 1
    choices = [(np.array(sent), order, ring) for sent, order, ring in options]

    def fill(start: int, total: np.ndarray, room: int, aromatic: bool, bonds: int) -> Iterator[np.ndarray]:
        if room < 0 or (aromatic and bonds + count > _MOST_AROMATIC_NEIGHBOURS):
            return
        yield (total + bias).clip(min=0)
        for index in range(start, len(choices)):
            sent, order, ring = choices[index]
            yield from fill(index, total + sent, room - order, aromatic or ring, bonds + 1)

    yield from fill(0, total, room, aromatic, bonds)


@lru_cache(maxsize=256)
def _weights(layer: Layer) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Weights of all channels of layer 1, without what only ``wombat+`` shows: own, neighbour, bond and bias."""
    return (
        np.array([channel.atom_terms[0].weights()[:NUM_ATOM_FEATURES] for channel in layer]),
        np.array([channel.atom_terms[1].weights()[:NUM_ATOM_FEATURES] for channel in layer]),
        np.array([channel.bond_term.weights()[: len(_ORDERS)] for channel in layer]),
        np.array([channel.bias for channel in layer]),
    )


def _features(kind: Kind) -> np.ndarray:
    features = np.zeros(NUM_ATOM_FEATURES)
    features[[kind[0], NUM_ELEMENTS + kind[1]]] = 1
    return features
