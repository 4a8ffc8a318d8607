"""How well PGExplainer could do at best, since it sees of a bond only the last activations of its two ends.

Figure S8b of the paper, "a loose upper bound to AUROC" from the terminal nodes' activations. The paper does not
spell the bound out; this one gives its published means to 0.011 on other molecules (to 0.002 but for Patterns 4 and 7).
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from sklearn.metrics import roc_auc_score

from .. import progress
from ..explainers.pg_training import last_embeddings
from ..ground_truth import ground_truth
from ..molecules.encoding import encode
from ..molecules.molecule import Molecule
from ..published import table
from ..whitebox.build import Network, build
from ..whitebox.catalogue import Pattern
from ..whitebox.catalogue import pattern as known_pattern


@dataclass(frozen=True)
class BoundResult:
    """The bound over molecules with the motif.

    Attributes:
        pattern: id of the whitebox.
        molecules: those on which AUROC is defined.
        mean: of the bound over them; None without molecules.
        published: the mean of Figure S8b, over the paper's own positives; None for a whitebox it does not show.
    """

    pattern: str
    molecules: int
    mean: float | None
    published: float | None


def bound_study(molecules: Mapping[str, Sequence[Molecule]]) -> list[BoundResult]:
    """The mean bound beside the published one, for each pattern id and its molecules.

    Reports its progress (:mod:`wombat_core.progress`) and can be stopped there.

    Raises:
        InputError: there is no such whitebox.
    """
    entries = [(known_pattern(id), own) for id, own in molecules.items()]
    paper = published_bounds()

    def study(step: tuple[Pattern, Sequence[Molecule]]) -> BoundResult:
        entry, own = step
        model = build(entry)
        found = [value for value in progress.each(own, lambda molecule: pg_bound(molecule, model)) if value is not None]
        mean = float(np.mean(found)) if found else None
        return BoundResult(entry.id, len(found), mean, paper.get(entry.id))

    return progress.each(entries, study)


def published_bounds() -> dict[str, float]:
    """The means of Figure S8b by pattern id, over the paper's own positives."""
    return {cell.pattern: cell.value for cell in table("S8b").numbers if cell.pattern is not None}


def pg_bound(molecule: Molecule, model: Network) -> float | None:
    """The best AUROC that any bond mask made of the last activations of the bond's ends could reach on a molecule.

    A bond whose ends are both inactive gets the mask zero: bonds of that kind are everywhere, motif or not. Atoms that
    have the same active bonds (the same activations at this and the other end, as often) then score alike whatever
    the mask. Which group of such atoms ranks above which is chosen for every molecule anew, with the ground truth
    in hand; that is what makes the bound loose.

    Returns:
        The bound, or None where AUROC is undefined (no atom is ground truth, or all are).
    """
    truth = ground_truth(molecule, model.pattern)
    if truth.all() or not truth.any():
        return None
    return best_auroc(_groups(molecule, model), truth)


def best_auroc(groups: Sequence[Hashable], truth: np.ndarray) -> float:
    """The highest AUROC of scores that are equal within each group.

    Args:
        groups: the group of every atom.
        truth: bool [num_atoms], with both values.
    """
    counts, marked = Counter(groups), Counter(group for group, true in zip(groups, truth, strict=True) if true)
    return float(roc_auc_score(truth, [marked[group] / counts[group] for group in groups]))


def _groups(molecule: Molecule, model: Network) -> list[Hashable]:
    """For every atom what its active bonds look like, as a hashable value; empty where it has none."""
    graph = encode(molecule)
    with torch.no_grad():
        z = last_embeddings(model, graph.x, graph.edge_index, edge_attr=graph.edge_attr)
    ends = [tuple(row) for row in z.tolist()]
    found: list[list] = [[] for _ in ends]
    for i, j in graph.edge_index.T.tolist():
        if any(ends[i]) or any(ends[j]):
            found[i].append((ends[i], ends[j]))
    return [tuple(sorted(bonds)) for bonds in found]
