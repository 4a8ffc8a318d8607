"""GraphXAI's molecular data sets as rules: what makes a molecule positive, and which atoms are to blame."""

from dataclasses import dataclass
from itertools import islice, product

import numpy as np
import torch

from ..ground_truth import query
from ..molecules.encoding import encode as encode_whole
from ..molecules.graphs import Graph
from ..molecules.molecule import Molecule
from ..registry import Registry

ATOM_TYPES = ("C", "N", "O", "S", "F", "P", "Cl", "Br", "Na", "Ca", "I", "B", "H", "*")
"""The 14 atom types that are features; "*" is any other element."""
MAX_TRUTHS = 1000


@dataclass(frozen=True)
class MoleculeTask:
    """A rule.

    Attributes:
        name: for the terminal and the URL, and the name of its rows in Table 5.
        title: for pages.
        parts: for every part the SMARTS of its forms; a molecule is positive where every part is there, in any form.
        reading: what the paper says and how it is read here, in a sentence or two.
    """

    name: str
    title: str
    parts: tuple[tuple[str, ...], ...]
    reading: str


_CARBONYL = ("[#6]=[OX1]",)
TASKS = Registry(
    "molecule task",
    {
        task.name: task
        for task in (
            MoleculeTask("benzene", "Benzene", (("c1ccccc1",),), "A benzene ring: six aromatic carbons in a ring."),
            MoleculeTask(
                "fluoride-carbonyl",
                "Fluoride-Carbonyl",
                (("[F]",), _CARBONYL),
                "The paper asks for F- and C=O. Any fluorine atom counts here, since hardly a molecule of the library"
                " holds the ion.",
            ),
            MoleculeTask(
                "alkane-carbonyl",
                "Alkane-Carbonyl",
                (("[CX4;R0;D1,D2][CX4;R0;D2][CX4;R0;D1,D2]",), _CARBONYL),
                "The paper asks for an alkane and C=O. Three saturated carbons in an unbranched chain outside rings"
                " count as an alkane here.",
            ),
            MoleculeTask(
                "mutag",
                "NH2 or NO2 (MUTAG's rule)",
                (("[NX3;H2]", "[NX3+](=O)[O-]", "[NX3](=O)=O"),),
                "Not MUTAG itself, whose labels are mutagenicity: its ground truth, the groups NH2 and NO2, taken as"
                " the label of library molecules.",
            ),
        )
    },
)
"""By name."""


def molecule_task(name: str) -> MoleculeTask:
    """The task of that name.

    Raises:
        InputError: there is none.
    """
    return TASKS[name]


def has_part(molecule: Molecule, forms: tuple[str, ...]) -> bool:
    """Whether one of the SMARTS matches."""
    return any(molecule.mol.HasSubstructMatch(query(smarts)) for smarts in forms)


def is_positive(molecule: Molecule, task: MoleculeTask) -> bool:
    """Whether every part is there."""
    return all(has_part(molecule, forms) for forms in task.parts)


def is_near(molecule: Molecule, task: MoleculeTask) -> bool:
    """Whether some part is there; of a negative: whether it comes close."""
    return any(has_part(molecule, forms) for forms in task.parts)


def truths(molecule: Molecule, task: MoleculeTask) -> list[np.ndarray]:
    """All ground truths, bool [num_atoms] each; none of a negative.

    One for every choice of a match of each part: each benzene ring is one, each pair of a fluorine and a carbonyl is
    one. At most 1,000.
    """
    matches = [
        [match for smarts in forms for match in molecule.mol.GetSubstructMatches(query(smarts))] for forms in task.parts
    ]
    return [_mask(molecule, chosen) for chosen in islice(product(*matches), MAX_TRUTHS)]


def _mask(molecule: Molecule, matches: tuple[tuple[int, ...], ...]) -> np.ndarray:
    mask = np.zeros(molecule.num_atoms, dtype=bool)
    for match in matches:
        mask[list(match)] = True
    return mask


def encode(molecule: Molecule) -> Graph:
    """The graph of a molecule with the paper's features: ``x`` [num_atoms, 14], one-hot atom types.

    ``edge_index`` and ``edge_attr`` are those of :func:`wombat_core.molecules.encoding.encode`; hydrogens are no atoms.
    """
    graph = encode_whole(molecule)
    slots = [ATOM_TYPES.index(symbol) if symbol in ATOM_TYPES else -1 for symbol in _symbols(molecule)]
    x = torch.zeros(molecule.num_atoms, len(ATOM_TYPES))
    x[torch.arange(len(slots)), torch.tensor(slots)] = 1
    return Graph(x=x, edge_index=graph.edge_index, edge_attr=graph.edge_attr)


def _symbols(molecule: Molecule) -> list[str]:
    return [atom.GetSymbol() for atom in molecule.mol.GetAtoms()]
