"""Long work on the pages: the server's jobs, and the row that follows them on any page.

All sessions share a job and its answer, so that nobody computes what another one has. A session owns what it started:
it can stop that, and what no session owns any more ends a short while later.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import uuid4

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from wombat_core import processes, progress
from wombat_core.errors import InputError
from wombat_core.host import host
from wombat_core.jobs import UNEXPECTED, Job, Queue

from .latest import Latest
from .text import plain

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

__all__ = ["UNEXPECTED", "Job"]

NICE = 10
"""By how much processes that work for a page's job give way to the pages themselves."""
POLL = 0.5
"""Seconds between looks at what runs."""
PATIENCE = 2.0
"""Seconds that a click on Stop waits for the end."""
SOON = 1.0
"""Seconds of computing that a page does unasked."""
MOST = {"graph": 6, "training": 20, "explainer": 500, "search": 6, "run": 50}
"""Jobs of a kind that the server keeps; the findings of a search of a whole library take tens of megabytes."""
OTHERS = 200


@dataclass
class _Server:
    """What the server knows of jobs: the line, the jobs by kind, and the sessions of its visitors."""

    queue: Queue
    kinds: dict[str, Latest[Job]] = field(default_factory=dict)
    sessions: dict[str, str] = field(default_factory=dict)


@st.cache_resource(show_spinner=False)
def _server() -> _Server:
    sessions: dict[str, str] = {}

    def is_there(visitor: Hashable) -> bool:
        session = sessions.get(str(visitor))
        there = session is None or not runtime.exists() or bool(runtime.get_instance().is_active_session(session))
        return there

    limits = host().limits
    processes.niceness = NICE
    queue = Queue(limits.workers, is_there=is_there, most_lasting=limits.runs_at_once)
    return _Server(queue, sessions=sessions)


def page_first() -> AbstractContextManager[None]:
    """Within the block, which makes a page, jobs pause."""
    return _server().queue.foreground.at_work()


def visitor() -> str:
    """Who looks at the page: one name a browser tab."""
    name = st.session_state.setdefault("visitor", uuid4().hex)
    context = get_script_run_ctx(suppress_warning=True)
    if context is not None:
        _server().sessions[name] = context.session_id
    return name


def watch_visitor() -> Callable[[], bool]:
    """What tells, in any thread, whether whoever looks at the page now is still there."""
    queue, name = _server().queue, visitor()
    return lambda: queue.is_there(name)


def new_job(title: str = "", *, lasting: bool = False) -> Job:
    """A job in the server's line that nobody else knows of."""
    return Job(_server().queue, title=title, lasting=lasting)


def get_job(kind: str, key: Hashable, title: str = "", *, lasting: bool = False, again: bool = False) -> Job:
    """The server's job of that kind and key, a new one where there is none.

    Args:
        title: of the work, for people.
        lasting: it goes on when its page is closed.
        again: one that is done gives way to a new one.
    """
    job = _kind(kind).of(key, lambda: new_job(title, lasting=lasting))
    if again and job.state == "done":
        job = new_job(title, lasting=lasting)
        _kind(kind).put(key, job)
    return job


def known_job(kind: str, key: Hashable) -> Job | None:
    """The server's job of that kind and key, or None."""
    return _kind(kind).get(key)


def all_jobs(kind: str = "") -> list[Job]:
    """The jobs that the server keeps, of one kind or of all."""
    kinds = [kind] if kind else list(_server().kinds)
    return [job for name in kinds for job in _kind(name).values()]


def forget_jobs() -> None:
    """End all jobs, and forget them and their answers."""
    for job in all_jobs():
        job.stop(patience=PATIENCE)
    _server().kinds.clear()


def _kind(kind: str) -> Latest[Job]:
    kinds = _server().kinds
    if kind not in kinds:
        kinds.setdefault(kind, Latest(MOST.get(kind, OTHERS), held=lambda each: each.is_active))
    return kinds[kind]


@contextmanager
def soon() -> Iterator[None]:
    """Ends the work of the block where it takes more than a second: a link alone starts no more.

    Raises:
        Stopped: it does.
    """
    began = None

    def listen(share: float) -> None:
        nonlocal began
        # The processor's time, so that the same work is done on a busy machine; from the first report, so that loading
        # libraries does not count.
        began = time.thread_time() if began is None else began
        if time.thread_time() - began > SOON:
            raise progress.Stopped

    with progress.listening(listen):
        yield


