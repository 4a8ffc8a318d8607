"""Parts of an address as values and back.

A codec is a pair (decode, encode); decode raises ValueError with the reason why a text is none.
"""

import re
from collections.abc import Callable
from typing import Any

MAX_TEXT = 100_000

Decode = Callable[[str], Any]
Codec = tuple[Decode, Callable[[Any], str]]


def plain(decode: Decode) -> Codec:
    """A codec whose values are written as ``str`` writes them."""
    return decode, str


def text(text: str) -> str:
    """Any text, within reason."""
    if len(text) > MAX_TEXT:
        raise ValueError(f"at most {MAX_TEXT:,} characters are read")
    return text


def _flag(text: str) -> bool:
    if text not in ("0", "1"):
        raise ValueError("it must be 0 or 1")
    return text == "1"


def number(least: int, most: int) -> Decode:
    """A whole number within these bounds."""

    def decode(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 12 and least <= int(text) <= most):
            raise ValueError(f"it must be a whole number from {least} to {most}")
        return int(text)

    return decode


def fraction(text: str) -> float:
    """A number from 0 to 1, to six decimals."""
    if not re.fullmatch(r"[01]|[01]?\.\d{1,12}", text) or float(text) > 1:
        raise ValueError("it must be a number from 0 to 1, such as 0.98")
    return round(float(text), 6)


def of_fraction(value: float) -> str:
    """What :func:`fraction` takes back."""
    return f"{value:.6f}".rstrip("0").rstrip(".")


def one_of(choices: Callable[[], Any]) -> Decode:
    """One of the names that ``choices`` gives when asked."""

    def decode(text: str) -> str:
        if text not in choices():
            raise ValueError(f"it must be one of {', '.join(name for name in choices() if name)}")
        return text

    return decode


FLAG: Codec = (_flag, lambda value: str(int(value)))
FRACTION: Codec = (fraction, of_fraction)
