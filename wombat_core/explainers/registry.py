"""The explainers there are, by name: the ones here, and those that users add."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import InputError, one_line
from ..registry import Registry, no_such
from ..settings import check_names, checked
from . import plugins
from .left_out import LEFT_OUT
from .method import MASKS, fact
from .protocol import Explainer

EXPLAINERS: Registry[type[Explainer]] = Registry(
    "explainer",
    {
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
    },
    __package__,
)
"""Those that every installation has, in the order pages show them; loading one of these classes loads no torch."""

ALIASES = {"n_steps": "steps", "n_samples": "samples", "baselines": "baseline"}
"""Captum's names of settings, and ours."""

_ADDED: dict[str, type[Explainer]] = {}
_PROBLEMS: list[str] = []


def names() -> list[str]:
    """The names of all explainers, in the order pages show them; those that users added come last."""
    _find_added()
    return [*EXPLAINERS, *_ADDED]


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
    if name in EXPLAINERS:
        return EXPLAINERS[name]
    _find_added()
    if name in _ADDED:
        return _ADDED[name]
    if name in LEFT_OUT:
        raise InputError(f"The explainer {name!r} is left out: {LEFT_OUT[name]}")
    raise no_such("explainer", name, names())


def register(kind: type[Explainer]) -> type[Explainer]:
    """Add an explainer; a class decorator.

    A class of the same name that the same file registered before is replaced. Settings that an instance is made with
    are checked from now on, as those of the explainers here are.

    Raises:
        InputError: the class is not what the protocol asks for, or another explainer has its name.
    """
    _check(kind)
    before = _ADDED.get(kind.name)
    if kind.name in EXPLAINERS or (before is not None and before.__module__ != kind.__module__):
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
        what = f"The explainer {entry.name!r} ({entry.value})"
        try:
            register(plugins.in_bounds(entry.load, lambda error, what=what: what))
        except InputError as error:
            _PROBLEMS.append(str(error))


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
    name: str = getattr(kind, "name", "")
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        raise InputError(f"The explainer {own} needs a name of lower-case words joined by '-', not {name[:40]!r}.")
    if not callable(getattr(kind, "attribute", None)):
        raise InputError(f"The explainer {own} needs a method 'attribute(self, model, batch)'.")
    masks = fact(kind, "masks")
    for mask in masks if isinstance(masks, tuple) else (masks,):
        if mask not in MASKS:
            raise no_such("kind of mask", mask, MASKS, f", which the explainer {own} names")
    plugins.in_bounds(
        checked(kind),
        lambda error: (
            f"Every setting of the explainer {own} needs a default: it"
            if isinstance(error, TypeError)
            else f"The explainer {own}, made with its defaults,"
        ),
    )


def explainer(name: str, **settings: Any) -> Explainer:
    """An explainer with these settings; None stands for a default. Captum's names do as well (``ALIASES``).

    Raises:
        InputError: no such explainer; it lacks one of the settings, or cannot take the value. The sentence lists the
            explainers, or the settings, that there are.
    """
    kind = explainer_class(name)
    given = _own_names(kind, {key: value for key, value in settings.items() if value is not None})
    check_names(kind, given)
    try:
        return kind(**given)
    except InputError:
        raise
    except (Exception, SystemExit) as error:
        if is_added(name):
            raise InputError(f"The explainer {name!r}, made with these settings, {one_line(error)}.") from error
        raise


def explainer_taking(name: str, shared: Mapping[str, Any]) -> Explainer:
    """An explainer with those of some settings that it has, as where several explainers share steps, samples and seed.

    Raises:
        InputError: no such explainer, or it cannot take a value.
    """
    kind: type = explainer_class(name)
    own = {field.name for field in fields(kind) if field.init}
    return explainer(name, **{key: value for key, value in _own_names(kind, shared).items() if key in own})


def _own_names(kind: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings under the names that the explainer has for them.

    Raises:
        InputError: one is given under both names.
    """
    own = {field.name for field in fields(kind) if field.init}
    found = {}
    for key, value in given.items():
        name = ALIASES[key] if key in ALIASES and key not in own and ALIASES[key] in own else key
        if name in found:
            raise InputError(f"{kind.name} is given its setting {name} twice, also as {key}.")
        found[name] = value
    return found
