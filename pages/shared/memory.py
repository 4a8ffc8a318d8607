"""Values of a page's functions, remembered for all sessions in the engine's memory, whose bytes are limited."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Mapping
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from . import engine

Function = TypeVar("Function", bound=Callable[..., Any])


def remembered(most: int) -> Callable[[Function], Function]:
    """A function whose values are remembered by its arguments, those whose names begin with ``_`` apart.

    Args:
        most: how many values are kept at most; fewer where the memory is full.
    """

    def decorate(function: Function) -> Function:
        signature = inspect.signature(function)
        kind = f"{function.__module__}.{function.__qualname__}"

        @wraps(function)
        def remembering(*arguments, **named):
            given = signature.bind(*arguments, **named)
            given.apply_defaults()
            key = tuple(_hashable(value) for name, value in given.arguments.items() if not name.startswith("_"))
            return engine.get_engine().memo.of((kind, *key), lambda: function(*arguments, **named), most)

        return remembering

    return decorate


def _hashable(value: Any) -> Hashable:
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, value.tobytes()
    if isinstance(value, list | tuple):
        return tuple(map(_hashable, value))
    if isinstance(value, Mapping):
        return tuple(sorted((name, _hashable(each)) for name, each in value.items()))
    return value
