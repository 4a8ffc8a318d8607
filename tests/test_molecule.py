"""SMILES in, molecules out: what is accepted, what is refused, and with which sentence."""

import pytest
from rdkit import Chem
from rdkit.Chem.rdMolDescriptors import CalcMolFormula

from wombat_core.errors import InputError
from wombat_core.molecules.encoding import encode
from wombat_core.molecules.molecule import (
    MAX_HEAVY_ATOMS,
    MAX_SMILES_CHARACTERS,
    from_rdkit,
    from_smiles,
)
from wombat_core.molecules.parse_problems import SmilesError
from wombat_core.molecules.usability import exclusions


def symbols(molecule):
    return [atom.GetSymbol() for atom in molecule.mol.GetAtoms()]


@pytest.mark.parametrize(
    ("smiles", "words"),
    [
        ("C1CC", "ring 1, opened at position 2, is never closed"),
        ("CC1C(C2)C1", "ring 2, opened at position 7"),
        ("C%12C", "ring 12, opened at position 2"),
        ("C1C1", "position 4"),
        ("C(C", "'(' at position 2 is never closed"),
        ("CC)", "')' at position 3 was never opened"),
        ("C[Xx]C", "'Xx' in the bracket at position 2 is not an element"),
        ("[N+", "bracket '[' at position 1 is never closed"),
        ("C]", "bracket ']' at position 2 was never opened"),
        ("C[]", "bracket at position 2 is empty"),
        ("[C@@@H]", "'[C@@@H]' at position 1 is not an atom"),
        ("C(C)(C)(C)(C)C", "atom C0 (position 1) has a valence of 5"),
        ("[Na+].ClCl(C)C", "atom Cl2 (position 9) has a valence of 3"),
        ("c1cccc1", "aromatic atoms C0, C1, C2, C3, C4 (positions 1 to 6)"),
        ("c1ccccc1-c1cccn1", "(positions 10 to 15)"),
        ("c1ccc1c", "atom C4 (position 7) is written as aromatic but is not in a ring"),
        ("C==C", "'=' at position 3 cannot stand here"),
        ("CC=", "nothing follows the '=' at position 3"),
        ("=C", "cannot begin with '='"),
        ("CQC", "'Q' at position 2 is not an atom"),
        ("CC>>CO", "'>' at position 3 belongs to a reaction"),
        ("CΔC", "'Δ' at position 2 is not a character of SMILES"),
        ("C1C(O1)C2=CC=CC=oC2", "atom O8 (position 17) has a valence of 3"),
        ("C |$a", "extension from '|' on (CXSMILES, position 3) is not valid"),
        ("[C@TB99](C)", "invalid chiral specification on atom 0"),
    ],
)
def test_unparsable_smiles_says_where_and_why(smiles, words, capfd):
    with pytest.raises(SmilesError) as caught:
        from_smiles(smiles)
    sentence = str(caught.value)
    assert words in sentence
    assert sentence.startswith(f"The SMILES '{smiles}'")
    assert sentence.endswith(".") and "\n" not in sentence
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_empty_text(text):
    with pytest.raises(InputError, match="empty"):
        from_smiles(text)


@pytest.mark.parametrize("text", ["[H][H]", "[H]", "[2H][2H]", "[H+]"])
def test_only_hydrogens(text, capfd):
    with pytest.raises(InputError, match="no heavy atoms, only hydrogens"):
        from_smiles(text)
    assert capfd.readouterr() == ("", "")


def test_long_text_is_not_echoed():
    with pytest.raises(InputError) as caught:
        from_smiles("C" * 3000 + "(")
    assert len(str(caught.value)) < 200
    assert "position 3001" in str(caught.value)


@pytest.mark.parametrize("smiles", ["C\x00C", "C\ud800", "C\x1bC", "C\x00C" * 99])
def test_messages_can_always_be_shown(smiles):
    with pytest.raises(SmilesError) as caught:
        from_smiles(smiles)
    assert str(caught.value).isprintable()
    assert "position 2" in str(caught.value)


