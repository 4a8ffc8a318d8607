"""Everything that can be wrong with a lesson, found before it is shown."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from ..errors import InputError
from ..explainers.registry import explainer_class
from ..molecules.encoding import encode
from .arguments import check_explainer, with_setting
from .engine import Engine, NotYet
from .lesson import Lesson, LessonError, Step, Text
from .pictures import without_pictures
from .placeholders import check_count, filled, placeholders, value_of
from .reader import texts_of
from .schema import ends_openly
from .views import blocks_of, check_view

Place = TypeVar("Place")


def check(lesson: Lesson, engine: Engine | None = None, compute: bool = True) -> list[str]:
    """What is wrong with a lesson, a sentence each with file and line; empty where nothing is.

    Args:
        engine: computes the numbers; a page gives its own.
        compute: whether numbers and views are computed too. Without, only names are checked, which is quick.
    """
    engine = engine or Engine()
    found = []
    for step in lesson.steps:
        found += _names(step, engine)
        if compute and not found:
            found += _numbers(step, engine)
    if not ends_openly(lesson.steps[-1]):
        reason = "the last step must be '## Open question', ask nothing, and have 'links'."
        found.append((lesson.steps[-1].line, reason))
    return [str(LessonError(lesson.file, line, reason)) for line, reason in found]


def told(lesson: Lesson, step: Step, text: Text, engine: Engine, escape: Callable[[str], str] = str) -> str:
    """A text with its numbers.

    Raises:
        LessonError: a number cannot be computed; the sentence says on which line.
    """
    for placeholder in placeholders(text.text):
        for line, reason in _tried(
            text.line + placeholder.line, lambda s=placeholder.source: value_of(s, step.situation, engine)
        ):
            raise LessonError(lesson.file, line, reason)
    return without_pictures(filled(text.text, step.situation, engine, escape))


def _names(step: Step, engine: Engine) -> Iterator[tuple[int, str]]:
    """Lines and reasons: molecule, pattern, explainers, settings, views."""

    def line(key: str) -> int:
        return step.lines.get(key, step.line)

    if step.ask != "none" and step.view.name != "none" and step.reveal is None:
        yield step.line, "the step asks and has a view, so it needs a line '<!-- reveal -->' where the answer begins."
    broken = list(_broken(step, engine))
    # What is kept from the step before has been said there.
    yield from ((line(key), reason) for key, reason in broken if key in step.lines)
    if not broken:
        for key in ("view", "before"):
            view = getattr(step, key)
            at = line(key) if not view.options else step.lines.get(_options_key(key), line(key))
            yield from _tried(
                at if view.name != "none" else line(key), lambda view=view: check_view(view, step, engine)
            )


def _broken(step: Step, engine: Engine) -> Iterator[tuple[str, str]]:
    """Keys and reasons: what the situation and the explainers name that does not exist."""
    situation = step.situation

    def setting_is_known(name: str, setting: str, value: object) -> None:
        check_explainer(name)
        with_setting(situation, name, setting, value)

    yield from _tried("pattern", lambda: engine.network(situation))
    yield from _tried("molecule", lambda: encode(engine.molecule(situation.molecule)))
    for name in step.explainers:
        yield from _tried("explainers", lambda name=name: check_explainer(name))
    for one in situation.settings:
        yield from _tried("settings", lambda one=one: setting_is_known(*one))


def _options_key(key: str) -> str:
    return "options" if key == "view" else "before_options"


def _numbers(step: Step, engine: Engine) -> Iterator[tuple[int, str]]:
    """Lines and reasons: numbers in the texts, blocks of the views, answers."""
    for text in texts_of(step):
        yield from _tried(text.line, lambda text=text: check_count(text.text))
        for placeholder in placeholders(text.text):
            source = placeholder.source
            yield from _tried(text.line + placeholder.line, lambda s=source: value_of(s, step.situation, engine))
    for key in ("view", "before"):
        view = getattr(step, key)
        yield from _tried(step.lines.get(key, step.line), lambda view=view: blocks_of(view, step, engine))
    for name in step.explainers:
        if not explainer_class(name).expensive:
            yield from _tried(
                step.lines.get("explainers", step.line), lambda name=name: engine.answer(step.situation, name)
            )


def _tried(place: Place, work: Callable[[], object]) -> Iterator[tuple[Place, str]]:
    """The place and the reason where the work fails."""
    try:
        work()
    except NotYet:
        pass
    except InputError as error:
        yield place, str(error)
