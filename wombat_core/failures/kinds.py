"""What a search for failures can be asked: the sets, the ways of failing its findings are sorted by, the filters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..registry import Registry

if TYPE_CHECKING:
    from .search import Finding


@dataclass(frozen=True)
class Kind:
    """A way of failing.

    Attributes:
        title, meaning: for people.
        contains: whether it is about molecules with the motif.
        badness: of a finding: how badly it fails, 0 where it does not, None where that cannot be said.
        compares: whether it needs a second explainer.
    """

    title: str
    meaning: str
    contains: bool
    badness: Callable[[Finding], float | None]
    compares: bool = False


def _auroc(finding: Finding) -> float | None:
    return None if finding.row.auroc is None else 1 - finding.row.auroc


def _gap(finding: Finding) -> float | None:
    return None if finding.gap is None else (abs(finding.gap) if abs(finding.gap) > 1e-9 else 0.0)


def _misranked(finding: Finding) -> float | None:
    row = finding.row
    if row.misranked is None or row.average_precision is None or row.ap_baseline is None:
        return None
    return (1 - row.average_precision) / (1 - row.ap_baseline) if row.misranked else 0.0


def _outlier(finding: Finding) -> float | None:
    if finding.row.iqr_pass is None:
        return None
    return 0.0 if finding.row.iqr_pass else max(finding.farthest, 1e-12)


def _null(finding: Finding) -> float | None:
    if finding.row.auroc is None:
        return None
    return float(finding.row.num_atoms) if finding.row.null else 0.0


KINDS = Registry(
    "kind of failure",
    {
        "lowest-auroc": Kind(
            "Lowest AUROC",
            "The ground truth is not ranked first: AUROC below 1, the lowest first.",
            True,
            _auroc,
        ),
        "gap": Kind(
            "Largest gap between two explainers",
            "The two explainers get different AUROCs, the most different first.",
            True,
            _gap,
            compares=True,
        ),
        "misranked": Kind(
            "Non-motif atom above a motif atom",
            "An atom outside the ground truth scores above one inside (a tie is not counted). Sorted by average "
            "precision, which falls most where such atoms stand at the very top.",
            True,
            _misranked,
        ),
        "null": Kind(
            "Null explanation",
            "The motif is there and every atom scores alike, so nothing is ranked. The largest molecules first.",
            True,
            _null,
        ),
        "iqr": Kind(
            "IQR failure on a negative",
            "The motif is not there and still an atom stands out. Sorted by how far it stands from the median.",
            False,
            _outlier,
        ),
    },
)


def kind(name: str) -> Kind:
    """The way of failing of that name.

    Raises:
        InputError: there is none.
    """
    return KINDS[name]


CHARGES = ("any", "charged", "neutral", "motif")
RINGS = ("any", "in", "out")


@dataclass(frozen=True)
class Filter:
    """Which findings are asked for.

    Attributes:
        least, most: heavy atoms.
        elements: symbols that must all be there.
        charge: "charged" or "neutral" molecules (any atom with a formal charge counts), or "motif": a charge in the
            ground truth; or "any".
        ring: whether an atom of the ground truth is in a ring ("in") or none is ("out"); or "any".
        named: what name or SMILES must contain; small and capital letters are alike in the name.
    """

    least: int = 1
    most: int = 5000
    elements: tuple[str, ...] = ()
    charge: str = "any"
    ring: str = "any"
    named: str = ""

    def takes(self, finding: Finding) -> bool:
        row, own = finding.row, finding.traits
        charge = {"any": True, "charged": own.charged, "neutral": not own.charged, "motif": own.motif_charged}
        ring = {"any": True, "in": own.motif_ring, "out": not own.motif_ring}
        return (
            self.least <= row.num_atoms <= self.most
            and own.elements.issuperset(self.elements)
            and charge[self.charge]
            and ring[self.ring]
            and (self.named.lower() in (row.name or "").lower() or self.named in row.smiles)
        )


@dataclass(frozen=True)
class Sorted:
    """Findings by one way of failing.

    Attributes:
        failed: the worst first.
        passed: those that do not fail.
        open: those of which it cannot be said (every atom is ground truth, or the explainer gave no answer).
    """

    failed: list[Finding]
    passed: list[Finding]
    open: list[Finding]


def by_kind(findings: Iterable[Finding], kind: Kind, wanted: Filter | None = None) -> Sorted:
    """Tell failures from successes; ties are in the order of the set."""
    result = Sorted([], [], [])
    worst = []
    for finding in findings:
        if wanted is not None and not wanted.takes(finding):
            continue
        badness = kind.badness(finding)
        if badness is None:
            result.open.append(finding)
        elif badness > 0:
            worst.append((-badness, finding.row.place, finding))
        else:
            result.passed.append(finding)
    result.failed.extend(finding for _, _, finding in sorted(worst, key=lambda each: each[:2]))
    return result
