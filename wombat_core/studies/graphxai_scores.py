"""GEA and GEF of explanations of whiteboxes, beside AUROC."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, product

import numpy as np

from ..compiler.looked_at import mark_match
from ..explainers.masked import on_masked
from ..explanation import Explanation
from ..ground_truth import degree_atoms, ground_truth, query
from ..metrics.accuracy import gea
from ..metrics.faithfulness import gef, two_classes
from ..metrics.masks import binarise
from ..molecules.graphs import GraphBatch
from ..molecules.molecule import Molecule
from ..whitebox.catalogue import Pattern

MAX_TRUTHS = 1000


@dataclass(frozen=True)
class GraphXAIScores:
    """GEA (nan on a molecule without the motif) and GEF of one explanation; the mask [num_atoms] both are of."""

    gea: float
    gef: float
    mask: np.ndarray

    def as_record(self) -> dict[str, float | None]:
        """Both scores for JSON, None where undefined."""
        return {"gea": None if np.isnan(self.gea) else self.gea, "gef": self.gef}


def graphxai_scores(
    explanations: Sequence[Explanation], rule: str = "top-25%", direction: str = "printed"
) -> list[GraphXAIScores]:
    """The scores of one explainer's explanations of several molecules under one network.

    GEA takes the best of the ground truths of single matches and of all matches together. GEF takes ``[1 - F, F]`` as
    the probabilities of two classes, F clipped to [0, 1]; so it is 1 where F = 1 falls to 0.

    Raises:
        InputError: an unknown rule or direction.
    """
    if not explanations:
        return []
    model = explanations[0].model
    batch = GraphBatch.from_data_list([each.subject.graph for each in explanations])
    masks = [binarise(each.attribution.atom_scores, rule) for each in explanations]
    whole = np.array([each.prediction for each in explanations])
    shown = on_masked(model, batch, "node", masks).numpy()
    moved = gef(two_classes(whole), two_classes(shown), direction)
    return [
        GraphXAIScores(gea(ground_truths(each.molecule, model.pattern, each.truth), mask), float(value), mask)
        for each, mask, value in zip(explanations, masks, moved, strict=True)
    ]


def ground_truths(molecule: Molecule, pattern: Pattern, together: np.ndarray | None = None) -> list[np.ndarray]:
    """The ground truths of every single match (where there are several SMARTS: of one match of each), then all of them
    together (searched where not given); none where the motif is not there."""
    together = ground_truth(molecule, pattern) if together is None else together
    if not together.any():
        return []
    matches = [
        [(smarts, match) for match in molecule.mol.GetSubstructMatches(query(smarts), maxMatches=MAX_TRUTHS)]
        for smarts in pattern.motifs
    ]
    found = {}
    for chosen in islice(product(*matches), MAX_TRUTHS):
        mask = _mask(molecule, pattern, chosen)
        found[mask.tobytes()] = mask
    return [*found.values(), together]


def _mask(molecule: Molecule, pattern: Pattern, chosen) -> np.ndarray:
    mask = np.zeros(molecule.num_atoms, dtype=bool)
    for smarts, match in chosen:
        if pattern.origin is not None:
            mark_match(molecule.mol, pattern, match, mask)
            continue
        mask[list(match)] = True
        for position in degree_atoms(smarts):
            mask[[atom.GetIdx() for atom in molecule.mol.GetAtomWithIdx(match[position]).GetNeighbors()]] = True
    return mask
