"""Every channel of a whitebox in plain words, generated from its notation.

The sentences speak of molecules with one-hot features, on which activations are whole numbers.
"""

from dataclasses import dataclass
from functools import cache

from .catalogue import Pattern
from .conditions import phrase
from .notation import EXCLUDED, AtomTerm, Channel, ChannelTerm
from .thresholds import largest_message, neighbours_needed
from .wording import article, bonds_word, elements_word, hydrogens, number, weighted_hydrogens


@dataclass(frozen=True)
class ChannelReading:
    """A channel in words.

    Attributes:
        name: the paper's name, such as ``A.1``.
        own: the atom that carries the channel ("carbon with exactly 1 hydrogen").
        bond: "single bond", "single bonds", "any bond", ...; empty where no message can flow.
        neighbour: the neighbour or neighbours that send a message ("an oxygen").
        at_least: how many such neighbours are needed (1 where any one suffices, 0 where the bias alone does);
            None where messages can exceed 1 and only ``sum_above`` can be named.
        sum_above: what the sum of the messages must exceed (minus the bias).
        value: what the activation counts or sums.
    """

    name: str
    own: str
    bond: str
    neighbour: str
    at_least: int | None
    sum_above: float
    value: str

    @property
    def sentence(self) -> str:
        """The channel in one phrase, channel names in backquotes (Markdown code)."""
        if not self.bond:
            return self.own
        if self.at_least is None:
            return f"{self.own}, {self.bond} to {self.neighbour} (the sum must exceed {number(self.sum_above)})"
        count = f"at least {self.at_least} " if self.at_least > 1 else ""
        start = f" (starting from {number(-self.sum_above)} on every atom)" if self.sum_above < 0 else ""
        return f"{self.own}, {self.bond} to {count}{self.neighbour}{start}"

    @property
    def plain(self) -> str:
        """The sentence without backquotes."""
        return self.sentence.replace("`", "")


@cache
def readings(pattern: Pattern) -> tuple[tuple[ChannelReading, ...], ...]:
    """The readings of all channels, layer by layer."""
    return tuple(
        tuple(read(channel, previous) for channel in layer)
        for layer, previous in zip(pattern.layers, (None, *pattern.layers), strict=False)
    )


def read(channel: Channel, previous: tuple[Channel, ...] | None) -> ChannelReading:
    """The reading of one channel; ``previous`` are the channels of the layer before (None for layer 1)."""
    if channel.bond_term.text == "0" or _is_zero(channel.self_term) or _is_zero(channel.neighbour_term):
        own = f"always {number(channel.bias)}, on every atom" if channel.bias > 0 else "never active"
        return ChannelReading(
            channel.name, own, "", "", 0 if channel.bias > 0 else None, -channel.bias, "the bias alone"
        )
    needed = neighbours_needed(channel, previous)
    many = needed is None or needed > 1
    kind = bonds_word(channel.bond_term.text)
    bond = f"{kind} bonds" if many else f"{kind} bond"
    if kind.startswith("any ("):
        bond = f"bonds of any kind{kind[3:]}"
    extra = f" {phrase(channel.bond_term.conditions)}" if channel.bond_term.conditions else ""
    return ChannelReading(
        channel.name,
        own_phrase(channel.self_term, channel.layer),
        ("bonds of any kind" if many and kind == "any" else bond) + extra,
        neighbour_phrase(channel.neighbour_term, channel.layer, many),
        needed,
        0.0 - channel.bias,
        _value(channel, previous),
    )


def own_phrase(term: AtomTerm | ChannelTerm, layer: int) -> str:
    """The atom a term of that layer's channels asks for, as the subject of a sentence."""
    if isinstance(term, AtomTerm) and term.element in ("1", "*", None):
        return neighbour_phrase(term, layer)
    return _atom(term) if isinstance(term, AtomTerm) else _channel_atom(term, layer - 1)


def neighbour_phrase(term: AtomTerm | ChannelTerm, layer: int, many: bool = False) -> str:
    """The atom or the atoms a term of that layer's channels asks for, with an article where there is one."""
    if isinstance(term, ChannelTerm):
        return _channel_atom(term, layer - 1, many)
    return _atom(term, many) if many or term.element == "1" else article(_atom(term))


def _atom(term: AtomTerm, many: bool = False) -> str:
    plural = "s" if many else ""
    if term.element == "1":
        each = " each" if many else ""
        return f"{'atoms' if many else 'any atom'} (counting 2{each}: element and hydrogens)"
    if term.element is None:
        words = f"atom{plural}"
    else:
        words = f"atom{plural} of any element" if term.element == "*" else elements_word(term.element, many)
    if term.hydrogens is not None:
        own = weighted_hydrogens(term.hydrogens, term.factors) if term.factors else hydrogens(term.hydrogens)
        words = f"{words} {own}"
    return f"{words} ({phrase(term.conditions)})" if term.conditions else words


def _channel_atom(term: ChannelTerm, layer: int, many: bool = False) -> str:
    wanted = [f"`{letter}.{layer}`" for letter, weight in term.parts if weight == 1]
    excluded = [f"`{letter}.{layer}`" for letter, weight in term.parts if weight == EXCLUDED]
    if not wanted or len(wanted) + len(excluded) < len(term.parts):
        return f"{'atoms' if many else 'an atom'} where {_signed_sum(term, layer)} is above 0"
    words = f"{' or '.join(wanted)} atom{'s' if many else ''}"
    if len(wanted) > 1:
        words += " (adding up)"
    if excluded:
        words += f" that {'are' if many else 'is'} not {' or '.join(excluded)}"
    return words if many else article(words)


def _signed_sum(term: ChannelTerm, layer: int) -> str:
    """ "`A.1` - 2 `B.1`": a weight of 1 is not written."""
    total = ""
    for letter, weight in term.parts:
        sign = ("-" if weight < 0 else "") if not total else (" - " if weight < 0 else " + ")
        factor = "" if abs(weight) == 1 else f"{number(abs(weight))} "
        total += f"{sign}{factor}`{letter}.{layer}`"
    return total


def _value(channel: Channel, previous: tuple[Channel, ...] | None) -> str:
    each = largest_message(channel, previous)
    beyond = f", minus {number(-channel.bias)}" if channel.bias < 0 else ""
    if channel.layer == 1 or each == 1:
        return f"the number of such neighbours{f' times {number(each)}' if each != 1 else ''}{beyond}"
    own, neighbour = (_total(term, channel.layer - 1) for term in channel.channel_terms)
    return f"{own} of the atom times {neighbour} of the neighbour, summed over such neighbours{beyond}"


def _total(term: ChannelTerm, layer: int) -> str:
    names = [f"`{letter}.{layer}`" for letter, weight in term.parts if weight > 0]
    return names[0] if len(names) == 1 else f"({' + '.join(names)})"


def _is_zero(term: AtomTerm | ChannelTerm) -> bool:
    if isinstance(term, ChannelTerm):
        return not term.parts
    return term.element is None and term.hydrogens is None
