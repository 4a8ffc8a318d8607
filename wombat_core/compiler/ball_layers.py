"""Balls to channels: one channel a count, a second one where a value that is joined or counted could pass 1."""

from dataclasses import dataclass, field

from .balls import Balls, Count
from .channels import Builder
from .predicates import Predicate
from .ring_labels import ANY, EVERY, Around, Label
from .smarts_error import TooLarge

MOST_CHANNELS = 300
CONSTANT = ("0", "0", "0", 1)
_HUGE = 10**6


@dataclass(frozen=True)
class Weighted:
    """Atoms of some elements that weigh by their hydrogens: (hydrogens, weight) of each count."""

    elements: frozenset[int]
    factors: tuple[tuple[int, int], ...]


class _Others(Builder):
    """Channels of what atoms must be besides, in the same layers as those of balls."""

    def __init__(self, layers: "BallLayers"):
        super().__init__(late=True)
        self.of = layers
        self.atoms: tuple[int, ...] = ()

    def _add(self, layer: int, spec: tuple, most: int) -> int:
        return self.of._add(layer, spec, () if spec == CONSTANT else self.atoms)


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
    _others: "_Others | None" = None

    def build(self, root: int, radius: int) -> None:
        """The last layer has one channel a count of the root's ball; the readout multiplies them.

        Raises:
            TooLarge: more channels than allowed.
        """
        number = self.balls.at[radius][root]
        ball = self.balls.table[radius][number]
        if ball.own is not None or any(not around.wanted for around in ball.around):
            raise TooLarge(f"At radius {radius} the root cannot ask for all that it must be.")
        # A union cannot be joined by the readout; the root does without it.
        asked = (*ball.around, *(count for count in ball.counts if not count.is_union))
        for what in asked:
            self._channel(radius, number, what, what.least - 1)
        if not asked:
            self._carried(radius, number, 0)

    def value(self, radius: int, number: int, unit: bool) -> tuple[Sum, int]:
        """The channels whose sum is positive where the ball holds, and its largest value; 1 where ``unit``."""
        key = radius, number, unit
        if key not in self._values:
            self._values[key] = self._value(radius, number, unit)
        return self._values[key]

    def _value(self, radius: int, number: int, unit: bool) -> tuple[Sum, int]:
        ball = self.balls.table[radius][number]
        conditions = [count for count in ball.counts if not count.is_union]
        conditions += [around for around in ball.around if around.wanted]
        unwanted = [around for around in ball.around if not around.wanted]
        unions = [count for count in ball.counts if count.is_union]
        tight = [union for union in unions if self._slack(ball.label, union) == 1]
        # Of counts that can pass what is asked for by more than one, one may, where the others weigh as much.
        loose = None if unit else max((u for u in unions if u not in tight), key=lambda own: own.least, default=None)
        joined = max(1, len(conditions)) + len(tight) + (loose is not None) + (ball.own is not None)
        clamped = unit or joined > 1 or bool(unwanted)
        weight = self._slack(ball.label, loose) if loose else 1
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
        if not conditions:
            add(self._carried(radius, number, 0), weight)
            add(self._carried(radius, number, 1), -weight)
        if ball.own is not None:
            for place, factor in self._own(radius, number, ball.own):
                add(place, weight * factor)
        for union in tight:
            self._add_union(radius, number, union, weight, add)
        if loose is not None:
            self._add_union(radius, number, loose, 1, add)
            largest = weight
        if joined > 1:
            # All conditions weigh as much as the union can pass its count by; less than all of them leave nothing.
            minus = weight * (joined - 1) + weight * sum(union.least - 1 for union in tight)
            add(self._add(radius, CONSTANT, ()), -minus - (loose.least - 1 if loose else 0))
        for around in unwanted:
            add(self._channel(radius, number, around, around.least - 1)[0], -10 * largest)
        return tuple((place, factor) for place, factor in parts.items() if factor), largest

    def _add_union(self, radius: int, number: int, union: Count, weight: int, add) -> None:
        """How many neighbours are of one of two terms: those of each, less those of both."""
        for terms, factor in ((union.terms[:1], 1), (union.terms[1:], 1), (union.terms, -1)):
            add(self._channel(radius, number, Count(terms, 2), 0)[0], weight * factor)

    def _carried(self, radius: int, number: int, less: int) -> int:
        """The channel of an atom that asks for no neighbours: what it was before, where it has any, minus ``less``."""
        ball = self.balls.table[radius][number]
        own, other = ball.label, ANY
        if radius > 1:
            own, other = self.value(radius - 1, ball.before, True)[0], ((self._add(radius - 1, CONSTANT, ()), 1),)
        return self._add(radius, (own, other, EVERY, -less), self.balls.atoms(radius, number))

    def _own(self, radius: int, number: int, predicate: Predicate) -> Sum:
        """What else the atom must be: channels of the compiler for trees, whose sum is at most 1."""
        if self._others is None:
            self._others = _Others(self)
        self._others.atoms = self.balls.atoms(radius, number)
        return self._others.value(predicate, radius, unit=True).parts

    def _slack(self, label: Label, union: Count) -> int:
        return max(1, label.room(union.types) - union.least + 1)

    def _channel(self, radius: int, number: int, what: Count | Around, less: int) -> tuple[int, int]:
        """The channel of a count minus ``less``, and its largest value; of two terms it counts what is of both."""
        ball = self.balls.table[radius][number]
        exact = what.least > 1
        mine = theirs = 1
        if isinstance(what, Around):
            kind, own, other = what.kind, ball.label, ANY
            if what.factors:  # the other channels ask for what else the label says
                own, mine = Weighted(ball.label.elements, what.factors), max(factor for _, factor in what.factors)
        else:
            kinds, targets = zip(*what.terms, strict=True)
            kind = kinds[0] if len(kinds) == 1 else kinds[0].both(kinds[1])
            if radius == 1:
                labels = [self.balls.table[0][target].label for target in targets]
                own, other = ball.label, labels[0] if len(labels) == 1 else labels[0].both(labels[1])
            else:
                own, mine = self.value(radius - 1, ball.before, exact)
                sums = [self.value(radius - 1, target, exact) for target in targets]
                other, theirs = sums[0]
                if len(sums) == 2:
                    other = self._both(radius - 1, other, sums[1][0])
        most = min(_HUGE, max(1, ball.label.room(kind.types) * mine * theirs - less))
        return self._add(radius, (own, other, kind, -less), self.balls.atoms(radius, number)), most

    def _both(self, radius: int, one: Sum, other: Sum) -> Sum:
        if one == other:
            return one
        parts = dict(one)
        for place, factor in (*other, (self._add(radius, CONSTANT, ()), -1)):
            parts[place] = parts.get(place, 0) + factor
        return tuple((place, factor) for place, factor in parts.items() if factor)

    def _add(self, radius: int, spec: tuple, atoms: tuple[int, ...]) -> int:
        while len(self.layers) < radius:
            self.layers.append([])
            self.pieces.append([])
        key = (radius, spec)
        if key not in self._places:
            if sum(map(len, self.layers)) >= MOST_CHANNELS:
                raise TooLarge(f"The network would have more than {MOST_CHANNELS} channels.")
            self._places[key] = len(self.layers[radius - 1])
            self.layers[radius - 1].append(spec)
            self.pieces[radius - 1].append((atoms, radius))
        return self._places[key]
