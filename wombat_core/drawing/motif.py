"""A small picture of a motif, and one whose atoms are coloured and can be chosen."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from rdkit import Chem
from rdkit.Chem.Draw import rdMolDraw2D

from .colours import rgb
from .shapes import svg_root

ROOT_COLOUR = "#c2255c"


@dataclass(frozen=True, eq=False)
class MotifPicture:
    """A drawn motif.

    Attributes:
        svg: the picture.
        positions: [atoms of the SMARTS, 2] centres in pixels.
        atom_radius: of an atom's circle in pixels.
    """

    svg: str
    positions: np.ndarray
    atom_radius: float


def motif_svg(smarts: str, width: int = 220, height: int = 80) -> str:
    """The motif of a SMARTS with its hydrogens as asked for; atoms of any element are stars.

    Raises:
        ValueError: RDKit cannot read the SMARTS.
    """
    return motif_picture(smarts, width, height, bond=24).svg


def motif_picture(
    smarts: str,
    width: int,
    height: int,
    colours: Mapping[int, str] | None = None,
    root: int | None = None,
    bond: int = 40,
) -> MotifPicture:
    """The motif with its atoms coloured.

    Args:
        smarts: of the motif; its atoms are those of the picture, in its order.
        width, height: in pixels.
        colours: hexadecimal colour behind an atom.
        root: the atom with a double ring around it.
        bond: length of a bond in pixels at most.

    Raises:
        ValueError: RDKit cannot read the SMARTS.
    """
    mol = rdMolDraw2D.PrepareMolForDrawing(_drawn(smarts), kekulize=False, addChiralHs=False)
    drawer = rdMolDraw2D.MolDraw2DSVG(width, height)
    options = drawer.drawOptions()
    options.useBWAtomPalette()
    options.clearBackground = False
    options.fixedBondLength = bond
    options.minFontSize, options.maxFontSize = 9, 13 if bond < 30 else 16
    options.explicitMethyl = True
    options.highlightRadius = 0.36
    options.fillHighlights = True
    options.highlightBondWidthMultiplier = 1
    highlights = {atom: rgb(colour) for atom, colour in (colours or {}).items()}
    drawer.DrawMolecule(mol, highlightAtoms=list(highlights), highlightAtomColors=highlights, highlightBonds=[])
    drawer.FinishDrawing()
    body = drawer.GetDrawingText().split("<!-- END OF HEADER -->", 1)[1].rsplit("</svg>", 1)[0]
    positions = np.array([[p.x, p.y] for p in map(drawer.GetDrawCoords, range(mol.GetNumAtoms()))])
    radius = _radius(mol, positions, bond)
    if root is not None:
        x, y = positions[root]
        for factor in (1.0, 1.22):
            body += (
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{factor * radius:.1f}" fill="none" '
                f'stroke="{ROOT_COLOUR}" stroke-width="1.6"/>'
            )
    return MotifPicture(svg_root(width, height, f"The motif {smarts}", body), positions, radius)


def _radius(mol: Chem.Mol, positions: np.ndarray, bond: int) -> float:
    lengths = [
        float(np.linalg.norm(positions[each.GetBeginAtomIdx()] - positions[each.GetEndAtomIdx()]))
        for each in mol.GetBonds()
    ]
    return 0.42 * (min(lengths) if lengths else bond)


def _drawn(smarts: str) -> Chem.RWMol:
    """The SMARTS as a molecule that can be drawn."""
    query = Chem.MolFromSmarts(smarts)
    if query is None:
        raise ValueError(f"{smarts!r} is not a SMARTS")
    mol = Chem.RWMol()
    for atom in query.GetAtoms():
        told = atom.DescribeQuery()
        excluded = "AtomAtomicNum 1 != val" in told or "!" in atom.GetSmarts()
        drawn = Chem.Atom(0 if excluded else atom.GetAtomicNum())
        hydrogens = re.search(r"AtomHCount (\d+) = val", told)
        drawn.SetNoImplicit(True)
        drawn.SetNumExplicitHs(int(hydrogens[1]) if hydrogens else 0)
        drawn.SetFormalCharge(atom.GetFormalCharge())
        mol.AddAtom(drawn)
    for bond in query.GetBonds():
        kind = bond.GetBondType()
        plain = kind if kind in (Chem.BondType.DOUBLE, Chem.BondType.TRIPLE) else Chem.BondType.SINGLE
        mol.AddBond(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), plain)
    mol.UpdatePropertyCache(strict=False)
    return mol
