"""How many samples Shapley value sampling needs for a perfect answer (Figure S7 of the paper)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from .. import progress
from ..errors import InputError
from ..explainers.registry import explainer
from ..explanation import explain
from ..ground_truth import query
from ..molecules import Molecule, from_smiles
from ..molecules.positives import positives
from ..whitebox.build import build
from ..whitebox.catalogue import Pattern, fourteen

SAMPLES = (10, 25, 50, 100, 200, 500)


@dataclass(frozen=True)
class SampleSizeResult:
    """Answers of one explainer on one pattern at one sample size.

    Attributes:
        pattern, readout: the whitebox.
        pattern_size: heavy atoms of the motif, wildcards counted (the x axis of Figure S7a).
        samples: random orders a molecule.
        molecules: positives on which AUROC is defined (not every atom is ground truth).
        perfect: how many of them were answered with AUROC = 1.
    """

    pattern: str
    readout: str
    pattern_size: int
    samples: int
    molecules: int
    perfect: int

    @property
    def rate(self) -> float | None:
        """The share of perfect answers; None without molecules."""
        return self.perfect / self.molecules if self.molecules else None


def sample_size_study(
    patterns: Sequence[Pattern] | None = None,
    samples: Sequence[int] = SAMPLES,
    readout: str = "r2",
    molecules: Mapping[str, Sequence[Molecule]] | None = None,
    seed: int = 0,
    method: str = "shapley-value-sampling",
    on_result: Callable[[SampleSizeResult], object] | None = None,
) -> list[SampleSizeResult]:
    """The share of perfect answers by sample size and pattern, in the order of the arguments.

    Reports its progress (:mod:`wombat_core.progress`) and can be stopped there.

    Args:
        patterns: the whiteboxes; the paper's fourteen where None.
        samples: sample sizes.
        readout: "r1" or "r2".
        molecules: positives by pattern id; the published ones where None.
        seed: of the samples.
        method: an explainer that has ``samples``.
        on_result: is told each result as soon as it is there.

    Raises:
        InputError: no such explainer or readout, an explainer without samples, or no molecules of a pattern.
    """
    chosen = fourteen() if patterns is None else list(patterns)
    if not hasattr(explainer(method), "samples"):
        raise InputError(f"The explainer {method!r} draws no samples, so their number cannot be studied.")
    cases = [
        (pattern, published_positives(pattern) if molecules is None else list(molecules.get(pattern.id, ())))
        for pattern in chosen
    ]
    for pattern, own in cases:
        if not own:
            raise InputError(f"There is no molecule to study {pattern.title} on.")

    def study(step: tuple[Pattern, list[Molecule], int]) -> SampleSizeResult:
        pattern, own, size = step
        explanations = explain(own, build(pattern, readout), explainer(method, samples=size, seed=seed))
        answers = [each.scores.perfect for each in explanations if each.scores.perfect is not None]
        result = SampleSizeResult(pattern.id, readout, pattern_size(pattern), size, len(answers), sum(answers))
        if on_result is not None:
            on_result(result)
        return result

    return progress.each([(pattern, own, size) for pattern, own in cases for size in samples], study)


def pattern_size(pattern: Pattern) -> int:
    """Heavy atoms of the motif, wildcards counted."""
    return query(pattern.krfp).GetNumAtoms()


def published_positives(pattern: Pattern) -> list[Molecule]:
    """The published molecules with the motif, for a variant or a compiled network those of its pattern; else none."""
    number = pattern.variant_of or pattern.id
    if pattern.origin:
        own = pattern.origin.smarts
        number = next((entry.id for entry in fourteen() if own in (entry.smarts, entry.krfp)), "")
    return [from_smiles(smiles) for smiles in positives().get(int(number), ())] if number.isdecimal() else []