def start(*jobs: Job, patience: float = 0.5) -> None:
    """Have them run for this visitor; short work is over when this returns."""
    try:
        for job in jobs:
            job.start(visitor(), patience / len(jobs))
    except InputError as error:
        st.toast(plain(error), icon=":material/error:")


def stop(*jobs: Job) -> None:
    """End what this visitor started; what another one wants too goes on."""
    for job in jobs:
        job.stop(visitor())
    for job in jobs:
        if not job.owners:
            job.wait(PATIENCE)


def stages() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Two places, for what goes on and for what is shown, so that nothing moves when a job begins or ends.

    Streamlit 1.67 may hide a component that moves to another place while a run replaces its neighbours.
    """
    return st.container(gap="small"), st.container(gap="small")


def problems(jobs: Mapping[str, Job]) -> None:
    """A sentence for every job that failed."""
    for name, job in jobs.items():
        if job.state == "failed":
            st.error(plain(f"{name}: {job.problem}" if name else job.problem))


@dataclass(frozen=True)
class Bar:
    """A bar with a button that stops what it stands for.

    Attributes:
        name: for the keys of its widgets, ``running-NAME`` and ``stop-NAME``.
        jobs: what it stands for.
        words: what is written on it; None for the jobs' own words and the time that is left.
        share: how much is done, from 0 to 1; None for the jobs' average.
    """

    name: str
    jobs: tuple[Job, ...]
    words: Callable[[], str] | None = None
    share: Callable[[], float] | None = None


def follow(*rows: Bar, watch: Callable[[], None] | None = None, has_news: Callable[[], bool] = lambda: False) -> None:
    """The rows, kept up to date; the page runs again whenever a job of theirs has ended.

    Args:
        watch: called at every look, to draw what the jobs tell.
        has_news: whether the page is to run again for another reason.
    """
    st.fragment(_look, run_every=POLL)(rows, sum(job.is_active for job in _jobs(rows)), watch, has_news)


def _jobs(rows: Iterable[Bar]) -> list[Job]:
    return [job for row in rows for job in row.jobs]


def _look(rows: tuple[Bar, ...], before: int, watch: Callable[[], None] | None, has_news: Callable[[], bool]) -> None:
    active = [job for job in _jobs(rows) if job.is_active]
    if len(active) < before or not active or has_news():
        st.rerun()
    for job in active:
        # A page that was loaded anew takes over what its former session had started.
        if job.queue.is_left(job):
            start(job, patience=0)
    for row in rows:
        if any(job.is_active for job in row.jobs):
            _row(row)
    if watch is not None:
        watch()


def _row(row: Bar) -> None:
    share = row.share() if row.share else sum(job.state == "done" or job.share for job in row.jobs) / len(row.jobs)
    waiting = _in_line(row.jobs)
    text = waiting or (row.words() if row.words else plain(_words(row.jobs, share)))
    own = [job for job in row.jobs if visitor() in job.owners]
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key=f"running-{row.name}"):
        st.progress(min(share, 1.0), text=text)
        if own:
            st.button("Stop", icon=":material/stop:", on_click=stop, args=own, key=f"stop-{row.name}")
        else:
            st.caption("Another visitor started it.", width="content")


def _in_line(jobs: tuple[Job, ...]) -> str:
    """What is said where all of them wait for their first turn."""
    active = [job for job in jobs if job.is_active]
    if any(job.began is not None for job in active):
        return ""
    title = f"{plain(active[0].title)} · " if active and active[0].title else ""
    places = [place for job in active if (place := job.place) is not None]
    return f"{title}waiting for a turn, number {min(places)} in line" if places else f"{title}waiting for a turn"


def _words(jobs: tuple[Job, ...], share: float) -> str:
    working = [job for job in jobs if job.state == "running"] or [job for job in jobs if job.is_active]
    titles = ", ".join(dict.fromkeys(job.title for job in working if job.title))
    message = working[0].message if len(working) == 1 else ""
    left = _left(share, working[0].began) if len(jobs) == 1 else f"{100 * share:.0f} %"
    return " · ".join(part for part in (titles, message, left) if part)


def _left(share: float, began: float | None) -> str:
    """How far a run is, for people."""
    passed = 0.0 if began is None else time.monotonic() - began
    if share < 0.02 or passed < 0.5:
        return f"{100 * share:.0f} %"
    return f"{100 * share:.0f} %, about {max(1, round(passed * (1 - share) / share))} s left"
