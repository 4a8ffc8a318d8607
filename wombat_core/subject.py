"""What is explained: a molecule with its graph and its ground truth, each found once."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from rdkit.Chem.rdMolDescriptors import CalcMolFormula

from .errors import InputError
from .ground_truth import contains_motif, looked_at, no_truth_reason
from .molecules.molecule import Molecule
from .molecules.usability import exclusions
from .whitebox.catalogue import Pattern

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from .molecules.graphs import Graph


class Subject:
    """A molecule under one pattern. Graph and ground truth are found when first asked for, and kept.

    Args:
        molecule, pattern: which.
        graph: gives the encoded molecule, where somebody keeps it already.
    """

    def __init__(self, molecule: Molecule, pattern: Pattern, graph: Callable[[], Graph] | None = None):
        self.molecule, self.pattern = molecule, pattern
        self._graph = graph

    @classmethod
    def of(cls, which: Molecule | Subject, pattern: Pattern) -> Subject:
        """A molecule as a subject of this pattern; a subject of it as it is."""
        if isinstance(which, Molecule):
            return cls(which, pattern)
        if which.pattern == pattern:
            return which
        same = which.pattern.encoding == pattern.encoding
        return cls(which.molecule, pattern, (lambda: which.graph) if same else None)

    @cached_property
    def graph(self) -> Graph:
        """The encoded molecule (see :func:`wombat_core.molecules.encoding.encode`). Nobody changes it.

        Raises:
            InputError: it cannot be encoded.
        """
        from .molecules.encoding import encode

        return self._graph() if self._graph else encode(self.molecule, self.pattern.encoding)

    @cached_property
    def truth(self) -> np.ndarray:
        """The ground-truth atoms, bool [num_atoms]; all False where the motif is not there, or ``no_truth``."""
        if self.no_truth is not None:
            return np.zeros(self.num_atoms, dtype=bool)
        return looked_at(self.molecule, self.pattern)

    @cached_property
    def no_truth(self) -> str | None:
        """Why there is no ground truth: a compiled network and RDKit differ on the molecule. Else None."""
        if self.pattern.origin is None:
            return None
        return no_truth_reason(self.molecule, self.pattern, self._own_graph())

    def _own_graph(self) -> Graph | None:
        try:
            return self.graph
        except InputError:
            return None

    @property
    def num_atoms(self) -> int:
        """Heavy atoms."""
        return self.molecule.num_atoms

    @property
    def contains_motif(self) -> bool:
        """Whether the relaxed SMARTS matches, which is the label."""
        if self.no_truth is not None:
            return contains_motif(self.molecule, self.pattern)
        return bool(self.truth.any())

    @cached_property
    def formula(self) -> str:
        """The molecular formula."""
        return CalcMolFormula(self.molecule.mol)

    @cached_property
    def left_out(self) -> tuple[str, ...]:
        """Why the benchmark leaves the molecule out, one sentence a reason; empty where it does not."""
        return exclusions(self.molecule)

    def __repr__(self) -> str:
        return f"<Subject {self.molecule.name or self.molecule.smiles}, {self.pattern.title}>"
