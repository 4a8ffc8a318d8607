"""Settings: the fields of a dataclass, with their limits and what they mean.

A field says its limits with :func:`within`, :func:`one_of` or :func:`matching`; a plain field takes any value of its
default's type. Explainers, the training of networks, ShapeGGen's graphs and the options of its scores are such
dataclasses; pages and commands make their forms and options from :func:`settings_of`.
"""

import inspect
import math
import re
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields, is_dataclass
from difflib import get_close_matches
from functools import cache, wraps
from numbers import Integral, Real
from typing import Any

from .errors import InputError

_FLAGS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}

Value = bool | int | float | str


def within(default: float, least: float, most: float, meaning: str = "", *, title: str = "") -> Any:
    """A field of a dataclass that takes numbers from ``least`` to ``most``; whole ones where the default is whole."""
    return field(default=default, metadata={"least": least, "most": most, "meaning": meaning, "title": title})


def one_of(
    default: str, *choices: str, meaning: str = "", title: str = "", words: Mapping[str, str] | None = None
) -> Any:
    """A field of a dataclass that takes one of these texts; ``words`` say what each of them is."""
    own = {"choices": choices, "meaning": meaning, "title": title, "words": dict(words or {})}
    return field(default=default, metadata=own)


def matching(default: str, form: str, wanted: str, *examples: str, meaning: str = "", later: bool = False) -> Any:
    """A field of a dataclass that takes texts of a form.

    Args:
        default: the default.
        form: a regular expression for the whole text.
        wanted: the form in words.
        examples: texts to choose from on a page.
        meaning: see :class:`Setting`.
        later: whether files were stored before there was this field: while it has its default they still do without.
    """
    own = {"form": form, "words_for": wanted, "examples": examples, "meaning": meaning, "later": later}
    return field(default=default, metadata=own)


@dataclass(frozen=True)
class Setting:
    """One setting.

    Attributes:
        name: of the field.
        default: its default, a bool, int, float or str.
        least, most: limits of a number, or None.
        choices: the texts there are, empty where others will do.
        meaning: one sentence on what it does, or "".
        title: what a form calls it, or "".
        words: for some choices, what a form calls them.
        form, words_for: the form of a text as a regular expression and in words, or "".
        examples: texts of that form.
        later: see :func:`matching`.
    """

    name: str
    default: Value
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    meaning: str = ""
    title: str = ""
    words: Mapping[str, str] = field(default_factory=dict, hash=False)
    form: str = ""
    words_for: str = ""
    examples: tuple[str, ...] = ()
    later: bool = False

    @property
    def wanted(self) -> str:
        """What it takes, for people: "a whole number from 1 to 14"."""
        if isinstance(self.default, bool):
            return "true or false"
        if isinstance(self.default, str):
            return f"one of {', '.join(self.choices)}" if self.choices else self.words_for or "a text"
        kind = "a whole number" if isinstance(self.default, int) else "a number"
        least = "" if self.least is None else f" from {self.least:,}"
        return f"{kind}{least}" if self.most is None else f"{kind}{least} to {self.most:,}"

    def parse(self, text: str) -> Value:
        """The value that a text means.

        Raises:
            InputError: it means none, or one outside the limits.
        """
        try:
            return self._inside(self._value(text.strip()))
        except (KeyError, ValueError):
            raise InputError(f"The setting {self.name} takes {self.wanted}, not {text[:40]!r}.") from None

    def check(self, value: Any) -> Value:
        """The value in the type of the default.

        Raises:
            InputError: it is of another type, or outside the limits.
        """
        try:
            return self._inside(self._typed(value))
        except ValueError:
            raise InputError(f"The setting {self.name} takes {self.wanted}, not {str(value)[:40]!r}.") from None

    def _value(self, text: str) -> Value:
        return _FLAGS[text.lower()] if isinstance(self.default, bool) else type(self.default)(text)

    def _typed(self, value: Any) -> Value:
        """The value as a bool, int, float or str, as the default is.

        Raises:
            ValueError: it is none.
        """
        wanted = bool if isinstance(self.default, bool) else type(self.default)
        taken = {bool: bool, int: Integral, float: Real, str: str}[wanted]
        if not isinstance(value, taken) or (isinstance(value, bool) and wanted is not bool):
            raise ValueError
        return wanted(value)

    def _inside(self, value: Value) -> Value:
        """The value itself.

        Raises:
            ValueError: it is outside the limits.
        """
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError
        least, most = -math.inf if self.least is None else self.least, math.inf if self.most is None else self.most
        if not isinstance(value, str) and not least <= value <= most:
            raise ValueError
        if self.choices and value not in self.choices:
            raise ValueError
        if self.form and not re.fullmatch(self.form, str(value)):
            raise ValueError
        return value

    def text(self, value: Value) -> str:
        """The shortest text that :meth:`parse` takes back."""
        return str(value).lower() if isinstance(value, bool) else str(value)


@cache
def settings_of(kind: type) -> dict[str, Setting]:
    """The settings of a dataclass by name; fields whose default is no bool, number or text are left out."""
    meanings = _meanings(kind)
    return {
        each.name: Setting(each.name, each.default, **{"meaning": meanings.get(each.name, ""), **_facts(each)})
        for each in fields(kind)
        if each.init and each.default is not MISSING and isinstance(each.default, Value)
    }


def _facts(own) -> dict[str, Any]:
    known = Setting.__dataclass_fields__
    return {name: value for name, value in own.metadata.items() if name in known and (name != "meaning" or value)}


def as_stored(instance: Any) -> dict[str, Any]:
    """The settings of an instance as files keep them: all, but for later ones that have their default."""
    known = settings_of(type(instance))
    return {
        name: value
        for name, value in asdict(instance).items()
        if not (name in known and known[name].later and value == known[name].default)
    }


class Checked:
    """A dataclass whose values are checked against the limits of its fields when one is made.

    Raises:
        InputError: a value is of another type than the default, or outside the limits.
    """

    def __post_init__(self) -> None:
        check_settings(self)


def check_settings(instance: Any) -> None:
    """Check every setting of a frozen dataclass, and keep it in the type of its default.

    Raises:
        InputError: a value is of another type, or outside the limits; the sentence lists the settings there are.
    """
    known = settings_of(type(instance))
    for name, setting in known.items():
        value = getattr(instance, name)
        try:
            checked = setting.check(value)
        except InputError as error:
            raise InputError(f"{_name(type(instance))}: {str(error).removesuffix('.')}; {_there(known)}.") from None
        if checked is not value:
            object.__setattr__(instance, name, checked)


def checked(kind: type) -> type:
    """The same dataclass, whose values are checked when one is made, whether or not it is a :class:`Checked`."""
    if "__checked__" in vars(kind):
        return kind
    make = kind.__init__

    @wraps(make)
    def __init__(self, *arguments, **settings) -> None:
        make(self, *arguments, **settings)
        if type(self) is kind:
            check_settings(self)

    kind.__init__, kind.__checked__ = __init__, True
    return kind


def check_names(kind: type, given: Mapping[str, Any]) -> None:
    """Whether a dataclass has all the settings of these names.

    Raises:
        InputError: it lacks one; the sentence lists those there are.
    """
    known = [each.name for each in fields(kind) if each.init]
    for name in given:
        if name not in known:
            near = get_close_matches(str(name), known, n=1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            raise InputError(f"{_name(kind)} has no setting {str(name)[:40]!r}{hint}; {_there(known)}.")


def _name(kind: type) -> str:
    return getattr(kind, "name", None) or kind.__name__


def _there(known) -> str:
    return f"its settings are {', '.join(known)}" if known else "it has none"


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
