"""Explanations as pictures for notebooks and files: the ground truth first, then a card an explanation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .drawing.colours import common_limit
from .drawing.depiction import depict
from .drawing.figure import FigureCard, Legend, figure_png, figure_svg
from .errors import InputError

if TYPE_CHECKING:
    from .explanation import Explanation

MAX_DRAWN = 1000
"""Heavy atoms of the largest molecule that is drawn; the layout of larger ones takes many seconds."""
_OWN_SCALES = "Each card has its own scale: 1 is its largest value."


@dataclass(frozen=True, eq=False, repr=False)
class Picture:
    """A figure of cards. A notebook shows it; :meth:`save` keeps it.

    Attributes:
        cards, columns, title, legend: see :func:`wombat_core.drawing.figure.figure_svg`.
    """

    cards: tuple[FigureCard, ...]
    columns: int
    title: str
    legend: Legend

    @property
    def svg(self) -> str:
        """A self-contained SVG."""
        return figure_svg(self.cards, self.columns, self.title, self.legend)

    def png(self, scale: float = 3.0) -> bytes:
        """The same as PNG, with ``scale`` pixels for each pixel of the SVG."""
        return figure_png(self.cards, self.columns, self.title, self.legend, scale)

    def save(self, path: str | Path) -> Path:
        """Write an SVG or PNG file, which the ending of the name decides.

        Raises:
            InputError: another ending, or the file cannot be written.
        """
        path = Path(path)
        if path.suffix.lower() not in (".svg", ".png"):
            raise InputError(f"A picture is saved as .svg or .png, not as {path.name[:40]!r}.")
        try:
            path.write_bytes(self.svg.encode() if path.suffix.lower() == ".svg" else self.png())
        except OSError as error:
            raise InputError(f"The picture cannot be written to {path}: {error.strerror}.") from None
        return path

    def __repr__(self) -> str:
        return f"<Picture of {len(self.cards)} cards: {self.title}>"

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        # Wider than a notebook it shrinks; the texts inside are escaped by figure_svg.
        return f'<div style="max-width: 100%; overflow-x: auto">{self.svg}</div>'


def picture_of(explanations: Sequence[Explanation], *, signed: bool = False, columns: int | None = None) -> Picture:
    """The ground truth and the heatmaps of one molecule under one network.

    Args:
        explanations: at least one.
        signed: colour by sign in place of importance.
        columns: cards in a row; None for what looks well.

    Raises:
        InputError: the molecule is too large to draw.
    """
    first = explanations[0]
    if first.molecule.num_atoms > MAX_DRAWN:
        raise InputError(f"Molecules of more than {MAX_DRAWN:,} heavy atoms are not drawn.")
    marked = int(first.truth.sum())
    words = f"{marked} of {len(first.truth)} atoms" if marked else first.no_truth or "the motif is not there"
    cards = [FigureCard("Ground truth", depict(first.molecule, ground_truth=first.truth), (words,))]
    limits = []
    for each in explanations:
        answer = each.attribution
        atoms = answer.signed_atom_scores if signed else answer.atom_scores
        bonds = answer.signed_bond_scores if signed else answer.bond_scores
        limits.append(common_limit(atoms, bonds))
        drawing = depict(
            each.molecule,
            scores=atoms,
            bond_scores=bonds,
            limit=limits[-1],
            signed=signed,
            ground_truth=each.truth,
            title=f"{each.method.title} on {each.title}",
        )
        cards.append(FigureCard(getattr(each.method, "title", each.explainer), drawing, _captions(each)))
    one = len(set(limits)) == 1
    legend = Legend(limits[0] if one else 1.0, signed, note="" if one else _OWN_SCALES)
    return Picture(tuple(cards), columns or (4 if len(cards) == 4 else 3), first.title, legend)


def _captions(explanation: Explanation) -> tuple[str, ...]:
    lines = [explanation.verdict]
    if explanation.average_precision is not None:
        precision, constant = explanation.average_precision, explanation.scores.ap_baseline
        lines.append(f"AP {precision:.3f} (a constant answer {constant:.3f})")
    if explanation.gap is not None:
        lines.append(f"completeness gap {explanation.gap:.3g}")
    return tuple(lines)
