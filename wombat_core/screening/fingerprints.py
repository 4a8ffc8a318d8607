"""Morgan fingerprints of molecules and motifs, and how many bits they share."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from rdkit import Chem, DataStructs
from rdkit.Chem import rdFingerprintGenerator

from ..whitebox.catalogue import Pattern

RADIUS = 2
NUM_BITS = 2048


@cache
def motif_molecule(pattern: Pattern) -> Chem.Mol:
    """The motif as a molecule: its KRFP SMARTS with carbon in place of the wildcards.

    With ``C`` in place of ``[!#1]`` (and of ``[#6]``) every KRFP SMARTS of the catalogue is a valid SMILES, and RDKit
    reads it as one: atoms in brackets have the hydrogens they name, the carbons of the wildcards fill up with
    hydrogens, and the molecule is sanitised. Patterns 10 and 11 become the same molecule, isobutane. The GINE
    whitebox, which has no KRFP SMARTS, becomes ``CF.C=O``.

    Reading the SMARTS as a query instead would give its atoms no hydrogens, and so bits that real molecules lack:
    two thirds of the hard negatives of Pattern 3 and nearly all of Patterns 1, 2 and 5 would be lost, against
    the sizes in Table S10.
    """
    return Chem.MolFromSmiles(pattern.krfp.replace("[!#1]", "C").replace("[#6]", "C"))


def fingerprints(mols: Sequence[Chem.Mol]) -> np.ndarray:
    """Morgan fingerprints (ECFP4: radius 2, 2,048 bits), bool [molecules, bits]."""
    generator = _generator()
    texts = [DataStructs.BitVectToBinaryText(generator.GetFingerprint(mol)) for mol in mols]
    packed = np.frombuffer(b"".join(texts), dtype=np.uint8).reshape(len(texts), NUM_BITS // 8)
    return np.unpackbits(packed, axis=1).astype(bool)


def shared_bits(bits: np.ndarray, motif_bits: np.ndarray) -> np.ndarray:
    """Bits set in both, int [molecules, motifs], from bool [molecules, bits] and bool [motifs, bits]."""
    used = np.flatnonzero(motif_bits.any(axis=0))
    # Products of 32-bit floats are exact here and many times faster than those of integers.
    return (bits[:, used].astype(np.float32) @ motif_bits[:, used].T.astype(np.float32)).astype(np.uint16)


def tversky(shared: np.ndarray, num_motif_bits: int) -> np.ndarray:
    """Tversky similarity with alpha = 1 on the motif and beta = 0 on the molecule.

    ``shared / (shared + alpha * (motif - shared) + beta * (molecule - shared))`` is then the share of the motif's bits
    that the molecule has: 1 for every molecule that has them all, however large it is.
    """
    return shared / num_motif_bits


def tanimoto(shared: np.ndarray, num_bits: np.ndarray, num_motif_bits: int) -> np.ndarray:
    """Tanimoto similarity: shared bits over the bits of either; 0 for a molecule without any."""
    return shared / (num_bits.astype(float) + num_motif_bits - shared)


@cache
def _generator():
    return rdFingerprintGenerator.GetMorganGenerator(radius=RADIUS, fpSize=NUM_BITS)
