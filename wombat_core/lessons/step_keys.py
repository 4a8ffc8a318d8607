"""The keys of a step block: which there are, what form their values have, what a step keeps from the one before.

Whether names exist is the business of ``check``.
"""

from collections.abc import Mapping
from typing import Any

from .lesson import ASKS, OPEN_QUESTION, SHOW, LessonError, Link, Settings, Situation, Step, Text, View

KEYS = (
    "molecule",
    "pattern",
    "readout",
    "explainers",
    "settings",
    "show",
    "view",
    "options",
    "before",
    "before_options",
    "ask",
    "question",
    "choices",
    "answer",
    "links",
)
PAGES = ("explore", "layers", "interpolation", "failures", "benchmark", "shapeggen", "lessons")


class _Keys:
    """The values of one block, checked for their form as they are taken."""

    def __init__(self, values: Mapping[str, Any], lines: Mapping[str, int], line: int, file: str):
        self.values, self.lines, self.line, self.file = values, lines, line, file

    def fail(self, key: str, reason: str) -> LessonError:
        return LessonError(self.file, self.lines.get(key, self.line), reason)

    def text(self, key: str, default: str = "") -> str:
        value = self.values.get(key, default)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str) or (key in self.values and not value.strip()):
            raise self.fail(key, f"'{key}' must be a text.")
        return value.strip()

    def one_of(self, key: str, default: str, choices: tuple[str, ...]) -> str:
        value = self.text(key, default)
        if value not in choices:
            raise self.fail(key, f"there is no {key} '{value[:40]}'; choose one of {', '.join(choices)}.")
        return value

    def texts(self, key: str, default: tuple[str, ...]) -> tuple[str, ...]:
        if key not in self.values:
            return default
        value = self.values[key]
        if isinstance(value, list) and any(isinstance(one, bool) for one in value):
            raise self.fail(key, f"'{key}' has a yes or no that YAML takes for true or false; write it in quotes.")
        if not isinstance(value, list) or not all(isinstance(one, str | int | float) for one in value):
            raise self.fail(key, f"'{key}' must be a list of texts, such as [a, b].")
        return tuple(str(one) for one in value)

    def mapping(self, key: str) -> dict[str, Any]:
        value = self.values.get(key) or {}
        if not isinstance(value, dict):
            raise self.fail(key, f"'{key}' must be of the form {{name: value}}.")
        return {str(name): one for name, one in value.items()}


def read_step(
    values: Mapping[str, Any],
    lines: Mapping[str, int],
    title: str,
    line: int,
    before: Step | None,
    texts: Mapping[str, Text | None],
    file: str,
) -> Step:
    """A step from its block and texts.

    Args:
        values, lines: of the block, by key.
        title, line: of the heading.
        before: the step before, from which the situation is kept.
        texts: "text", "reveal" and "notes".
        file: for the sentences of errors.

    Raises:
        LessonError: an unknown key, a value of the wrong form, or something missing.
    """
    keys = _Keys(values, lines, line, file)
    for key in values:
        if key not in KEYS:
            raise keys.fail(key, f"a step has no key '{key[:40]}'; it has {', '.join(KEYS)}.")
    ask = keys.one_of("ask", "none", ASKS)
    choices = keys.texts("choices", ())
    return Step(
        title=title,
        line=line,
        situation=_situation(keys, before),
        explainers=keys.texts("explainers", before.explainers if before else ()),
        show=_show(keys, before),
        view=View(keys.text("view", "none"), keys.mapping("options")),
        before=View(keys.text("before", "none"), keys.mapping("before_options")),
        ask=ask,
        question=_question(keys, ask),
        choices=choices,
        answer=_answer(keys, ask, choices),
        text=texts["text"],
        reveal=texts["reveal"],
        notes=texts["notes"],
        links=_links(keys),
        lines=dict(lines),
    )


def _situation(keys: _Keys, before: Step | None) -> Situation:
    kept = before.situation if before else None
    for key in ("molecule", "pattern"):
        if kept is None and key not in keys.values:
            raise keys.fail(key, f"the first step must say '{key}'.")
    return Situation(
        molecule=keys.text("molecule", kept.molecule if kept else ""),
        pattern=keys.text("pattern", kept.pattern if kept else ""),
        readout=keys.one_of("readout", kept.readout if kept else "r2", ("r1", "r2")),
        settings=_settings(keys) if "settings" in keys.values else kept.settings if kept else (),
    )


def _settings(keys: _Keys) -> Settings:
    found = []
    for name, value in keys.mapping("settings").items():
        explainer, dot, setting = name.partition(".")
        if not dot or not isinstance(value, bool | int | float | str):
            raise keys.fail("settings", f"the setting '{name[:60]}' must be of the form explainer.setting: value.")
        found.append((explainer, setting, value))
    return tuple(found)


def _show(keys: _Keys, before: Step | None) -> tuple[str, ...]:
    show = keys.texts("show", before.show if before else Step.show)
    for name in show:
        if name not in SHOW:
            raise keys.fail("show", f"pictures have no '{name[:40]}' to show; choose from {', '.join(SHOW)}.")
    return show


def _question(keys: _Keys, ask: str) -> str:
    question = keys.text("question")
    if ask != "none" and not question:
        raise keys.fail("ask", f"'ask: {ask}' needs a 'question'.")
    if ask == "none" and question:
        raise keys.fail("question", "a 'question' needs 'ask: atoms' or 'ask: choice'.")
    return question


def _answer(keys: _Keys, ask: str, choices: tuple[str, ...]) -> int | None:
    if ask == "choice" and not 2 <= len(choices) <= 6:
        raise keys.fail("choices" if choices else "ask", "'ask: choice' needs a list of two to six 'choices'.")
    if ask == "choice" and len(set(choices)) < len(choices):
        raise keys.fail("choices", "two of the 'choices' are the same.")
    for key in ("choices", "answer"):
        if ask != "choice" and key in keys.values:
            raise keys.fail(key, f"'{key}' needs 'ask: choice'.")
    answer = keys.values.get("answer")
    if answer is not None and (type(answer) is not int or not 0 <= answer < len(choices)):
        raise keys.fail("answer", f"'answer' must be the index of a choice, from 0 to {len(choices) - 1}.")
    return answer


def _links(keys: _Keys) -> tuple[Link, ...]:
    value = keys.values.get("links") or []
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise keys.fail("links", "'links' must be a list of entries such as {page: explore, title: Open it}.")
    found = []
    for entry in value:
        if entry.get("page") not in PAGES:
            raise keys.fail("links", f"a link needs a 'page', one of {', '.join(PAGES)}.")
        title = entry.get("title")
        if not isinstance(title, str) or not title.strip():
            raise keys.fail("links", f"the link to the page {entry['page']} needs a 'title'.")
        params = {str(name): _written(one) for name, one in entry.items() if name not in ("page", "title")}
        found.append(Link(entry["page"], title.strip(), params))
    return tuple(found)


def _written(value: Any) -> str:
    """A value as an address writes it."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, list):
        return ",".join(map(_written, value))
    return str(value)


def ends_openly(step: Step) -> bool:
    """Whether a step is the open question with which a lesson ends."""
    return step.title == OPEN_QUESTION and step.ask == "none" and bool(step.links)
