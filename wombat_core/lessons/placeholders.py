"""Numbers in texts: ``{{ auroc("integrated-gradients", steps=100) }}``, an expression of Jinja2 in its sandbox.

A lesson may come from anybody. So an expression can name numbers and give them constants, and nothing else: no
attributes, no items, no statements, no arithmetic, no filters, and only so many of them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from inspect import Parameter
from re import Match, compile
from typing import Any

from jinja2 import TemplateSyntaxError, nodes
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

from ..errors import InputError
from ..registry import check_name
from .arguments import check_arguments, parameters_of, with_setting
from .engine import Engine, NotYet
from .fact import USUAL, number
from .facts import FACTS
from .lesson import Situation
from .old_placeholders import rewritten

PENDING = "…"
MOST, LONGEST = 200, 400
"""Placeholders of a text, and characters of one."""
_PLACEHOLDER = compile(r"\{\{(.*?)\}\}")
_SITUATION = ("readout", "pattern", "molecule")
_ALLOWED = (nodes.Call, nodes.Name, nodes.Const, nodes.Keyword, nodes.Neg)
_SANDBOX = ImmutableSandboxedEnvironment(cache_size=0)


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
    for line, words in enumerate(text.split("\n")):
        for found in _PLACEHOLDER.finditer(words):
            yield Placeholder(found[1].strip(), line)


@dataclass(frozen=True)
class Quoted:
    """A number as an expression has it: by its name alone, or called with arguments."""

    name: str
    situation: Situation
    engine: Engine

    def __call__(self, *args: Any, **named: Any) -> str:
        function = FACTS[self.name]
        digits = _digits(named.pop("digits", None))
        own = _situation(self.name, args, named, self.situation)
        order = list(parameters_of(function))
        if len(args) > len(order):
            raise InputError(f"it is written {usage(self.name)}.")
        given = {**dict(zip(order, args, strict=False)), **{key: one for key, one in named.items() if key in order}}
        if missing := [key for key in _must(function) if key not in given]:
            raise InputError(f"it lacks {missing[0]}; it is written {usage(self.name)}.")
        checked = check_arguments(function, given, self.engine, own, self.name, "argument")
        value = function(self.engine, own, **checked)
        if value is None:
            return "undefined"
        return value if isinstance(value, str) else number(float(value), digits, USUAL[self.name])


def usage(name: str) -> str:
    """How a number is written: ``{{ score(explainer, atom) }}``."""
    needed = ", ".join(_must(FACTS[name]))
    return f"{{{{ {name}({needed}) }}}}" if needed else f"{{{{ {name} }}}}"


def value_of(source: str, situation: Situation, engine: Engine) -> str:
    """What a placeholder stands for.

    Raises:
        NotYet: its explainer has no answer yet.
        InputError: it is not known, or cannot be computed; the sentence names it.
    """
    try:
        if modern := rewritten(source, FACTS):
            raise InputError(f"numbers are written otherwise now, here {{{{ {modern} }}}}.")
        _check(source)
        found = _expression(source)(**{name: Quoted(name, situation, engine) for name in FACTS})
        return found() if isinstance(found, Quoted) else str(found)
    except NotYet:
        raise
    except (InputError, TypeError, RecursionError) as error:
        raise InputError(f"'{{{{{source[:60]}}}}}' cannot be computed: {error}") from None


def filled(text: str, situation: Situation, engine: Engine, escape: Callable[[str], str] = str) -> str:
    """A text with its numbers; one whose explainer is still at work reads "…".

    Args:
        escape: applied to every value, for the markup the text is shown in.

    Raises:
        InputError: as :func:`value_of`.
    """
    check_count(text)

    def told(found: Match) -> str:
        before = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
        in_code = before.count("`") % 2  # there everything stands as it is
        try:
            value = value_of(found[1].strip(), situation, engine)
        except NotYet:
            return PENDING
        return value if in_code else escape(value)

    return _PLACEHOLDER.sub(told, text)


def check_count(text: str) -> None:
    """Raise InputError where a text has more placeholders than are computed."""
    if len(_PLACEHOLDER.findall(text)) > MOST:
        raise InputError(f"a text has at most {MOST} numbers between braces.")


def _check(source: str) -> None:
    """Raise InputError for all that is not a number by its name, with constants."""
    if len(source) > LONGEST:
        raise InputError(f"it is longer than {LONGEST} characters.")
    try:
        parser = Parser(_SANDBOX, source, state="variable")
        tree = parser.parse_expression()
    except TemplateSyntaxError as error:
        first = source.partition(" ")[0].partition("(")[0].replace("-", "_")
        if first.isidentifier() and first not in FACTS:
            raise FACTS.missing(first) from None
        raise InputError(f"{(error.message or 'it cannot be read').rstrip('.')}.") from None
    if not parser.stream.eos or not isinstance(tree, nodes.Name | nodes.Call):
        raise InputError("it must be the name of a number, with its arguments in brackets.")
    for node in (tree, *tree.find_all(nodes.Node)):
        if not isinstance(node, _ALLOWED):
            raise InputError(f"{type(node).__name__} is not allowed here, only numbers by their names, with constants.")
        if isinstance(node, nodes.Name):
            _check_name(node.name, is_called=node is tree or node is getattr(tree, "node", None))


def _check_name(name: str, is_called: bool) -> None:
    if not is_called:
        raise InputError(f"'{name[:40]}' must stand in quotes.")
    if name not in FACTS:
        raise FACTS.missing(name)


@lru_cache(2000)
def _expression(source: str) -> Callable[..., Any]:
    return _SANDBOX.compile_expression(source, undefined_to_none=False)


def _must(function: Callable) -> list[str]:
    return [name for name, one in parameters_of(function).items() if one.default is Parameter.empty]


def _situation(name: str, args: tuple, named: dict[str, Any], situation: Situation) -> Situation:
    """The situation of a placeholder: the step's, with what it changes."""
    own = replace(situation, **{key: str(named[key]) for key in _SITUATION if key in named})
    check_name("readout", own.readout, ("r1", "r2"))
    parameters = parameters_of(FACTS[name])
    for key, value in named.items():
        if key in _SITUATION or key in parameters:
            continue
        if "explainer" not in parameters:
            raise InputError(f"'{key[:40]}' does not belong to it.")
        if args or "explainer" in named:
            own = with_setting(own, str(args[0] if args else named["explainer"]), key, value)
    return own


def _digits(value: Any) -> int | None:
    if value is not None and (type(value) is not int or not 0 <= value <= 15):
        raise InputError("'digits' must be a whole number from 0 to 15.")
    return value
