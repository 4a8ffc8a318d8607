"""Values computed once and kept for whoever asks next: the one memory of pages, lessons, terminal and library."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Set
from itertools import count
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
        most_bytes: about how much memory the values may take together; None for no limit. The one that was used last
            is kept whatever its size.
    """

    def __init__(self, most: Mapping[Hashable, int] | None = None, most_bytes: int | None = None):
        self._most = dict(most or {})
        self._most_bytes = most_bytes
        self._bytes = 0
        self._uses = count()
        self._lock = threading.Lock()
        self._kinds: dict[Hashable, OrderedDict[tuple, _Entry]] = {}

    @property
    def num_bytes(self) -> int:
        """About how much memory the values take."""
        return self._bytes

    def of(self, key: tuple, make: Callable[[], Value], most: int | None = None) -> Value:
        """The value of that key, made where there is none.

        Args:
            most: how many of the kind are kept, where the memo was not told at its making.
        """
        with self._lock:
            entries = self._kinds.setdefault(key[0], OrderedDict())
            entry = entries.setdefault(key, _Entry())
            entry.used = next(self._uses)
            entries.move_to_end(key)
            while len(entries) > self._most.get(key[0], most or MOST):
                self._drop(entries)
        with entry.lock:
            if entry.value is _MISSING:
                entry.value = make()
                self._weigh(key, entry)
            return entry.value

    def _weigh(self, key: tuple, entry: "_Entry") -> None:
        """Count a new value, and drop those used longest ago where all are too much."""
        if self._most_bytes is None:
            return
        size = size_of(entry.value)
        with self._lock:
            if self._kinds.get(key[0], {}).get(key) is not entry:  # dropped while it was made
                return
            entry.size = size
            self._bytes += size
            while self._bytes > self._most_bytes:
                oldest = min(filter(None, self._kinds.values()), key=lambda entries: next(iter(entries.values())).used)
                if next(iter(oldest.values())) is entry:
                    break
                self._drop(oldest)

    def _drop(self, entries: "OrderedDict[tuple, _Entry]") -> None:
        """Forget the one of a kind that was used longest ago."""
        self._bytes -= entries.popitem(last=False)[1].size

    def known(self, key: tuple) -> Any | None:
        """The value of that key, or None where it is not there yet; never waits."""
        with self._lock:
            entry = self._kinds.get(key[0], {}).get(key)
        return None if entry is None or entry.value is _MISSING else entry.value

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kinds.clear()
            self._bytes = 0


class _Entry:
    """One value, and the lock of whoever computes it."""

    __slots__ = ("lock", "size", "used", "value")

    def __init__(self):
        self.size = self.used = 0
        self.lock = threading.RLock()
        self.value: Any = _MISSING


_MOST_PARTS = 20_000
"""Parts of a value that are looked at."""
_PART = 50
"""Bytes of a part that is counted by its number alone."""
_ATOM = 500
"""Bytes of an atom or a bond of RDKit's."""


def size_of(value: Any) -> int:
    """About how many bytes a value takes: its arrays, texts and molecules, wherever they are in it."""
    size, seen, todo = 0, set(), [value]
    while todo and len(seen) < _MOST_PARTS:
        part = todo.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        size += _PART
        if isinstance(part, str | bytes):
            size += len(part)
        elif isinstance(number := getattr(part, "nbytes", None), int):  # arrays and tensors
            size += number
        elif isinstance(part, Mapping):
            todo += [*part.keys(), *part.values()]
        elif isinstance(part, list | tuple | Set):
            todo += part
        elif hasattr(part, "GetNumBonds"):
            size += _ATOM * (part.GetNumAtoms() + part.GetNumBonds())
        elif not isinstance(part, type) and not callable(part):
            todo += vars(part).values() if hasattr(part, "__dict__") else ()
        elif hasattr(part, "parameters") and hasattr(part, "__dict__"):  # networks
            todo += vars(part).values()
    return size
