"""One row a molecule and explainer: what the benchmark keeps of an explanation."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from .. import progress
from ..errors import InputError
from ..explainers.protocol import Explainer
from ..explanation import Explanation, explain, predict
from ..molecules.molecule import Molecule
from ..settings import as_stored
from ..subject import Subject
from ..whitebox.build import Network
from ..whitebox.model import is_positive

BATCH_ATOMS = 4000
"""Atoms explained together. Batches are measured in atoms, since memory grows with them and not with molecules."""

Placed = tuple[int, Molecule | Subject]
"""A molecule, perhaps with its graph and ground truth at hand, and its position in its set."""


@dataclass(frozen=True)
class Row:
    """One explainer's scores on one molecule under one whitebox; None where undefined.

    Attributes:
        pattern, readout, explainer: names.
        settings: of the explainer, as canonical JSON.
        place: position of the molecule in its set.
        smiles, name: of the molecule.
        num_atoms: heavy atoms.
        contains_motif: whether the relaxed SMARTS matches.
        prediction: F(G); None where the network cannot read the molecule (the problem says why).
        auroc, average_precision, ap_baseline, perfect: against the ground truth, on molecules with the motif.
        iqr_pass: the IQR criterion, on molecules without the motif.
        null: whether every atom scores alike.
        misranked: whether an atom outside the ground truth scores above one inside; None where AUROC is undefined.
        seconds: wall time of the explanation (its share, where several molecules were explained together).
        problem: why the explainer gave no answer, or None where it did.
    """

    pattern: str
    readout: str
    explainer: str
    settings: str
    place: int
    smiles: str
    name: str | None
    num_atoms: int
    contains_motif: bool
    prediction: float | None
    auroc: float | None = None
    average_precision: float | None = None
    ap_baseline: float | None = None
    perfect: bool | None = None
    iqr_pass: bool | None = None
    null: bool = False
    misranked: bool | None = None
    seconds: float = 0.0
    problem: str | None = None


def wrong(row: Row) -> bool:
    """Whether the whitebox itself is wrong: its prediction says the opposite of the relaxed SMARTS."""
    return row.prediction is not None and is_positive(row.prediction) != row.contains_motif


def settings_json(explainer: Explainer) -> str:
    """The settings of an explainer as canonical JSON: sorted names, no blanks."""
    return json.dumps(as_stored(explainer), sort_keys=True, separators=(",", ":"))


def rows_of(molecules: Sequence[Placed], model: Network, explainer: Explainer, *, settings: str = "{}") -> list[Row]:
    """Explain molecules together, and give a row for each, in their order.

    A molecule that the explainer refuses, or the network cannot read, gets a row with a ``problem``; the others of its
    batch are explained all the same. Reports its progress (:mod:`wombat_core.progress`).

    Args:
        molecules: (position in the set, molecule).
        settings: what the rows say of the explainer's settings, see :func:`settings_json`.
    """

    def rows(batch: list[Placed]) -> list[Row]:
        return _rows(batch, model, explainer, settings)

    return [row for found in progress.each(list(batches(molecules)), rows) for row in found]


def batches(molecules: Sequence[Placed], atoms: int = BATCH_ATOMS) -> Iterator[list[Placed]]:
    """Cut molecules into runs of at most ``atoms`` atoms; a larger molecule stands alone."""
    batch, size = [], 0
    for place, molecule in molecules:
        if batch and size + molecule.num_atoms > atoms:
            yield batch
            batch, size = [], 0
        batch.append((place, molecule))
        size += molecule.num_atoms
    if batch:
        yield batch


def _rows(batch: list[Placed], model: Network, explainer: Explainer, settings: str) -> list[Row]:
    try:
        explanations = explain([molecule for _, molecule in batch], model, explainer)
    except InputError as error:
        if len(batch) == 1:
            return [_problem(*batch[0], model, explainer, settings, str(error))]
        each = progress.each(batch, lambda placed: _rows([placed], model, explainer, settings))
        return [row for found in each for row in found]
    return [
        _row(place, explanation.molecule, model, settings, explanation)
        for (place, _), explanation in zip(batch, explanations, strict=True)
    ]


def _row(place: int, molecule: Molecule, model: Network, settings: str, explanation: Explanation) -> Row:
    scores, attribution = explanation.scores, explanation.attribution
    return Row(
        **_head(place, molecule, model, explanation.explainer, settings),
        contains_motif=explanation.subject.contains_motif,
        prediction=explanation.prediction,
        auroc=scores.auroc,
        average_precision=scores.average_precision,
        ap_baseline=scores.ap_baseline,
        perfect=scores.perfect,
        iqr_pass=scores.iqr_pass,
        null=attribution.is_null,
        misranked=_misranked(attribution.atom_scores, explanation.truth),
        seconds=attribution.seconds,
    )


def _problem(
    place: int, which: Molecule | Subject, model: Network, explainer: Explainer, settings: str, why: str
) -> Row:
    subject = Subject.of(which, model.pattern)
    molecule = subject.molecule
    try:
        prediction = predict([subject], model)[0]
    except InputError:
        prediction = None
    return Row(
        **_head(place, molecule, model, explainer.name, settings),
        contains_motif=subject.contains_motif,
        prediction=prediction,
        problem=why,
    )


def _head(place: int, molecule: Molecule, model: Network, explainer: str, settings: str) -> dict:
    return {
        "pattern": model.pattern.id,
        "readout": model.readout,
        "explainer": explainer,
        "settings": settings,
        "place": place,
        "smiles": molecule.smiles,
        "name": molecule.name,
        "num_atoms": molecule.num_atoms,
    }


def _misranked(atom_scores: np.ndarray, truth: np.ndarray) -> bool | None:
    if truth.all() or not truth.any():
        return None
    return bool(atom_scores[~truth].max() > atom_scores[truth].min())
