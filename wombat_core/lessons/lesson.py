"""What a lesson is once it has been read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import InputError

OPEN_QUESTION = "Open question"

Settings = tuple[tuple[str, str, Any], ...]
"""Explainer, name of the setting, value."""


class LessonError(InputError):
    """A lesson file cannot be used; the sentence begins with file and line."""

    def __init__(self, file: str, line: int, reason: str):
        super().__init__(f"{file}, line {line}: {reason}")
        self.file, self.line, self.reason = file, line, reason


@dataclass(frozen=True)
class Situation:
    """What the numbers of a step are about.

    Attributes:
        molecule: SMILES, name or CAS number.
        pattern: id of the whitebox.
        readout: "r1" or "r2".
        settings: of explainers, where they differ from the defaults.
    """

    molecule: str
    pattern: str
    readout: str = "r2"
    settings: Settings = ()

    def settings_of(self, explainer: str) -> dict[str, Any]:
        """The settings of one explainer."""
        return {name: value for of, name, value in self.settings if of == explainer}


@dataclass(frozen=True)
class Text:
    """A piece of Markdown and the line of the file on which it begins."""

    text: str = ""
    line: int = 0


@dataclass(frozen=True)
class View:
    """What a step shows: the name of one of ``views.VIEWS``, and its options."""

    name: str = "none"
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Link:
    """A way into a page: its name in the address, and what its address says beyond the step's situation."""

    page: str
    title: str
    params: Mapping[str, str]


@dataclass(frozen=True)
class Step:
    """One step of a lesson.

    Attributes:
        title: its heading.
        line: of the heading.
        situation, explainers: what it is about.
        show: what its pictures show, see ``schema``.
        view, before: what is shown after and before the reveal.
        ask: none, atoms or choice.
        question, choices, answer: what is asked; the index of the right choice or None.
        text, reveal, notes: before the reveal, after it, and for the presenter. ``reveal`` is None without its mark.
        links: into the pages.
        lines: on which line of the file each key stands.
    """

    title: str
    line: int
    situation: Situation
    explainers: tuple[str, ...] = ()
    show: tuple[str, ...] = ("numbers", "rings")
    view: View = View()
    before: View = View()
    ask: str = "none"
    question: str = ""
    choices: tuple[str, ...] = ()
    answer: int | None = None
    text: Text = Text()
    reveal: Text | None = None
    notes: Text | None = None
    links: tuple[Link, ...] = ()
    lines: Mapping[str, int] = field(default_factory=dict)

    @property
    def reveals(self) -> bool:
        """Whether there is anything to reveal."""
        return self.reveal is not None or self.view.name != "none" or self.ask != "none"


@dataclass(frozen=True)
class Lesson:
    """A lesson: ``name`` is that of its file, without the ending."""

    path: Path
    title: str
    minutes: int
    summary: str
    steps: tuple[Step, ...]

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def file(self) -> str:
        return self.path.name

    @property
    def places(self) -> tuple[tuple[int, bool], ...]:
        """Where one can stand, in order: number of the step, from 1, and whether it is revealed."""
        return tuple(
            (number, revealed)
            for number, step in enumerate(self.steps, start=1)
            for revealed in ((False, True) if step.reveals else (False,))
        )
