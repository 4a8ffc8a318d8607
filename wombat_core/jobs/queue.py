"""One line for all long work: a few jobs work at a time, and every visitor has a turn."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from ..errors import InputError
from .foreground import Foreground
from .job import Job

SLICE = 3.0
"""Seconds after which a job gives way to another visitor's."""
GRACE = 15.0
"""Seconds after which a visitor who is not there any more is gone: a page that is loaded anew is soon back."""
LOOK = 1.0
"""Seconds between two looks at who is there."""
MOST_WAITING = 50
"""Jobs of one visitor that wait or work at a time."""


@dataclass(eq=False)
class _Entry:
    """A job in the line or at work.

    Attributes:
        owner: whose turn it takes.
        arrived: a count that says who came first.
        since: when its present turn began (by the clock), or None while it waits.
        turn: set when it is to work.
        thread: None before its first turn.
    """

    job: Job
    owner: Hashable
    arrived: int
    since: float | None = None
    turn: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread | None = None


class Queue:
    """Jobs take turns, each in a thread of its own.

    Whose visitor has the fewest jobs at work is next, of those the one who has waited longest for a turn; a job that
    has worked for a while gives way where another visitor waits. Jobs without a visitor left end, except lasting ones.

    Args:
        workers: how many jobs work at a time; None for as many as there are processors, but two at least.
        most_lasting: how many lasting ones among them; None for all but one, which is left to others in any case.
        is_there: whether a visitor is still there, asked now and then.
        clock: seconds that only ever grow.

    Attributes:
        foreground: the pages that are being made, for which jobs pause.
    """

    def __init__(
        self,
        workers: int | None = None,
        is_there: Callable[[Hashable], bool] = lambda owner: True,
        clock: Callable[[], float] = time.monotonic,
        most_lasting: int | None = None,
    ):
        self.workers = workers or max(2, processors())
        self._most_lasting = max(1, min(most_lasting or self.workers, self.workers - 1))
        self.foreground = Foreground()
        self._is_there, self._clock = is_there, clock
        self._lock = threading.RLock()
        self._entries: dict[Job, _Entry] = {}
        self._count = 0
        self._served: dict[Hashable, int] = {}
        self._seen: dict[Hashable, float] = {}
        self._watch: threading.Thread | None = None

    def submit(self, job: Job, owner: Hashable = None) -> None:
        """Put a job into the line, or have it work for one more visitor.

        Raises:
            InputError: the visitor has too many jobs there.
        """
        with self._lock:
            if job.state == "done":
                return
            self._seen[owner] = self._clock()
            if job not in self._entries:
                if sum(entry.owner == owner for entry in self._entries.values()) >= MOST_WAITING:
                    raise InputError(f"{MOST_WAITING} computations wait already; stop some, or let them end first.")
                job.prepare()
                self._entries[job] = _Entry(job, owner, self._next())
            job.owners.add(owner)
            self._dispatch()
            if self._watch is None:
                self._watch = threading.Thread(target=self._keep_watch, name="jobs", daemon=True)
                self._watch.start()

    def stop(self, job: Job, owner: Hashable = None) -> None:
        """End a job, or only have it work no longer for one visitor where others want it too."""
        with self._lock:
            entry = self._entries.get(job)
            if entry is None:
                return
            job.owners.discard(owner)
            if owner is not None and job.owners:
                entry.owner = next(iter(job.owners)) if entry.owner == owner else entry.owner
                return
            job.ask_to_stop()
            if entry.thread is None:
                self.leave(job, "stopped")
            entry.turn.set()  # one that gave way ends at once

    def leave(self, job: Job, state: str, problem: str | None = None) -> None:
        """Note that a job has ended, and let the next one work."""
        with self._lock:
            self._entries.pop(job, None)
            job.end(state, problem)
            self._dispatch()

    def give_way(self, job: Job, stop: threading.Event) -> None:
        """Let another visitor's job work where this one has for long, and return when its turn is there again."""
        with self._lock:
            entry = self._entries.get(job)
            if entry is None or entry.since is None or job.lasting or self._clock() - entry.since < SLICE:
                return
            entry.since = self._clock()
            if not any(other.since is None and other.owner != entry.owner for other in self._entries.values()):
                return
            entry.since, entry.arrived = None, self._next()
            entry.turn.clear()
            job.state = "waiting"
            self._dispatch()
        entry.turn.wait()

    def order(self) -> list[Job]:
        """The jobs that wait, the next one first."""
        with self._lock:
            return [entry.job for entry in self._line()]

    def place(self, job: Job) -> int | None:
        """A job's place in the line, 1 for the next; None where it does not wait."""
        order = self.order()
        return order.index(job) + 1 if job in order else None

    def running(self) -> list[Job]:
        """The jobs at work."""
        with self._lock:
            return [entry.job for entry in self._entries.values() if entry.since is not None]

    def is_there(self, owner: Hashable) -> bool:
        """Whether a visitor is there at the moment."""
        return self._is_there(owner)

    def is_left(self, job: Job) -> bool:
        """Whether none of those who want it is there at the moment."""
        owners = list(job.owners)
        return job.is_active and bool(owners) and not any(map(self._is_there, owners))

    def look(self) -> None:
        """End the jobs whose visitors have all been gone for a while."""
        with self._lock:
            now = self._clock()
            owners = {owner for job in self._entries for owner in job.owners}
            for owner in owners:
                if owner not in self._seen or self._is_there(owner):
                    self._seen[owner] = now
            self._seen = {owner: when for owner, when in self._seen.items() if owner in owners}
            gone = {owner for owner, when in self._seen.items() if now - when > GRACE}
            for job in list(self._entries):
                if not job.lasting:
                    for owner in job.owners & gone:
                        self.stop(job, owner)
                    if not job.owners:
                        self.stop(job)

    def _next(self) -> int:
        self._count += 1
        return self._count

    def _line(self) -> list[_Entry]:
        """What waits, as it will have its turns."""
        before = Counter(entry.owner for entry in self._entries.values() if entry.since is not None)
        served, line = dict(self._served), []
        waiting: dict[Hashable, deque[_Entry]] = {}
        for entry in sorted(self._entries.values(), key=lambda entry: entry.arrived):
            if entry.since is None:
                waiting.setdefault(entry.owner, deque()).append(entry)
        while waiting:
            owner = min(waiting, key=lambda own: (before[own], served.get(own, 0), waiting[own][0].arrived))
            line.append(waiting[owner].popleft())
            before[owner] += 1
            served[owner] = self._count + len(line)
            if not waiting[owner]:
                del waiting[owner]
        return line

    def _dispatch(self) -> None:
        while len(running := self.running()) < self.workers:
            full = sum(job.lasting for job in running) >= self._most_lasting
            entry = next((each for each in self._line() if not (full and each.job.lasting)), None)
            if entry is None:
                break
            entry.since, entry.job.state = self._clock(), "running"
            entry.job.began = entry.job.began or time.monotonic()
            self._served[entry.owner] = self._next()
            entry.turn.set()
            if entry.thread is None:
                entry.thread = threading.Thread(target=entry.job.run, name=f"job {entry.job.title}", daemon=True)
                entry.thread.start()
        if not self._entries:
            self._served.clear()

    def _keep_watch(self) -> None:
        while True:
            time.sleep(LOOK)
            self.look()
            with self._lock:
                if not self._entries:
                    self._watch = None
                    return


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
