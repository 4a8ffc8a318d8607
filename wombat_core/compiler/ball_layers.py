"""Balls to channels: one channel a count, a second one where a value that is joined or counted could pass 1."""

from dataclasses import dataclass, field

from .balls import Balls, Count
from .ring_query import ANY, Around, Label
from .smarts_error import SmartsError

MOST_CHANNELS = 300
CONSTANT = ("0", "0", "0", 1)
_HUGE = 10**6


class TooLarge(SmartsError):
    """The network would need more channels than are allowed."""


@dataclass(frozen=True)
class Weighted:
    """Atoms of some elements that weigh by their hydrogens: (hydrogens, weight) of each count."""

    elements: frozenset[int]
    factors: tuple[tuple[int, int], ...]


Sum = tuple[tuple[int, int], ...]
"""Channels of one layer with their weights."""


@dataclass
class BallLayers:
    """The layers that compute a ball of radius T: layer t computes the balls of radius t that the next one reads.

    Attributes:
        balls: grown up to the radius.
        layers: of every channel (self, neighbour, bond, bias); self and neighbour are labels in layer 1, sums of
            channels of the layer before in later ones.
        pieces: of every channel the query atoms and the radius it stands for; the constant has no atoms.
    """

    balls: Balls
    layers: list[list[tuple]] = field(default_factory=list)
    pieces: list[list[tuple[tuple[int, ...], int]]] = field(default_factory=list)
    _values: dict[tuple[int, int, bool], tuple[Sum, int]] = field(default_factory=dict)
    _places: dict[tuple, int] = field(default_factory=dict)

    def build(self, root: int, radius: int) -> None:
        """The last layer has one channel a count of the root's ball; the readout multiplies them.

        Raises:
            TooLarge: more channels than allowed.
        """
        number = self.balls.at[radius][root]
        ball = self.balls.table[radius][number]
        if any(not around.wanted for around in ball.around):
            raise TooLarge("At radius 1 the root cannot ask for what must not be there.")
        # A union cannot be joined by the readout; the root does without it.
        for what in (*ball.around, *(count for count in ball.counts if len(count.balls) == 1)):
            self._channel(radius, number, what, what.least - 1)

    def value(self, radius: int, number: int, unit: bool) -> tuple[Sum, int]:
        """The channels whose sum is positive where the ball holds, and its largest value; 1 where ``unit``."""
        key = radius, number, unit
        if key not in self._values:
            self._values[key] = self._value(radius, number, unit)
        return self._values[key]

    def _value(self, radius: int, number: int, unit: bool) -> tuple[Sum, int]:
        ball = self.balls.table[radius][number]
        plain = [count for count in ball.counts if len(count.balls) == 1]
        union = None if unit else next((count for count in ball.counts if len(count.balls) > 1), None)
        conditions = [*plain, *(around for around in ball.around if around.wanted)]
        joined = len(conditions) + (union is not None)
        clamped = unit or joined > 1 or len(conditions) < len(plain) + len(ball.around)
        weight = self._slack(radius, ball.label, union) if union else 1
        parts: dict[int, int] = {}

        def add(place: int, factor: int) -> None:
            parts[place] = parts.get(place, 0) + factor

        largest = 1
        for what in conditions:
            place, largest = self._channel(radius, number, what, what.least - 1)
            add(place, weight)
            if clamped and largest > 1:
                add(self._channel(radius, number, what, what.least)[0], -weight)
                largest = 1
        if union is not None:
            for balls, factor in ((union.balls[:1], 1), (union.balls[1:], 1), (union.balls, -1)):
                add(self._channel(radius, number, Count(union.kind, balls, 2), 0)[0], factor)
            largest = weight
        if joined > 1:
            # All conditions weigh as much as the union can pass its count by; less than all of them leave nothing.
            minus = weight * len(conditions) + union.least - 1 if union else joined - 1
            add(self._add(radius, CONSTANT, ()), -minus)
        for around in ball.around:
            if not around.wanted:
                add(self._channel(radius, number, around, around.least - 1)[0], -10 * largest)
        return tuple((place, factor) for place, factor in parts.items() if factor), largest

    def _slack(self, radius: int, label: Label, union: Count) -> int:
        return max(1, label.room(union.kind.types) - union.least + 1)

    def _channel(self, radius: int, number: int, what: Count | Around, less: int) -> tuple[int, int]:
        """The channel of a count minus ``less``, and its largest value."""
        ball = self.balls.table[radius][number]
        room = ball.label.room(what.kind.types)
        exact = what.least > 1
        mine = theirs = 1
        if isinstance(what, Around):
            own, other = ball.label, ANY
            if what.factors:  # the other channels ask for what else the label says
                own, mine = Weighted(ball.label.elements, what.factors), max(factor for _, factor in what.factors)
        elif radius == 1:
            labels = [self.balls.table[0][target].label for target in what.balls]
            own, other = ball.label, labels[0] if len(labels) == 1 else labels[0].both(labels[1])
        else:
            own, mine = self.value(radius - 1, ball.before, exact)
            sums = [self.value(radius - 1, target, exact) for target in what.balls]
            other, theirs = sums[0]
            if len(sums) == 2:
                other = self._both(radius - 1, other, sums[1][0])
        most = min(_HUGE, max(1, room * mine * theirs - less))
        return self._add(radius, (own, other, what.kind, -less), (number,)), most

    def _both(self, radius: int, one: Sum, other: Sum) -> Sum:
        parts = dict(one)
        for place, factor in (*other, (self._add(radius, CONSTANT, ()), -1)):
            parts[place] = parts.get(place, 0) + factor
        return tuple((place, factor) for place, factor in parts.items() if factor)

    def _add(self, radius: int, spec: tuple, numbers: tuple[int, ...]) -> int:
        while len(self.layers) < radius:
            self.layers.append([])
            self.pieces.append([])
        key = (radius, spec)
        if key not in self._places:
            if sum(map(len, self.layers)) >= MOST_CHANNELS:
                raise TooLarge(f"The network would have more than {MOST_CHANNELS} channels.")
            self._places[key] = len(self.layers[radius - 1])
            self.layers[radius - 1].append(spec)
            atoms = self.balls.atoms(radius, numbers[0]) if numbers else ()
            self.pieces[radius - 1].append((atoms, radius))
        return self._places[key]
