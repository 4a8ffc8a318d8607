"""Numbers in texts: ``{{auroc integrated-gradients steps=100}}``."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ..errors import InputError
from ..explainers.registry import explainer_class, is_added, names
from ..explainers.settings import settings_of
from .engine import Engine, NotYet
from .facts import FACTS, Fact
from .lesson import Situation

PENDING = "…"
_PLACEHOLDER = re.compile(r"\{\{(.*?)\}\}")
_SITUATION = ("readout", "pattern", "molecule")


@dataclass(frozen=True)
class Placeholder:
    """One placeholder of a text.

    Attributes:
        source: what stands between the braces.
        line: counted from 0 within its text.
    """

    source: str
    line: int


def placeholders(text: str) -> Iterator[Placeholder]:
    """The placeholders of a text, in order."""
    for number, line in enumerate(text.split("\n")):
        for found in _PLACEHOLDER.finditer(line):
            yield Placeholder(found[1].strip(), number)


def value_of(source: str, situation: Situation, engine: Engine) -> str:
    """What a placeholder stands for.

    Raises:
        NotYet: its explainer has no answer yet.
        InputError: it is not known, or cannot be computed; the sentence names it.
    """
    try:
        fact, words, named = _read(source, situation)
        own = _situation(words, named, fact, situation)
        digits = _digits(named)
        extra = {name: _number(name, named[name]) for name in fact.named if name in named}
        return fact.compute(engine, own, words, digits, **extra)
    except NotYet:
        raise
    except InputError as error:
        raise InputError(f"'{{{{{source[:60]}}}}}' cannot be computed: {error}") from None


def filled(text: str, situation: Situation, engine: Engine, escape: Callable[[str], str] = str) -> str:
    """A text with its numbers; one whose explainer is still at work reads "…".

    Args:
        escape: applied to every value, for the markup the text is shown in.

    Raises:
        InputError: as :func:`value_of`.
    """

    def told(found: re.Match) -> str:
        before = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
        in_code = before.count("`") % 2  # there everything stands as it is
        try:
            value = value_of(found[1].strip(), situation, engine)
        except NotYet:
            return PENDING
        return value if in_code else escape(value)

    return _PLACEHOLDER.sub(told, text)


def _read(source: str, situation: Situation) -> tuple[Fact, list[str], dict[str, str]]:
    """The fact, its words and its named values."""
    name, *parts = source.split() or [""]
    if name not in FACTS:
        raise InputError(f"there is no placeholder '{name[:40]}'; choose from {', '.join(FACTS)}.")
    fact = FACTS[name]
    words = [part for part in parts if "=" not in part or part.startswith("=")]
    named: dict[str, str] = {}
    for part in parts:
        if part not in words:
            key, _, value = part.partition("=")
            named[key] = value
    least, most = fact.count
    if not least <= len(words) <= most:
        raise InputError(f"it is written {fact.usage}.")
    return fact, words, named


def _situation(words: list[str], named: dict[str, str], fact: Fact, situation: Situation) -> Situation:
    """The situation of a placeholder: the step's, with what it changes."""
    own = replace(situation, **{key: named[key] for key in _SITUATION if key in named})
    if own.readout not in ("r1", "r2"):
        raise InputError(f"there is no readout '{own.readout[:20]}'; choose r1 or r2.")
    others = {key: value for key, value in named.items() if key not in (*_SITUATION, "digits", *fact.named)}
    if not others:
        return own
    if not fact.explains:
        raise InputError(f"'{next(iter(others))[:40]}' does not belong to it.")
    known, found = settings_of(explainer_class(words[0])), {}
    for key, value in others.items():
        if key not in known:
            raise InputError(f"{words[0]} has no setting '{key[:40]}'; it has {', '.join(known) or 'none'}.")
        found[key] = known[key].parse(value)
    kept = tuple(one for one in own.settings if not (one[0] == words[0] and one[1] in found))
    return replace(own, settings=(*kept, *((words[0], key, value) for key, value in found.items())))


def _digits(named: dict[str, str]) -> int | None:
    if "digits" not in named:
        return None
    if not re.fullmatch(r"\d|1[0-5]", named["digits"]):
        raise InputError("'digits' must be a whole number from 0 to 15.")
    return int(named["digits"])


def _number(name: str, text: str) -> Any:
    try:
        return float(text) if name != "atom" else int(text)
    except ValueError:
        raise InputError(f"'{name}' must be a number, not '{text[:20]}'.") from None


def check_explainer(name: str) -> None:
    """Whether there is an explainer of this name that every installation has.

    Raises:
        InputError: there is none.
    """
    if name not in names() or is_added(name):
        known = [own for own in names() if not is_added(own)]
        raise InputError(f"there is no explainer '{name[:40]}'; choose from {', '.join(known)}.")
