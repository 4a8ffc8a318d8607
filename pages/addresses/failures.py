"""What the Failures page shows, as a value beside the ``State`` in the address."""

from dataclasses import dataclass, replace
from typing import Any

from pages.shared.address import Address, param
from pages.shared.codecs import TEXT, Codec, choice, pattern, several, whole
from pages.shared.state_codecs import explainer_names
from wombat_core.failures.kinds import CHARGES, KINDS, RINGS
from wombat_core.failures.sets import AMONG
from wombat_core.molecules.features import element_slots

VIEWS = ("cases", "search", "patterns")
ALONE = "none"
BENCHMARK = "run"
"""The set that is the molecules of a benchmark run."""
MOST_ATOMS = 5000


def _symbol(text: str) -> str:
    if text not in element_slots():
        raise ValueError("it must be element symbols with commas between them, such as N,Cl")
    return text


def _kinds() -> list[str]:
    return list(KINDS)


def _sets() -> list[str]:
    return [*dict.fromkeys(AMONG[True] + AMONG[False]), BENCHMARK]


def _charges() -> tuple[str, ...]:
    return CHARGES


def _rings() -> tuple[str, ...]:
    return RINGS


@dataclass(frozen=True)
class FailuresState:
    """Everything that a link to the page carries, beside whitebox, readout and settings of the ``State``.

    ``least`` to ``named`` are those of ``wombat_core.failures.kinds.Filter``.
    """

    view: str = param("cases", choice(lambda: VIEWS), "curated cases, a search, or what failures share", "show")
    explainer: str = param("integrated-gradients", choice(explainer_names), "the one in question")
    against: str = param("saliency", choice(lambda: [ALONE, *explainer_names()]), 'one to compare it with, or "none"')
    failure: str = param("lowest-auroc", choice(_kinds), "a way of failing, of wombat_core.failures.kinds.KINDS")
    molecules: str = param("positives", choice(_sets), "the set of molecules that is searched", "among")
    file: str = param(
        "",
        pattern("[0-9a-f]{0,64}", "it must be what this page wrote there"),
        "digest of the user's file, which the server keeps for a while",
    )
    run: str = param("", TEXT, "name of the benchmark run whose molecules are searched")
    least: int = param(1, whole(1, MOST_ATOMS), "heavy atoms at least")
    most: int = param(MOST_ATOMS, whole(1, MOST_ATOMS), "heavy atoms at most")
    elements: tuple[str, ...] = param((), several(Codec(_symbol)), "elements that a molecule must have")
    charge: str = param("any", choice(_charges), "which charge")
    ring: str = param("any", choice(_rings), "which rings")
    named: str = param("", TEXT, "what the name or SMILES contains")
    sheet: int = param(1, whole(1, 99_999), "page of the gallery, from 1")


def changed(state: FailuresState, /, **changes: Any) -> FailuresState:
    """The value after a change; every other one goes back to the first sheet."""
    if "sheet" not in changes and "view" not in changes:
        changes = {"sheet": 1, **changes}
    return replace(state, **changes)


FAILURES = Address(FailuresState, "failures", changed)
