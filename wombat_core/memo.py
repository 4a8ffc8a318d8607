"""Values computed once and kept for whoever asks next: the one memory of pages, lessons, terminal and library."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeVar

Value = TypeVar("Value")

MOST = 200
_MISSING = object()


class Memo:
    """Values by key, the latest used of every kind; safe to use from several threads.

    A key is a tuple whose first entry is the kind of value. Threads that ask for the same value at the same time wait
    for the first of them; an error is not kept.

    Args:
        most: how many values of a kind are kept, by kind; ``MOST`` of the others.
    """

    def __init__(self, most: Mapping[str, int] | None = None):
        self._most = dict(most or {})
        self._lock = threading.Lock()
        self._kinds: dict[Hashable, OrderedDict[tuple, _Entry]] = {}

    def of(self, key: tuple, make: Callable[[], Value]) -> Value:
        """The value of that key, made where there is none."""
        with self._lock:
            entries = self._kinds.setdefault(key[0], OrderedDict())
            entry = entries.setdefault(key, _Entry())
            entries.move_to_end(key)
            while len(entries) > self._most.get(key[0], MOST):
                entries.popitem(last=False)
        with entry.lock:
            if entry.value is _MISSING:
                entry.value = make()
            return entry.value

    def known(self, key: tuple) -> Any | None:
        """The value of that key, or None where it is not there yet; never waits."""
        with self._lock:
            entry = self._kinds.get(key[0], {}).get(key)
        return None if entry is None or entry.value is _MISSING else entry.value

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kinds.clear()


class _Entry:
    """One value, and the lock of whoever computes it."""

    __slots__ = ("lock", "value")

    def __init__(self):
        self.lock = threading.RLock()
        self.value: Any = _MISSING
