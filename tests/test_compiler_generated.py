"""Generated SMARTS trees on generated molecules without rings: network and RDKit agree on every one."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rdkit import Chem

from tests.acyclic import differences
from wombat_core.compiler import compile_smarts
from wombat_core.compiler.compile import roots
from wombat_core.compiler.smarts_error import SmartsError
from wombat_core.compiler.styles import STYLES
from wombat_core.molecules import from_smiles

ATOMS = (
    *("C", "[#6]", "*", "[!#1]", "[CH3]", "[CH2]", "[CH]", "[CH0]", "N", "O", "[N,O]", "[C,N]", "[CX3]", "[CX4]"),
    *("[D3]", "[CX2,CX3]", "[CD2]", "[D2]", "[v4]", "[C;H1,H2]", "[CH2,NH]", "[!O]", "[OX2]", "[$(CO)]", "[!$(CN)]"),
    *("F", "S"),
)
BONDS = ("", "", "", "-", "=", "~", "!-", "-,=", "#")


@st.composite
def trees(draw, most=5):
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


@settings(max_examples=40, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(trees(), st.lists(molecules(), min_size=8, max_size=8), st.sampled_from(sorted(STYLES)), st.integers(0, 9))
def test_generated(smarts, smiles, style, place):
    try:
        atoms = roots(smarts)
        # At a root of its own, or else the best.
        compiled = compile_smarts(smarts, style=style, root=atoms[place] if place < len(atoms) else None)
    except SmartsError:
        return  # asks for what cannot be, such as five bonds of carbon, or is too large
    assert differences(compiled, [from_smiles(each) for each in smiles]) == []
    assert differences(compiled) == []
