"""What a number of a lesson is, and how numbers are told."""

from collections.abc import Callable

from ..registry import Registry

FACTS: Registry[Callable] = Registry("placeholder")
"""The numbers by name: functions of engine, situation and arguments that give a text, a number, or None (undefined)."""

USUAL: dict[str, int] = {}
"""Usual decimals of numbers, where they are not three."""

_LARGE = 1e6
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def fact(function: Callable | None = None, *, usual: int = 3):
    """Register a function under its name, with the usual decimals of its number."""

    def add(own: Callable) -> Callable:
        USUAL[own.__name__] = usual
        return FACTS.register(own.__name__, own)

    return add if function is None else add(function)


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
