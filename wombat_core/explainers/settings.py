"""The settings of an explainer: the fields of its class, with their limits and what their texts mean.

A field says its limits with :func:`within` or :func:`one_of`; a plain field takes any value of its default's type.
"""

import inspect
import math
import re
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from typing import Any

from ..errors import InputError

_FLAGS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


def within(default: float, least: float, most: float) -> Any:
    """A field of a dataclass that takes numbers from ``least`` to ``most``."""
    return field(default=default, metadata={"least": least, "most": most})


def one_of(default: str, *choices: str) -> Any:
    """A field of a dataclass that takes one of these texts."""
    return field(default=default, metadata={"choices": choices})


@dataclass(frozen=True)
class Setting:
    """One setting of an explainer.

    Attributes:
        name: of the field.
        default: its default, a bool, int, float or str.
        least, most: limits of a number, or None.
        choices: the texts there are, empty where any will do.
        meaning: what the class's docstring says of it, or "".
    """

    name: str
    default: bool | int | float | str
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    meaning: str = ""

    @property
    def wanted(self) -> str:
        """What it takes, for people: "a whole number from 1 to 14"."""
        if isinstance(self.default, bool):
            return "true or false"
        if isinstance(self.default, str):
            return f"one of {', '.join(self.choices)}" if self.choices else "a text"
        kind = "a whole number" if isinstance(self.default, int) else "a number"
        return kind if self.least is None else f"{kind} from {self.least:,} to {self.most:,}"

    def parse(self, text: str) -> bool | int | float | str:
        """The value that a text means.

        Raises:
            InputError: it means none, or one outside the limits.
        """
        try:
            value = self._value(text.strip())
            inside = self.least is None or self.least <= value <= self.most
        except (KeyError, ValueError):
            inside = False
        if not inside:
            raise InputError(f"The setting {self.name} takes {self.wanted}, not {text[:40]!r}.")
        return value

    def _value(self, text: str) -> bool | int | float | str:
        if isinstance(self.default, bool):
            return _FLAGS[text.lower()]
        value = type(self.default)(text)
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError
        if self.choices and value not in self.choices:
            raise ValueError
        return value

    def text(self, value: bool | int | float | str) -> str:
        """The shortest text that :meth:`parse` takes back."""
        return str(value).lower() if isinstance(value, bool) else str(value)


def settings_of(kind: type) -> dict[str, Setting]:
    """The settings of an explainer's class by name; fields whose default is no bool, number or text are left out."""
    meanings = _meanings(kind)
    return {
        each.name: Setting(each.name, each.default, meaning=meanings.get(each.name, ""), **each.metadata)
        for each in fields(kind)
        if each.default is not MISSING and isinstance(each.default, bool | int | float | str)
    }


def _meanings(kind: type) -> dict[str, str]:
    """What the "Args" of a class's docstring, and of those it inherits settings from, say by name."""
    found = {}
    for each in reversed(kind.__mro__):
        if is_dataclass(each):
            found |= _entries(inspect.cleandoc(each.__doc__ or ""))
    return found


def _entries(text: str) -> dict[str, str]:
    """The "Args" of one docstring by name; two names that share an entry share its text."""
    _, _, entries = text.partition("\nArgs:\n")
    found = {}
    for entry in re.split(r"\n(?= {4}\S)", "\n" + entries.partition("\n\n")[0]):
        names, colon, meaning = entry.strip().partition(": ")
        if colon:
            found |= dict.fromkeys(re.split(r",\s*", names), " ".join(meaning.split()))
    return found
