"""What the server keeps for all sessions, the latest of a kind."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Latest(Generic[Value]):
    """Values by key, the latest used ones; safe to use from several threads.

    Args:
        most: how many are kept.
        held: whether a value stays beyond that, such as work that goes on.
    """

    def __init__(self, most: int, held: Callable[[Value], bool] = lambda value: False):
        self._most, self._held = most, held
        self._lock = threading.Lock()
        self._values: OrderedDict[Hashable, Value] = OrderedDict()

    def get(self, key: Hashable) -> Value | None:
        """The value of that key, or None."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: Hashable, value: Value) -> None:
        """Keep a value in place of an earlier one."""
        with self._lock:
            self._values[key] = value
            self._drop()

    def of(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value of that key, made where there is none."""
        with self._lock:
            if key not in self._values:
                self._values[key] = make()
            self._values.move_to_end(key)
            self._drop()
            return self._values[key]

    def values(self) -> list[Value]:
        """All values, the latest used last."""
        with self._lock:
            return list(self._values.values())

    def _drop(self) -> None:
        for old in list(self._values)[: -self._most]:
            if not self._held(self._values[old]):
                del self._values[old]
