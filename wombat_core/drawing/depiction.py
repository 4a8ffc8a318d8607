"""A molecule on paper: heat behind the atoms, rings for the ground truth, words beside the atoms."""

import re
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from rdkit import Chem
from rdkit.Chem.Draw import rdMolDraw2D
from rdkit.Geometry import Point2D, Point3D

from ..errors import InputError
from ..molecules.molecule import Molecule
from . import colours
from .labels import Label, place_labels
from .layout import layout
from .shapes import Text, svg_root

LAYOUT_BOND = 1.5  # length of a bond in the layout
# Lengths in bond lengths.
HEAT_RADIUS = 0.37
RING_RADIUS = 0.43
SELECTED_RADIUS = 0.54
BOND_HEAT = 0.3
MAX_BOND = 0.17  # of the smaller side of the picture: small molecules do not blow up
PADDING = 0.09


@dataclass(frozen=True, eq=False)
class Depiction:
    """A drawn molecule.

    Attributes:
        width, height: size in pixels.
        svg: the picture, an ``<svg>`` element without XML header, ids or scripts.
        positions: [num_atoms, 2] centres of the atoms in pixels, y downwards.
        atom_radius: radius of an atom's circle in pixels, for hit targets.
    """

    width: int
    height: int
    svg: str
    positions: np.ndarray
    atom_radius: float
    _picture: "_Picture" = field(repr=False)

    def png(self, scale: float = 2.0) -> bytes:
        """The same picture as PNG, ``round(scale * width)`` by ``round(scale * height)`` pixels."""
        return self._picture.png(scale)


def depict(
    molecule: Molecule,
    *,
    width: int = 300,
    height: int = 240,
    scores=None,
    limit: float | None = None,
    signed: bool = False,
    bond_scores=None,
    ground_truth=None,
    selected: int | None = None,
    numbers: bool = False,
    notes=None,
    dim=None,
    room: int | None = None,
    title: str | None = None,
) -> Depiction:
    """Draw a molecule.

    Args:
        molecule: what to draw; its layout is the same in every picture.
        width, height: size in pixels.
        scores: [num_atoms] attributions; None or NaN leaves an atom plain.
        limit: the attribution with the strongest colour, for atoms and bonds; None: the largest one here.
        signed: colour by sign (purple to orange) instead of by absolute value (white to orange).
        bond_scores: [num_bonds] attributions, one an undirected bond in RDKit's order.
        ground_truth: [num_atoms] booleans; true atoms get a ring.
        selected: index of the atom with the selection mark.
        numbers: write the atoms' indices.
        notes: [num_atoms] short texts or None, or a dict from atom index to text.
        dim: [num_atoms] booleans; true atoms, and bonds between two of them, are grey.
        room: index of an atom that labels leave room around, for a selection mark drawn over the picture.
        title: accessible title of the picture; default: the molecule's name or SMILES.

    Raises:
        InputError: an argument has another length than the molecule has atoms (or bonds).
    """
    n, mol = molecule.num_atoms, molecule.mol
    scores, bond_scores = colours.as_scores(scores), colours.as_scores(bond_scores)
    if isinstance(notes, dict):
        notes = [notes.get(i) for i in range(n)]
    for name, values, expected in (
        ("scores", scores, n),
        ("bond_scores", bond_scores, molecule.num_bonds),
        ("ground_truth", ground_truth, n),
        ("notes", notes, n),
        ("dim", dim, n),
    ):
        if values is not None and len(values) != expected:
            raise InputError(f"The drawing needs {expected} {name}, one each, and got {len(values)}.")
    if selected is not None and not 0 <= selected < n:
        raise InputError(f"The molecule has no atom {selected}; its atoms are 0 to {n - 1}.")
    limit = colours.common_limit(scores, bond_scores) if limit is None else limit
    picture = _Picture(
        mol=_prepared(mol, layout(molecule)),
        maps={atom.GetIdx(): atom.GetAtomMapNum() for atom in mol.GetAtoms() if atom.GetAtomMapNum()},
        width=int(width),
        height=int(height),
        atom_colours=_colour_map(scores, limit, signed),
        bond_colours=_colour_map(bond_scores, limit, signed),
        rings=[] if ground_truth is None else [int(i) for i in np.flatnonzero(ground_truth)],
        selected=None if selected is None else int(selected),
        numbers=numbers,
        notes=notes,
        dim=None if dim is None else np.asarray(dim, dtype=bool),
        room=None if room is None else int(room),
    )
    svg = svg_root(picture.width, picture.height, title or molecule.name or molecule.smiles, picture.svg())
    return Depiction(picture.width, picture.height, svg, picture.positions, RING_RADIUS * picture.bond, picture)


def _colour_map(scores: np.ndarray | None, limit: float, signed: bool) -> dict[int, tuple]:
    if scores is None:
        return {}
    found = np.flatnonzero(np.isfinite(scores))
    shades = colours.colour_of(scores[found], limit, signed)
    return {int(i): tuple(shade.tolist()) for i, shade in zip(found, shades, strict=True)}


