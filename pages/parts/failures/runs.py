"""Searches for failures: each is a thread that can be stopped and goes on where it was; all sessions share them."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import engine
from pages.shared.job_controls import PATIENCE
from pages.shared.kept import Kept
from pages.shared.runs import Run
from wombat_core import progress

if TYPE_CHECKING:
    from wombat_core.failures.search import Batch, Finding, Spec
    from wombat_core.molecules.sets import Entry

MAX_KEPT = 6
"""Searches whose findings the server keeps; those of a whole library take tens of megabytes."""


@dataclass(eq=False)
class Search:
    """A search of the server, and what it has found so far.

    Attributes:
        spec: what it looks at.
        molecules: the molecules, once they are known.
        done: how many of them have been looked at.
        findings: one a molecule that was explained, in their order.
        left_out: place and reason of those that were not.
        run: the latest, or None.
    """

    spec: Spec
    molecules: Sequence[Entry] | None = None
    done: int = 0
    findings: list[Finding] = field(default_factory=list)
    left_out: list[tuple[int, str]] = field(default_factory=list)
    run: Run | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def total(self) -> int | None:
        """How many molecules there are, or None as long as that is not known."""
        return None if self.molecules is None else len(self.molecules)

    @property
    def standing(self) -> str:
        """One of "new", "running", "stopped", "failed" and "done"."""
        if self.run is not None and self.run.standing == "running":
            return "running"
        if self.total is not None and self.done >= self.total:
            return "done"
        return "new" if self.run is None else self.run.standing

    def start(self, patience: float = 0.0) -> None:
        """Begin, or go on; a short search is over when this returns."""
        with self._lock:
            if self.standing in ("running", "done"):
                return
            # Looked up here: the thread that works knows nothing of Streamlit's caches.
            model = engine.whitebox(self.spec.pattern, self.spec.readout)
            self.run = Run()
            self.run.start(lambda: self._work(model), lambda _: None)
        self.run.wait(patience)

    def stop(self) -> None:
        """End it; what it found stays."""
        if self.run is not None:
            self.run.stop(PATIENCE)

    def _work(self, model) -> dict:
        from wombat_core.failures.search import molecules_of, search

        if self.molecules is None:
            found = progress.each([self.spec], molecules_of)
            self.molecules = found[0]
        search(self.spec, model, self.molecules[self.done :], self._keep)
        return {}

    def _keep(self, batch: Batch) -> None:
        self.findings.extend(batch.findings)
        self.left_out.extend(batch.left_out)
        self.done += batch.done


@st.cache_resource(show_spinner=False)
def _searches() -> Kept[Search]:
    return Kept(MAX_KEPT, held=lambda search: search.standing == "running")


def search_of(spec: Spec, molecules: Sequence[Entry] | None = None, digest: str = "") -> Search:
    """The server's search of that spec, a new one where there is none.

    Args:
        molecules: those of a user's file.
        digest: of that file's content.
    """
    return _searches().of((*spec.key, digest), lambda: Search(spec, molecules))
