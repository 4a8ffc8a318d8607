"""Real PubChem molecules that contain each motif, from ``data/positives.csv``."""

import csv
from functools import cache

from ..data import data_file

POSITIVES_FILE = data_file("positives.csv")


@cache
def positives() -> dict[int, list[str]]:
    """SMILES of molecules that contain the motif, by pattern number (1 to 14), in file order.

    Source: the molecules published with the WOMBAT paper (gmum/wombat), taken from PubChem.
    """
    molecules: dict[int, list[str]] = {}
    with open(POSITIVES_FILE, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            molecules.setdefault(int(row["pattern"]), []).append(row["smiles"])
    return molecules


def positives_of(pattern: str | int) -> list[str] | None:
    """Published positives of a pattern by its id, or None; a variant ("12-leaf") has those of its pattern."""
    number = str(pattern).split("-", 1)[0]
    return positives().get(int(number)) if number.isdecimal() else None
