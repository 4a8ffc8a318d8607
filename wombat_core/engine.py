"""The one engine of pages, lessons, terminal and library: from a text to a molecule, a network, an explanation, a path.

Everything on the way is computed once and kept in a memo that whoever makes the engine can bring along.
Importing this module loads neither torch nor RDKit.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from .errors import InputError
from .memo import Memo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy as np

    from .explainers.protocol import Explainer
    from .explanation import Explanation
    from .molecules.graphs import Graph
    from .molecules.molecule import Molecule
    from .paths.path import Path
    from .studies.graphxai_scores import GraphXAIScores
    from .subject import Subject
    from .whitebox.build import Network
    from .whitebox.catalogue import Pattern
    from .whitebox.model import Trace

Value = TypeVar("Value")

LIMITS: dict[Hashable, int] = {"network": 60, "path": 40}
"""How many of a kind an engine's own memo keeps, where that is not :data:`wombat_core.memo.MOST`."""


@dataclass(frozen=True, eq=False)
class Lookup:
    """What a text stands for: a molecule, or the sentence that says why not and what to try instead."""

    molecule: Molecule | None
    problem: str | None = None
    suggestions: tuple[str, ...] = ()


class Engine:
    """Molecules, networks, explanations and paths, each computed once.

    A molecule is named by its text (SMILES, name, CAS number, InChI) or given as a ``Molecule``; a pattern by its id or
    given as a ``Pattern``. All methods are safe to use from several threads.

    Args:
        memo: where values are kept; one of its own where None. Several engines may share one.
    """

    def __init__(self, memo: Memo | None = None):
        self.memo = Memo(LIMITS) if memo is None else memo

    def once(self, kind: str, key: Iterable[Any], make: Callable[[], Value]) -> Value:
        """A value of the caller's own in the same memo; ``kind`` and ``key`` name it, and the key can be hashed."""
        return self.memo.of((kind, *key), make)

    def look_up(self, text: str) -> Lookup:
        """The molecule a text stands for. What stands for none is remembered too: searching near names takes time."""

        def find() -> Lookup:
            from .molecules.lookup import find_molecule

            try:
                return Lookup(find_molecule(text))
            except InputError as error:
                return Lookup(None, str(error), tuple(getattr(error, "suggestions", ())))

        return self.memo.of(("look up", text), find)

    def molecule(self, which: str | Molecule) -> Molecule:
        """The molecule a text stands for.

        Raises:
            InputError: it stands for none.
        """
        if not isinstance(which, str):
            return which
        found = self.look_up(which)
        if found.molecule is None:
            from .molecules.lookup import UnknownNameError

            raise UnknownNameError(found.problem or "", found.suggestions)
        return found.molecule

    def pattern(self, which: str | int | Pattern) -> Pattern:
        """The facts about one whitebox.

        Raises:
            InputError: there is no such pattern.
        """
        from .whitebox.catalogue import Pattern, pattern

        return which if isinstance(which, Pattern) else pattern(which)

    def network(self, pattern: str | int | Pattern, readout: str = "r1") -> Network:
        """The network of a pattern under a readout, to be shared: without gradients of its own, never changed.

        Torch is set to one thread: at this size more threads are many times slower.

        Raises:
            InputError: there is no such pattern or readout.
        """
        entry = self.pattern(pattern)

        def make() -> Network:
            import torch

            from .whitebox.build import build

            torch.set_num_threads(1)
            return build(entry, readout).eval().requires_grad_(False)

        return self.memo.of(("network", entry, readout), make)

    def graph(self, which: str | Molecule, encoding: str = "wombat") -> Graph:
        """The molecule in an encoding. Raises InputError: it cannot be encoded, or there is none."""
        molecule = self.molecule(which)

        def make() -> Graph:
            from .molecules.encoding import encode

            return encode(molecule, encoding)

        return self.memo.of(("graph", which, encoding), make)

    def subject(self, which: str | Molecule, pattern: str | int | Pattern) -> Subject:
        """The molecule under a pattern, with its graph and its ground truth.

        Raises:
            InputError: there is no such molecule or pattern. (One that cannot be encoded has no graph.)
        """
        from .subject import Subject

        molecule, entry = self.molecule(which), self.pattern(pattern)
        return self.memo.of(
            ("subject", which, entry), lambda: Subject(molecule, entry, lambda: self.graph(which, entry.encoding))
        )

    def truth(self, which: str | Molecule, pattern: str | int | Pattern) -> np.ndarray:
        """The ground-truth atoms, bool [num_atoms]. Raises InputError: as :meth:`subject`."""
        return self.subject(which, pattern).truth

    def trace(self, which: str | Molecule, pattern: str | int | Pattern) -> Trace:
        """The forward pass: every layer and both readouts. Raises InputError: as :meth:`graph` and :meth:`network`."""
        entry = self.pattern(pattern)

        def make() -> Trace:
            data: Any = self.graph(which, entry.encoding)
            return self.network(entry).trace(data.x, data.edge_index, data.edge_attr)

        return self.memo.of(("trace", which, entry), make)

    def predictions(self, which: str | Molecule, pattern: str | int | Pattern) -> dict[str, float]:
        """F(G) by readout, one where the network has one of its own. Raises InputError: as :meth:`trace`."""
        return {name: value.item() for name, value in self.trace(which, pattern).readouts.items()}

    def explanation(
        self, which: str | Molecule, pattern: str | int | Pattern, readout: str, explainer: Explainer
    ) -> Explanation:
        """One explainer's answer beside the ground truth.

        Raises:
            InputError: as :meth:`graph` and :meth:`network`, or the explainer refuses the molecule.
        """

        def make() -> Explanation:
            from .explanation import explain

            return explain([self.subject(which, pattern)], self.network(pattern, readout), explainer)[0]

        return self.memo.of(self._key(which, pattern, readout, explainer), make)

    def known_explanation(
        self, which: str | Molecule, pattern: str | int | Pattern, readout: str, explainer: Explainer
    ) -> Explanation | None:
        """The same where it is there already; never computes and never waits."""
        return self.memo.known(self._key(which, pattern, readout, explainer))

    def graphxai_scores(
        self, which: str | Molecule, pattern: str | int | Pattern, readout: str, explainer: Explainer
    ) -> GraphXAIScores:
        """GraphXAI's GEA and GEF of an explanation. Raises InputError: as :meth:`explanation`."""

        def make() -> GraphXAIScores:
            from .studies.graphxai_scores import graphxai_scores

            found = self.explanation(which, pattern, readout, explainer)
            return graphxai_scores([found])[0]

        return self.memo.of(("graphxai", *self._key(which, pattern, readout, explainer)), make)

    def path(
        self,
        which: str | Molecule,
        pattern: str | int | Pattern,
        readout: str,
        alphas: np.ndarray | None = None,
        baseline: str = "zero",
    ) -> Path:
        """F and its gradients on the way from a baseline (see :func:`wombat_core.paths.path.interpolate`).

        Raises:
            InputError: as :meth:`graph` and :meth:`network`; alphas or a baseline that there are none of.
        """
        entry = self.pattern(pattern)

        def make() -> Path:
            from .paths.baselines import baseline as baseline_of
            from .paths.path import interpolate

            data = self.graph(which, self.pattern(pattern).encoding)
            return interpolate(self.network(entry, readout), data, alphas, baseline_of(baseline, data))

        points = None if alphas is None else alphas.tobytes()
        return self.memo.of(("path", which, entry, readout, baseline, points), make)

    def _key(
        self, which: str | Molecule, pattern: str | int | Pattern, readout: str, explainer: Explainer
    ) -> tuple[Any, ...]:
        return ("explanation", which, self.pattern(pattern), readout, explainer.name, repr(explainer))
