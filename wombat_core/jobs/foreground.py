"""Short work that goes first: pages that are being made, for which jobs pause."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

WORK = 0.05
"""Seconds that a job works between two pauses, however many pages are being made."""
PAUSE = 1.0
"""Seconds that a pause takes at most."""


class Foreground:
    """How many pages are being made, and the pauses of jobs meanwhile.

    Jobs are threads of the same process: Python gives each its turn, so that a page beside two busy jobs would take
    three times as long.
    """

    def __init__(self):
        self._lock = threading.Lock()
        self._count = 0
        self._quiet = threading.Event()
        self._quiet.set()
        self._own = threading.local()

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Within the block jobs pause for this thread's sake."""
        self._own.is_counted = True
        self._change(1)
        try:
            yield
        finally:
            self._change(-1)
            self._own.is_counted = False

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Within the block this thread waits for a job, which then need not pause for it."""
        counted = getattr(self._own, "is_counted", False)
        if counted:
            self._change(-1)
        try:
            yield
        finally:
            if counted:
                self._change(1)

    def pause(self, resumed: float) -> float:
        """Wait while a page is being made, unless the job has hardly worked since its last pause.

        Args:
            resumed: when it began to work again (``time.monotonic``).

        Returns:
            the same from now on.
        """
        if self._quiet.is_set() or time.monotonic() - resumed < WORK:
            return resumed
        self._quiet.wait(PAUSE)
        return time.monotonic()

    def _change(self, by: int) -> None:
        with self._lock:
            self._count += by
            if self._count:
                self._quiet.clear()
            else:
                self._quiet.set()
