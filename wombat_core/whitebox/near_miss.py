"""Where a molecule without the motif comes closest to it.

Which channels count: those the readout depends on, going back along positive weights. A channel that its bias alone
keeps active (``B.2`` of the moving variant) is no evidence.

Where the evidence ends: after the deepest layer in which such a channel is active on any atom. The layer that follows
is where it died; with evidence in the last layer, it died at the readout, because no atom has all of its channels.

The closest atom: at the readout, the atom with the most of the last layer's channels. In a layer, an atom that carries
last evidence which a channel there asks of the atom itself; where there is none, an atom with such evidence on a
neighbour; where nothing was ever active, any atom. Among several, the one with the highest closeness: 1 for an active
channel, otherwise the mean of how close the atom comes to the self term and how close its best neighbours come to the
neighbour term (the mean over as many as the bias asks for, half for one over a bond of the wrong kind). For features,
element and hydrogen count are half each. Ties go to the first channel, then the first atom.

The first missing ingredient: from there backwards, at every layer the atom or neighbour that comes closest to what is
missing, until something is missing for a reason of its own: an element, a hydrogen count, a bond, a number of
neighbours, or an excluded channel that is active.
"""

from dataclasses import dataclass
from math import floor

import numpy as np
import torch

from ..molecules.graphs import Graph
from .calculation import layer_input
from .conditions import value
from .model import Trace, Whitebox
from .notation import AtomTerm, ChannelTerm
from .readouts import THRESHOLD
from .sentences import ChannelReading, neighbour_phrase, readings
from .wording import article, atom_labels, bond_word, bonds_word, elements_word, has_element, number, why_not


@dataclass(frozen=True)
class NearMissStep:
    """One missing channel on the way back.

    Attributes:
        layer: from 1; ``channel`` its name, ``atom`` the atom that comes closest, ``label`` its label ("C9").
        has_own: whether the atom is what the channel's self term asks for, so that it is a neighbour that is missing.
        because: why the channel is zero there ("none of its neighbours is `C.3`").
    """

    layer: int
    channel: str
    atom: int
    label: str
    has_own: bool
    because: str


@dataclass(frozen=True)
class NearMiss:
    """Where and why the motif is missed.

    Attributes:
        last_layer: the deepest layer with evidence (0: none at all).
        alive: names of the channels that are active there.
        steps: from the channel that is missing where the evidence died back to the first missing ingredient;
            empty where there is nothing to walk (no bonds, or a prediction that is only too small).
        sentence: all that in one sentence, channel names in backquotes.
    """

    last_layer: int
    alive: tuple[str, ...]
    steps: tuple[NearMissStep, ...]
    sentence: str

    @property
    def atom(self) -> int | None:
        """The closest atom."""
        return self.steps[0].atom if self.steps else None


def near_miss(model: Whitebox, data: Graph, trace: Trace) -> NearMiss:
    """The near miss of one molecule whose prediction is not positive; see the module for the definitions."""
    return _Search(model, data, trace).result()


