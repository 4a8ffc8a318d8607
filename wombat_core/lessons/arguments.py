"""What views and numbers of lessons are given: kinds of arguments, checked before anything is computed.

A view or a number is a function of engine, step (or situation) and arguments, each annotated with one of the kinds
below; its parameters are all that a lesson file can give it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from inspect import Parameter, signature
from types import NoneType
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
)
from pydantic import create_model as new_model

from ..errors import InputError
from ..explainers.registry import explainer_class, is_added, names
from ..paths.watch import parse_watch
from ..published import table
from ..registry import check_name
from ..settings import settings_of
from ..whitebox.catalogue import pattern
from ..whitebox.kind import has_channels
from ..whitebox.model import Whitebox
from .engine import Engine
from .lesson import Situation
from .problems import first_problem


@dataclass(frozen=True)
class Context:
    """What arguments are checked against."""

    engine: Engine
    situation: Situation


def _checked(check: Callable[[Any, Engine, Situation], Any]) -> BeforeValidator:
    def take(value: Any, info: ValidationInfo) -> Any:
        context = info.context
        if not isinstance(context, Context):
            raise AssertionError("check_arguments gives it")
        return check(value, context.engine, context.situation)

    return BeforeValidator(take)


def atom_of(word: Any, engine: Engine, situation: Situation) -> int:
    """An atom's index.

    Raises:
        InputError: the molecule has no such atom.
    """
    size, text = engine.molecule(situation.molecule).num_atoms, str(word)
    if isinstance(word, bool) or not (text.isdecimal() and len(text) < 7 and int(text) < size):
        raise InputError(f"there is no atom '{text[:20]}'; the molecule's atoms are 0 to {size - 1}.")
    return int(text)


def check_explainer(name: Any, *_: Any) -> str:
    """The name of an explainer that every installation has.

    Raises:
        InputError: there is none of this name.
    """
    return check_name("explainer", name, [own for own in names() if not is_added(own)])


def _molecule(value: Any, engine: Engine, situation: Situation) -> str:
    engine.molecule(str(value))
    return str(value)


def _layer(value: Any, engine: Engine, situation: Situation) -> int:
    depth = engine.network(situation).pattern.num_layers
    if value == "readout":
        return 0
    if type(value) is not int or not 1 <= value <= depth:
        raise InputError(f"must be a layer from 1 to {depth}, or readout.")
    return value


def _watched(value: Any, engine: Engine, situation: Situation) -> str:
    channel, place = parse_watch(str(value), channels(engine, situation), engine.molecule(situation.molecule))
    return f"{channel}:{place}"


def _ordered(value: tuple[float, float]) -> tuple[float, float]:
    if value[1] - value[0] < 0.001:
        raise InputError("must be a range of alphas at least 0.001 wide.")
    return value


def channels(engine: Engine, situation: Situation) -> Whitebox:
    """The network, where it has channels of the paper's kind.

    Raises:
        InputError: it has none.
    """
    model = engine.network(situation)
    if not has_channels(model):
        raise InputError(f"{model.pattern.title} has no channels of the paper's kind.")
    return model


Atom = Annotated[int, _checked(atom_of)]
ExplainerName = Annotated[str, _checked(check_explainer)]
MoleculeText = Annotated[str, _checked(_molecule)]
PatternId = Annotated[str, _checked(lambda value, engine, situation: pattern(str(value)).id)]
PublishedTable = Annotated[str, _checked(lambda value, engine, situation: table(str(value)).number)]
Layer = Annotated[int, _checked(_layer)]
Watched = Annotated[str, _checked(_watched)]
Alpha = Annotated[float, Field(ge=0, le=1, strict=True)]
Zoom = Annotated[tuple[Alpha, Alpha], AfterValidator(_ordered)]
Letter = Annotated[str, Field(pattern="^[A-Z]{1,3}$")]
Readout = Literal["r1", "r2"]


def whole(least: int, most: int) -> Any:
    """The limits of a whole number: ``Annotated[int, whole(1, 4)]``."""
    return Field(ge=least, le=most, strict=True)


def several(most: int) -> Any:
    """The length of a list of one to ``most`` values: ``Annotated[tuple[Atom, ...], several(4)]``."""
    return Field(min_length=1, max_length=most)


@cache
def parameters_of(function: Callable) -> Mapping[str, Parameter]:
    """What a lesson can give: the parameters after engine and step."""
    return dict(list(signature(function).parameters.items())[2:])


@cache
def _model(function: Callable) -> type[BaseModel]:
    fields: dict[str, Any] = {
        name: (_given(one.annotation), ... if one.default is Parameter.empty else one.default)
        for name, one in parameters_of(function).items()
    }
    return new_model("Arguments", __config__=ConfigDict(extra="forbid", arbitrary_types_allowed=True), **fields)


def _given(annotation: Any) -> Any:
    """A kind without the None of its default, which is not checked."""
    kinds = [one for one in get_args(annotation) if one is not NoneType]
    return kinds[0] if NoneType in get_args(annotation) else annotation


def check_arguments(
    function: Callable, given: Mapping[str, Any], engine: Engine, situation: Situation, what: str, part: str
) -> dict[str, Any]:
    """The arguments as the function takes them.

    Args:
        given: by name.
        what, part: for the sentence: "the view path", "option".

    Raises:
        InputError: one is unknown, missing, or has a value that cannot be used.
    """
    model = _model(function)
    try:
        found = model.model_validate(dict(given), context=Context(engine, situation))
    except ValidationError as error:
        key, reason = first_problem(error, model.model_fields, what, part)
        raise InputError(
            reason if key not in given or key not in model.model_fields else f"'{key}': {reason}"
        ) from None
    return {name: getattr(found, name) for name in found.model_fields_set}


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
