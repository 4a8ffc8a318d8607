"""A large molecule on a small card: lines, heat and rings, without letters that nobody could read there."""

import numpy as np

from ..molecules.molecule import Molecule
from . import colours
from .layout import first_layout
from .shapes import svg_root

PADDING = 8  # pixels
LINE = "#4b5563"


def thumbnail(molecule: Molecule, width: int, height: int, scores=None, ground_truth=None) -> str:
    """The molecule as an SVG of some tens of bytes an atom.

    Its layout is RDKit's first, not the shared one of :func:`wombat_core.drawing.layout.layout`, which tries several
    for large molecules and takes seconds where many stand on a page.

    Args:
        width, height: size in pixels.
        scores: [num_atoms] importance, or None.
        ground_truth: bool [num_atoms], the atoms with a ring, or None.

    Raises:
        InputError: laying it out takes too much memory or time.
    """
    places, bond = _placed(first_layout(molecule), width, height)
    parts = []
    if scores is not None:
        shades = colours.hex_of(scores, colours.common_limit(scores))
        parts += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{max(0.45 * bond, 1.2):.1f}" fill="{shade}"/>'
            for (x, y), shade, score in zip(places, shades, scores, strict=True)
            if score
        ]
    ends = [(edge.GetBeginAtomIdx(), edge.GetEndAtomIdx()) for edge in molecule.mol.GetBonds()]
    lines = "".join("M{:.1f} {:.1f}L{:.1f} {:.1f}".format(*places[begin], *places[end]) for begin, end in ends)
    parts.append(f'<path d="{lines}" stroke="{LINE}" stroke-width="{np.clip(0.1 * bond, 0.5, 1.2):.1f}" fill="none"/>')
    if ground_truth is not None:
        style = f'r="{max(0.45 * bond, 1.2):.1f}" fill="none" stroke="{colours.GROUND_TRUTH}" stroke-width="0.7"'
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" {style}/>' for x, y in places[np.flatnonzero(ground_truth)]]
    return svg_root(width, height, molecule.name or "A large molecule", "".join(parts))


def _placed(coordinates: np.ndarray, width: int, height: int) -> tuple[np.ndarray, float]:
    """The atoms in pixels [num_atoms, 2], y downwards, and the length of a bond; turned where that fills more."""
    size = np.array([width - 2 * PADDING, height - 2 * PADDING])
    extent = np.ptp(coordinates, axis=0) + 1e-9
    if (size / extent[::-1]).min() > (size / extent).min():
        coordinates, extent = coordinates[:, ::-1], extent[::-1]
    zoom = float((size / extent).min())
    centred = coordinates - (coordinates.min(0) + coordinates.max(0)) / 2
    return centred * [zoom, -zoom] + [width / 2, height / 2], 1.5 * zoom
