"""What the Failures page shows, as a value beside the ``State`` in the address."""

import re
from dataclasses import dataclass, replace
from typing import Any

from pages.shared.address import Address
from pages.shared.codecs import number, one_of, plain, text

SHOWS = ("cases", "search", "patterns")
ALONE = "none"
BENCHMARK = "run"
"""The set that is the molecules of a benchmark run."""
MOST_ATOMS = 5000


@dataclass(frozen=True)
class Hunt:
    """Everything that a link to the page carries, beside pattern, readout and settings of the ``State``.

    Attributes:
        show: the curated cases, what a search found, or what the failures have in common.
        explainer: the one in question.
        against: one to compare it with, or "none".
        failure: a way of failing, a name of ``wombat_core.failures.kinds.KINDS``.
        among: the set of molecules.
        file: digest of the user's file, which the server keeps for a while.
        run: name of the benchmark run whose molecules are searched.
        least, most, elements, charge, ring, named: which of them, see ``wombat_core.failures.kinds.Filter``.
        sheet: of the gallery, from 1.
    """

    show: str = "cases"
    explainer: str = "integrated-gradients"
    against: str = "saliency"
    failure: str = "lowest-auroc"
    among: str = "positives"
    file: str = ""
    run: str = ""
    least: int = 1
    most: int = MOST_ATOMS
    elements: tuple[str, ...] = ()
    charge: str = "any"
    ring: str = "any"
    named: str = ""
    sheet: int = 1


def changed(hunt: Hunt, /, **changes: Any) -> Hunt:
    """The value after a change; every other one goes back to the first sheet."""
    if "sheet" not in changes and "show" not in changes:
        changes = {"sheet": 1, **changes}
    return replace(hunt, **changes)


def _elements(text: str) -> tuple[str, ...]:
    from wombat_core.molecules.features import element_slots

    known = element_slots()
    names = text.split(",") if text else []
    for name in names:
        if name not in known:
            raise ValueError("it must be element symbols with commas between them, such as N,Cl")
    return tuple(dict.fromkeys(names))


def _digest(text: str) -> str:
    if not re.fullmatch(r"[0-9a-f]{0,64}", text):
        raise ValueError("it must be what this page wrote there")
    return text


def _explainers() -> list[str]:
    from wombat_core.explainers.registry import names

    return names()


def _kinds() -> list[str]:
    from wombat_core.failures.kinds import KINDS

    return list(KINDS)


def _sets() -> list[str]:
    from wombat_core.failures.sets import AMONG

    return [*dict.fromkeys(AMONG[True] + AMONG[False]), BENCHMARK]


def _charges() -> tuple[str, ...]:
    from wombat_core.failures.kinds import CHARGES

    return CHARGES


def _rings() -> tuple[str, ...]:
    from wombat_core.failures.kinds import RINGS

    return RINGS


HUNT = Address(
    Hunt,
    {
        "show": plain(one_of(lambda: SHOWS)),
        "explainer": plain(one_of(_explainers)),
        "against": plain(one_of(lambda: [ALONE, *_explainers()])),
        "failure": plain(one_of(_kinds)),
        "among": plain(one_of(_sets)),
        "file": plain(_digest),
        "run": plain(text),
        "least": plain(number(1, MOST_ATOMS)),
        "most": plain(number(1, MOST_ATOMS)),
        "elements": (_elements, ",".join),
        "charge": plain(one_of(_charges)),
        "ring": plain(one_of(_rings)),
        "named": plain(text),
        "sheet": plain(number(1, 99_999)),
    },
    changed,
)
