"""Options of views: what each takes, checked before anything is computed."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ..errors import InputError
from ..explainers.registry import explainer_class
from ..explainers.settings import settings_of
from ..paths.watch import parse_watch
from ..published import table
from ..whitebox.catalogue import pattern
from ..whitebox.model import Whitebox
from .engine import Engine
from .fact import atom_of
from .lesson import Situation
from .placeholders import check_explainer

Option = Callable[[Any, Engine, Situation], Any]
"""From the value in the file to the one the view takes; raises InputError with the reason."""


def whole(least: int, most: int) -> Option:
    """A whole number."""

    def take(value, engine, situation):
        if type(value) is not int or not least <= value <= most:
            raise InputError(f"must be a whole number from {least} to {most:,}.")
        return value

    return take


def alpha(value, engine, situation) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InputError("must be a number from 0 to 1.")
    return float(value)


def zoom(value, engine, situation) -> tuple[float, float]:
    if not isinstance(value, list) or len(value) != 2:
        raise InputError("must be two alphas, such as [0.9, 1].")
    low, high = (alpha(end, engine, situation) for end in value)
    if high - low < 0.001:
        raise InputError("must be a range of alphas at least 0.001 wide.")
    return low, high


def atom(value, engine, situation) -> int:
    return atom_of(engine, situation, value if type(value) is int else str(value))


def explainer(value, engine, situation) -> str:
    check_explainer(str(value))
    return str(value)


def molecule(value, engine, situation) -> str:
    engine.molecule(str(value))
    return str(value)


def pattern_id(value, engine, situation) -> str:
    return pattern(value).id


def readout(value, engine, situation) -> str:
    if value not in ("r1", "r2"):
        raise InputError("must be r1 or r2.")
    return value


def layer(value, engine, situation) -> int:
    depth = engine.network(situation).pattern.num_layers
    if value == "readout":
        return 0
    if type(value) is not int or not 1 <= value <= depth:
        raise InputError(f"must be a layer from 1 to {depth}, or readout.")
    return value


def letter(value, engine, situation) -> str:
    if not (isinstance(value, str) and len(value) == 1 and value.isupper()):
        raise InputError("must be a letter from A to Z.")
    return value


def watched(value, engine, situation) -> str:
    model = engine.network(situation)
    if not isinstance(model, Whitebox):
        raise InputError(f"needs a network with channels; {model.pattern.title} has none.")
    channel, place = parse_watch(str(value), model, engine.molecule(situation.molecule))
    return f"{channel}:{place}"


def word(value, engine, situation) -> str:
    if not isinstance(value, str):
        raise InputError("must be a word.")
    return value


def published_table(value, engine, situation) -> str:
    return table(str(value)).number


def anything(value, engine, situation) -> Any:
    return value


def several(option: Option, most: int) -> Option:
    """A list of one to ``most`` values."""

    def take(value, engine, situation):
        if not isinstance(value, list) or not 1 <= len(value) <= most:
            raise InputError(f"must be a list of 1 to {most} values.")
        return tuple(option(one, engine, situation) for one in value)

    return take


def read_options(
    given: Mapping[str, Any], known: Mapping[str, Option], engine: Engine, situation: Situation
) -> dict[str, Any]:
    """The options of a view.

    Raises:
        InputError: one is unknown or has a value that cannot be used.
    """
    found = {}
    for name, value in given.items():
        if name not in known:
            raise InputError(f"it has no option '{name[:40]}'; it has {', '.join(known) or 'none'}.")
        try:
            found[name] = known[name](value, engine, situation)
        except InputError as error:
            raise InputError(f"its option '{name}': {error}") from None
    return found


def with_setting(situation: Situation, name: str, setting: str, value: Any) -> Situation:
    """The situation with one setting of an explainer changed.

    Raises:
        InputError: the explainer has no such setting, or it cannot have this value.
    """
    known = settings_of(explainer_class(name))
    if setting not in known:
        raise InputError(f"{name} has no setting '{setting[:40]}'; it has {', '.join(known) or 'none'}.")
    parsed = known[setting].parse(str(value))
    kept = tuple(one for one in situation.settings if one[:2] != (name, setting))
    return replace(situation, settings=(*kept, (name, setting, parsed)))
