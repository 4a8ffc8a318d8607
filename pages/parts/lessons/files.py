"""The lessons there are, read again when their files change."""

from __future__ import annotations

from pathlib import Path

from pages.shared.memory import remembered
from wombat_core.lessons.check import check
from wombat_core.lessons.lesson import Lesson, LessonError
from wombat_core.lessons.reader import Broken, lesson_files, read_lesson

from .engine import PageEngine, version
from .links import link_problems


def lessons_of(folder: Path | None = None) -> list[Lesson | Broken]:
    """All lessons in order; a broken one stands in its place and harms no other."""
    return [_lesson(path, version(path)) for path in lesson_files(folder)]


@remembered(200)
def _lesson(path: Path, version: tuple[int, int]) -> Lesson | Broken:
    try:
        lesson = read_lesson(path)
    except LessonError as error:
        return Broken(path, str(error))
    problems = check(lesson, PageEngine(), compute=False) or link_problems(lesson)
    return Broken(path, "\n".join(problems)) if problems else lesson
