"""How much an explainer's answers depend on the wiring: one motif, the hand-made network and compiled ones.

All wirings of a motif give the same predictions, so whatever differs between their rows is the implementation's.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .. import progress
from ..compiler.compile import compile_smarts, roots
from ..compiler.smarts_error import SmartsError
from ..compiler.styles import check_style
from ..errors import InputError
from ..explainers.registry import explainer
from ..explanation import explain
from ..molecules.molecule import Molecule
from ..subject import Subject
from ..whitebox.build import build
from ..whitebox.catalogue import Pattern
from ..whitebox.model import is_positive
from .sample_size import published_positives

READOUTS = ("r1", "r2")


@dataclass(frozen=True)
class Score:
    """Answers on one wiring under one readout.

    Attributes:
        auroc: the mean over the molecules; None where every atom of each of them is ground truth.
        perfect: answers with AUROC = 1.
        null: answers in which every atom scores alike.
    """

    auroc: float | None
    perfect: int
    null: int


@dataclass(frozen=True)
class WiringResult:
    """One row of the study.

    Attributes:
        pattern: id of the network; of a compiled one it names SMARTS, style and root.
        style, root: of a compiled network; None of the hand-made one.
        layers, channels: its size.
        molecules: positives on which AUROC is defined.
        scores: by readout.
    """

    pattern: str
    style: str | None
    root: int | None
    layers: int
    channels: int
    molecules: int
    scores: Mapping[str, Score]

    @property
    def title(self) -> str:
        """ "hand-made", or "small, root 3"."""
        return "hand-made" if self.style is None else f"{self.style}, root {self.root}"


def wiring_title(pattern: Pattern) -> str:
    """What tells a network from the others of its motif: its title, or style and root where it is compiled."""
    return f"{pattern.origin.style}, root {pattern.origin.root}" if pattern.origin else pattern.title


def wirings(pattern: Pattern, styles: Sequence[str] = ("small",)) -> Iterator[Pattern]:
    """The relaxed SMARTS of a pattern compiled in each style, at each root that it can have.

    Raises:
        InputError: there is no such style, or the SMARTS cannot be compiled at any root.
    """
    smarts = pattern.origin.smarts if pattern.origin else pattern.smarts
    for style in map(check_style, styles):
        found, problem = [], None
        for root in roots(smarts):
            try:
                found.append(compile_smarts(smarts, root=root, style=style))
            except SmartsError as error:
                problem = error
        if not found and problem:
            raise problem
        yield from found


def wirings_study(
    pattern: Pattern,
    styles: Sequence[str] = ("small",),
    method: str = "integrated-gradients",
    settings: Mapping[str, object] | None = None,
    molecules: Sequence[Molecule] | None = None,
    on_result: Callable[[WiringResult], object] | None = None,
) -> list[WiringResult]:
    """Mean AUROC and perfect answers of one explainer on every wiring of a motif, under both readouts.

    Reports its progress (:mod:`wombat_core.progress`) and can be stopped there.

    Args:
        pattern: the motif; its own network gives the first row.
        styles: of the compiled networks, see ``compiler.styles.STYLES``; each at every root.
        method, settings: the explainer.
        molecules: those to explain; the published positives where None.
        on_result: is told each row as soon as it is there.

    Raises:
        InputError: no such style or explainer, a motif that cannot be compiled, no molecule with the motif on which
            AUROC is defined, or a network that does not find the motif in one of them.
    """
    own = explainer(method, **(settings or {}))
    subjects = [Subject(each, pattern) for each in (published_positives(pattern) if molecules is None else molecules)]
    subjects = [each for each in subjects if each.truth.any() and not each.truth.all()]
    if not subjects:
        raise InputError(f"There is no molecule to study {pattern.title} on.")

    def study(wiring: Pattern) -> WiringResult:
        scores = {readout: _score(wiring, readout, subjects, own) for readout in READOUTS}
        origin = wiring.origin
        place = (origin.style, origin.root) if origin else (None, None)
        result = WiringResult(wiring.id, *place, wiring.num_layers, wiring.num_channels, len(subjects), scores)
        if on_result is not None:
            on_result(result)
        return result

    return progress.each([pattern, *wirings(pattern, styles)], study)


def _score(wiring: Pattern, readout: str, subjects: Sequence[Subject], own) -> Score:
    found = explain(subjects, build(wiring, readout), own)
    for each in found:
        if not is_positive(each.prediction):
            told = "grows beyond what the computer can hold" if np.isnan(each.prediction) else "does not find the motif"
            raise InputError(f"The network {wiring_title(wiring)} {told} on {each.molecule.smiles[:60]}.")
    aurocs = [each.scores.auroc for each in found if each.scores.auroc is not None]
    return Score(
        float(np.mean(aurocs)) if aurocs else None,
        sum(bool(each.scores.perfect) for each in found),
        sum(each.is_null for each in found),
    )
