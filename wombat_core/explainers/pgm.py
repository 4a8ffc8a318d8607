"""PGM-Explainer's test for graphs, with a rule that holds for a network with one output.

PyG's ``torch_geometric.contrib.explain.PGMExplainer`` (2.8.1) cannot be used here. It refuses regression; as a
classifier of whole graphs it leaves out ``edge_attr`` and ``batch`` in its first round, takes the class label for the
column of the outcome, and keeps ``int(num_atoms / 20)`` atoms, none of a molecule of fewer than 20. It
needs ``pgmpy``, which brings statsmodels and huggingface_hub, for the one chi-square test that SciPy has as well.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..progress import each
from ..settings import within
from .attribution import Attribution
from .method import Method
from .seeding import graph_seed

if TYPE_CHECKING:
    from torch import nn

    from ..molecules.graphs import Graph, GraphBatch

ATOMS_AT_ONCE = 20_000


@dataclass(frozen=True)
class PGMExplainer(Method):
    """How surely the prediction depends on whether an atom was blanked, by a chi-square test (Vu and Thai, 2020).

    In every sample each atom loses all features with probability ``share``; a sample counts as changed when F fell
    by more than ``threshold``. An atom's score is 1 - p of Pearson's chi-square test between "blanked" and "changed".
    (The published code calls the eighth of the samples with the largest fall changed; whiteboxes fall from 1 to 0 in
    most samples, and which of the equal ones are in that eighth is chance.) One score an atom, none for bonds.

    Args:
        samples: blanked versions of the molecule.
        share: probability that an atom is blanked.
        threshold: fall of F that counts as a change.
        seed: of the samples.
    """

    samples: int = within(100, 1, 100_000)
    share: float = within(0.5, 0.0, 1.0)
    threshold: float = within(0.1, 0.0, 1e6)
    seed: int = within(0, 0, 2**31 - 1)

    name: ClassVar[str] = "pgm-explainer"
    title: ClassVar[str] = "PGM-Explainer"
    summary: ClassVar[str] = (
        "Blanks random atoms and tests, atom by atom, whether the prediction's fall depends on that atom being blank."
    )
    expensive: ClassVar[bool] = False
    when_null: ClassVar[str] = (
        "Where every sample changes the prediction, as when half the atoms of a large motif are blanked at once, or "
        "none does, no atom can be told from another."
    )
    node_seconds: ClassVar[float] = 0.03

    def attribute(self, model: nn.Module, batch: GraphBatch) -> list[Attribution]:
        return each(batch.to_data_list(), lambda graph: self._one(model, graph))

    def _one(self, model: nn.Module, graph: Graph) -> Attribution:
        start = time.perf_counter()
        random = np.random.default_rng(graph_seed(self.seed, graph))
        blanked = random.random((self.samples, graph.num_nodes)) < self.share
        values = _values(model, graph, np.vstack([np.zeros(graph.num_nodes, dtype=bool), blanked]))
        scores = 1 - _p_values(blanked, values[0] - values[1:] > self.threshold)
        return Attribution.of_atoms(scores, graph, time.perf_counter() - start)


def _values(model: nn.Module, graph: Graph, blanked: np.ndarray) -> np.ndarray:
    """F of the graph with the atoms of every row of ``blanked`` [samples, num_atoms] blanked, [samples]."""
    import torch

    from ..molecules.graphs import Graph, GraphBatch

    at_once = max(1, ATOMS_AT_ONCE // graph.num_nodes)
    found = []
    for first in range(0, len(blanked), at_once):
        kept = torch.from_numpy(~blanked[first : first + at_once])
        copies = GraphBatch.from_data_list([Graph(graph.x, graph.edge_index, graph.edge_attr)] * len(kept))
        with torch.no_grad():
            x = copies.x * kept.reshape(-1, 1)
            found.append(model(x, copies.edge_index, copies.edge_attr, copies.batch).numpy())
    return np.concatenate(found)


def _p_values(blanked: np.ndarray, changed: np.ndarray) -> np.ndarray:
    """p of the chi-square test of every column of ``blanked`` against ``changed``; 1 where one of them is constant."""
    from scipy.stats import chi2_contingency
    from scipy.stats.contingency import crosstab

    p_values = np.ones(blanked.shape[1])
    for atom, column in enumerate(blanked.T):
        table: Any = crosstab(column, changed).count
        if table.shape == (2, 2):
            p_values[atom] = chi2_contingency(table).pvalue  # pyright: ignore[reportAttributeAccessIssue] (untyped)
    return p_values
