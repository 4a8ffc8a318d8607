"""Several explainers on one molecule, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import InputError
from .basics import network, one_thread, subject
from .explaining import chosen

if TYPE_CHECKING:
    from pandas import DataFrame
    from rdkit.Chem import Mol

    from ..explainers.protocol import Explainer
    from ..explanation import Explanation
    from ..molecules.molecule import Molecule
    from ..plots import Picture
    from ..whitebox.build import Network


@dataclass(frozen=True, repr=False, eq=False)
class Comparison:
    """Several explanations of one molecule under one network.

    Attributes:
        explanations: in the order asked for.
    """

    explanations: tuple[Explanation, ...]

    def __len__(self) -> int:
        return len(self.explanations)

    def __iter__(self) -> Iterator[Explanation]:
        return iter(self.explanations)

    def __getitem__(self, place: int) -> Explanation:
        return self.explanations[place]

    def __repr__(self) -> str:
        first = self.explanations[0]
        results = ", ".join(f"{each.explainer} {each.verdict}" for each in self)
        return f"<Comparison on {first.title}: {results}>"

    def to_frame(self) -> DataFrame:
        """A row an explainer: ``auroc``, ``average_precision``, ``ap_baseline``, ``perfect``, ``iqr_pass``, ``null``,
        ``gap``, ``seconds``; what is undefined is missing."""
        from pandas import DataFrame

        rows = [
            {
                "explainer": each.explainer,
                "auroc": each.scores.auroc,
                "average_precision": each.scores.average_precision,
                "ap_baseline": each.scores.ap_baseline,
                "perfect": each.scores.perfect,
                "iqr_pass": each.scores.iqr_pass,
                "null": each.is_null,
                "gap": each.gap,
                "seconds": each.attribution.seconds,
            }
            for each in self
        ]
        return DataFrame(rows).set_index("explainer")

    def plot(self, *, signed: bool = False, columns: int | None = None) -> Picture:
        """One figure: the ground truth, and a card an explainer, each in its own colour scale.

        Args:
            signed: colour by sign (purple to orange) in place of importance (white to orange).
            columns: cards in a row; None for what looks well.
        """
        from ..plots import picture_of

        return picture_of(self.explanations, signed=signed, columns=columns)

    def _repr_html_(self) -> str:
        return self.plot()._repr_html_()


def compare(which: str | Molecule | Mol, model: Network, explainers: Sequence[str | Explainer]) -> Comparison:
    """Explain a molecule with several explainers; a notebook shows them in one figure, the ground truth first.

    Args:
        which, model: as :func:`wombat_core.explain`.
        explainers: names, or explainers of your own.

    Raises:
        InputError: as :func:`wombat_core.explain`, or no explainer is named.

    >>> import wombat_core as wombat
    >>> wombat.compare("NC(=O)NN=C1CCCC(C(=O)O)C1", wombat.load("5", "r2"), ["oracle", "saliency"])
    <Comparison on NC(=O)NN=C1CCCC(C(=O)O)C1, Pattern 5, r2 = 1: oracle AUROC 1.000, saliency AUROC 0.500 (null)>
    """
    from .. import explanation

    if isinstance(explainers, str) or not explainers:
        raise InputError('Name the explainers to compare in a list, such as ["saliency", "integrated-gradients"].')
    model = network(model)
    under, methods = subject(which, model), [chosen(each) for each in explainers]
    with one_thread():
        return Comparison(tuple(explanation.explain([under], model, method)[0] for method in methods))
