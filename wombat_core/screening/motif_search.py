"""Which of many molecules match a SMARTS: those that have the atoms and bonds it asks for are searched, with RDKit."""

import os

import numpy as np
from rdkit import Chem
from rdkit.Chem import rdSubstructLibrary

from ..ground_truth import query
from ..molecules.arrays import MoleculeArrays
from ..progress import report
from .atom_filter import candidates

BLOCK = 4096


def matches(arrays: MoleculeArrays, smarts: str, threads: int = 1) -> np.ndarray:
    """Whether each molecule matches the SMARTS, bool [molecules]; reports its progress and can be stopped.

    Args:
        arrays: the molecules.
        smarts: may be recursive.
        threads: of RDKit's search, 0 for one a processor.

    Raises:
        Stopped: the listener wants no more.
    """
    motif = query(smarts)
    found = np.zeros(len(arrays), dtype=bool)
    places = np.flatnonzero(candidates(motif, arrays))
    for start in range(0, len(places), BLOCK):
        report(start / len(places))
        block = places[start : start + BLOCK]
        holder = rdSubstructLibrary.CachedMolHolder()
        for place in block.tolist():
            holder.AddBinary(arrays.binary_of(place))  # pyright: ignore[reportArgumentType] (RDKit's stub asks for str)
        library = rdSubstructLibrary.SubstructLibrary(holder)
        hits = library.GetMatches(motif, _parameters(smarts), threads or os.cpu_count() or 1, len(block))
        found[block[list(hits)]] = True
    report(1)
    return found


def contains(arrays: MoleculeArrays, motifs: tuple[str, ...], threads: int = 1) -> np.ndarray:
    """Whether each molecule matches every one of the SMARTS, bool [molecules]."""
    return np.logical_and.reduce([matches(arrays, smarts, threads) for smarts in motifs])


def _parameters(smarts: str) -> Chem.SubstructMatchParameters:
    parameters = Chem.SubstructMatchParameters()
    parameters.maxMatches, parameters.uniquify, parameters.recursionPossible = 1, False, "$" in smarts
    return parameters
