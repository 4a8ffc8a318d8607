"""On molecules without rings network and RDKit agree: a difference is an error of the compiler.

SMARTS trees and molecules are generated; those listed are ones that random search found errors with while the compiler
was written.
"""

from functools import cache

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rdkit import Chem

from wombat_core.compiler import compile_smarts
from wombat_core.compiler.compile import roots
from wombat_core.compiler.smarts_error import SmartsError
from wombat_core.compiler.styles import STYLES
from wombat_core.molecules import from_smiles
from wombat_core.molecules.encoding import encode_batch
from wombat_core.whitebox.model import Whitebox

MOLECULES = (
    *("CC", "CCC", "CCO", "CCOC", "CC(C)C", "CC(C)O", "COOOS", "C=NSCO", "OCCS", "C=CON", "CSC(=N)N", "CC#CC(C)(C)O"),
    *("CC#CCC#CC", "C=C(CN)C(O)OC(C)=O", "CCCN(CN)C(C)=O", "CC(O)CCO", "CSOC(C)=O", "C=NCC=O", "CCN(CC)CC", "CCCCCC"),
    *("OC(=O)CCCCC(=O)O", "C(CC(=O)O)C(=O)CCC(=O)O", "CC(C)(C)CC(C)C", "NCC(=O)NCC(=O)O", "C=C=C(OC#N)SC"),
    *("C=C=C=C=C(C)F", "CNC(F)SO", "CCC(F)(F)CN", "CC=CF", "C#CC", "CCCCCCCCCC", "C=CC(=C)NC", "C=CCC=CC"),
)
SMARTS = (
    *("[$(CO)][CX4][CX4]", "*~[$(CO)]", "[CX3](S)*-C", "[CD2]([C,N]=[#6])~[NX3]", "[CX3,CX2]-,=[v4][C;H1,H2]"),
    *("[CH0]~[CH0][CH0](=[CH0])[v4]", "CCCC", "CCCCC", "[#6](!-[C,N]!-[C,N])=[C,N][C,N]", "CCC(CC)(C=O)C=O"),
    *("[!#1]C(=O)[CH2][CH2][CH2][CH2]C(=O)[OH]", "[NX3;H2,H1;!$(NC=O)]", "[!O](!-[!O])[!O]", "[CH2][CH2][CH2][CH2]"),
    *("[CH0](-,=[CH2])=[CX4,CX3]", "[CH2,NH]=[#6]~[CH2]", "[OH][D2][C;!H0]-[D2]", "[#6]~[CD2]-[D2][CH2][CH2]"),
)
ATOMS = (
    *(
        "C",
        "[#6]",
        "*",
        "[!#1]",
        "[CH3]",
        "[CH2]",
        "[CH]",
        "[CH0]",
        "N",
        "O",
        "[N,O]",
        "[C,N]",
        "[CX3]",
        "[CX4]",
        "[D3]",
    ),
    *("[D3]", "[CX2,CX3]", "[CD2]", "[D2]", "[v4]", "[C;H1,H2]", "[CH2,NH]", "[!O]", "[OX2]", "[$(CO)]", "[!$(CN)]"),
    *("F", "S"),
)
BONDS = ("", "", "", "-", "=", "~", "!-", "-,=", "#")


@st.composite
def trees(draw, most=6):
    """A SMARTS tree of two atoms or more."""
    parents = [draw(st.integers(0, atom)) for atom in range(draw(st.integers(1, most - 1)))]
    text = [draw(st.sampled_from(ATOMS)) for _ in range(len(parents) + 1)]
    for atom in range(len(parents), 0, -1):
        text[parents[atom - 1]] += f"({draw(st.sampled_from(BONDS))}{text[atom]})"
    return text[0]


@st.composite
def molecules(draw, most=12):
    """A molecule without rings: its SMILES."""
    mol, free = Chem.RWMol(), []
    for atom in range(draw(st.integers(2, most))):
        open_ = [place for place in range(atom) if free[place]]
        if atom and not open_:
            break
        symbol = draw(st.sampled_from("CCCCNOSF")) if atom else "C"
        mol.AddAtom(Chem.Atom(symbol))
        free.append({"C": 4, "N": 3, "O": 2, "S": 2, "F": 1}[symbol])
        if atom:
            parent = draw(st.sampled_from(open_))
            order = min(draw(st.sampled_from((1, 1, 1, 2, 3))), free[atom], free[parent])
            mol.AddBond(parent, atom, Chem.BondType.values[order])
            free[atom] -= order
            free[parent] -= order
    return Chem.MolToSmiles(mol)


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


@pytest.mark.parametrize("smarts", SMARTS)
def test_no_difference_without_rings(smarts):
    assert differences(compile_smarts(smarts)) == []


@pytest.mark.parametrize("style", STYLES)
def test_no_style_differs(style):
    for smarts in SMARTS[:12]:
        assert differences(compile_smarts(smarts, style=style)) == [], smarts


@settings(max_examples=150, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(trees(), st.lists(molecules(), min_size=12, max_size=12), st.sampled_from(sorted(STYLES)), st.integers(0, 5))
def test_generated(smarts, smiles, style, place):
    try:
        chosen = compile_smarts(smarts, style=style)
    except SmartsError:
        return  # asks for what cannot be, such as five bonds of carbon, or is too large
    own = [from_smiles(each) for each in smiles]
    assert differences(chosen, own) == []
    assert differences(chosen) == []
    atoms = roots(smarts)
    try:
        rooted = compile_smarts(smarts, root=atoms[place % len(atoms)])
    except SmartsError:
        return  # larger from there
    assert differences(rooted, own) == []
