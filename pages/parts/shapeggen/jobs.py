"""Long work of the ShapeGGen page: threads that can be stopped, whose answers all sessions share."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.shared.job_controls import PATIENCE, POLL, progress_row
from pages.shared.kept import Kept
from pages.shared.runs import Run
from pages.shared.text import plain

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

KEPT = {"graph": 6, "training": 20}
"""Jobs of a kind that the server keeps."""
OTHERS = 200


@dataclass(eq=False)
class Job:
    """Some work, and its answer once it is there.

    Attributes:
        answer: None as long as there is none.
        run: the latest, or None.
        told: what the work tells on its way, for who watches.
        estimate: how long it will take, for :mod:`run_row`.
    """

    answer: Any = None
    run: Run | None = None
    told: Any = None
    estimate: Any = None
    _work: Callable[[], Any] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def standing(self) -> str:
        """One of "new", "running", "stopped", "failed" and "done"."""
        if self.answer is not None:
            return "done"
        return "new" if self.run is None else self.run.standing

    @property
    def problem(self) -> str | None:
        """Why it failed."""
        return self.run.problem if self.standing == "failed" else None

    def of(self, work: Callable[[], Any]) -> Job:
        """The job with its work, which must know nothing of Streamlit."""
        # Once there is an answer nothing need keep the graph that the work was about.
        self._work = work if self.answer is None else None
        return self

    def start(self, patience: float = 0.0) -> None:
        """Begin, unless it goes on or is done; short work is over when this returns."""
        with self._lock:
            if self.standing not in ("running", "done"):
                self.run = Run()
                self.run.start(self._work, self._keep)
        if self.run is not None:
            self.run.wait(patience)

    def stop(self) -> None:
        """End it at its next report."""
        if self.run is not None:
            self.run.stop(PATIENCE)

    def _keep(self, answer: Any) -> None:
        self.answer, self._work = answer, None


@st.cache_resource(show_spinner=False)
def _jobs() -> dict[str, Kept[Job]]:
    return {}


def job(kind: str, key: Hashable) -> Job:
    """The server's job of that kind and key, a new one where there is none."""
    kinds = _jobs()
    if kind not in kinds:
        kinds.setdefault(kind, Kept(KEPT.get(kind, OTHERS), held=lambda each: each.standing == "running"))
    return kinds[kind].of(key, Job)


def stages() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Two places, for what goes on and for what is shown, so that nothing moves when a job begins or ends.

    Streamlit 1.67 may hide a component that moves to another place while a run replaces its neighbours.
    """
    return st.container(gap="small"), st.container(gap="small")


def problems(jobs: Mapping[str, Job]) -> None:
    """A sentence for every job that failed."""
    for name, each in jobs.items():
        if each.problem:
            st.error(plain(f"{name}: {each.problem}"))


def follow(jobs: Mapping[str, Job], key: str, watch: Callable[[], None] | None = None) -> None:
    """One bar for all jobs, and a button that stops them; the page runs again whenever one has ended.

    Args:
        jobs: by what is told of each while it runs.
        key: start of the widgets' keys.
        watch: called at every look, to draw what the jobs tell.
    """
    st.fragment(_look, run_every=POLL)(jobs, key, sum(each.standing == "running" for each in jobs.values()), watch)


def _look(jobs: Mapping[str, Job], key: str, before: int, watch: Callable[[], None] | None) -> None:
    running = [name for name, each in jobs.items() if each.standing == "running"]
    if len(running) < before or not running:
        st.rerun()
    shares = [each.run.share if each.standing == "running" else each.standing == "done" for each in jobs.values()]
    working = [name for name in running if jobs[name].run.began is not None]
    told = ", ".join(working) or "waiting for a turn"
    share = min(sum(shares) / len(shares), 1.0)
    text = plain(f"{told} · {100 * share:.0f} %")
    progress_row(key, f"{key}-stop", share, text, _stop, list(jobs.values()))
    if watch is not None:
        watch()


def _stop(jobs: list[Job]) -> None:
    for each in jobs:
        if each.run is not None:
            each.run.stop()
    for each in jobs:
        if each.run is not None:
            each.run.wait(PATIENCE)
