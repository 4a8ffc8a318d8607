"""Molecules made from a SMARTS, nearest to the line between yes and no: itself, less a leaf, with two atoms merged."""

from itertools import combinations

from rdkit import Chem, rdBase

from ..errors import InputError
from .query import read_query

MOST = 400


def near_misses(smarts: str) -> list[str]:
    """SMILES of the SMARTS as a molecule, of it less each leaf, and with each pair of atoms merged; each once.

    Wildcards become carbon, open bonds single ones; what is no possible molecule is left out.
    """
    motif = Chem.MolFromSmarts(smarts)
    whole = _molecule(motif)
    made = [whole]
    for atom in motif.GetAtoms():
        if atom.GetDegree() == 1:
            less = Chem.RWMol(whole)
            less.RemoveAtom(atom.GetIdx())
            made.append(less)
    for one, other in combinations(range(motif.GetNumAtoms()), 2):
        if len(made) >= MOST:
            break
        if motif.GetBondBetweenAtoms(one, other) is None:
            made.append(_merged(whole, one, other))
    found = dict.fromkeys(filter(None, map(_smiles, made)))
    return list(found)


def _molecule(motif: Chem.Mol) -> Chem.RWMol:
    made = Chem.RWMol()
    for atom in motif.GetAtoms():
        plain = Chem.Atom(6 if atom.GetAtomicNum() in (0, 1) else atom.GetAtomicNum())
        plain.SetFormalCharge(atom.GetFormalCharge())
        plain.SetIsAromatic(atom.GetIsAromatic())
        if atom.GetIsAromatic() and atom.GetAtomicNum() != 6:
            # Without its hydrogen the ring of [nH] has no Kekule structure.
            plain.SetNumExplicitHs(_least_hydrogens(atom))
        made.AddAtom(plain)
    known = {Chem.BondType.SINGLE, Chem.BondType.DOUBLE, Chem.BondType.TRIPLE, Chem.BondType.AROMATIC}
    for bond in motif.GetBonds():
        kind = bond.GetBondType() if bond.GetBondType() in known else Chem.BondType.SINGLE
        text = bond.GetSmarts()  # pyright: ignore[reportCallIssue] (RDKit's stub names the bond twice)
        if bond.GetBeginAtom().GetIsAromatic() and bond.GetEndAtom().GetIsAromatic() and text == "":
            kind = Chem.BondType.AROMATIC
        made.AddBond(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), kind)
    return made


def _least_hydrogens(atom: Chem.Atom) -> int:
    """How many hydrogens an atom of the SMARTS asks for at least; 0 where that cannot be read."""
    try:
        (own,) = read_query(atom.GetSmarts()).atoms
    except InputError:
        return 0
    return min(min(box.allowed("hydrogens")) for box in own.boxes)


def _merged(whole: Chem.RWMol, one: int, other: int) -> Chem.RWMol:
    merged = Chem.RWMol(whole)
    for bond in whole.GetAtomWithIdx(other).GetBonds():
        far = bond.GetOtherAtomIdx(other)
        if merged.GetBondBetweenAtoms(one, far) is None:
            merged.AddBond(one, far, bond.GetBondType())
    merged.RemoveAtom(other)
    return merged


def _smiles(mol: Chem.RWMol) -> str | None:
    with rdBase.BlockLogs():
        try:
            made = Chem.MolFromSmiles(Chem.MolToSmiles(mol))
        except (ValueError, RuntimeError):
            return None
    return None if made is None or not made.GetNumAtoms() else Chem.MolToSmiles(made)
