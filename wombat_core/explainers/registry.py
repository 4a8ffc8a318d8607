"""The explainers there are, by name: the ones here, and those that users add."""

import re
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

from ..errors import InputError
from . import plugins
from .left_out import LEFT_OUT
from .protocol import Explainer

_CLASSES = {
    "integrated-gradients": "integrated:IntegratedGradients",
    "integrated-gradients-exact": "exact:ExactIntegratedGradients",
    "saliency": "gradient:Saliency",
    "input-x-gradient": "gradient:InputXGradient",
    "shapley-value-sampling": "shapley:ShapleyValueSampling",
    "shapley-exact": "shapley_exact:ExactShapley",
    "subgraphx": "subgraphx:SubgraphX",
    "gnn-explainer": "gnn_explainer:GNNExplainer",
    "pg-explainer": "pg_explainer:PGExplainer",
    "pgm-explainer": "pgm:PGMExplainer",
    "grad-cam": "grad_cam:GradCam",
    "guided-backprop": "guided:GuidedBackprop",
    "random": "control:Random",
    "random-atoms": "control:RandomAtoms",
    "oracle": "control:Oracle",
}


_ADDED: dict[str, type[Explainer]] = {}
_PROBLEMS: list[str] = []


def names() -> list[str]:
    """The names of all explainers, in the order pages show them; those that users added come last."""
    _find_added()
    return [*_CLASSES, *_ADDED]


def problems() -> list[str]:
    """Why explainers that the environment or installed packages name are not there, a sentence each."""
    _find_added()
    return list(_PROBLEMS)


def is_added(name: str) -> bool:
    """Whether the explainer is a user's own."""
    return name in _ADDED


def explainer_class(name: str) -> type[Explainer]:
    """The class of that name, imported when first asked for.

    Raises:
        InputError: there is none; the sentence lists those there are.
    """
    if name in LEFT_OUT and name not in names():
        raise InputError(f"The explainer {name!r} is left out: {LEFT_OUT[name]}")
    if name not in names():
        raise InputError(f"There is no explainer {name[:40]!r}; choose from {', '.join(names())}.")
    if name in _ADDED:
        return _ADDED[name]
    module, attribute = _CLASSES[name].split(":")
    return getattr(import_module(f".{module}", __package__), attribute)


def register(kind: type[Explainer]) -> type[Explainer]:
    """Add an explainer; a class decorator.

    A class of the same name that the same file registered before is replaced.

    Raises:
        InputError: the class is not what the protocol asks for, or another explainer has its name.
    """
    _check(kind)
    before = _ADDED.get(kind.name)
    if kind.name in _CLASSES or (before is not None and before.__module__ != kind.__module__):
        raise InputError(f"There is already an explainer {kind.name!r}; {kind.__name__} needs another name.")
    _ADDED[kind.name] = kind
    return kind


def load_file(path: str | Path) -> list[str]:
    """Run a Python file that registers explainers (code that the user trusts), and give their names.

    Raises:
        InputError: the file cannot be run, or registers none.
    """
    module = plugins.run_file(path)
    found = [name for name, kind in _ADDED.items() if kind.__module__ == module]
    if not found:
        raise InputError(f"{Path(path).name} registers no explainer; put @register above its class.")
    return found


@cache
def _find_added() -> None:
    """Find what the environment and installed packages add, once; failures are kept as sentences."""
    for path in plugins.named_files():
        try:
            load_file(path)
        except InputError as error:
            _PROBLEMS.append(str(error))
    for entry in plugins.installed():
        try:
            register(entry.load())
        except InputError as error:
            _PROBLEMS.append(str(error))
        except Exception as error:
            _PROBLEMS.append(f"The explainer {entry.name!r} ({entry.value}) {plugins.one_line(error)}.")


def _check(kind: type) -> None:
    """Whether a class is an explainer.

    Raises:
        InputError: it is not; the sentence names what it lacks.
    """
    own = getattr(kind, "__name__", repr(kind))
    if not isinstance(kind, type) or not is_dataclass(kind):
        raise InputError(f"The explainer {own} must be a dataclass, whose fields are its settings.")
    for attribute, wanted in (("name", str), ("title", str), ("summary", str), ("expensive", bool)):
        if not isinstance(getattr(kind, attribute, None), wanted):
            raise InputError(f"The explainer {own} needs a class attribute {attribute!r} of type {wanted.__name__}.")
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", kind.name):
        raise InputError(f"The explainer {own} needs a name of lower-case words joined by '-', not {kind.name[:40]!r}.")
    if not callable(getattr(kind, "attribute", None)):
        raise InputError(f"The explainer {own} needs a method 'attribute(self, model, batch)'.")
    try:
        kind()
    except TypeError as error:
        raise InputError(
            f"Every setting of the explainer {own} needs a default: it {plugins.one_line(error)}."
        ) from error


def explainer(name: str, **settings) -> Explainer:
    """An explainer with the settings it has among ``settings``; the others are not its business.

    Raises:
        InputError: no such explainer.
    """
    kind = explainer_class(name)
    own = {field.name for field in fields(kind)}
    return kind(**{key: value for key, value in settings.items() if key in own and value is not None})
