"""From a file to a lesson: header, steps, texts. What they mean is checked in ``step_keys`` and ``check``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..data import data_file
from ..host import folder_named
from .lesson import Lesson, LessonError, Step, Text
from .pictures import picture_line
from .schema import Header, StepBlock, read_block, step_of
from .yaml_lines import read_mapping

FOLDER = data_file("lessons")
MAX_BYTES = 1_000_000
_MARK = re.compile(r"<!--\s*(.*?)\s*-->")
_FENCE = re.compile(r"\s{0,3}(```+|~~~+)")
MARKS = ("reveal", "notes")


@dataclass(frozen=True)
class Broken:
    """A lesson file that cannot be used, and the sentence that says where and why."""

    path: Path
    problem: str

    @property
    def name(self) -> str:
        return self.path.stem


def lesson_folder() -> Path:
    """Where the lessons are: ``WOMBAT_LESSONS``, or those of the explorer."""
    return folder_named("lessons") or FOLDER


def lesson_files(folder: Path | None = None) -> list[Path]:
    """The lesson files of a folder in order: Markdown files whose names begin with a digit."""
    return sorted(path for path in (folder or lesson_folder()).glob("*.md") if path.name[0].isdigit())


def read_lessons(folder: Path | None = None) -> list[Lesson | Broken]:
    """All lessons of a folder; a broken one stands in its place and harms no other."""
    found: list[Lesson | Broken] = []
    for path in lesson_files(folder):
        try:
            found.append(read_lesson(path))
        except LessonError as error:
            found.append(Broken(path, str(error)))
    return found


def read_lesson(path: Path) -> Lesson:
    """Read one file.

    Raises:
        LessonError: it cannot be read; the sentence names file, line and reason.
    """
    path = Path(path)
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise LessonError(path.name, 1, f"the file cannot be read ({error.strerror}).") from None
    if len(raw) > MAX_BYTES:
        raise LessonError(path.name, 1, f"the file is larger than {MAX_BYTES:,} bytes.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise LessonError(path.name, line, "the file is not UTF-8 text.") from None
    return read_text(text, path)


def read_text(text: str, path: Path) -> Lesson:
    """Read the text of a lesson file.

    Raises:
        LessonError: as :func:`read_lesson`.
    """
    lines, file = text.splitlines(), path.name
    header, start = _header(lines, file)
    steps: list[Step] = []
    for title, number, body in _sections(lines, start, file):
        block, block_line, rest, rest_line = _step_block(body, number, file)
        values, key_lines = read_mapping(block, file, block_line)
        before = steps[-1] if steps else None
        texts = _texts(rest, rest_line, file)
        keys = read_block(StepBlock, values, key_lines, number, file, "a step")
        step = step_of(keys, key_lines, title, number, before, texts, file)
        _refuse_pictures(step, file)
        steps.append(step)
    if not steps:
        raise LessonError(file, start, "there is no step; every step begins with a line '## Its title'.")
    return Lesson(path, header.title, header.minutes, header.summary, tuple(steps))


def _header(lines: list[str], file: str) -> tuple[Header, int]:
    """The header's values, and the number of the first line after it."""
    if not lines or lines[0].strip() != "---":
        raise LessonError(file, 1, "the file must begin with a header between two lines '---'.")
    end = next((i for i, line in enumerate(lines[1:], start=1) if line.strip() == "---"), None)
    if end is None:
        raise LessonError(file, 1, "the header is not closed by a second line '---'.")
    values, key_lines = read_mapping("\n".join(lines[1:end]), file, 2)
    return read_block(Header, values, key_lines, 1, file, "the header"), end + 2


def _sections(lines: list[str], start: int, file: str) -> Iterator[tuple[str, int, list[str]]]:
    """Title, line and body of every step."""
    title, number, body, fence = None, 0, [], ""
    for i, line in enumerate(lines[start - 1 :], start=start):
        fence = _fenced(line, fence)
        if line.startswith("## ") and not fence:
            if title is not None:
                yield title, number, body
            title, number, body = line[3:].strip(), i, []
            if not title:
                raise LessonError(file, i, "a step needs a title after '##'.")
        elif title is not None:
            body.append(line)
        elif line.strip():
            raise LessonError(file, i, "text before the first step; every step begins with a line '## Its title'.")
    if title is not None:
        yield title, number, body


def _fenced(line: str, fence: str) -> str:
    """The fence that is open after a line."""
    if found := _FENCE.match(line):
        if not fence:
            return found[1]
        if found[1].startswith(fence) and not line.strip().strip(fence[0]):
            return ""
    return fence


def _step_block(body: list[str], number: int, file: str) -> tuple[str, int, list[str], int]:
    """The YAML of a step and its line, the rest of the body and its line."""
    first = next((i for i, line in enumerate(body) if line.strip()), None)
    if first is None or body[first].strip() != "```step":
        raise LessonError(file, number, "a '```step' block must follow directly below the title of a step.")
    end = next((i for i in range(first + 1, len(body)) if body[i].strip() == "```"), None)
    if end is None:
        raise LessonError(file, number + 1 + first, "the '```step' block is not closed by a line '```'.")
    return "\n".join(body[first + 1 : end]), number + first + 2, body[end + 1 :], number + end + 2


def _texts(body: list[str], first_line: int, file: str) -> dict[str, Text | None]:
    """The text before the reveal, the one after it, and the notes."""
    pieces: dict[str, tuple[int, list[str]]] = {"text": (first_line, [])}
    current, fence = "text", ""
    for number, line in enumerate(body, start=first_line):
        fence = _fenced(line, fence)
        mark = None if fence else _MARK.fullmatch(line.strip())
        if not mark:
            pieces[current][1].append(line)
            continue
        name = mark[1]
        if name not in MARKS:
            raise LessonError(file, number, f"the mark '{name[:40]}' is not known; there are reveal and notes.")
        if name in pieces or (name == "reveal" and "notes" in pieces):
            raise LessonError(file, number, "reveal and notes stand at most once a step, in this order.")
        current = name
        pieces[name] = (number + 1, [])
    return {name: _text(*pieces[name]) if name in pieces else None for name in ("text", *MARKS)}


def _refuse_pictures(step: Step, file: str) -> None:
    for text in texts_of(step):
        place = picture_line(text.text)
        if place is not None:
            reason = "a text of a lesson has no pictures, as they would come from a network; use a view."
            raise LessonError(file, text.line + place, reason)


def texts_of(step: Step) -> list[Text]:
    """All texts of a step that are Markdown and may hold numbers."""
    line = step.lines.get
    return [
        Text(step.question, line("question", step.line)),
        *(Text(choice, line("choices", step.line)) for choice in step.choices),
        *(text for text in (step.text, step.reveal, step.notes) if text is not None),
    ]


def _text(line: int, lines: list[str]) -> Text:
    """The lines without blank ones around them."""
    while lines and not lines[0].strip():
        line, lines = line + 1, lines[1:]
    return Text("\n".join(lines).rstrip(), line)
