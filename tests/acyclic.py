"""Molecules without rings, on which a compiled network and RDKit have to agree."""

from functools import cache

import torch
from rdkit import Chem

from wombat_core.molecules import from_smiles
from wombat_core.molecules.encoding import encode_batch
from wombat_core.whitebox.model import Whitebox

MOLECULES = (
    *("CC", "CCC", "CCO", "CCOC", "CC(C)C", "CC(C)O", "COOOS", "C=NSCO", "OCCS", "C=CON", "CSC(=N)N", "CC#CC(C)(C)O"),
    *("CC#CCC#CC", "C=C(CN)C(O)OC(C)=O", "CCCN(CN)C(C)=O", "CC(O)CCO", "CSOC(C)=O", "C=NCC=O", "CCN(CC)CC", "CCCCCC"),
    *("OC(=O)CCCCC(=O)O", "C(CC(=O)O)C(=O)CCC(=O)O", "CC(C)(C)CC(C)C", "NCC(=O)NCC(=O)O", "C=C=C(OC#N)SC"),
    *("C=C=C=C=C(C)F", "CNC(F)SO", "CNCCO", "CCC(F)(F)CN", "CC=CF", "C#CC", "CCCCCCCCCC", "C=CC(=C)NC", "C=CCC=CC"),
)


@cache
def listed():
    found = [from_smiles(each) for each in MOLECULES]
    return found, encode_batch(found)


def differences(compiled, own=None) -> list[str]:
    """Molecules on which network and RDKit differ, under either readout."""
    molecules, batch = (own, encode_batch(own)) if own else listed()
    query = Chem.MolFromSmarts(compiled.smarts)
    expected = [molecule.mol.HasSubstructMatch(query) for molecule in molecules]
    wrong = []
    for readout in ("r1", "r2"):
        with torch.no_grad():
            found = Whitebox(compiled, readout)(batch.x, batch.edge_index, batch.edge_attr, batch.batch)
        answers = zip(molecules, expected, (found > 0.5).tolist(), strict=True)
        wrong += [f"{molecule.smiles} {readout}" for molecule, label, answer in answers if label != answer]
    return wrong
