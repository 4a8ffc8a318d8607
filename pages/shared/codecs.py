"""Parts of an address as values and back."""

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

MAX_TEXT = 4000
"""Characters of one part of an address, far more than any molecule that a page can show needs."""
NONE = "none"
"""What stands for a list without a member."""


@dataclass(frozen=True)
class Codec:
    """How values of one kind are written.

    Attributes:
        decode: the value of a text; ValueError with the reason why a text is none.
        encode: the text of a value; ``decode`` takes it back.
    """

    decode: Callable[[str], Any]
    encode: Callable[[Any], str] = str


def whole(least: int, most: int) -> Codec:
    """Whole numbers within these bounds."""

    def decode(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 12 and least <= int(text) <= most):
            raise ValueError(f"it must be a whole number from {least} to {most}")
        return int(text)

    return Codec(decode)


def choice(choices: Callable[[], Collection[str]]) -> Codec:
    """One of the names that ``choices`` gives when asked."""

    def decode(text: str) -> str:
        if text not in choices():
            raise ValueError(f"it must be one of {', '.join(name for name in choices() if name)}")
        return text

    return Codec(decode)


def renamed(codec: Codec, earlier: dict[str, str]) -> Codec:
    """The same values, some of which had another name in earlier links."""
    return Codec(lambda text: codec.decode(earlier.get(text, text)), codec.encode)


def pattern(expression: str, reason: str) -> Codec:
    """Texts that match a regular expression as a whole; ``reason`` says what it must be."""

    def decode(text: str) -> str:
        if not re.fullmatch(expression, text):
            raise ValueError(reason)
        return text

    return Codec(decode)


def _at_commas(text: str) -> list[str]:
    return text.split(",")


def several(
    item: Codec,
    arrange: Callable[[list], Iterable] = dict.fromkeys,
    most: int | None = None,
    reason: str = "",
    split: Callable[[str], list[str]] = _at_commas,
) -> Codec:
    """Tuples of values with commas between them.

    Args:
        item: of one value.
        arrange: what becomes of the values; without it, each is taken once, in the order given.
        most: how many there may be.
        reason: what it must be, in place of the item's own reason.
        split: the texts of the values; at every comma, unless values may have commas of their own.
    """

    def decode(text: str) -> tuple:
        parts = [] if text in ("", NONE) else split(text)
        try:
            if most is not None and len(parts) > most:
                raise ValueError(f"it must be at most {most}, with commas between them")
            return tuple(arrange([item.decode(part) for part in parts]))
        except ValueError as error:
            raise ValueError(reason or str(error)) from None

    return Codec(decode, lambda values: ",".join(item.encode(value) for value in values) or NONE)


def in_order(names: Callable[[], Iterable[str]]) -> Callable[[Iterable[str]], tuple[str, ...]]:
    """What puts names in the order that ``names`` gives when asked, each once; others are left out."""

    def arrange(some: Iterable[str]) -> tuple[str, ...]:
        wanted = set(some)
        return tuple(name for name in names() if name in wanted)

    return arrange


def _flag(text: str) -> bool:
    if text not in ("0", "1"):
        raise ValueError("it must be 0 or 1")
    return text == "1"


def _fraction(text: str) -> float:
    if not re.fullmatch(r"[01]|[01]?\.\d{1,12}", text) or float(text) > 1:
        raise ValueError("it must be a number from 0 to 1, such as 0.98")
    return round(float(text), 6)


TEXT = Codec(str)
"""Any text; addresses bound its length."""
FLAG = Codec(_flag, lambda value: str(int(value)))
FRACTION = Codec(_fraction, lambda value: f"{value:.6f}".rstrip("0").rstrip("."))
"""Numbers from 0 to 1, to six decimals."""
