"""What a benchmark run is to do: whiteboxes, explainers and molecules, fixed before it begins."""

import json
import re
from dataclasses import asdict, dataclass, fields
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from ..compiler.address import split_patterns
from ..errors import InputError
from ..explainers.protocol import Explainer
from ..explainers.registry import explainer, load_file
from ..whitebox.catalogue import fourteen, pattern
from .versions import file_digest

FILE = "file"
"""The name of the set that is a user's own file."""

SETS = ("positives", "library", "negatives", "hard-negatives")
READOUTS = ("r1", "r2")


@dataclass(frozen=True)
class Task:
    """One whitebox and one explainer: the rows of a task make one cell of the summary.

    Attributes:
        settings: of the explainer, as canonical JSON.
        expensive: whether the explainer takes long.
    """

    pattern: str
    readout: str
    explainer: str
    settings: str
    expensive: bool

    def method(self) -> Explainer:
        """The explainer with its settings."""
        return explainer(self.explainer, **json.loads(self.settings))


@dataclass(frozen=True)
class Plan:
    """All that decides a run's rows. How they are computed (processes, cluster) is no part of it.

    Attributes:
        patterns, readouts: ids and names.
        explainers: (name, settings as canonical JSON).
        expensive: the names of those that take long.
        molecules: one of ``SETS``, or ``FILE``.
        limit: molecules a pattern at most: the first ones of the positives or a file, evenly spread ones of the
            library, drawn ones of the negatives; None for all.
        seed: of drawn negatives (explainers carry their own among their settings).
        file, column, digest: of the user's file (an absolute path, its SMILES column, its content).
        unique: whether repeated molecules are left out.
        plugins: (absolute path, digest) of files with explainers of the user's own.
        versions: of libraries and data, see :func:`wombat_core.benchmark.versions.versions`.
    """

    patterns: tuple[str, ...]
    readouts: tuple[str, ...]
    explainers: tuple[tuple[str, str], ...]
    expensive: tuple[str, ...] = ()
    molecules: str = "positives"
    limit: int | None = None
    seed: int = 0
    file: str | None = None
    column: str | None = None
    digest: str | None = None
    plugins: tuple[tuple[str, str], ...] = ()
    versions: tuple[tuple[str, str], ...] = ()
    unique: bool = False

    @cached_property
    def tasks(self) -> tuple[Task, ...]:
        """Every whitebox with every explainer, in the order of the plan; a network with one readout comes once."""
        found = {}
        for id in self.patterns:
            for readout in self.readouts:
                known = pattern(id).readouts
                own = readout if readout in known else known[0]
                for name, settings in self.explainers:
                    found[Task(id, own, name, settings, name in self.expensive)] = None
        return tuple(found)

    @property
    def title(self) -> str:
        """The set of molecules, for people, with the seed and the limit."""
        name = (
            f"file {Path(self.file).name} ({self.digest})" if self.molecules == FILE and self.file else self.molecules
        )
        limit = "" if self.limit is None else f", at most {self.limit:,} a pattern"
        once = ", each molecule once" if self.unique else ""
        return f"{name}{limit}{once}, seed {self.seed}"

    @property
    def by_pattern(self) -> bool:
        """Whether each pattern has molecules of its own."""
        return self.molecules not in ("library", FILE)

    def as_json(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> "Plan":
        return cls(**{name: _frozen(value) for name, value in json.loads(text).items()})


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


@cache
def load_plugins(plugins: tuple[tuple[str, str], ...]) -> None:
    """Run a plan's plugin files in this process, once.

    Raises:
        InputError: one is missing, fails, or is not the file any more that it was.
    """
    for path, digest in plugins:
        if not Path(path).is_file():
            raise InputError(f"The plugin {path} of this run is not there.")
        if file_digest(path) != digest:
            raise InputError(f"The plugin {path} has changed since this run began.")
        load_file(path)


def chosen_ids(text: str) -> list[str]:
    """Pattern ids from text such as "1-5,12-leaf,flucarb" or "all" (the fourteen), each once, in order.

    Raises:
        InputError: one of them does not exist.
    """
    found = []
    for part in split_patterns(text):
        between = re.fullmatch(r"(\d{1,3})-(\d{1,3})", part)
        if part == "all":
            found += [entry.id for entry in fourteen()]
        elif between:
            first, last = map(int, between.groups())
            if first > last:
                raise InputError(f"The patterns {part} run backwards; write {last}-{first}.")
            found += [pattern(number).id for number in range(first, last + 1)]
        else:
            found.append(pattern(part).id)
    return list(dict.fromkeys(found))


_WORDS = {
    "molecules": "set of molecules",
    "file": "file",
    "digest": "content of the file",
    "column": "SMILES column",
    "unique": "each molecule once",
}


def differences(old: Plan, new: Plan) -> str | None:
    """What a new plan would do differently, as a clause for people, or None where nothing."""
    found = []
    for field in fields(Plan):
        before, now = getattr(old, field.name), getattr(new, field.name)
        if before != now:
            found.append(f"{_WORDS.get(field.name, field.name)}: {_difference(before, now)}")
    return "; ".join(found) or None


def _difference(before, now) -> str:
    if not isinstance(before, tuple):
        return f"{_text(before)} then, {_text(now)} now"
    gone, added = ([each for each in own if each not in other] for own, other in ((before, now), (now, before)))
    if not gone and not added:
        return "another order"
    return f"{', '.join(map(_text, gone)) or 'none'} then, {', '.join(map(_text, added)) or 'none'} now"


def _text(value) -> str:
    return "none" if value is None else " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
