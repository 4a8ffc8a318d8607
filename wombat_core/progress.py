"""How far long work is, told to whoever listens; a listener can stop it.

Short work need not know of this. What works for long calls :func:`report` now and then, or goes through its items with
:func:`each`, and may say in words what it is at (:func:`say`). A job, a command or a test that wants to know wraps the
call in :func:`listening`; a command shows it as a :func:`bar`.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import TypeVar, overload

from tqdm import tqdm

Item = TypeVar("Item")
Found = TypeVar("Found")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")


class Stopped(Exception):
    """The listener wants no answer any more. Not an error: nothing is wrong with the input."""


@dataclass(frozen=True)
class _Part:
    """The stretch [start, start + width] of the whole that the present step covers, and who listens."""

    listener: Callable[[float], object]
    say: Callable[[str], object]
    start: float = 0.0
    width: float = 1.0
    reached: list[float] = field(default_factory=lambda: [0.0])


_part: ContextVar[_Part | None] = ContextVar("part", default=None)
_alone: ContextVar[bool] = ContextVar("alone", default=False)


@contextmanager
def listening(listener: Callable[[float], object], say: Callable[[str], object] = lambda text: None) -> Iterator[None]:
    """Within the block, ``listener`` is called with the share done, in [0, 1], and ``say`` with what the work is at.

    The listener may raise :class:`Stopped`, which ends the work and leaves the block.
    """
    token = _part.set(_Part(listener, say))
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
        part.reached[0] = part.start + part.width * min(max(share, 0.0), 1.0)
        part.listener(part.reached[0])


def check() -> None:
    """Let the listener, if there is one, end the work here: nothing more is done than at the latest report.

    Raises:
        Stopped: the listener wants no more.
    """
    part = _part.get()
    if part is not None:
        part.listener(part.reached[0])


def say(text: str) -> None:
    """Tell the listener, if there is one, what the work is at: a few words such as "Choosing molecules"."""
    part = _part.get()
    if part is not None:
        part.say(text)


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


@overload
def in_turn(first: Callable[[], A], second: Callable[[], B], /) -> tuple[A, B]: ...
@overload
def in_turn(first: Callable[[], A], second: Callable[[], B], third: Callable[[], C], /) -> tuple[A, B, C]: ...
def in_turn(*steps: Callable[[], object]) -> tuple[object, ...]:
    """What two or three steps give, one after the other, each an equal share of the present step.

    Raises:
        Stopped: the listener wants no more.
    """
    return tuple(each(steps, lambda step: step()))


@contextmanager
def unpaused() -> Iterator[None]:
    """Within the block a report may end the work, but not let it wait: it holds what other threads need."""
    token = _alone.set(True)
    try:
        yield
    finally:
        _alone.reset(token)


@contextmanager
def through(around: Callable[[Callable[[], object]], object]) -> Iterator[None]:
    """Within the block ``around`` is called in the listener's place, with a function that calls the listener."""
    part = _part.get()
    if part is None:
        yield
        return
    token = _part.set(replace(part, listener=lambda share: around(lambda: part.listener(share))))
    try:
        yield
    finally:
        _part.reset(token)


def may_pause() -> bool:
    """Whether the listener may let the work wait at this report."""
    return not _alone.get()


@contextmanager
def bar(what: str = "", quiet: bool = True, **options) -> Iterator[None]:
    """Within the block, what is reported moves a bar on standard error.

    Args:
        what: named in front of it.
        quiet: nothing where standard error is no terminal; else a line in half a minute there.
        options: of ``tqdm``.
    """
    shown = {"disable": None} if quiet else {"mininterval": interval()}
    moving = tqdm(total=100, unit="%", desc=what or None, file=sys.stderr, **shown, **options)
    with moving, listening(lambda share: moving.update(round(100 * share) - moving.n)):
        yield


def interval() -> float:
    """Seconds between two looks at a bar that is shown everywhere."""
    return 0.2 if sys.stderr.isatty() else 30


@contextmanager
def _narrowed(start: float, width: float) -> Iterator[None]:
    whole = _part.get()
    if whole is None:
        yield
        return
    token = _part.set(replace(whole, start=whole.start + whole.width * start, width=whole.width * width))
    try:
        yield
    finally:
        _part.reset(token)
