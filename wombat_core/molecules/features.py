"""The slots of the one-hot features, and their names."""

from functools import cache

from rdkit import Chem

NUM_ELEMENTS = 100
NUM_HYDROGENS = 10
NUM_ATOM_FEATURES = NUM_ELEMENTS + NUM_HYDROGENS
BOND_TYPES = ("single", "double", "triple", "aromatic")
NUM_BOND_FEATURES = len(BOND_TYPES)


@cache
def element_slots() -> dict[str, int]:
    """Element symbol to feature slot, for the elements that have one."""
    table = Chem.GetPeriodicTable()
    return {table.GetElementSymbol(number): number for number in range(1, NUM_ELEMENTS)}


def feature_names() -> list[str]:
    """Names of the 110 atom features: element symbols ("*" for slot 0), then "H0" to "H9"."""
    symbols = {slot: symbol for symbol, slot in element_slots().items()}
    return [symbols.get(slot, "*") for slot in range(NUM_ELEMENTS)] + [f"H{n}" for n in range(NUM_HYDROGENS)]
