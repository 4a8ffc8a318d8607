"""A piece of long work: it waits for its turn, can be stopped, and goes on where its work can."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from uuid import uuid4

from .. import progress
from ..errors import InputError

if TYPE_CHECKING:
    from .queue import Queue

Answer = TypeVar("Answer")

ACTIVE = ("waiting", "running")
"""States in which a job is on its way to an answer."""
UNEXPECTED = "An unexpected error, whose details are in the server's log, ended this."

_LOG = logging.getLogger("wombat.jobs")


class Job(Generic[Answer]):
    """Some work, how far it is, and its answer once it is there.

    A job that was stopped or failed can be started again; work that keeps what it has done goes on from there.

    Args:
        queue: where it waits for its turn.
        work: computes the answer in any thread, reports to :mod:`wombat_core.progress`, and ends by ``Stopped``.
        title: of the work, for people.
        lasting: it goes on when everybody who started it has gone, and leaves a worker to others.

    Attributes:
        id: of this job, unguessable.
        state: one of "new", "waiting", "running", "stopped", "failed" and "done".
        share: how much is done, from 0 to 1.
        message: what the work is at, in its own words.
        told: what the work gives to whoever watches it, such as the losses so far.
        answer: None as long as there is none.
        problem: the sentence that says why it failed.
        estimate: how long it will take, where that is known.
        began, started, ended: when its first turn came (``time.monotonic``), when it was last started and when it
            ended (seconds since the epoch), or None.
        owners: who started it and has neither stopped it nor gone.
    """

    def __init__(
        self, queue: Queue, work: Callable[[], Answer] | None = None, title: str = "", *, lasting: bool = False
    ):
        self.queue, self.title, self.lasting = queue, title, lasting
        self.id = uuid4().hex
        self.state = "new"
        self.share = 0.0
        self.message = ""
        self.told: Any = None
        self.answer: Answer | None = None
        self.problem: str | None = None
        self.estimate: Any = None
        self.began: float | None = None
        self.started: float | None = None
        self.ended: float | None = None
        self.owners: set[Hashable] = set()
        self._work = work
        self._resumed = 0.0
        self._stop, self._over = threading.Event(), threading.Event()

    @property
    def is_active(self) -> bool:
        """Whether it waits or runs."""
        return self.state in ACTIVE

    @property
    def place(self) -> int | None:
        """Its place in the line, 1 for the next; None where it does not wait."""
        return self.queue.place(self)

    def of(self, work: Callable[[], Answer]) -> Job[Answer]:
        """The same job with its work, as long as it needs any."""
        # Once there is an answer nothing need keep what the work was about.
        self._work = work if self.answer is None else None
        return self

    def start(self, owner: Hashable = None, patience: float = 0.0) -> Job[Answer]:
        """Begin or go on, unless it does already or is done; short work is over when this returns.

        Args:
            owner: who wants it.
            patience: seconds to wait for the end, at most.

        Raises:
            InputError: the owner has too many jobs in the line.
        """
        self.queue.submit(self, owner)
        if patience:
            self.wait(patience)
        return self

    def stop(self, owner: Hashable = None, patience: float = 0.0) -> None:
        """End it at its next report; what it has done stays. It goes on where others wait for it as well.

        Args:
            owner: who wants it no longer; None for everybody.
            patience: seconds to wait for the end, at most.
        """
        self.queue.stop(self, owner)
        if patience:
            self.wait(patience)

    def wait(self, seconds: float) -> None:
        """Until it has ended, but no longer than this."""
        if self.is_active:
            with self.queue.foreground.waiting():
                self._over.wait(seconds)

    # What follows is between the job and its queue.

    def prepare(self) -> None:
        """Before it goes into the line."""
        self._stop, self._over = threading.Event(), threading.Event()
        self.state, self.share, self.message, self.problem = "waiting", 0.0, "", None
        self.began, self.started, self.ended = None, time.time(), None

    def ask_to_stop(self) -> None:
        """Have its next report end it."""
        self._stop.set()

    def end(self, state: str, problem: str | None = None) -> None:
        """Note how it ended."""
        self.problem, self.ended = problem, time.time()
        self.owners.clear()
        if state == "done":
            self._work = None
        self.state = state
        self._over.set()

    def run(self) -> None:
        """Do the work in this thread, and leave the queue."""
        state, problem = "failed", None
        try:
            if self._work is None:
                raise AssertionError("a job that is done does not run again")
            with progress.listening(self._listen, self._say):
                self.answer = self._work()
            state = "done"
        except progress.Stopped:
            state = "stopped"
        except InputError as error:
            problem = str(error)
        except BaseException:  # also a plug-in's sys.exit
            _LOG.exception("%s failed", self.title or "A job")
            problem = UNEXPECTED
        self.queue.leave(self, state, problem)

    def _say(self, text: str) -> None:
        self.message = text

    def _listen(self, share: float) -> None:
        self.share = max(self.share, min(share, 1.0))
        if not self._stop.is_set() and progress.may_pause():
            self._resumed = self.queue.foreground.pause(self._resumed)
            self.queue.give_way(self, self._stop)
        if self._stop.is_set():
            raise progress.Stopped