def test_limits():
    assert from_smiles("C" * MAX_HEAVY_ATOMS).num_atoms == MAX_HEAVY_ATOMS
    with pytest.raises(InputError, match="5,001 heavy atoms; at most 5,000"):
        from_smiles("C" * (MAX_HEAVY_ATOMS + 1))
    with pytest.raises(InputError, match="characters"):
        from_smiles("C" * (MAX_SMILES_CHARACTERS + 1))


def test_several_lines_are_refused():
    with pytest.raises(InputError, match="several lines"):
        from_smiles("CCO\nCCC")
    with pytest.raises(InputError, match="several lines"):
        from_smiles("CCO\rCCC")
    assert from_smiles("CCO\n").smiles == "CCO"


def test_atom_order_is_the_inputs():
    assert symbols(from_smiles("OC(Cl)N")) == ["O", "C", "Cl", "N"]
    assert symbols(from_smiles("NC(O)Cl")) == ["N", "C", "O", "Cl"]


@pytest.mark.parametrize(
    ("smiles", "expected", "note"),
    [
        ("[H]C([H])([H])N", ["C", "N"], "3 explicit hydrogens were removed"),
        ("[2H]OC", ["O", "C"], "1 explicit hydrogen was removed (1 of them deuterium or tritium)"),
        ("C[H+]C", ["C", "C"], "1 explicit hydrogen was removed"),
        ("[H]*", ["*"], "1 explicit hydrogen was removed"),
        ("[H+].[Cl-]", ["Cl"], "1 explicit hydrogen was removed"),
    ],
)
def test_explicit_hydrogens_are_removed_and_told(smiles, expected, note):
    molecule = from_smiles(smiles)
    assert symbols(molecule) == expected
    assert molecule.smiles == smiles
    assert note in molecule.notes[0]


@pytest.mark.parametrize(
    ("smiles", "atoms", "bonds"),
    [
        ("C", 1, 0),
        ("CCO.[Na+].[Cl-]", 5, 2),
        ("N->[Fe]", 2, 1),
        ("C~C", 2, 1),
        ("[Og]", 1, 0),
        ("[Rf]C", 2, 1),
        ("C" * 500, 500, 499),
    ],
)
def test_unusual_but_fine(smiles, atoms, bonds):
    molecule = from_smiles(smiles)
    assert (molecule.num_atoms, molecule.num_bonds, molecule.notes) == (atoms, bonds, ())


@pytest.mark.parametrize(
    ("smiles", "note"),
    [
        ("*", "Atom 0 is a placeholder"),
        ("*CC", "Atom 0 is a placeholder"),
        ("CC[2*]", "Atom 2 is a placeholder"),
        ("[13CH3]C", "Isotopes are not seen by the networks: 13C at atom 0."),
        ("[H]C([H])([H])[13CH3]", "3 explicit hydrogens were removed"),
        ("CC |$;Ph$|", "Labels are not read: 'Ph' at atom 1."),
        ("[C][C][O]", "if SELFIES was meant"),
    ],
)
def test_what_the_networks_do_not_see_is_told(smiles, note):
    assert from_smiles(smiles).notes[0].startswith(note) or note in from_smiles(smiles).notes[0]


def test_brackets_with_hydrogen_counts_are_kept():
    atom = from_smiles("[CH2]C").mol.GetAtomWithIdx(0)
    assert (atom.GetTotalNumHs(), atom.GetNumRadicalElectrons()) == (2, 1)


def test_whitespace_and_names():
    assert from_smiles("  CCO\t").smiles == "CCO"
    named = from_smiles("CCO grain alcohol")
    assert (named.smiles, named.name) == ("CCO", "grain alcohol")
    assert "'grain alcohol'" in named.notes[0]
    assert from_smiles("CCO x", name="y").name == "y"
    assert from_smiles("CCO |$a;;$|").num_atoms == 3
    assert len(from_smiles("C", name="n" * 999).name) == 200