class _Search:
    def __init__(self, model: Whitebox, data: Graph, trace: Trace):
        self.model, self.data, self.trace = model, data, trace
        self.layers = model.pattern.layers
        self.depth = len(self.layers)
        self.readings = readings(model.pattern)
        self.labels = atom_labels(data.x)
        self.features = data.x.numpy()
        self.bonds = data.edge_attr.numpy()
        self.senders, self.receivers = data.edge_index.numpy()
        self.z = [layer.activations.numpy() for layer in trace.layers]
        self.counted = self._counted()
        self.alive = [counted & (z > 0).any(axis=0) for counted, z in zip(self.counted, self.z, strict=True)]
        self.last = max((depth for depth, alive in enumerate(self.alive, start=1) if alive.any()), default=0)

    def result(self) -> NearMiss:
        alive = self._names(self.last, self.alive[self.last - 1]) if self.last else ()
        prediction = float(self.trace.readouts[self.model.readout])
        if prediction > 0:
            text = f"The prediction {number(prediction)} is above zero but not above {number(THRESHOLD)}."
            return NearMiss(self.last, alive, (), text)
        if not len(self.senders):
            text = "The molecule has no bonds, so no atom receives a message and nothing can be found."
            return NearMiss(self.last, alive, (), text)
        self.close = self._closeness()
        steps = self._walk(*self._closest())
        return NearMiss(self.last, alive, tuple(steps), self._sentence(steps))

    def _counted(self) -> list[np.ndarray]:
        """The channels that count as evidence, bool [channels] a layer."""
        counted = [np.ones(len(self.layers[-1]), dtype=bool)]
        for convolution in list(self.model.convolutions)[:0:-1]:
            reads = (convolution.own > 0) | (convolution.neighbour > 0)
            counted.insert(0, reads[torch.from_numpy(counted[0])].any(dim=0).numpy())
        biases = [np.array([channel.bias for channel in layer]) for layer in self.layers]
        return [needed & (bias <= 0) for needed, bias in zip(counted, biases, strict=True)]

    def _closeness(self) -> list[np.ndarray]:
        """How close every atom comes to every channel, [num_atoms, channels] a layer, 1 where active."""
        close = []
        for depth, layer in enumerate(self.layers, start=1):
            rows = []
            for index, channel in enumerate(layer):
                own = self._term_closeness(channel.self_term, depth, close)
                sent = (
                    self._bond_fit(channel) * self._term_closeness(channel.neighbour_term, depth, close)[self.senders]
                )
                best = self._mean_of_best(sent, floor(max(0.0, -channel.bias)) + 1)
                rows.append(np.where(self.z[depth - 1][:, index] > 0, 1, np.minimum((own + best) / 2, 0.999)))
            close.append(np.stack(rows, axis=1))
        return close

    def _term_closeness(self, term, depth: int, close: list[np.ndarray]) -> np.ndarray:
        """How close every atom comes to a term of that layer's channels, [num_atoms]."""
        if isinstance(term, AtomTerm):
            return np.array([self._feature_closeness(term, row) for row in self.features])
        letters = [channel.letter for channel in self.layers[depth - 2]]
        best = np.zeros(len(self.features))
        for letter, weight in term.parts:
            if weight > 0:
                best = np.maximum(best, close[-1][:, letters.index(letter)])
        spoiled = (best == 1) & ~self._holds(term, depth)
        return np.where(spoiled, 0.5, best)

    def _feature_closeness(self, term: AtomTerm, features: np.ndarray) -> float:
        if value(term.weights(), features) > 0:
            return 1.0
        return 0.5 if term.element is not None and has_element(term, features) else 0.0

    def _holds(self, term, depth: int) -> np.ndarray:
        """Whether the factor of a self or neighbour term is above zero, bool [num_atoms]."""
        z = layer_input(self.data, self.trace, depth).numpy()
        letters = () if depth == 1 else (tuple(channel.letter for channel in self.layers[depth - 2]),)
        return value(term.weights(*letters), z) > 0

    def _fits(self, channel) -> np.ndarray:
        return value(channel.bond_term.weights(), self.bonds) > 0

    def _bond_fit(self, channel) -> np.ndarray:
        return np.where(self._fits(channel), 1.0, 0.5)

    def _mean_of_best(self, sent: np.ndarray, count: int) -> np.ndarray:
        """The mean of the ``count`` largest of the values [num_edges] that arrive at every atom; missing ones are 0."""
        order = np.lexsort((-sent, self.receivers))
        receivers = self.receivers[order]
        rank = np.arange(len(order)) - np.searchsorted(receivers, receivers)
        kept = order[rank < count]
        return np.bincount(self.receivers[kept], sent[kept], minlength=len(self.features)) / count

    def _closest(self) -> tuple[int, int, int]:
        """Layer, channel index and atom where the evidence died."""
        if self.last == self.depth:
            active = self.z[-1] > 0
            rank = np.where(active, 1, self.close[-1]).sum(axis=1)
            atom = int(np.lexsort((-rank, -active.sum(axis=1)))[0])
            missing = np.where(active[atom], -1, self.close[-1][atom])
            return self.depth, int(missing.argmax()), atom
        close = np.where(self.counted[self.last], self.close[self.last], -1.0)
        if self.last:
            own, heard = self._reads_evidence(self.last + 1)
            close[~(own | heard)] = -1
            close += own
        channel, atom = np.unravel_index(close.T.argmax(), close.T.shape)
        return self.last + 1, int(channel), int(atom)

    def _reads_evidence(self, depth: int) -> tuple[np.ndarray, np.ndarray]:
        """Whether a channel of that layer reads evidence of the layer before at the atom, and from a neighbour."""
        evidence = ((self.z[depth - 2] > 0) & self.counted[depth - 2]).astype(np.float32)
        convolution = self.model.convolutions[depth - 1]
        own = (evidence @ (convolution.own.numpy() > 0).T > 0) & (self.z[depth - 2] @ convolution.own.numpy().T > 0)
        neighbour = evidence @ (convolution.neighbour.numpy() > 0).T > 0
        arrives = np.zeros_like(own)
        np.logical_or.at(arrives, self.receivers, neighbour[self.senders])
        return own & self.counted[depth - 1], arrives & self.counted[depth - 1]

    def _walk(self, depth: int, index: int, atom: int) -> list[NearMissStep]:
        """From a missing channel back to the first missing ingredient."""
        steps = []
        found = (depth, index, atom)
        while found is not None:
            step, found = self._explain(*found)
            steps.append(step)
        return steps

    def _explain(self, depth: int, index: int, atom: int) -> tuple[NearMissStep, tuple[int, int, int] | None]:
        """Why a channel is zero at an atom, and the missing channel behind that."""
        channel = self.layers[depth - 1][index]
        has_own = bool(self._holds(channel.self_term, depth)[atom])
        explain = self._neighbours_missing if has_own else self._own_missing
        because, behind = explain(channel, self.readings[depth - 1][index], depth, atom)
        return NearMissStep(depth, channel.name, atom, self.labels[atom], has_own, because), behind

    def _own_missing(self, channel, reading: ChannelReading, depth: int, atom: int):
        if depth == 1:
            return f"it {why_not(channel.self_term, self.features[atom])}", None
        spoilers = self._spoilers(channel.self_term, depth, atom)
        if spoilers:
            return f"it is {article(spoilers)} as well", None
        part = self._closest_part(channel.self_term, depth, atom)
        return f"it is no `{self.layers[depth - 2][part].name}`", (depth - 1, part, atom)

    def _neighbours_missing(self, channel, reading: ChannelReading, depth: int, atom: int):
        edges = np.flatnonzero(self.receivers == atom)
        if not len(edges):
            return "it has no neighbours", None
        fits = self._fits(channel)[edges]
        holds = self._holds(channel.neighbour_term, depth)[self.senders[edges]]
        close = self._term_closeness(channel.neighbour_term, depth, self.close[: depth - 1])[self.senders[edges]]
        sending = int((fits & holds).sum())
        needed = reading.at_least
        if sending and (needed is None or sending >= needed):
            return f"the sum of its messages does not exceed {number(-channel.bias)}", None
        score = np.where(fits & holds, -1, self._bond_fit(channel)[edges] * close)
        best = int(score.argmax())
        sender, edge = int(self.senders[edges[best]]), edges[best]
        wanted = _singular(channel.neighbour_term, depth)
        if sending:
            because = f"it has only {sending} of at least {needed} such neighbours"
        elif holds[best]:
            word, kind = bond_word(self.bonds[edge]), bonds_word(channel.bond_term.text)
            sort = _sort(channel.neighbour_term, depth)
            who = f"its {sort}{' ' if sort else ''}neighbour {self.labels[sender]}"
            return f"{who} is joined by {article(word)}, not {article(kind)} bond", None
        elif not fits.any():
            return f"it has no {bonds_word(channel.bond_term.text)} bond", None
        else:
            because = f"none of its neighbours is {article(wanted) if depth == 1 else wanted}"
        if score[best] < 0 or not fits[best]:
            return because, None
        if depth == 1:
            near = score[best] > 0 and not holds[best]
            detail = (
                f" ({self.labels[sender]} {why_not(channel.neighbour_term, self.features[sender])})" if near else ""
            )
            return because + detail, None
        if spoilers := self._spoilers(channel.neighbour_term, depth, sender):
            return f"{because} ({self.labels[sender]} is {article(spoilers)} as well)", None
        return because, (depth - 1, self._closest_part(channel.neighbour_term, depth, sender), sender)

    def _spoilers(self, term, depth: int, atom: int) -> str:
        """The excluded channels that are active where the wanted ones are, joined, or nothing."""
        z = dict(zip((c.letter for c in self.layers[depth - 2]), self.z[depth - 2][atom], strict=True))
        if not any(z[letter] > 0 for letter, weight in term.parts if weight > 0):
            return ""
        return " and ".join(f"`{letter}.{depth - 1}`" for letter, weight in term.parts if weight < 0 and z[letter] > 0)

    def _closest_part(self, term, depth: int, atom: int) -> int:
        letters = [channel.letter for channel in self.layers[depth - 2]]
        parts = [letters.index(letter) for letter, weight in term.parts if weight > 0]
        return max(parts, key=lambda part: self.close[depth - 2][atom, part])

    def _names(self, depth: int, chosen: np.ndarray) -> tuple[str, ...]:
        return tuple(channel.name for channel, use in zip(self.layers[depth - 1], chosen, strict=True) if use)

    def _sentence(self, steps: list[NearMissStep]) -> str:
        first, last = steps[0], steps[-1]
        closest = f"the closest is {first.label}, where {self._state(first)}"
        if self.last == 0:
            where = "Nothing is found even in layer 1"
        elif self.last < self.depth:
            where = f"The evidence ends in layer {self.last} of {self.depth}"
        elif all(self.alive[-1]):
            names = " and ".join(f"`{channel.name}`" for channel in self.layers[-1])
            where = f"No atom has {'both ' if len(self.layers[-1]) == 2 else ''}{names}, only different atoms have them"
        else:
            where = f"The evidence reaches layer {self.depth}, but no atom has all of its channels"
        text = f"{where}: `{first.channel}` is missing ({self._reading(first).sentence}); {closest}"
        if last is not first:
            text += f"; traced back, {last.label} is no `{last.channel}` ({self._reading(last).sentence})"
            text += f" because {last.because}"
        return f"{text}."

    def _state(self, step: NearMissStep) -> str:
        """``A.4`` = 1 but ``B.4`` = 0 because ..."""
        here = []
        if step.layer == self.depth and self.last == self.depth:
            here = self._active(self.layers[-1], self.z[-1][step.atom])
        elif step.has_own and step.layer > 1:
            letters = {letter for letter, weight in self._channel(step).channel_terms[0].parts if weight > 0}
            before = self.layers[step.layer - 2]
            here = [text for text in self._active(before, self.z[step.layer - 2][step.atom]) if text[1] in letters]
        return f"{' and '.join(here)}{' but ' if here else ''}`{step.channel}` = 0 because {step.because}"

    def _active(self, layer, z: np.ndarray) -> list[str]:
        return [
            f"`{channel.name}` = {number(float(value))}" for channel, value in zip(layer, z, strict=True) if value > 0
        ]

    def _channel(self, step: NearMissStep):
        return next(channel for channel in self.layers[step.layer - 1] if channel.name == step.channel)

    def _reading(self, step: NearMissStep) -> ChannelReading:
        return next(reading for reading in self.readings[step.layer - 1] if reading.name == step.channel)


def _singular(term: AtomTerm | ChannelTerm, depth: int) -> str:
    """What a neighbour term asks for, without article."""
    if isinstance(term, ChannelTerm):
        return " or ".join(f"`{letter}.{depth - 1}`" for letter, weight in term.parts if weight > 0)
    return neighbour_phrase(term, depth).removeprefix("an ").removeprefix("a ")


def _sort(term: AtomTerm | ChannelTerm, depth: int) -> str:
    """A neighbour that a term accepts, as a word before "neighbour": its element or channels; empty for any atom."""
    if isinstance(term, ChannelTerm):
        return _singular(term, depth)
    return elements_word(term.element) if term.element not in (None, "*", "1") else ""
