"""The explainers there are, by name."""

from dataclasses import fields
from functools import cache
from importlib import import_module

from ..errors import InputError
from .protocol import Explainer

_CLASSES = {
    "integrated-gradients": "integrated:IntegratedGradients",
    "saliency": "gradient:Saliency",
    "input-x-gradient": "gradient:InputXGradient",
    "shapley-value-sampling": "shapley:ShapleyValueSampling",
    "random": "control:Random",
}


def names() -> list[str]:
    """The names of all explainers, in the order pages show them."""
    return list(_CLASSES)


@cache
def explainer_class(name: str) -> type[Explainer]:
    """The class of that name, imported when first asked for.

    Raises:
        InputError: there is none; the sentence lists those there are.
    """
    if name not in _CLASSES:
        raise InputError(f"There is no explainer {name[:40]!r}; choose from {', '.join(_CLASSES)}.")
    module, attribute = _CLASSES[name].split(":")
    return getattr(import_module(f".{module}", __package__), attribute)


def explainer(name: str, **settings) -> Explainer:
    """An explainer with the settings it has among ``settings``; the others are not its business.

    Raises:
        InputError: no such explainer.
    """
    kind = explainer_class(name)
    own = {field.name for field in fields(kind)}
    return kind(**{key: value for key, value in settings.items() if key in own and value is not None})
