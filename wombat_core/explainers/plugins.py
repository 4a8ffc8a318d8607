"""Explainers of the user's own: from a Python file, or from an installed package's entry points."""

import importlib.util
import os
import sys
import traceback
import zlib
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TypeVar

from ..errors import InputError
from ..host import host

Found = TypeVar("Found")

ENTRY_POINTS = "wombat_explorer.explainers"
"""The entry point group: any name = ``package.module:Class``."""
FILES_VARIABLE = "WOMBAT_PLUGINS"
"""The environment variable that lists Python files, separated as in PATH."""


def run_file(path: str | Path) -> str:
    """Run a Python file, which registers its explainers while it runs.

    It is code, run with the rights of whoever starts the program: name only files that you trust.

    Returns:
        The name of the module it became.

    Raises:
        InputError: there is no such file, or it fails; the sentence names the line.
    """
    path = Path(path)
    if path.suffix != ".py" or not path.is_file():
        raise InputError(f"There is no Python file {str(path)[:200]!r} to take explainers from.")
    path = path.resolve()
    name = f"wombat_plugin_{zlib.crc32(str(path).encode()):08x}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or (loader := spec.loader) is None:
        raise InputError(f"The file {str(path)[:200]!r} cannot be read as a Python module.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        in_bounds(lambda: loader.exec_module(module), lambda error: f"{path.name}{_line(error, path)}")
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return name


def in_bounds(work: Callable[[], Found], what: Callable[[BaseException], str]) -> Found:
    """Run code of the user's own, see :func:`~wombat_core.explainers.contained.contained`.

    Args:
        what: names the code, given the error with which it failed.

    Raises:
        InputError: it fails, by whatever exception.
    """
    from .contained import contained  # torch, which nobody needs who has no such code

    with contained() as found, found.as_sentence(what):
        return work()


def named_files() -> list[str]:
    """The files that the environment names, or else the server's settings (see :mod:`wombat_core.host`)."""
    named = [path for path in os.environ.get(FILES_VARIABLE, "").split(os.pathsep) if path]
    return named or list(map(str, host().folders.plugins))


def installed() -> list[EntryPoint]:
    """The entry points of installed packages."""
    return sorted(entry_points(group=ENTRY_POINTS), key=lambda entry: entry.name)


def _line(error: BaseException, path: Path) -> str:
    if isinstance(error, SyntaxError):
        return f", line {error.lineno},"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename) == path]
    return f", line {lines[-1]}," if lines else ""
