"""How far an explainer is, told to whoever listens; a listener can stop it.

A simple explainer need not know of this. One that works for long calls :func:`report` now and then, or goes through
its graphs with :func:`each`; a page or command that wants to know wraps its call in :func:`listening`.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

Item = TypeVar("Item")
Found = TypeVar("Found")


class Stopped(Exception):
    """The listener wants no answer any more. Not an error: nothing is wrong with the input."""


@dataclass(frozen=True)
class _Part:
    """The stretch [start, start + width] of the whole that the present step covers, and who listens."""

    listener: Callable[[float], object]
    start: float = 0.0
    width: float = 1.0


_part: ContextVar[_Part | None] = ContextVar("part", default=None)


@contextmanager
def listening(listener: Callable[[float], object]) -> Iterator[None]:
    """Within the block, ``listener`` is called with the share done, in [0, 1].

    It may raise :class:`Stopped`, which ends the explainer and leaves the block.
    """
    token = _part.set(_Part(listener))
    try:
        yield
    finally:
        _part.reset(token)


def report(share: float) -> None:
    """Tell the listener, if there is one, that this share of the present step is done.

    Raises:
        Stopped: the listener wants no more.
    """
    part = _part.get()
    if part is not None:
        part.listener(part.start + part.width * min(max(share, 0.0), 1.0))


def each(items: Sequence[Item], work: Callable[[Item], Found]) -> list[Found]:
    """``work`` on every item, in order; what it reports counts as the item's equal share of the present step.

    Raises:
        Stopped: the listener wants no more.
    """
    found = []
    for place, item in enumerate(items):
        with _narrowed(place / len(items), 1 / len(items)):
            found.append(work(item))
            report(1)
    return found


@contextmanager
def _narrowed(start: float, width: float) -> Iterator[None]:
    whole = _part.get()
    if whole is None:
        yield
        return
    token = _part.set(_Part(whole.listener, whole.start + whole.width * start, whole.width * width))
    try:
        yield
    finally:
        _part.reset(token)
