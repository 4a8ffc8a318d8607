"""Explainers that run only when asked for: each run is a thread of its session, which can be stopped.

Answers are kept for all sessions of the server, so that nobody asks for the same one twice; runs belong to a session.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

import streamlit as st

from wombat_core.errors import InputError
from wombat_core.progress import Stopped, listening

from .kept import Kept

AT_ONCE = 2
"""Runs of the whole server that work at the same time; others wait for their turn."""
MAX_KEPT = 500
UNEXPECTED = "An unexpected error, whose details are in the server's log, ended this."

_LOG = logging.getLogger("wombat.pages")
_turns = threading.BoundedSemaphore(AT_ONCE)


@st.cache_resource(show_spinner=False)
def _kept() -> Kept[dict]:
    return Kept(MAX_KEPT)


@dataclass(eq=False)
class Run:
    """An explainer at work, or what became of it.

    Attributes:
        share: how much is done, from 0 to 1.
        began: when its turn came (``time.monotonic``), or None while it waits.
        stopped: whether it was stopped before it had an answer.
        problem: why it failed.
    """

    share: float = 0.0
    began: float | None = None
    stopped: bool = False
    problem: str | None = None
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    @property
    def standing(self) -> str:
        """One of "running", "stopped", "failed" and "done"."""
        if self._thread is not None and self._thread.is_alive():
            return "running"
        return "stopped" if self.stopped else "failed" if self.problem else "done"

    def stop(self, patience: float = 0.0) -> None:
        """Have it end at its next report, and wait for that so many seconds at most."""
        self._stop.set()
        if patience:
            self.wait(patience)

    def wait(self, seconds: float) -> None:
        """Until it has ended, but no longer than this."""
        self._thread.join(seconds)

    def start(self, work: Callable[[], dict], keep: Callable[[dict], None]) -> None:
        """Do the work in a thread of its own and keep what it gives."""
        self._thread = threading.Thread(target=self._go, args=(work, keep), daemon=True)
        self._thread.start()

    def _go(self, work: Callable[[], dict], keep: Callable[[dict], None]) -> None:
        try:
            while not _turns.acquire(timeout=0.1):
                self._listen(0.0)
            try:
                self.began = time.monotonic()
                with listening(self._listen):
                    keep(work())
            finally:
                _turns.release()
        except Stopped:
            self.stopped = True
        except InputError as error:
            self.problem = str(error)
        except Exception:
            _LOG.exception("An explainer failed")
            self.problem = UNEXPECTED

    def _listen(self, share: float) -> None:
        self.share = max(self.share, share)
        if self._stop.is_set():
            raise Stopped


def kept(key: Hashable) -> dict | None:
    """The answer of an earlier run of any session."""
    return _kept().get(key)


def run_of(key: Hashable) -> Run | None:
    """This session's latest run."""
    return st.session_state.get("runs", {}).get(key)


def start(key: Hashable, work: Callable[[], dict]) -> Run:
    """Start a run of this session, unless it goes on already."""
    runs = st.session_state.setdefault("runs", {})
    if key not in runs or runs[key].standing != "running":
        store = _kept()
        runs[key] = Run()
        runs[key].start(work, lambda answer: store.put(key, answer))
    return runs[key]