def test_from_rdkit_keeps_the_order_of_the_file():
    mol = Chem.RenumberAtoms(Chem.AddHs(Chem.MolFromSmiles("OCN")), [3, 1, 0, 2, 4, 5, 6, 7])
    molecule = from_rdkit(mol, "x", "a.sdf, record 1")
    assert symbols(molecule) == ["C", "O", "N"]
    assert "5 explicit hydrogens" in molecule.notes[0]
    again = molecule.in_smiles_order()
    assert symbols(again) == symbols(from_smiles(molecule.smiles)) != symbols(molecule)
    assert (again.name, again.origin, again.notes) == ("x", "a.sdf, record 1", molecule.notes)


def test_from_rdkit_refuses_what_cannot_be_used():
    with pytest.raises(InputError, match="C1 has a valence of 5"):
        from_rdkit(Chem.MolFromSmiles("CC(C)(C)(C)C", sanitize=False))
    with pytest.raises(InputError, match="no heavy atoms"):
        from_rdkit(Chem.Mol())


def test_from_rdkit_tells_the_order_of_its_smiles():
    mol = Chem.MolFromSmiles("OC(=O)CN")
    molecule = from_rdkit(mol)
    assert molecule.smiles != "OC(=O)CN"
    symbols_there = [atom.GetSymbol() for atom in molecule.in_smiles_order().mol.GetAtoms()]
    assert [symbols(molecule)[i] for i in molecule.smiles_order] == symbols_there
    assert sorted(molecule.smiles_order) == list(range(5))


def test_orders_that_agree_need_no_permutation():
    assert from_smiles("OC(=O)CN").smiles_order is None
    assert from_rdkit(Chem.MolFromSmiles("CCO")).smiles_order is None
    assert from_rdkit(Chem.MolFromSmiles("OC(=O)CN")).in_smiles_order().smiles_order is None


@pytest.mark.parametrize(
    ("smiles", "words"),
    [
        ("C[#119]", r"atom 1 \(position 2\) has the atomic number 119"),
        ("[#120]", r"atom 0 \(position 1\) has the atomic number 120"),
        ("c1cccc1[2#200]", r"atom 5 \(position 8\) has the atomic number 200"),
        ("C[#262]", "atomic number 262"),
        ("[#99999999999]", "atomic number 99999999999"),
    ],
)
def test_elements_beyond_the_periodic_table(smiles, words, capfd):
    with pytest.raises(SmilesError, match=words) as caught:
        from_smiles(smiles)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_rdkit_failing_while_it_explains_is_a_sentence(monkeypatch, capfd):
    def fail(mol):
        raise RuntimeError("Pre-condition Violation\n\tAtomic number not found")

    monkeypatch.setattr(Chem, "DetectChemistryProblems", fail)
    with pytest.raises(SmilesError, match="cannot be read: RDKit cannot sanitise it"):
        from_smiles("C(C)(C)(C)(C)C")


def test_from_rdkit_refuses_elements_beyond_the_periodic_table(capfd):
    mol = Chem.RWMol()
    mol.AddAtom(Chem.Atom(6))
    mol.AddAtom(Chem.Atom(119))
    with pytest.raises(InputError, match="atom 1 has the atomic number 119"):
        from_rdkit(mol)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("smiles", ["[#118]", "C[Og]C", "[*-]", "C[*+20]", "[U+6]", "[999C]C", "[#118H9]", "[C+99]C"])
def test_odd_atoms_go_all_the_way(smiles):
    molecule = from_smiles(smiles)
    assert encode(molecule).x.shape == (molecule.num_atoms, 110)
    assert exclusions(molecule) == (() if molecule.num_bonds else ("It has no bonds.",))
    assert CalcMolFormula(molecule.mol)
    assert molecule.in_smiles_order().num_atoms == molecule.num_atoms
