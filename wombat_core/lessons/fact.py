"""What a number of a lesson is: its name, how it is written, how it is computed; and how numbers are told."""

from collections.abc import Callable
from dataclasses import dataclass

from ..errors import InputError
from .engine import Engine
from .lesson import Situation


@dataclass(frozen=True)
class Fact:
    """A number with a name.

    Attributes:
        usage: how it is written, for sentences.
        compute: from engine, situation, words and decimals (None: as many as are usual) to its text.
        count: how many words it takes, least and most.
        explains: whether its first word is an explainer.
        named: named numbers it takes.
    """

    usage: str
    compute: Callable[..., str]
    count: tuple[int, int]
    explains: bool = False
    named: tuple[str, ...] = ()


FACTS: dict[str, Fact] = {}
_LARGE = 1e6
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def fact(usage: str, optional: int = 0, named: tuple[str, ...] = ()):
    """Register a function under the first word of its usage."""
    name, *words = usage.split()

    def add(function):
        count = (len(words) - optional, len(words))
        FACTS[name] = Fact(f"{{{{{usage}}}}}", function, count, bool(words) and words[0] == "E", named)
        return function

    return add


def number(value: float, digits: int | None, usual: int = 3) -> str:
    """A number for a sentence.

    With ``digits`` as many decimals; else whole ones have none, very large and very small ones are powers of ten,
    others have the usual decimals.
    """
    if digits is None:
        if abs(value) >= _LARGE or 0 < abs(value) < 0.5 * 10.0**-usual:
            mantissa, _, exponent = f"{value:.2e}".partition("e")
            return f"{mantissa}×10{str(int(exponent)).translate(_RAISED)}".replace("-", "\N{MINUS SIGN}")
        if abs(value - round(value)) < 1e-9:
            return f"{round(value)}".replace("-", "\N{MINUS SIGN}")
        digits = usual
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", "\N{MINUS SIGN}")


def atom_of(engine: Engine, situation: Situation, word: str | int) -> int:
    """An atom's index.

    Raises:
        InputError: the molecule has no such atom.
    """
    size = engine.molecule(situation.molecule).num_atoms
    if not (str(word).isdecimal() and len(str(word)) < 7 and int(word) < size):
        raise InputError(f"there is no atom '{str(word)[:20]}'; the molecule's atoms are 0 to {size - 1}.")
    return int(word)
