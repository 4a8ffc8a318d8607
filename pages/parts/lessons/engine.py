"""The lessons' engine on the page: it asks the one engine of all pages, and starts what takes long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pages.shared import engine, jobs
from pages.shared.memory import remembered
from pages.shared.state import State
from pages.shared.state_codecs import SHARED
from wombat_core.errors import InputError
from wombat_core.lessons.engine import Engine, NotYet
from wombat_core.lessons.views import blocks_of

from .state import is_walked

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from wombat_core.lessons.blocks import Block
    from wombat_core.lessons.lesson import Lesson, Situation, View


SLOW = ("samples", "wirings")
"""Views that are computed in the background, from the moment their step is opened within a lesson."""


class PageEngine(Engine):
    """The engine in one run of the page.

    Attributes:
        waiting: explainers that take long and have no answer yet, by name.
    """

    def __init__(self):
        super().__init__(engine.get_engine())
        self.waiting: dict[str, engine.ExplainerAnswer] = {}

    def answer(self, situation, name):
        found = self.page_answer(situation, name)
        if found.offer is not None:
            raise NotYet(found.problem)
        if found.problem:
            raise InputError(found.problem)
        return found

    def published(self, situation, name):
        key = ("published", situation.pattern, situation.readout, name, tuple(situation.settings_of(name).items()))
        title = f"{self.title(name)} on all published molecules"
        # A thread knows nothing of Streamlit's caches, and may wait for what takes long.
        own = Engine(self.core)
        job = jobs.get_job("lesson", key, title).of(lambda: own.published(situation, name))
        if job.state == "new":
            jobs.start(job, patience=0.1)
        if job.answer is not None:
            return job.answer
        if job.state == "failed":
            raise InputError(job.problem)
        self.waiting.setdefault(repr(key), engine.ExplainerAnswer(repr(key), title, "", offer=job, waits=True))
        raise NotYet("This takes a while.")

    def page_answer(self, situation: Situation, name: str) -> engine.ExplainerAnswer:
        """The answer, or what stands in its place; one that waits is started, but not by a link alone."""
        self.data(situation)
        state = state_of(situation, (name,))
        found = engine.answer(state, name)
        if found.offer is not None:
            if found.offer.state == "new" and is_walked():
                jobs.start(found.offer, patience=0.1)
                found = engine.answer(state, name)
            if found.offer is not None:
                self.waiting.setdefault(name, found)
        return found


def state_of(situation: Situation, explainers: Sequence[str] = (), show: Sequence[str] = (), **others) -> State:
    """The state of the molecule pages for a situation.

    Args:
        explainers: their names.
        show: what pictures show.
        others: fields of the state.
    """
    flags = {name: name in show for name in ("rings", "numbers", "values", "bonds", "signed", "common")} if show else {}
    return State(
        molecule=situation.molecule,
        pattern=situation.pattern,
        readout=situation.readout,
        explainers=tuple(explainers),
        set=situation.settings,
        anyway=True,
        **{**flags, **others},
    )


def link_state(situation: Situation, explainers: Sequence[str]) -> State:
    """The same for an address, in which some settings have a part of their own."""
    shared = {name: value for _, name, value in situation.settings if name in SHARED}
    own = tuple(one for one in situation.settings if one[1] not in SHARED)
    return State(situation.molecule, situation.pattern, situation.readout, tuple(explainers), set=own, **shared)


class Working(NotYet):
    """A view that takes long is being computed, waits to be asked for, or was stopped."""

    def __init__(self, job: jobs.Job):
        super().__init__("This takes a while.")
        self.job = job


def blocks(lesson: Lesson, number: int, view: View, using: PageEngine) -> Sequence[Block]:
    """What a view of a step shows, kept until the lesson's file changes.

    Raises:
        Working: it is being computed, or waits to be asked for.
        NotYet: an explainer of it has no answer yet.
        InputError: it cannot be computed.
    """
    key = (lesson.name, version(lesson.path), number, view.name, repr(view.options))
    if view.name not in SLOW:
        return _blocks(*key, lesson, view, using)
    # A thread knows nothing of Streamlit's caches, and may wait for what takes long.
    own = Engine(using.core)
    job = jobs.get_job("lesson", key, "Computing").of(lambda: blocks_of(view, lesson.steps[number - 1], own))
    if job.state == "new" and is_walked():
        jobs.start(job, patience=0.3)
    if job.answer is not None:
        return job.answer
    if job.state == "failed":
        raise InputError(job.problem)
    raise Working(job)


@remembered(200)
def _blocks(name, version, number, view_name, options, _lesson, _view, _engine) -> Sequence[Block]:
    return blocks_of(_view, _lesson.steps[number - 1], _engine)


def version(path: Path) -> tuple[int, int]:
    """What changes when a file does."""
    found = path.stat()
    return found.st_mtime_ns, found.st_size
