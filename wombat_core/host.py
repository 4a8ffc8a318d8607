"""A server owner's settings: one TOML file beside the app, or where ``WOMBAT_SETTINGS`` says (``docs/hosting.md``)."""

import os
import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from .errors import InputError

VARIABLE = "WOMBAT_SETTINGS"
FILE = Path(__file__).resolve().parents[1] / "wombat.toml"
PAGES = ("explore", "layers", "interpolation", "failures", "benchmark", "author", "shapeggen", "lessons")
_UNITS = {"kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}


def read_size(value: object) -> int:
    """Bytes, of a number or of a text such as "5 GB".

    Raises:
        ValueError: it is none.
    """
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    found = re.fullmatch(r"\s*(\d{1,6}(?:\.\d{1,3})?)\s*([KMGT]?B)?\s*", str(value), re.IGNORECASE)
    if not found or (not isinstance(value, str)):
        raise ValueError('it must be a size such as "5 GB" or "500 MB"')
    return int(float(found[1]) * _UNITS.get((found[2] or "b").lower(), 1))


def size_words(size: int) -> str:
    """A number of bytes for people, such as "5 GB"."""
    for unit in ("TB", "GB", "MB", "kB"):
        if size >= _UNITS[unit.lower()]:
            return f"{size / _UNITS[unit.lower()]:.3g} {unit}"
    return f"{size} bytes"


def _folder(value: object) -> object:
    return Path(value).expanduser() if isinstance(value, str) and value else value


Size = Annotated[int, BeforeValidator(read_size)]
Folder = Annotated[Path, BeforeValidator(_folder)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Limits(_Part):
    """How much visitors may use.

    Attributes:
        workers: computations that work at a time; None: as many as there are processors, but two at least.
        runs_at_once: benchmark runs among them.
        processes_a_run: processes of a benchmark run; None: the processors less one, shared by the runs at once.
        runs: bytes that all runs together may take on the disk.
        cache: bytes of the folder of what can be computed again.
        memory: bytes of the answers that the server remembers.
    """

    workers: int | None = Field(default=None, ge=1, le=256)
    runs_at_once: int = Field(default=1, ge=1, le=64)
    processes_a_run: int | None = Field(default=None, ge=1, le=256)
    runs: Size = read_size("5 GB")
    cache: Size = read_size("2 GB")
    memory: Size = read_size("500 MB")


class Folders(_Part):
    """Where things are; None: see README.

    Attributes:
        runs, cache: written to.
        lessons: Markdown files.
        plugins: Python files with explainers; their code is run.
        networks: whitebox files (YAML) that every page offers.
    """

    runs: Folder | None = None
    cache: Folder | None = None
    lessons: Folder | None = None
    plugins: list[Folder] = []
    networks: Folder | None = None


class Host(_Part):
    """All of it.

    Attributes:
        pages: those that are shown, in their usual order; the first page is always there.
        show_runs: "own": a visitor sees the runs of this tab and those whose links they hold; "all": everybody's.
        read_only: no run is begun, gone on with, stopped or deleted on the pages.
    """

    pages: tuple[Literal[PAGES], ...] = PAGES  # pyright: ignore[reportInvalidTypeForm] (pydantic reads the tuple)
    show_runs: Literal["own", "all"] = "own"
    read_only: bool = False
    limits: Limits = Limits()
    folders: Folders = Folders()


def host() -> Host:
    """The settings that are in force; environment variables for folders and sizes win over the file.

    Raises:
        InputError: the file cannot be used; every fault is a sentence.
    """
    own = os.environ.get(VARIABLE)
    found = _read(Path(own).expanduser() if own else None)
    sizes = {}
    for name in ("runs", "cache"):
        if text := os.environ.get(f"WOMBAT_{name.upper()}_LIMIT"):
            try:
                sizes[name] = read_size(text)
            except ValueError as error:
                raise InputError(f"WOMBAT_{name.upper()}_LIMIT is {text[:40]!r}, but {error}.") from None
    return found.model_copy(update={"limits": found.limits.model_copy(update=sizes)}) if sizes else found


def folder_named(name: str) -> Path | None:
    """A folder by its setting's name: from its environment variable (``WOMBAT_RUNS``, ...), else from the file."""
    own = os.environ.get(f"WOMBAT_{name.upper()}")
    return Path(own).expanduser() if own else getattr(host().folders, name)


@lru_cache(maxsize=8)
def _read(path: Path | None) -> Host:
    """The settings of a file; the defaults where none is named and none stands beside the app."""
    if path is None and not FILE.is_file():
        return Host()
    path = path or FILE
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise InputError(f"The settings {path} cannot be read: {reason}.") from None
    try:
        return Host.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"The settings {path.name} cannot be read: {str(error)[:200]}.") from None
    except ValidationError as error:
        raise InputError(" ".join(_sentence(path.name, each) for each in error.errors())) from None


def _sentence(name: str, fault) -> str:
    where = ".".join(map(str, fault["loc"]))
    if fault["type"] == "extra_forbidden":
        parts = {"limits": Limits, "folders": Folders}
        known = parts.get(str(fault["loc"][0]), Host).model_fields
        return f"{name}: there is no setting {where}; there are {', '.join(known)}."
    given = str(fault["input"])[:40]
    reason = fault["msg"].removeprefix("Value error, ").replace("Input should be", "it must be")
    reason = "it must be the path of a folder or file" if fault["type"] == "path_type" else reason
    return f"{name}: {where} is {given!r}, but {reason[:200]}."
