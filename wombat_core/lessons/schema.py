"""The form of a lesson's header and of its step blocks. Whether their names exist is the business of ``check``."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictInt,
    StringConstraints,
    ValidationError,
    model_validator,
)

from .lesson import OPEN_QUESTION, LessonError, Link, Settings, Situation, Step, Text, View
from .problems import first_problem


class _Wrong(ValueError):
    """A key does not go with the others."""

    def __init__(self, key: str, reason: str):
        super().__init__(reason)
        self.key = key


def _texts(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    if any(isinstance(one, bool) for one in value):
        raise ValueError("there is a yes or no that YAML takes for true or false; write it in quotes.")
    return [str(one) if isinstance(one, int | float) else one for one in value]


def _number_as_text(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _settings(value: dict[str, bool | int | float | str]) -> Settings:
    for name in value:
        if "." not in name:
            raise ValueError(f"the setting '{name[:60]}' must be of the form explainer.setting: value.")
    return tuple((*name.split(".", 1), given) for name, given in value.items())  # type: ignore[misc]


Word = Annotated[
    str, BeforeValidator(_number_as_text), StringConstraints(strip_whitespace=True, min_length=1, max_length=20_000)
]
Line = Annotated[Word, AfterValidator(lambda text: " ".join(text.split()))]
Texts = Annotated[tuple[Word, ...], BeforeValidator(_texts)]
Show = Literal["numbers", "values", "rings", "bonds", "signed", "common"]
Mapped = Annotated[dict[str, Any], BeforeValidator(lambda value: value or {})]


class _Block(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Header(_Block):
    """What stands between the two lines ``---``."""

    title: Line
    minutes: Annotated[StrictInt, Field(ge=1, le=120)]
    summary: Line


class LinkBlock(BaseModel):
    """A link: page and title, and anything that the address of the page knows."""

    model_config = ConfigDict(extra="allow", frozen=True)
    page: Literal["explore", "layers", "interpolation", "failures", "benchmark", "shapeggen", "lessons"]
    title: Word

    def link(self) -> Link:
        return Link(self.page, self.title, {name: _written(one) for name, one in (self.model_extra or {}).items()})


class StepBlock(_Block):
    """The keys of a ``step`` block; None where the step before is kept."""

    molecule: Word | None = None
    pattern: Word | None = None
    readout: Literal["r1", "r2"] | None = None
    explainers: Texts | None = None
    settings: Annotated[dict[str, bool | int | float | str], AfterValidator(_settings)] | None = None
    show: tuple[Show, ...] | None = None
    view: Word = "none"
    options: Mapped = {}
    before: Word = "none"
    before_options: Mapped = {}
    ask: Literal["none", "atoms", "choice"] = "none"
    question: Word = ""
    choices: Texts = ()
    answer: StrictInt | None = None
    links: tuple[LinkBlock, ...] = ()

    @model_validator(mode="after")
    def _goes_together(self) -> "StepBlock":
        """What is asked, with what it needs."""
        given, count = self.model_fields_set, len(self.choices)
        if self.ask != "none" and not self.question:
            raise _Wrong("ask", f"'ask: {self.ask}' needs a 'question'.")
        if self.ask == "none" and self.question:
            raise _Wrong("question", "a 'question' needs 'ask: atoms' or 'ask: choice'.")
        for key in sorted({"choices", "answer"} & given) if self.ask != "choice" else ():
            raise _Wrong(key, f"'{key}' needs 'ask: choice'.")
        if self.ask == "choice" and not 2 <= count <= 6:
            raise _Wrong("choices" if count else "ask", "'ask: choice' needs a list of two to six 'choices'.")
        if len(set(self.choices)) < count:
            raise _Wrong("choices", "two of the 'choices' are the same.")
        if self.answer is not None and not 0 <= self.answer < count:
            raise _Wrong("answer", f"'answer' must be the index of a choice, from 0 to {count - 1}.")
        return self


Model = TypeVar("Model", bound=BaseModel)


def read_block(
    model: type[Model], values: Mapping[str, Any], lines: Mapping[str, int], line: int, file: str, what: str
) -> Model:
    """A header or step block of the right form.

    Args:
        values, lines: of the block, by key.
        line: of a key that is missing.
        what: has the keys, for sentences: "the header".

    Raises:
        LessonError: an unknown key, a value of the wrong form, or something missing.
    """
    try:
        return model.model_validate(dict(values))
    except ValidationError as error:
        key, reason = first_problem(error, model.model_fields, what, "key")
        raise LessonError(file, lines.get(key, line), reason) from None


def step_of(
    block: StepBlock,
    lines: Mapping[str, int],
    title: str,
    line: int,
    before: Step | None,
    texts: Mapping[str, Text | None],
    file: str,
) -> Step:
    """A step from its block and texts ("text", "reveal", "notes"); what the block leaves out is kept from the last one.

    Raises:
        LessonError: the first step lacks its molecule or pattern.
    """
    for key in ("molecule", "pattern"):
        if before is None and getattr(block, key) is None:
            raise LessonError(file, line, f"the first step must say '{key}'.")
    keys = ("molecule", "pattern", "readout", "settings")
    said: dict[str, Any] = {key: value for key in keys if (value := getattr(block, key)) is not None}
    situation = replace(before.situation if before else Situation("", ""), **said)
    return Step(
        title=title,
        line=line,
        situation=situation,
        explainers=block.explainers if block.explainers is not None else before.explainers if before else (),
        show=block.show if block.show is not None else before.show if before else Step.show,
        view=View(block.view, block.options),
        before=View(block.before, block.before_options),
        ask=block.ask,
        question=block.question,
        choices=block.choices,
        answer=block.answer,
        text=texts["text"] or Text(),
        reveal=texts["reveal"],
        notes=texts["notes"],
        links=tuple(link.link() for link in block.links),
        lines=dict(lines),
    )


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
