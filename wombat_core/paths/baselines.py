"""Where a path may start. Each baseline is a choice: another one gives other attributions."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import torch
import yaml
from torch import Tensor

from ..data import data_file
from ..errors import InputError
from ..molecules.features import BOND_TYPES, NUM_ATOM_FEATURES, NUM_BOND_FEATURES, NUM_ELEMENTS, element_slots
from ..molecules.graphs import Graph
from ..registry import Registry, no_such

COUNTS_FILE = data_file("library_counts.yaml")


@dataclass(frozen=True)
class Baseline:
    """The input at alpha = 0.

    Attributes:
        name: what the terminal and the URL call it, such as "zero".
        title: what pages call it.
        x: [num_atoms, 110], edge_attr: [num_edges, 4], float64.
    """

    name: str
    title: str
    x: Tensor
    edge_attr: Tensor

    @property
    def is_zero(self) -> bool:
        return not (self.x.any() or self.edge_attr.any())


def names(data: Graph) -> list[str]:
    """The names of the baselines there are for a molecule, the default first."""
    counted = data.x.size(1) == NUM_ATOM_FEATURES
    kept = [name for name in BASELINES if counted or name != "mean-atom"]
    return [*kept, *(f"without-{symbol}" for symbol in _elements(data))]


def baseline(name: str, data: Graph) -> Baseline:
    """The baseline of that name for an encoded molecule.

    Raises:
        InputError: there is none for this molecule; the sentence lists those there are.
    """
    if name in BASELINES:
        return BASELINES[name](data)
    if name in names(data):
        return without_element(data, name.removeprefix("without-"))
    raise no_such("baseline", name, names(data), " for this molecule")


def zero(data: Graph) -> Baseline:
    """No atom and no bond has any feature (the paper's baseline)."""
    x, edge_attr = data.x.double(), data.edge_attr.double()
    return Baseline("zero", "All zero", torch.zeros_like(x), torch.zeros_like(edge_attr))


def mean_atom(data: Graph) -> Baseline:
    """Every atom is the library's mean atom and every bond its mean bond.

    The mean of the features over all atoms and bonds of the library (``library_counts.yaml``): 0.72 carbon,
    0.14 oxygen, ..., 0.42 without hydrogens, ..., 0.58 single bond, ...

    Raises:
        InputError: the molecule is encoded by ``wombat+``, whose further features are not counted.
    """
    if data.x.size(1) != NUM_ATOM_FEATURES:
        raise InputError(
            "The mean atom of the library is known for the paper's 110 features only, not for the encoding wombat+; "
            "choose another baseline, such as zero."
        )
    atom, bond = _library_means()
    return Baseline(
        "mean-atom",
        "Mean atom of the library",
        atom.expand(data.x.size(0), -1).clone(),
        bond.expand(data.edge_attr.size(0), -1).clone(),
    )


def bonds_kept(data: Graph) -> Baseline:
    """No atom has any feature, and all bonds are as they are: only what the atoms are comes in."""
    x, edge_attr = data.x.double(), data.edge_attr.double()
    return Baseline("bonds-kept", "No atom features, bonds kept", torch.zeros_like(x), edge_attr.clone())


BASELINES: Registry[Callable[[Graph], Baseline]] = Registry(
    "baseline", {"zero": zero, "mean-atom": mean_atom, "bonds-kept": bonds_kept}
)
"""Those that every molecule has; besides there is ``without-ELEMENT`` for each of its elements."""


def without_element(data: Graph, symbol: str) -> Baseline:
    """The molecule with all features of one element's atoms zero; other atoms and all bonds as they are.

    Raises:
        InputError: the molecule has no such atom.
    """
    if symbol not in _elements(data):
        there = ", ".join(_elements(data)) or "none with a feature of its own"
        raise InputError(f"The molecule has no atom {symbol[:20]!r} to remove; its elements: {there}.")
    x = data.x.double().clone()
    x[x[:, element_slots()[symbol]] > 0] = 0
    return Baseline(f"without-{symbol}", f"The molecule without its {symbol} atoms", x, data.edge_attr.double().clone())


def _elements(data: Graph) -> list[str]:
    """Symbols of the elements of a molecule that have a slot, by atomic number."""
    present = data.x[:, :NUM_ELEMENTS].any(dim=0)
    return [symbol for symbol, slot in element_slots().items() if present[slot]]


@cache
def _library_means() -> tuple[Tensor, Tensor]:
    """Mean atom [110] and mean bond [4]."""
    counts = yaml.safe_load(COUNTS_FILE.read_text(encoding="utf-8"))
    atom = torch.zeros(NUM_ATOM_FEATURES, dtype=torch.float64)
    bond = torch.zeros(NUM_BOND_FEATURES, dtype=torch.float64)
    for symbol, count in counts["elements"].items():
        atom[element_slots()[symbol]] = count
    for hydrogens, count in counts["hydrogens"].items():
        atom[NUM_ELEMENTS + hydrogens] = count
    for kind, count in counts["bonds"].items():
        bond[BOND_TYPES.index(kind)] = count
    return atom / counts["atoms"], bond / bond.sum()
