"""A small picture of a motif."""

import re

from rdkit import Chem
from rdkit.Chem.Draw import rdMolDraw2D

from .shapes import svg_root


def motif_svg(smarts: str, width: int = 220, height: int = 80) -> str:
    """The motif of a SMARTS with its hydrogens as asked for; atoms of any element are stars.

    Raises:
        ValueError: RDKit cannot read the SMARTS.
    """
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
    drawer = rdMolDraw2D.MolDraw2DSVG(width, height)
    options = drawer.drawOptions()
    options.useBWAtomPalette()
    options.clearBackground = False
    options.fixedBondLength = 24
    options.minFontSize, options.maxFontSize = 9, 13
    options.explicitMethyl = True
    drawer.DrawMolecule(rdMolDraw2D.PrepareMolForDrawing(mol, kekulize=False, addChiralHs=False))
    drawer.FinishDrawing()
    body = drawer.GetDrawingText().split("<!-- END OF HEADER -->", 1)[1].rsplit("</svg>", 1)[0]
    return svg_root(width, height, f"The motif {smarts}", body)
