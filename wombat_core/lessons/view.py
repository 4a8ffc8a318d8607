"""What a view is: a function of engine, step and options that gives blocks, under a name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..registry import Registry
from .blocks import Block


@dataclass(frozen=True)
class Kind:
    """A view: how its blocks are made, whether it needs explainers, what else is checked of its options."""

    blocks: Callable[..., Sequence[Block]]
    explains: bool = False
    check: Callable[..., None] | None = None


VIEWS: Registry[Kind] = Registry("view")


def view(name: str, *, explains: bool = False, check: Callable[..., None] | None = None):
    """Register a function as a view; its parameters after engine and step are the view's options.

    Args:
        name: as lessons write it.
        explains: the view needs explainers.
        check: called with engine, step and the options before anything is computed; raises InputError.
    """

    def add(function: Callable[..., Sequence[Block]]) -> Callable[..., Sequence[Block]]:
        VIEWS.register(name, Kind(function, explains, check))
        return function

    return add
