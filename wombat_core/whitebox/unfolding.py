"""Channels unfolded: each rule, with the rules of the channels it reads put in, down to the input.

Of a channel's value only two things are asked: from where on it is positive, and what the sums that read it are. A
sum such as ``A+B-K`` or ``B-10A`` is positive for some counts and not for others; these are tried out.
"""

from itertools import product
from math import ceil

from ..molecules.features import NUM_ELEMENTS
from .asked import ANY, BONDS, ELEMENTS, Ask, Atom, both, most_neighbours, without
from .catalogue import Pattern
from .notation import AtomTerm, BondTerm, Channel, ChannelTerm

MOST_ATOMS = 400
_MOST_TRIES = 20_000
_MOST_COUNT = 40
_BONDS = {"-": 0, "=": 1, "#": 2, ":": 3}

TOO_LARGE = f"It takes more than {MOST_ATOMS} atoms to write it down."
LARGE_VALUES = "It counts activations that can be above 1; the piece takes each as 1."
ENCODING = "The piece leaves out what only the encoding wombat+ shows."
SUMS = "What its sum is positive on cannot be written as a piece of the motif."


class Underivable(Exception):
    """A channel that is no piece of a motif; the message says why."""


class Unfolding:
    """The channels of one pattern, unfolded when asked for.

    Attributes:
        reasons: by (layer, place): why the piece is not exactly what the channel is positive on.
    """

    def __init__(self, pattern: Pattern):
        self.layers = pattern.layers
        self.reasons: dict[tuple[int, int], str] = {}
        self._known: dict = {}
        self._busy: list[str] = []

    def channel(self, layer: int, place: int) -> tuple[Atom, ...]:
        """Where the channel is positive: on atoms that are one of these; of none where it never is.

        Raises:
            Underivable: it cannot be written as a piece of a motif.
        """
        found = self._at_least(self.layers[layer - 1][place], 1)
        if reason := self._reason(self.layers[layer - 1][place]):
            self.reasons[layer, place] = reason
        return found

    def most(self, channel: Channel) -> int:
        """The largest value, as valences allow."""
        key = "most", channel
        if key not in self._known:
            self._known[key] = max(0, min(_MOST_COUNT, self._most_count(channel) + int(channel.bias)))
        return self._known[key]

    def is_constant(self, channel: Channel) -> bool:
        return channel.bias > 0 and self._most_count(channel) == 0

    def _most_count(self, channel: Channel) -> int:
        key = "count", channel
        if key not in self._known:
            own, other = self._values(channel.self_term, channel), self._values(channel.neighbour_term, channel)
            bonds = _bonds(channel.bond_term)
            atoms = self._alternatives(channel.self_term, channel.layer) if own and other and bonds else ()
            room = max((most_neighbours(atom, bonds) for atom in atoms), default=0)
            self._known[key] = min(_MOST_COUNT, int(room * own * other))
        return self._known[key]

    def _reason(self, channel: Channel) -> str | None:
        """Why the unfolding of a channel is not exact, from its own rule or from one that it reads."""
        key = "reason", channel
        if key not in self._known:
            found = [self._known.get(("note", channel, 1))]
            terms = channel.self_term, channel.neighbour_term
            found += [self._known.get(("loose", term, channel.layer)) for term in terms]
            if channel.layer > 1:
                letters = {letter for term in channel.channel_terms for letter, _ in term.parts}
                found += [self._reason(own) for own in self.layers[channel.layer - 2] if own.letter in letters]
            self._known[key] = next((reason for reason in found if reason), None)
        return self._known[key]

    def _at_least(self, channel: Channel, value: int) -> tuple[Atom, ...]:
        """Atoms on which a channel's value is at least that."""
        key = "atoms", channel, value
        if key not in self._known:
            self._known[key] = self._unfold(channel, value)
        return self._known[key]

    def _unfold(self, channel: Channel, value: int) -> tuple[Atom, ...]:
        count = ceil(value - channel.bias)
        if count <= 0:
            return (ANY,)
        bonds = _bonds(channel.bond_term)
        own = self._alternatives(channel.self_term, channel.layer)
        other = self._alternatives(channel.neighbour_term, channel.layer)
        if not own or not other or not bonds:
            return ()
        if any(getattr(term, "conditions", ()) for term in (channel.self_term, channel.neighbour_term)):
            self._known["note", channel, 1] = ENCODING
        if channel.layer == 1 and (channel.atom_terms[0].factors or channel.bond_term.text.startswith("order")):
            return _weighted(channel, own, count)
        if count > 1:
            sizes = self._values(channel.self_term, channel), self._values(channel.neighbour_term, channel)
            if max(sizes) > 1:
                self._known["note", channel, 1] = LARGE_VALUES
        found = []
        for atom in own:
            joined = both(atom, Atom(asks=(Ask(other, bonds, count),)))
            if joined is not None:
                if joined.size > MOST_ATOMS:
                    raise Underivable(TOO_LARGE)
                found.append(joined)
        return tuple(dict.fromkeys(found))

    def _values(self, term: AtomTerm | ChannelTerm, channel: Channel) -> int:
        """The largest value of a term."""
        if isinstance(term, AtomTerm):
            if term.factors:
                return max(term.factors)
            return 0 if term.text == "0" else 2 if term.element == "1" else 1
        key = "values", term, channel.layer
        if key not in self._known:
            positive = self._tried(term, channel.layer)[1]
            self._known[key] = min(_MOST_COUNT, max((value for _, value in positive), default=0))
        return self._known[key]

    def _alternatives(self, term: AtomTerm | ChannelTerm, layer: int) -> tuple[Atom, ...]:
        """The atoms on which a term is positive, one of these."""
        if isinstance(term, AtomTerm):
            return _input_atoms(term)
        key = "alternatives", term, layer
        if key not in self._known:
            self._known[key] = self._term_atoms(term, layer)
        return self._known[key]

    def _term_atoms(self, term: ChannelTerm, layer: int) -> tuple[Atom, ...]:
        bases, positive = self._tried(term, layer)
        tuples = {counts for counts, _ in positive}
        found: list[Atom] = []
        boxes, shrunk = _boxes(tuples, [most for _, _, most in bases])
        if shrunk:
            self._known["loose", term, layer] = LARGE_VALUES
        together = [low for low, _ in boxes if all(low)]
        if len(boxes) > 1 and len(together) == 1:
            # A sum of conditions less a constant: one of them alone can be as large only where no motif is.
            boxes = [own for own in boxes if own[0] == together[0]]
            self._known["loose", term, layer] = LARGE_VALUES
        for low, high in boxes:
            options: list[Atom] = [ANY]
            never: tuple[Atom, ...] = ()
            for (channel, _, _), least, upper in zip(bases, low, high, strict=True):
                if least > 0:
                    known = self._at_least(channel, least + int(channel.bias))
                    options = [joined for one in options for own in known if (joined := both(one, own)) is not None]
                if upper is not None:
                    never += self._at_least(channel, upper + 1 + int(channel.bias))
            found += [without(one, never) if never else one for one in options]
        if any(atom.size > MOST_ATOMS for atom in found):
            raise Underivable(TOO_LARGE)
        return tuple(dict.fromkeys(found))

    def _tried(self, term: ChannelTerm, layer: int):
        """The counts a sum reads, and which of their values make it positive.

        Channels that differ in their bias only read one count.

        Returns:
            ((a channel of the count, its channels with weights, largest count), ...), [(counts, value of the sum)].
        """
        key = "tried", term, layer
        if key in self._known:
            return self._known[key]
        channels = {channel.letter: channel for channel in self.layers[layer - 2]}
        bases: dict[tuple, list[tuple[Channel, float]]] = {}
        constant = 0.0
        for letter, weight in term.parts:
            channel = channels[letter]
            if self.is_constant(channel):
                constant += weight * channel.bias
            else:
                rule = channel.self_term.text, channel.neighbour_term.text, channel.bond_term.text
                bases.setdefault(rule, []).append((channel, weight))
        counts = [(own[0][0], own, self._most_count(own[0][0])) for own in bases.values()]
        tries = 1
        for _, _, most in counts:
            tries *= most + 1
        if tries > _MOST_TRIES:
            raise Underivable(SUMS)
        positive = []
        for tried in product(*(range(most + 1) for _, _, most in counts)):
            value = constant + sum(
                weight * max(0, count + channel.bias)
                for (_, own, _), count in zip(counts, tried, strict=True)
                for channel, weight in own
            )
            if value > 0:
                positive.append((tried, value))
        self._known[key] = counts, positive
        return self._known[key]


