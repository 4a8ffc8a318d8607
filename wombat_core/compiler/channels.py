"""Predicates to channels: counts, clamps, sums and carries.

What stays true throughout: the value of a predicate is a sum of channels that is above 0 exactly where the predicate
holds. Only where a value is counted (two or more neighbours) or joined with others does its size matter; it is clamped
to 0 or 1 there and nowhere else, as the authors of the hand-made networks do it.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import lcm
from typing import TypeGuard

from ..whitebox.notation import write_atom_term, write_bonds
from .conditions import any_atom
from .predicates import ALL_BONDS, Either, Label, Literal, Node, Predicate, label_of, options
from .smarts_error import SECONDS, TooLarge, check_time
from .valence import ORDERS, limit

MOST_CHANNELS = 300
_CONSTANT = ("0", "0", "0", 1)
_HUGE = 10**7
"""What a value is taken to be at most where nothing larger matters; such a value is clamped before others are taken off
it."""
_MOST_EXACT = 2**22
"""Larger values are not clamped but made of clamped ones: float32 does not tell them from one less."""
_MOST_LOOSE = 100
"""A joined value that may be larger is clamped: all others would weigh as much, and gradients see nothing below 1."""


class Wide(Exception):
    """A count that needs several channels would have to be clamped in the layer in which it is made."""


@dataclass(frozen=True)
class Value:
    """A sum of channels of one layer.

    Attributes:
        parts: (place of the channel in its layer, weight); for the input the one text of its atom term.
        most: the largest it can be.
        text: at the input, the atom term.
    """

    parts: tuple[tuple[int, int], ...]
    most: int
    text: str = ""


@dataclass
class Builder:
    """Channels, layer by layer; equal ones are made once.

    Attributes:
        style: "small", "deep" (branches one after the other) or "unit" (every value clamped to 0 or 1).
        late: whether a count that needs several channels is joined with others a layer later only, as one channel.
        until: when to give up, in the seconds of ``time.thread_time``.
    """

    style: str = "small"
    until: float = field(default_factory=lambda: time.thread_time() + SECONDS)
    layers: list[list[tuple]] = field(default_factory=list)
    most: list[list[int]] = field(default_factory=list)
    negatives: int = 0
    late: bool = False
    _known: dict = field(default_factory=dict)
    _places: dict = field(default_factory=dict)

    def value(self, predicate: Predicate, layer: int, unit: bool = False) -> Value:
        """The value of a predicate after a layer (0: the input); ``unit``: it must be 0 or 1."""
        unit = unit or (self.style == "unit" and layer > 0)
        key = (predicate, layer, unit)
        if key not in self._known:
            check_time(self.until)
            self._known[key] = self._value(predicate, layer, unit)
        return self._known[key]

    def _value(self, predicate: Predicate, layer: int, unit: bool) -> Value:
        if layer == 0:
            return self._label_value(predicate)
        if isinstance(predicate, Either):
            return self._sum([self.value(option, layer, unit) for option in predicate.options])
        if isinstance(predicate, Label) or layer > self.depth(predicate):
            return self._carry(predicate, layer, unit)
        return self._joined(predicate, layer, unit)

    def depth(self, predicate: Predicate) -> int:
        """The first layer after which a predicate has a value."""
        if isinstance(predicate, Label):
            return 0
        key = ("depth", predicate)
        if key not in self._known:
            self._known[key] = self._depth(predicate)
        return self._known[key]

    def _depth(self, predicate: Node | Either) -> int:
        if isinstance(predicate, Either):
            return max(1, *(self._summed_depth(option) for option in predicate.options))
        start = self.depth(predicate.base) if predicate.base is not None else 0
        return max((layer for layer, _ in self._plan(predicate)), default=start)

    def _summed_depth(self, predicate: Predicate) -> int:
        """The first layer after which a predicate's value is never below 0, so that it can be added or taken off."""
        return self.depth(predicate) + self.is_signed(predicate)

    def is_signed(self, predicate: Predicate) -> bool:
        """Whether the value, in the first layer in which there is one, can be below 0."""
        if isinstance(predicate, Label) or self.depth(predicate) == 0:
            return False
        if isinstance(predicate, Either):
            return False
        layer = self.depth(predicate)
        here = [what for depth, what in self._plan(predicate) if depth == layer]
        if not here:
            return predicate.base is not None and self.is_signed(predicate.base)
        literal = here[0]
        if len(here) > 1 or not _is_wanted(literal):
            return True
        if self._is_late(literal):
            return not _is_bare(self._earlier(predicate, self._plan(predicate), layer))
        return literal.least > 1 and self._is_wide(literal, layer)

    def literal_depth(self, literal: Literal) -> int:
        return 1 + max(self._term_depth(predicate) for predicate, _ in literal.terms)

    def _term_depth(self, predicate: Predicate) -> int:
        # Alternatives that cannot be added are so many channels.
        return max(self.depth(option) for option in options(predicate))

    def _when(self, literal: Literal) -> int:
        """The layer in which a condition is joined with others."""
        return self.literal_depth(literal) + self._is_late(literal)

    def _is_late(self, literal: Literal) -> bool:
        """Whether a count of several channels, which has no clamp of its own, is made one value a layer later."""
        return self.late and self._is_wide(literal, self.literal_depth(literal))

    def _plan(self, node: Node) -> list[tuple[int, Literal | Predicate]]:
        """When every condition of a node is known: (layer, literal or excluded predicate)."""
        start = self.depth(node.base) if node.base is not None else 0
        asked = [literal for literal in node.literals if not _never_reached(literal, node.label)]
        found: list[tuple[int, Literal | Predicate]] = [
            (max(self._when(literal), start + 1), literal) for literal in asked
        ]
        found += [(max(1, self._summed_depth(predicate)), predicate) for predicate in node.nots]
        if self.style != "deep" or len(found) < 2:
            return found
        moved, last = [], 0
        for layer, what in sorted(found, key=lambda entry: (_is_wanted(entry[1]), entry[0])):
            if _is_wanted(what) and not what.shares:
                layer = last = max(layer, last + 1)
            moved.append((layer, what))
        return moved

    def _joined(self, node: Node, layer: int, unit: bool) -> Value:
        """All conditions of a node in the layer in which the last of them is known."""
        plan = self._plan(node)
        if not plan:
            if node.base is None:
                raise AssertionError("a node without conditions is known at layer 0")
            return self.value(node.base, layer, unit)
        here = [what for depth, what in plan if depth == layer]
        earlier = self._earlier(node, plan, layer)
        wanted = [what for what in here if _is_wanted(what)]
        # Alone, a condition may be of any size; joined, all but one are 0 or 1.
        single = len(wanted) == 1 and not self._before(earlier, wanted, layer)
        if not self.late and sum(self._is_wide(literal, layer) for literal in wanted) > (1 if not unit else 0):
            raise Wide
        values = [self._count(node, earlier, literal, layer, unit or not single) for literal in wanted]
        if not single:
            loose = None if unit else self._loosest(node, earlier, wanted, layer)
            if loose is not None:
                values[loose] = self._count(node, earlier, wanted[loose], layer, False)
            values += self._before(earlier, wanted, layer)
            values = [self._and(values, loose, layer)] if values else [self.value(earlier, layer, unit)]
        value = values[0]
        if value.most >= _HUGE and not unit and len(wanted) < len(here):
            return self._joined(node, layer, True)
        for what in here:
            if not _is_wanted(what):
                value = self._less(value, self._not(node, earlier, what, layer))
        return value

    def _before(self, earlier: Label | Node, wanted: list[Literal], layer: int) -> list[Value]:
        """What was known before a layer, where no count of the layer brings it along."""
        if _is_bare(earlier) or not wanted or not all(map(self._is_late, wanted)):
            return []
        return [self.value(earlier, layer, True)]

    def _loosest(self, node, earlier, wanted, layer: int) -> int | None:
        """The one branch that is dearest to clamp, and may stay as large as it is."""
        open_ = [
            place
            for place, literal in enumerate(wanted)
            if self._is_wide(literal, layer)
            or self._is_late(literal)
            or 1 < self._bound(node, earlier, literal, layer) <= _MOST_LOOSE
        ]
        if not open_:
            return None
        return max(open_, key=lambda place: (self._is_wide(wanted[place], layer), len(wanted[place].terms)))

    def _earlier(self, node: Node, plan, layer: int) -> Label | Node:
        """What of a node is known before a layer; the branches that come later stay as neighbours to carry it."""
        known = [what for depth, what in plan if depth < layer]
        literals = tuple(what for what in known if isinstance(what, Literal))
        nots = tuple(what for what in known if not isinstance(what, Literal))
        later = tuple(
            term
            for depth, what in plan
            if depth >= layer and isinstance(what, Literal) and what.wanted and not what.shares
            for term in what.terms
            if len(what.terms) == 1
        )
        anchors = tuple(dict.fromkeys((*node.anchors, *later)))
        if not literals and not nots and not anchors and node.base is None:
            return node.label
        return Node(node.label, literals, anchors, node.base, nots, node.taken)

    def weaker(self, predicate: Predicate, layer: int) -> Predicate:
        """What of a predicate is known after a layer at the latest."""
        if not isinstance(predicate, Node) or self.depth(predicate) <= layer:
            return predicate
        while predicate.base is not None and self.depth(predicate.base) > layer:
            predicate = predicate.base
        if layer == 0:
            return predicate.label
        return self._earlier(predicate, self._plan(predicate), layer + 1)

    def final(self, node: Predicate, extra: int = 0) -> None:
        """The last layer: the readout multiplies its channels, which joins conditions for nothing."""
        layer = max(1, self.depth(node)) + extra
        if isinstance(node, Either):
            return self._single(node, layer)
        if isinstance(node, Label) or self.depth(node) == 0:
            self._count(label_of(node), label_of(node), _any_neighbour(), 1, False)
            return self._single(label_of(node), 1) if extra else None
        plan = self._plan(node)
        here = [what for depth, what in plan if depth == layer]
        wanted = [what for what in here if _is_wanted(what)]
        if extra or len(wanted) < len(here) or any(map(self._is_late, wanted)):
            return self._single(node, layer)
        earlier = self._earlier(node, plan, layer)
        for literal in wanted:
            if self._is_wide(literal, layer):
                return self._single(node, layer)
        for literal in sorted(wanted, key=lambda own: -own.least):
            self._count(node, earlier, literal, layer, False)
        return None

    def _single(self, node: Predicate, layer: int) -> None:
        """One channel that carries the whole predicate into one layer more."""
        value = self.value(node, layer)
        if len(value.parts) == 1 and value.parts[0][1] == 1 and len(self.layers) == layer and len(self.layers[-1]) == 1:
            return
        source = options(node)[0]
        anchored = self._carry_through(source, layer + 1) if not isinstance(node, Either) else None
        if anchored is None:
            anchored = (self._constant(layer), ALL_BONDS, 1)
        neighbour, bonds, _ = anchored
        self._channel(layer + 1, value, neighbour, write_bonds(bonds), 0, 1)

    # Conditions

    def _is_wide(self, literal: Literal, layer: int) -> bool:
        return len(self._counted_terms(literal, layer)) > 1

    def _not(self, node: Node, earlier: Label | Node, what: Literal | Predicate, layer: int) -> Value:
        if not isinstance(what, Literal):
            return self.value(what, layer)
        positive = Literal(what.terms, what.least, True, what.shares, what.by_order)
        if not self.late and what.least > 1 and self._is_wide(positive, layer):
            raise Wide
        return self._count(node, earlier, positive, layer, False)

    def _bound(self, node: Node | Label, own: Predicate, literal: Literal, layer: int, exact: bool = False) -> int:
        """The largest a count can be, before clamping; ``exact``: made of values that are 0 or 1."""
        exact = exact or literal.least > 1
        label = label_of(node)
        if literal.shares:
            return self._weighted_bound(label, literal)
        orders = min((min(ORDERS[kind] for kind in bonds) for _, bonds in literal.terms if bonds), default=1)
        counts_all = any(predicate == any_atom() for predicate, _ in literal.terms)
        taken = node.taken if isinstance(node, Node) and not counts_all else 0
        room = max(
            ((limit(e) - h - taken) // orders for e in label.elements for h in label.hydrogens if limit(e) > h),
            default=1,
        )
        each = max(
            self.value(predicate, layer - 1, exact).most if not self._features(predicate) else 1
            for predicate, _ in literal.terms
        )
        mine = 1 if layer == 1 else self.value(own, layer - 1, exact).most
        return max(1, min(_HUGE, max(1, room) * each * mine - (literal.least - 1)))

    def _weighted_bound(self, label: Label, literal: Literal) -> int:
        """The largest a weighted count can be: all the valence an atom has left, by the weight of its hydrogens."""
        shares = {h: least for h, least in literal.shares if h in label.hydrogens}
        total = lcm(*shares.values())
        most = max((total // shares[h] * max(0, limit(e) - h) for h in shares for e in label.elements), default=1)
        return max(1, most - (total - 1))

    def _features(self, predicate: Predicate) -> bool:
        return all(self.depth(option) == 0 for option in options(predicate))

    def _counted_terms(self, literal: Literal, layer: int) -> Sequence[tuple[Predicate, frozenset[int]]]:
        """The terms of a count that need a channel of their own."""
        found = [(option, bonds) for predicate, bonds in literal.terms for option in options(predicate)]
        if layer == 1 or len(found) == 1:
            return found
        # Those whose values can be added go into one sum a kind of bond.
        apart = [term for term in found if self._summed_depth(term[0]) > layer - 1]
        summed: dict[frozenset[int], list[Label | Node]] = {}
        for option, bonds in found:
            if (option, bonds) not in apart:
                summed.setdefault(bonds, []).append(option)
        sums = [(own[0] if len(own) == 1 else Either(tuple(own)), bonds) for bonds, own in summed.items()]
        return [*sums, *apart]

    def _count(self, node: Node | Label, own: Predicate, literal: Literal, layer: int, unit: bool) -> Value:
        """At least so many neighbours, as a value after the layer."""
        if self._is_late(literal):
            return self._late_count(node, literal, layer, unit)
        return self._count_now(node, own, literal, layer, unit)

    def _late_count(self, node: Node | Label, literal: Literal, layer: int, unit: bool) -> Value:
        """A count of several channels, carried as one value."""
        alone = Node(node.label if isinstance(node, Node) else node, (literal,), getattr(node, "anchors", ()))
        made = self.literal_depth(literal)
        if layer > made + 1:
            return self.value(alone, layer, unit)
        key = (alone, layer, unit, "late")
        if key not in self._known:
            summed = self._count_now(alone, alone.label, literal, made, False)
            self._known[key] = self._carried(alone, summed, layer, unit)
        return self._known[key]

    def _count_now(self, node: Node | Label, own: Predicate, literal: Literal, layer: int, unit: bool) -> Value:
        exact = literal.least > 1 or (unit and self._bound(node, own, literal, layer) > _MOST_EXACT)
        self_value = self._term_value(own, layer - 1, exact)
        terms = self._counted_terms(literal, layer)
        bound = self._bound(node, own, literal, layer, exact)
        bonds_text = None
        least = literal.least
        if literal.shares:
            self_value, least = self._weighted(node, literal)
            bonds_text = "order" if literal.by_order else "~"
        made = []
        if len(terms) == 1:
            predicate, bonds = terms[0]
            other = self._term_value(predicate, layer - 1, exact)
            bias = -(least - 1)
            place = self._channel(layer, self_value, other, bonds_text or write_bonds(bonds), bias, bound)
            made = [(place, 1)]
            if unit and bound > 1:
                less = self._channel(layer, self_value, other, bonds_text or write_bonds(bonds), bias - 1, bound - 1)
                made.append((less, -1))
                bound = 1
                self.negatives += 1
            return Value(tuple(made), bound)
        for predicate, bonds in terms:
            other = self._term_value(predicate, layer - 1, exact)
            made.append((self._channel(layer, self_value, other, write_bonds(bonds), 0, bound), 1))
        if least == 1 and not unit:
            return Value(tuple(made), bound + least - 1)
        if least > 1:
            made.append((self._constant_place(layer), -(least - 1)))
            self.negatives += 1
        return Value(tuple(made), bound)

    def _term_value(self, predicate: Predicate, layer: int, unit: bool) -> Value:
        return self._label_value(predicate) if layer == 0 else self.value(predicate, layer, unit)

    def _weighted(self, node: Node | Label, literal: Literal) -> tuple[Value, int]:
        """X and v: with h hydrogens each neighbour counts so much that the same total is needed."""
        label = label_of(node)
        shares = {h: least for h, least in literal.shares if h in label.hydrogens}
        total = lcm(*shares.values())
        weights = {h: total // least for h, least in shares.items()}
        text = write_atom_term(label.elements, frozenset(shares), weights)
        return Value((), max(weights.values()), text), total

    # Sums

    def _sum(self, values: list[Value]) -> Value:
        parts: dict[int, int] = {}
        for value in values:
            for place, weight in value.parts:
                parts[place] = parts.get(place, 0) + weight
        # No two alternatives hold for one atom, so the sum is as large as the largest.
        return Value(_ordered(parts), max(value.most for value in values))

    def _and(self, values: list[Value], loose: int | None, layer: int) -> Value:
        if len(values) == 1:
            return values[0]
        size = values[loose].most if loose is not None else 1
        parts: dict[int, int] = {}
        for place, value in enumerate(values):
            factor = 1 if place == loose else size
            for channel, weight in value.parts:
                parts[channel] = parts.get(channel, 0) + factor * weight
        constant = self._constant_place(layer)
        parts[constant] = parts.get(constant, 0) - size * (len(values) - 1)
        self.negatives += 1
        return Value(_ordered(parts), size)

    def _less(self, value: Value, other: Value) -> Value:
        factor = 10
        while factor < value.most:
            factor *= 10
        parts = dict(value.parts)
        for channel, weight in other.parts:
            parts[channel] = parts.get(channel, 0) - factor * weight
        self.negatives += 1
        return Value(_ordered(parts), value.most)

    # Carries

    def _carry(self, predicate: Label | Node, layer: int, unit: bool) -> Value:
        """The same predicate one layer later: a message from a neighbour that is there anyway."""
        return self._carried(predicate, self.value(predicate, layer - 1, unit), layer, unit)

    def _carried(self, predicate: Label | Node, own: Value, layer: int, unit: bool) -> Value:
        unit = unit or self.style == "unit"
        through = self._carry_through(predicate, layer, unit)
        if through is None:
            neighbour = self._constant(layer - 1)
            bonds, room = ALL_BONDS, self._room(predicate)
        else:
            neighbour, bonds, room = through
        most = min(_HUGE, own.most * neighbour.most * room)
        place = self._channel(layer, own, neighbour, write_bonds(bonds), 0, most)
        if unit and most > 1:
            less = self._channel(layer, own, neighbour, write_bonds(bonds), -1, most - 1)
            self.negatives += 1
            return Value(_ordered({place: 1, less: -1}), 1)
        return Value(((place, 1),), most)

    def _carry_through(self, predicate: Label | Node, layer: int, unit: bool = False):
        """A neighbour that is surely there, as a value after the layer before, its bonds and how many there can be."""
        candidates: list[tuple[Predicate, frozenset[int], int]] = []
        if isinstance(predicate, Node):
            for literal in predicate.all_literals:
                if literal.wanted and len(literal.terms) == 1 and not literal.shares:
                    ((other, bonds),) = literal.terms
                    if bonds:
                        candidates.append((other, bonds, self._room(predicate)))
            candidates += [(label, bonds, self._room(predicate)) for label, bonds in predicate.anchors]
        best = None
        for other, bonds, room in candidates:
            weak = self.weaker(other, layer - 1)
            if isinstance(weak, Either):
                continue
            room = max(1, room // min(ORDERS[kind] for kind in bonds))
            if layer == 1:
                key, found = (room, 0), (self._label_value(weak), bonds, room)
            else:
                known = self._known.get((weak, layer - 1, unit or self.style == "unit"))
                if known is None and isinstance(weak, Label):
                    continue
                key = (0 if known is not None else 1, room * (known.most if known is not None else 1))
                found = (weak, bonds, room)
            if best is None or key < best[0]:
                best = key, found
        if best is None:
            return None
        neighbour, bonds, room = best[1]
        if not isinstance(neighbour, Value):
            neighbour = self.value(neighbour, layer - 1, unit)
        return neighbour, bonds, room

    def _label_value(self, predicate: Predicate) -> Value:
        if isinstance(predicate, Either):
            raise AssertionError("alternatives have no one term on the input")
        label = label_of(predicate)
        return Value((), 1, write_atom_term(label.elements, label.hydrogens))

    def _room(self, predicate: Label | Node) -> int:
        label = label_of(predicate)
        return max((limit(e) - h for e in label.elements for h in label.hydrogens if limit(e) > h), default=1)

    # Channels

    def _constant(self, layer: int) -> Value:
        if layer == 0:
            free = any_atom()
            return Value((), 1, write_atom_term(free.elements, free.hydrogens))
        return Value(((self._constant_place(layer), 1),), 1)

    def _constant_place(self, layer: int) -> int:
        return self._add(layer, _CONSTANT, 1)

    def _channel(self, layer: int, own: Value, neighbour: Value, bonds: str, bias: int, most: int) -> int:
        return self._add(layer, (own.text or own.parts, neighbour.text or neighbour.parts, bonds, bias), most)

    def _add(self, layer: int, spec: tuple, most: int) -> int:
        while len(self.layers) < layer:
            self.layers.append([])
            self.most.append([])
        key = (layer, spec)
        if key not in self._places:
            if sum(map(len, self.layers)) >= MOST_CHANNELS:
                raise TooLarge(
                    f"The network would have more than {MOST_CHANNELS} channels: too many branches of the SMARTS can "
                    "stand for the same atoms."
                )
            self._places[key] = len(self.layers[layer - 1])
            self.layers[layer - 1].append(spec)
            self.most[layer - 1].append(most)
        return self._places[key]


def _never_reached(literal: Literal, label: Label) -> bool:
    """Whether fewer are wanted than any atom of these hydrogen counts could reach."""
    return bool(literal.shares) and not literal.wanted and not label.hydrogens & {h for h, _ in literal.shares}


def _is_bare(own: Label | Node) -> bool:
    """Whether features are all that a predicate asks for."""
    return isinstance(own, Label) or not (own.literals or own.nots or own.base)


def _is_wanted(what: Literal | Predicate) -> TypeGuard[Literal]:
    """Whether it is a condition that must hold; all else must not."""
    return isinstance(what, Literal) and what.wanted


def _ordered(parts: dict[int, int]) -> tuple[tuple[int, int], ...]:
    return tuple((place, weight) for place, weight in parts.items() if weight)


def _any_neighbour() -> Literal:
    return Literal(((any_atom(), ALL_BONDS),), 1)
