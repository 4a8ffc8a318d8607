"""Users' own code within bounds: what it changes in the process is put back, what it prints stays out of the output."""

import os
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import torch
from torch.nn.modules import module as torch_modules

from .. import progress
from ..errors import InputError, one_line
from .seeding import generator

GIVES_WAY = 0.05
"""Seconds after which such code, where it reports its progress, lets others draw random numbers."""

_contained: ContextVar[bool] = ContextVar("contained", default=False)


class _Part(NamedTuple):
    """Something of the process that code can change: its name, how to read it and how to set it."""

    name: str
    read: Callable[[], Any]
    set: Callable[[Any], object]


def _folder() -> str | None:
    try:
        return os.getcwd()
    except OSError:
        return None


def _hooks() -> list[dict]:
    return [dict(hooks) for hooks in _HOOKS]


def _set_hooks(wanted: list[dict]) -> None:
    for hooks, own in zip(_HOOKS, wanted, strict=True):
        hooks.clear()
        hooks.update(own)


def _set_device(device: torch.device) -> None:
    # A device that is set, even this one, slows every call of torch; there is none at first.
    torch.set_default_device(None if device == torch.device("cpu") else device)


_HOOKS = [
    value for name, value in vars(torch_modules).items() if name.startswith("_global_") and isinstance(value, dict)
]

_SETTINGS = (
    _Part("torch's default type of numbers", torch.get_default_dtype, torch.set_default_dtype),
    _Part("torch's number of threads", torch.get_num_threads, torch.set_num_threads),
    _Part("whether torch keeps gradients", torch.is_grad_enabled, torch.set_grad_enabled),
    _Part("whether torch looks for anomalies", torch.is_anomaly_enabled, torch.set_anomaly_enabled),
    _Part("torch's default device", torch.get_default_device, _set_device),
    _Part(
        "torch's choice of deterministic algorithms",
        torch.get_deterministic_debug_mode,
        torch.set_deterministic_debug_mode,
    ),
    _Part("the hooks of all of torch's modules", _hooks, _set_hooks),
    _Part("what numpy does about errors", np.geterr, lambda kept: np.seterr(**kept)),
    _Part("the working folder", _folder, lambda path: path is not None and os.chdir(path)),
    _Part("Python's limit of recursion", sys.getrecursionlimit, sys.setrecursionlimit),
)
"""What is told where it was changed."""


def _set_output(stream: Any) -> None:
    sys.stdout = stream


_QUIET = (
    _Part("torch's generator", torch.get_rng_state, torch.set_rng_state),
    _Part("numpy's generator", np.random.get_state, np.random.set_state),
    _Part("Python's generator", random.getstate, random.setstate),
    _Part("standard output", lambda: sys.stdout, _set_output),
)
"""What is always put back: drawing random numbers and printing are nothing to tell of."""


class _World(NamedTuple):
    """All of it at one moment."""

    settings: list[Any]
    quiet: list[Any]

    @classmethod
    def now(cls) -> "_World":
        return cls([part.read() for part in _SETTINGS], [part.read() for part in _QUIET])

    def bring_back(self) -> list[str]:
        """Set all as it was; the names of settings that differed."""
        changed = []
        for part, value in zip(_SETTINGS, self.settings, strict=True):
            if part.read() != value:
                part.set(value)
                changed.append(part.name)
        for part, value in zip(_QUIET, self.quiet, strict=True):
            part.set(value)
        return changed


@dataclass
class Containment:
    """What came of a block, see :func:`contained`.

    Attributes:
        changed: names of settings of the process that the code left changed; they are set back.
        passed: exceptions that came from whoever listens to the progress, and not from the code.
    """

    changed: list[str] = field(default_factory=list)
    passed: list[BaseException] = field(default_factory=list)

    def is_own_failure(self, error: BaseException) -> bool:
        """Whether the code itself failed, by whatever exception: not that it was stopped from outside."""
        if isinstance(error, progress.Stopped) or any(error is each for each in self.passed):
            return False
        # Ctrl-C comes in the main thread alone.
        return not isinstance(error, KeyboardInterrupt) or threading.current_thread() is not threading.main_thread()

    @contextmanager
    def as_sentence(self, what: Callable[[BaseException], str]) -> Iterator[None]:
        """Within the block, whatever the code fails by becomes an InputError: who failed, as ``what`` says, and how."""
        try:
            yield
        except InputError:
            raise
        except BaseException as error:
            if not self.is_own_failure(error):
                raise
            raise InputError(f"{what(error)} {one_line(error)}.") from error


@contextmanager
def contained(seed: int = 0) -> Iterator[Containment]:
    """Run code that is not ours within the block.

    Generators of random numbers begin at ``seed`` and go on afterwards as if nothing had been drawn; what is printed
    goes to standard error; settings of the process are set back. While the code runs nobody else draws random numbers,
    except where it reports its progress.
    """
    found = Containment()
    if _contained.get():
        yield from _within(found, seed)
        return
    token = _contained.set(True)
    try:
        with generator:
            yield from _within(found, seed)
    finally:
        _contained.reset(token)


def _within(found: Containment, seed: int) -> Iterator[Containment]:
    outside = _World.now()
    latest = time.monotonic()

    def report(tell: Callable[[], object]) -> None:
        nonlocal outside, latest
        try:
            if time.monotonic() - latest < GIVES_WAY or not progress.may_pause():
                with progress.unpaused():
                    tell()
                return
            inside = _World.now()
            outside.bring_back()
            generator.release()
            try:
                tell()
            finally:
                generator.acquire()
                outside = _World.now()
                inside.bring_back()
                latest = time.monotonic()
        except BaseException as error:
            found.passed.append(error)
            raise

    try:
        sys.stdout = sys.stderr
        torch.manual_seed(seed)
        np.random.seed(seed % 2**32)
        random.seed(seed)
        with progress.through(report):
            yield found
    finally:
        found.changed += outside.bring_back()
