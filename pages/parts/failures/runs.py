"""Searches for failures: each is a job that goes on where it was stopped; all sessions share them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pages.shared.jobs import Job, get_job, new_job
from wombat_core import progress

if TYPE_CHECKING:
    from wombat_core.failures.search import Finding, FindingsBatch, Spec
    from wombat_core.molecules.sets import Entry


@dataclass(eq=False)
class Search:
    """A search of the server, and what it has found so far.

    Attributes:
        spec: what it looks at.
        molecules: the molecules, once they are known.
        done: how many of them have been looked at.
        findings: one a molecule that was explained, in their order.
        left_out: place and reason of those that were not.
        job: the work.
    """

    spec: Spec
    molecules: Sequence[Entry] | None = None
    done: int = 0
    findings: list[Finding] = field(default_factory=list)
    left_out: list[tuple[int, str]] = field(default_factory=list)
    job: Job = field(default_factory=new_job)

    def __post_init__(self):
        self.job.told = self
        self.job.of(self._work)

    @property
    def total(self) -> int | None:
        """How many molecules there are, or None as long as that is not known."""
        return None if self.molecules is None else len(self.molecules)

    @property
    def state(self) -> str:
        """Of the job; also one of no molecules is done."""
        return "done" if self.done == self.total and not self.job.is_active else self.job.state

    def _work(self) -> bool:
        from wombat_core.failures.search import molecules_of, search
        from wombat_core.whitebox.build import build

        if self.molecules is None:
            found = progress.each([self.spec], molecules_of)
            self.molecules = found[0]
        model = build(self.spec.pattern, self.spec.readout).eval().requires_grad_(False)
        search(self.spec, model, self.molecules[self.done :], self._keep)
        return True

    def _keep(self, batch: FindingsBatch) -> None:
        self.findings.extend(batch.findings)
        self.left_out.extend(batch.left_out)
        self.done += batch.done


def search_of(spec: Spec, molecules: Sequence[Entry] | None = None, digest: str = "") -> Search:
    """The server's search of that spec, a new one where there is none.

    Args:
        molecules: those of a user's file.
        digest: of that file's content.
    """
    job = get_job("search", (*spec.key, digest))
    return job.told or Search(spec, molecules, job=job)
