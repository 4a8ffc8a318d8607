"""The slots of the one-hot features, and their names: the paper's encoding ``wombat`` and the wider ``wombat+``."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from rdkit import Chem

from ..registry import Registry
from .cycles import LENGTHS

NUM_ELEMENTS = 100
NUM_HYDROGENS = 10
NUM_ATOM_FEATURES = NUM_ELEMENTS + NUM_HYDROGENS
BOND_TYPES = ("single", "double", "triple", "aromatic")
NUM_BOND_FEATURES = len(BOND_TYPES)


@dataclass(frozen=True)
class Encoding:
    """What a network is told of every atom and bond.

    Attributes:
        name: "wombat" or "wombat+".
        about: what it tells, in a phrase.
        groups: for every one-hot group of atom slots beyond the 110 its slots' names; of each group exactly one is 1.
        atom_flags, bond_flags: names of the slots beyond those that are 0 or 1 by themselves.
    """

    name: str
    about: str
    groups: tuple[tuple[str, ...], ...] = ()
    atom_flags: tuple[str, ...] = ()
    bond_flags: tuple[str, ...] = ()

    @cached_property
    def atom_slots(self) -> Mapping[str, int]:
        """Name to slot, of the atom slots beyond the 110."""
        names = [name for group in self.groups for name in group] + list(self.atom_flags)
        return {name: NUM_ATOM_FEATURES + place for place, name in enumerate(names)}

    @cached_property
    def bond_slots(self) -> Mapping[str, int]:
        """Name to slot, of the bond slots beyond the four types."""
        return {name: NUM_BOND_FEATURES + place for place, name in enumerate(self.bond_flags)}

    @property
    def num_atom_features(self) -> int:
        return NUM_ATOM_FEATURES + len(self.atom_slots)

    @property
    def num_bond_features(self) -> int:
        return NUM_BOND_FEATURES + len(self.bond_slots)

    @property
    def atom_names(self) -> list[str]:
        """Names of all atom features: element symbols ("*" for slot 0), "H0" to "H9", then the others."""
        return feature_names() + list(self.atom_slots)

    @property
    def bond_names(self) -> tuple[str, ...]:
        """Names of all bond features."""
        return (*BOND_TYPES, *self.bond_flags)


CHARGES = ("charge-1", "charge0", "charge+1", "charge?")
"""Formal charge; the last for every other one."""
RINGS = tuple(f"rings{count}" for count in range(8))
"""In how many rings of the smallest set of smallest rings the atom is (``R<n>``); the last for 7 and more."""
SMALLEST = ("smallest0", *(f"smallest{length}" for length in LENGTHS), "smallest9")
"""Size of its smallest ring there (``r<n>``); the first for none, the last for 9 and more."""
RING_BONDS = tuple(f"ringbonds{count}" for count in range(7))
"""How many of its bonds are in a ring (``x<n>``); the last for 6 and more."""
CYCLES = tuple(f"cycle{length}" for length in LENGTHS)
"""In a simple cycle of that length, whether or not it is one of the smallest rings."""

WOMBAT = Encoding("wombat", "element, number of hydrogens, bond type")
WOMBAT_PLUS = Encoding(
    "wombat+",
    "element, number of hydrogens, charge, aromaticity, rings, bond type, ring bonds",
    groups=(CHARGES, RINGS, SMALLEST, RING_BONDS),
    atom_flags=("aromatic", "ring", *CYCLES),
    bond_flags=("ring", *CYCLES),
)
ENCODINGS = Registry("encoding", {encoding.name: encoding for encoding in (WOMBAT, WOMBAT_PLUS)})


def encoding_named(name: str) -> Encoding:
    """The encoding of that name.

    Raises:
        InputError: there is none.
    """
    return ENCODINGS[name]


@cache
def element_slots() -> dict[str, int]:
    """Element symbol to feature slot, for the elements that have one."""
    table = Chem.GetPeriodicTable()
    return {table.GetElementSymbol(number): number for number in range(1, NUM_ELEMENTS)}


def feature_names() -> list[str]:
    """Names of the 110 atom features: element symbols ("*" for slot 0), then "H0" to "H9"."""
    symbols = {slot: symbol for symbol, slot in element_slots().items()}
    return [symbols.get(slot, "*") for slot in range(NUM_ELEMENTS)] + [f"H{n}" for n in range(NUM_HYDROGENS)]