def _boxes(
    tuples: set[tuple[int, ...]], most: list[int]
) -> tuple[list[tuple[tuple[int, ...], tuple[int | None, ...]]], bool]:
    """The counts as (lowest, highest or None where there is no limit), several where one does not hold them all.

    Returns:
        The boxes, and whether large counts had to be left out.

    Raises:
        Underivable: they are no union of boxes with the same upper ends.
    """
    places, shrunk = range(len(most)), False
    while tuples:
        high = tuple(max(own[place] for own in tuples) for place in places)
        lowest = sorted(own for own in tuples if not any(_below(other, own) for other in tuples))
        covered = {own for low in lowest for own in product(*(range(low[place], high[place] + 1) for place in places))}
        if covered == tuples:
            limits = tuple(None if high[place] == most[place] else high[place] for place in places)
            return [(low, limits) for low in lowest], shrunk
        if max(most) <= 1:
            raise Underivable(SUMS)
        most = [max(1, count - 1) if count else 0 for count in most]
        tuples = {own for own in tuples if all(own[place] <= most[place] for place in places)}
        shrunk = True
    return [], shrunk


def _below(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return one != other and all(a <= b for a, b in zip(one, other, strict=True))


def _input_atoms(term: AtomTerm) -> tuple[Atom, ...]:
    if term.text == "0":
        return ()
    if term.element in (None, "*", "1"):
        elements = ELEMENTS
    else:
        weights = term.weights()[:NUM_ELEMENTS]
        elements = frozenset(slot for slot in ELEMENTS if weights[slot] > 0)
    return (Atom(elements, ANY.hydrogens if term.hydrogens is None else frozenset(term.hydrogens)),)


def _bonds(term: BondTerm) -> frozenset[int]:
    kind = term.text.partition(";")[0]
    if kind in ("~", "order"):
        return BONDS
    return frozenset() if kind == "0" else frozenset(_BONDS[sign] for sign in kind)


def _weighted(channel: Channel, own: tuple[Atom, ...], total: int) -> tuple[Atom, ...]:
    """X and v: neighbours weigh more where the atom has more hydrogens, so that the same total is needed."""
    term, by_order = channel.atom_terms[0], channel.bond_term.text.startswith("order")
    listed = term.hydrogens if term.hydrogens is not None else tuple(sorted(ANY.hydrogens))
    factors = term.factors or (1,) * len(listed)
    needed = {h: ceil(total / factor) for h, factor in zip(listed, factors, strict=True)}
    (atom,) = own
    sums = {h + least for h, least in needed.items()}
    if len(sums) == 1:
        sign = "v" if by_order else "X"
        return (Atom(atom.elements, atom.hydrogens, more=(f"{sign}{{{sums.pop()}-}}",)),)
    if by_order:
        return tuple(Atom(atom.elements, frozenset((h,)), more=(f"v{{{h + least}-}}",)) for h, least in needed.items())
    return tuple(Atom(atom.elements, frozenset((h,)), (Ask((ANY,), BONDS, least),)) for h, least in needed.items())
