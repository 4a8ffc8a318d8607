"""Lessons: list them, check them, write a handout."""

import argparse
import sys
from pathlib import Path

from ..errors import InputError
from ..lessons.old_placeholders import convert
from ..registry import no_such


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="names, titles and minutes")
    check = actions.add_parser("check", help="everything that is wrong with lesson files, a sentence each")
    check.add_argument("files", nargs="*", metavar="FILE", help="lesson files (default: those of the explorer)")
    check.add_argument("--quick", action="store_true", help="check names only, compute nothing")
    convert = actions.add_parser("convert", help="rewrite lesson files with numbers in the form of earlier versions")
    convert.add_argument("files", nargs="+", metavar="FILE", help="lesson files, changed in place")
    handout = actions.add_parser("handout", help="a lesson as one HTML file")
    handout.add_argument("name", metavar="NAME", help="a lesson's name, the beginning of it, or a file")
    handout.add_argument("--out", required=True, metavar="FILE", help="the HTML file to write")
    handout.add_argument("--notes", action="store_true", help="with the presenter's notes")


def run(options: argparse.Namespace) -> int:
    return {"list": _list, "check": _check, "convert": _convert, "handout": _handout}[options.action](options)


def _list(options: argparse.Namespace) -> int:
    from ..lessons.check import check
    from ..lessons.engine import Engine
    from ..lessons.reader import Broken, read_lessons

    broken, engine = 0, Engine()
    for lesson in read_lessons():
        problems = [lesson.problem] if isinstance(lesson, Broken) else check(lesson, engine, compute=False)
        if problems or isinstance(lesson, Broken):
            broken += 1
            print("\n".join([f"{lesson.name}: cannot be shown", *problems]), file=sys.stderr)
        else:
            print(f"{lesson.name}: {lesson.title} ({lesson.minutes} minutes, {len(lesson.steps)} steps)")
    return broken


def _check(options: argparse.Namespace) -> int:
    from ..lessons.check import check
    from ..lessons.reader import lesson_files, read_lesson

    found = 0
    for path in map(Path, options.files) if options.files else lesson_files():
        try:
            problems = check(read_lesson(path), compute=not options.quick)
        except InputError as error:
            problems = [str(error)]
        found += len(problems)
        print("\n".join(problems) if problems else f"{path.name}: nothing is wrong.")
    return found


def _convert(options: argparse.Namespace) -> int:
    from ..lessons.facts import FACTS
    from ..lessons.reader import read_lesson

    for path in map(Path, options.files):
        read_lesson(path)
        old = path.read_text(encoding="utf-8")
        new = convert(old, FACTS)
        path.write_text(new, encoding="utf-8")
        print(f"{path.name}: {'rewritten' if new != old else 'nothing to change'}.")
    return 0


def _handout(options: argparse.Namespace) -> int:
    from ..lessons.handout import handout
    from ..lessons.reader import read_lesson

    text = handout(read_lesson(_file(options.name)), notes=options.notes)
    try:
        Path(options.out).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"The handout cannot be written to {options.out} ({error.strerror}).") from None
    return 0


def _file(name: str) -> Path:
    """The lesson file of a name."""
    from ..lessons.reader import lesson_files

    if name.endswith(".md"):
        return Path(name)
    known = lesson_files()
    found = [path for path in known if path.stem == name] or [path for path in known if path.stem.startswith(name)]
    if len(found) != 1:
        raise no_such("lesson", name, [path.stem for path in known])
    return found[0]