def _prepared(mol: Chem.Mol, coordinates: np.ndarray) -> Chem.Mol:
    """A copy to draw: Kekulé form where there is one, wedges, the shared layout, no numbers: those are labels."""
    mol = Chem.Mol(mol)
    for atom in mol.GetAtoms():
        atom.SetAtomMapNum(0)
    mol.RemoveAllConformers()
    conformer = Chem.Conformer(mol.GetNumAtoms())
    for i, (x, y) in enumerate(coordinates.tolist()):
        conformer.SetAtomPosition(i, Point3D(x, y, 0.0))
    mol.AddConformer(conformer)
    options = {"addChiralHs": False, "wedgeBonds": True, "forceCoords": False}
    try:
        return rdMolDraw2D.PrepareMolForDrawing(mol, kekulize=True, **options)
    except (ValueError, RuntimeError):
        return rdMolDraw2D.PrepareMolForDrawing(mol, kekulize=False, **options)


# What RDKit writes into every style although it is SVG's default or cannot be seen.
_DEFAULTS = re.compile(
    r"fill-rule:evenodd;|fill-opacity:1;|stroke-linecap:butt;|;?stroke-linejoin:miter|;?stroke-opacity:1|"
    r"stroke-miterlimit:10;?"
)


@dataclass
class _Picture:
    """The drawing calls, written once for SVG and PNG."""

    mol: Chem.Mol
    width: int
    height: int
    atom_colours: dict[int, tuple]
    bond_colours: dict[int, tuple]
    rings: list[int]
    selected: int | None
    numbers: bool
    notes: list | None
    dim: np.ndarray | None
    room: int | None = None
    maps: dict[int, int] = field(default_factory=dict)

    def svg(self) -> str:
        drawer = rdMolDraw2D.MolDraw2DSVG(self.width, self.height)
        self._paint(drawer, 1.0)
        body = drawer.GetDrawingText().split("<!-- END OF HEADER -->", 1)[1].rsplit("</svg>", 1)[0]
        return _DEFAULTS.sub("", body.replace("\n", "")) + self._svg_labels()

    def png(self, zoom: float) -> bytes:
        drawer = rdMolDraw2D.MolDraw2DCairo(round(zoom * self.width), round(zoom * self.height))
        self._paint(drawer, zoom)
        return drawer.GetDrawingText()

    @cached_property
    def positions(self) -> np.ndarray:
        """[num_atoms, 2] pixels at zoom 1; the same whatever is marked, since marks get no extra room."""
        return self._measure(rdMolDraw2D.MolDraw2DSVG(self.width, self.height), 1.0)

    @cached_property
    def bond(self) -> float:
        return self._bond_length(self.positions, 1.0)

    def _measure(self, drawer, zoom: float) -> np.ndarray:
        if not self.mol.GetNumAtoms():
            return np.zeros((0, 2))
        self._set_options(drawer, zoom)
        drawer.DrawMolecule(self.mol)
        points = [drawer.GetDrawCoords(i) for i in range(self.mol.GetNumAtoms())]
        return np.array([(point.x, point.y) for point in points])

    def _bond_length(self, positions: np.ndarray, zoom: float) -> float:
        ends = [(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) for bond in self.mol.GetBonds()]
        if not ends:
            return self._max_bond(zoom)
        begin, end = np.array(ends).T
        return float(np.median(np.linalg.norm(positions[begin] - positions[end], axis=1)))

    def _max_bond(self, zoom: float) -> float:
        return MAX_BOND * zoom * min(self.width, self.height)

    def _set_options(self, drawer, zoom: float, bond: float = 20.0) -> None:
        options = drawer.drawOptions()
        options.useBWAtomPalette()
        options.prepareMolsBeforeDrawing = False
        options.clearBackground = False
        options.padding = PADDING
        options.fixedBondLength = self._max_bond(zoom) / LAYOUT_BOND
        options.minFontSize = round(2 * zoom)
        options.maxFontSize = round(40 * zoom)
        options.baseFontSize = 0.68
        options.scaleBondWidth = False
        options.bondLineWidth = float(np.clip(0.065 * bond, 0.5 * zoom, 2.5 * zoom))
        options.circleAtoms = options.continuousHighlight = False
        options.highlightBondWidthMultiplier = 4  # of a quarter line, for grey bonds
        options.scaleHighlightBondWidth = False
        options.includeMetadata = False

    def _paint(self, drawer, zoom: float) -> None:
        scratch = type(drawer)(drawer.Width(), drawer.Height())
        positions = self._measure(scratch, zoom)
        bond = self._bond_length(positions, zoom)
        self._set_options(drawer, zoom, bond)
        drawer.SetFillPolys(True)
        drawer.SetColour((1.0, 1.0, 1.0))
        drawer.DrawRect(Point2D(0, 0), Point2D(drawer.Width(), drawer.Height()), True)
        if self.mol.GetNumAtoms():
            self._paint_heat(drawer, positions, bond)
            self._paint_rings(drawer, positions, bond)
            self._paint_structure(drawer)
            self._paint_selected(drawer, positions, bond)
            if not isinstance(drawer, rdMolDraw2D.MolDraw2DSVG):
                self._paint_labels(drawer, zoom)
        drawer.FinishDrawing()

    def _paint_heat(self, drawer, positions: np.ndarray, bond: float) -> None:
        # Paler bonds first, so that the strong ones keep their ends where bonds meet.
        for index, colour in sorted(self.bond_colours.items(), key=lambda item: -sum(item[1])):
            edge = self.mol.GetBondWithIdx(index)
            drawer.SetColour(colour)
            begin, end = positions[edge.GetBeginAtomIdx()], positions[edge.GetEndAtomIdx()]
            along = end - begin
            across = np.array([-along[1], along[0]]) / (np.linalg.norm(along) or 1) * BOND_HEAT * bond / 2
            corners = [begin + across, end + across, end - across, begin - across]
            drawer.DrawPolygon([Point2D(*corner) for corner in corners], True)
            for centre in (begin, end):
                _circle(drawer, centre, BOND_HEAT * bond / 2)
        for index, colour in self.atom_colours.items():
            if min(colour) < 0.99:  # a white circle would only hide the bonds' colours
                drawer.SetColour(colour)
                _circle(drawer, positions[index], HEAT_RADIUS * bond)

    def _paint_rings(self, drawer, positions: np.ndarray, bond: float) -> None:
        drawer.SetFillPolys(False)
        drawer.SetColour(colours.rgb(colours.GROUND_TRUTH))
        drawer.SetLineWidth(max(0.06 * bond, 0.6))
        for index in self.rings:
            _circle(drawer, positions[index], RING_RADIUS * bond)

    def _paint_structure(self, drawer) -> None:
        if self.dim is None or not self.dim.any():
            drawer.DrawMolecule(self.mol)
            return
        atoms = [int(i) for i in np.flatnonzero(self.dim)]
        bonds = [
            edge.GetIdx()
            for edge in self.mol.GetBonds()
            if self.dim[edge.GetBeginAtomIdx()] and self.dim[edge.GetEndAtomIdx()]
        ]
        drawer.drawOptions().setHighlightColour(colours.rgb(colours.FADED))
        drawer.DrawMolecule(self.mol, atoms, bonds)

    @cached_property
    def labels(self) -> list[tuple[Label, tuple[float, float]]]:
        """Notes and numbers with their centres in pixels at zoom 1."""
        size = float(np.clip(0.36 * self.bond, 2.5, 13))
        labels = [Label(i, str(note), size, "#1f2937") for i, note in enumerate(self.notes or ()) if note]
        if self.numbers:
            labels += [Label(i, str(i), size, "#6b7280") for i in range(len(self.positions))]
        # The molecule's own map numbers as SMILES write them: another form and colour than the atoms' numbers.
        labels += [Label(i, f":{number}", 0.9 * size, colours.MAP_NUMBER) for i, number in self.maps.items()]
        radii = np.zeros(len(self.positions))
        radii[[*self.rings, *self.atom_colours]] = RING_RADIUS + 0.03
        for marked in (self.selected, self.room):
            if marked is not None:
                radii[marked] = 1.3 * SELECTED_RADIUS
        canvas = (self.width, self.height)
        return place_labels(self.mol, self.positions, self.bond, labels, radii * self.bond, canvas)

    def _svg_labels(self) -> str:
        """Labels as text: a hundred times smaller than RDKit's outlines, and searchable."""
        return "".join(
            Text(x, y + 0.35 * label.size, label.text, round(label.size, 2), label.colour, "middle").svg()
            for label, (x, y) in self.labels
        )

    def _paint_labels(self, drawer, zoom: float) -> None:
        drawer.drawOptions().minFontSize = 1
        for label, (x, y) in self.labels:
            drawer.SetFontSize(max(label.size * zoom, 2))
            drawer.SetColour(colours.rgb(label.colour))
            drawer.DrawString(label.text, Point2D(zoom * x, zoom * y), 0, True)

    def _paint_selected(self, drawer, positions: np.ndarray, bond: float) -> None:
        """Four corner brackets: another shape than the ring, so both can be seen at once."""
        if self.selected is None:
            return
        drawer.SetColour(colours.rgb(colours.SELECTED))
        drawer.SetLineWidth(max(0.1 * bond, 1.0))
        reach, arm = SELECTED_RADIUS * bond, 0.55
        for sx in (-1, 1):
            for sy in (-1, 1):
                corner = positions[self.selected] + reach * np.array([sx, sy])
                side = corner - reach * arm * np.array([sx, 0])
                below = corner - reach * arm * np.array([0, sy])
                drawer.SetFillPolys(False)
                drawer.DrawLine(Point2D(*side), Point2D(*corner), True)
                drawer.DrawLine(Point2D(*corner), Point2D(*below), True)


def _circle(drawer, centre: np.ndarray, radius: float) -> None:
    drawer.DrawEllipse(Point2D(*(centre - radius)), Point2D(*(centre + radius)), True)
