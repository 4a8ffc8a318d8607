"""Where numbers and notes go: beside their atoms, off circles, bonds and each other."""

from dataclasses import dataclass

import numpy as np
from rdkit import Chem

ANGLES = np.deg2rad(np.arange(0, 360, 15))
GLYPH = 0.64  # width of a character in font sizes


@dataclass(frozen=True)
class Label:
    """A short text at an atom; ``size`` is the font size in pixels."""

    atom: int
    text: str
    size: float
    colour: str

    @property
    def half(self) -> np.ndarray:
        """Half the width and height of its box in pixels."""
        return np.array([GLYPH * self.size * len(self.text) / 2, 0.48 * self.size])


def place_labels(
    mol: Chem.Mol,
    positions: np.ndarray,
    bond: float,
    labels: list[Label],
    radii: np.ndarray,
    canvas: tuple[float, float],
) -> list[tuple[Label, tuple[float, float]]]:
    """Choose a place for every label, greedily, on two circles around its atom.

    Args:
        mol: the molecule, for its bonds and the size of its atom symbols.
        positions: [num_atoms, 2] pixels.
        bond: bond length in pixels.
        labels: what to place, the most important first.
        radii: [num_atoms] pixels, the marks around the atoms, which labels stay out of; 0 for none.
        canvas: width and height in pixels.

    Returns:
        The labels with their centres in pixels.
    """
    if not labels:
        return []
    radii = np.maximum(radii, [_symbol_radius(atom, bond) for atom in mol.GetAtoms()])
    obstacles, sizes = _obstacles(mol, positions, bond, radii)
    boxes = np.empty((0, 4))
    placed = []
    for label in labels:
        centre, half = positions[label.atom], label.half
        directions = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
        nearest = radii[label.atom] + np.abs(directions) @ half + 0.03 * bond
        candidates = np.concatenate(
            [centre + directions * (nearest + extra * bond)[:, None] for extra in (0, 0.15, 0.35)]
        )
        cost = np.repeat([0.0, 0.3, 0.8], len(ANGLES))
        # Distances from a candidate's box to the obstacles within reach: touching costs much, and
        # closeness to another atom than its own a little, for a reader would take it for that atom's.
        near = (np.abs(obstacles - centre) < half + 2 * bond).all(1)
        gap = np.abs(candidates[:, None] - obstacles[None, near]) - half
        distance = np.linalg.norm(np.maximum(gap, 0), axis=2)
        cost += 3 * np.maximum(1 - distance / sizes[near], 0).sum(1)
        foreign = (np.flatnonzero(near) < len(positions)) & (np.flatnonzero(near) != label.atom)
        margin = (distance - sizes[near])[:, foreign] / (0.4 * bond)
        cost += 0.7 * np.clip(1 - margin, 0, 1).sum(1)
        overlap = np.abs(candidates[:, None] - boxes[None, :, :2]) < boxes[None, :, 2:] + half
        cost += 4 * overlap.all(2).sum(1)
        outside = np.maximum(half - candidates, 0) + np.maximum(candidates + half - np.array(canvas), 0)
        cost += outside.sum(1)
        best = candidates[int(np.argmin(np.round(cost, 6)))]
        placed.append((label, (float(best[0]), float(best[1]))))
        boxes = np.vstack([boxes, np.concatenate([best, half])])
    return placed


def _symbol_radius(atom: Chem.Atom, bond: float) -> float:
    return (0.1 if _is_bare(atom) else 0.26) * bond


def _is_bare(atom: Chem.Atom) -> bool:
    """Whether only the ends of bonds mark the atom, as most carbon atoms."""
    plain = not atom.GetFormalCharge() and not atom.GetIsotope() and not atom.GetNumRadicalElectrons()
    return bool(atom.GetAtomicNum() == 6 and atom.GetDegree() and plain)


def _sides(atom: Chem.Atom) -> list[float]:
    """How far to the left and right of its centre a wide symbol reaches, in bond lengths: "Br", "13C", "R12"."""
    if _is_bare(atom):
        return []
    characters = len(atom.GetSymbol()) + 0.7 * len(str(atom.GetIsotope() or ""))
    half = 0.17 * characters
    return [] if half < 0.3 else [-half + 0.1, half - 0.1]


def _obstacles(mol: Chem.Mol, positions: np.ndarray, bond: float, radii: np.ndarray):
    """Round things to avoid: atoms, points along bonds, and the hydrogens written beside symbols."""
    points, sizes = [positions], [radii + 0.02 * bond]
    for edge in mol.GetBonds():
        begin, end = positions[edge.GetBeginAtomIdx()], positions[edge.GetEndAtomIdx()]
        points.append(begin + np.array([[0.2], [0.35], [0.5], [0.65], [0.8]]) * (end - begin))
        sizes.append(np.full(5, (0.1 if edge.GetBondTypeAsDouble() == 1 else 0.17) * bond))
    for atom in mol.GetAtoms():
        for side in _sides(atom):
            points.append(positions[[atom.GetIdx()]] + np.array([side * bond, 0.0]))
            sizes.append(np.full(1, 0.2 * bond))
        if _symbol_radius(atom, bond) > 0.2 * bond and (atom.GetTotalNumHs() or atom.GetFormalCharge()):
            centre = positions[atom.GetIdx()]
            around = [positions[other.GetIdx()] - centre for other in atom.GetNeighbors()]
            lean = np.mean(around, axis=0) if around else np.array([-1.0, 0.0])
            # RDKit writes the hydrogens away from the neighbours, to the right when it has the choice.
            side = np.array([-1.0, 0.0]) if lean[0] > 0.1 * bond else np.array([1.0, 0.0])
            if len(around) > 1 and abs(lean[0]) <= 0.1 * bond:
                side = np.array([0.0, -np.sign(lean[1]) or 1.0])
            reach = [[0.35], [0.6], [0.85]][: 2 + (atom.GetTotalNumHs() > 1)]
            points.append(centre + bond * np.array(reach) * side)
            sizes.append(np.full(len(reach), 0.25 * bond))
    return np.concatenate(points), np.concatenate(sizes)
