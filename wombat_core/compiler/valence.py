"""What valences decide before any network looks: how many neighbours an atom can have, which bonds, which charge."""

from ..molecules.usability import MAX_VALENCE

ORDERS = (1, 2, 3, 1)
"""Least valence that a bond of each type takes (an aromatic one at least 1)."""
MOST = 8
AROMATIC_ELEMENTS = frozenset((5, 6, 7, 8, 14, 15, 16, 33, 34, 52))
AROMATIC = 3
AROMATIC_VALENCE = {5: 3, 6: 4, 7: 3, 8: 2, 14: 4, 15: 3, 16: 2, 33: 3, 34: 2, 52: 2}
"""The total valence of neutral aromatic atoms, by element."""
MOST_AROMATIC_NEIGHBOURS = 3

NEUTRAL = {
    5: (3,),
    6: (4,),
    7: (3,),
    8: (2,),
    14: (4,),
    15: (3, 5),
    16: (2, 4, 6),
    9: (1,),
    17: (1,),
    35: (1,),
    53: (1,),
}
"""Total valences of neutral atoms that are not aromatic, by atomic number."""
CHARGED = {
    (7, 1): (4,),
    (7, -1): (2,),
    (8, -1): (1,),
    (8, 1): (3,),
    (16, -1): (1,),
    (16, 1): (3, 5),
    (5, -1): (4,),
    (15, 1): (4,),
    (6, -1): (3,),
    (6, 1): (3,),
    **{(halogen, -1): (0,) for halogen in (9, 17, 35, 53)},
}
"""Total valences of charged atoms, by atomic number and charge; where neutral atoms have them too they tell nothing."""


def limit(element: int) -> int:
    """The highest total valence of an element that the benchmark uses."""
    return MAX_VALENCE.get(element, MOST)


def can_be_aromatic(element: int) -> bool:
    return element in AROMATIC_ELEMENTS


def least_order(types: frozenset[int]) -> int:
    return min(ORDERS[kind] for kind in types)


def most_neighbours(element: int, hydrogens: int, taken: int = 0) -> int:
    """How many neighbours an atom can have besides bonds that take ``taken``."""
    return max(0, limit(element) - hydrogens - taken)
