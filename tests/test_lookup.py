"""From what a user types to a molecule."""

import pytest

from wombat_core.errors import InputError
from wombat_core.molecules import find_molecule
from wombat_core.molecules.lookup import UnknownNameError, looks_like_smiles
from wombat_core.molecules.name_index import NameIndex, name_index
from wombat_core.molecules.parse_problems import SmilesError


@pytest.mark.parametrize("text", ["CO", "C", "NO", "CN", "I", " CCO ", "c1ccccc1"])
def test_smiles_come_first(text):
    molecule = find_molecule(text)
    assert (molecule.smiles, molecule.origin) == (text.strip(), "SMILES")


@pytest.mark.parametrize(
    ("text", "smiles", "name"),
    [
        ("water", "O", "water"),
        ("Benzene", "C1=CC=CC=C1", "benzene"),
        ("ASPIRIN", "CC(=O)Oc1ccccc1C(=O)O", "aspirin"),
        ("acetic   acid", "CC(=O)O", "acetic acid"),
        ("oxidane", "O", "water"),
        ("1-azanylpropan-2-ol", "CC(CN)O", "1-amino-2-propanol"),
        ("tin", "[Sn]", "stannum"),
        ("carnitine", "C[N+](C)(C)C[C@@H](CC(=O)[O-])O", "l-carnitine"),
    ],
)
def test_names(text, smiles, name):
    molecule = find_molecule(text)
    assert (molecule.smiles, molecule.name, molecule.origin) == (smiles, name, "PubChem name")


@pytest.mark.parametrize("text", ["107-43-7", "CAS 107-43-7", "cas-rn: 107-43-7", "0107-43-7"])
def test_cas_numbers(text):
    molecule = find_molecule(text)
    assert (molecule.name, molecule.origin) == ("betaine", "PubChem CAS number")


def test_wrong_cas_numbers():
    with pytest.raises(UnknownNameError, match="would be 7") as caught:
        find_molecule("107-43-8")
    assert caught.value.suggestions == ("107-43-7",)
    with pytest.raises(UnknownNameError, match="not among the 76,485 molecules"):
        find_molecule("999999-99-4")


def test_stereoisomers_share_a_name():
    note = find_molecule("carnitine").notes[0]
    assert "541-14-0 d-carnitine" in note and "this is 541-15-1" in note


def test_a_main_name_wins_over_synonyms():
    molecule = find_molecule("glucose")
    assert molecule.name == "glucose"
    assert "alpha-d-glucose" in molecule.notes[0]


def test_ambiguous_name_lists_the_molecules():
    with pytest.raises(UnknownNameError, match="name of 4 different molecules: 492-61-5 hexopyranose") as caught:
        find_molecule("dextrose")
    assert caught.value.suggestions == ("492-61-5", "2280-44-6", "492-62-6", "50-99-7")
    assert all(find_molecule(cas).num_atoms == 12 for cas in caught.value.suggestions)


@pytest.mark.parametrize(
    ("text", "meant"),
    [("carnitin", "carnitine"), ("watr", "water"), ("caffiene", "caffeine"), ("iboprufen", "ibuprofen")],
)
def test_unknown_name_offers_the_nearest(text, meant):
    with pytest.raises(UnknownNameError, match="nearest names") as caught:
        find_molecule(text)
    assert meant in caught.value.suggestions
    assert all(find_molecule(name) for name in caught.value.suggestions[:1])


@pytest.mark.parametrize("text", ["xyzzyqqq", "<script>alert(1)</script>", "cc", "?", "ЖЖЖЖ", "1e9"])
def test_unknown_name_without_neighbours(text):
    with pytest.raises(InputError) as caught:
        find_molecule(text)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("text", ["C1CC", "c1cccc1", "C(=O)(", "C[Xx]", "[Cu", "C(C)(C)(C)(C)C", "Clc1ccccc"])
def test_texts_meant_as_smiles_get_the_smiles_error(text):
    with pytest.raises(SmilesError, match="cannot be read"):
        find_molecule(text)


@pytest.mark.parametrize("text", ["hello", "vitamin b99", "2,4-dinitro-x", "5'-adenylic", "cocoon", "poison"])
def test_texts_meant_as_names(text):
    assert not looks_like_smiles(text)


def test_element_symbols_are_explained():
    with pytest.raises(UnknownNameError, match=r"a SMILES writes in brackets: \[Sn\]") as caught:
        find_molecule("Sn")
    assert caught.value.suggestions[0] == "[Sn]"


def test_empty_long_and_unusable_texts():
    with pytest.raises(InputError, match="enter a SMILES, a name or a CAS number"):
        find_molecule("  ")
    with pytest.raises(InputError) as caught:
        find_molecule("x" * 100_000)
    assert len(str(caught.value)) < 300
    with pytest.raises(InputError, match=r"bromine trifluoride.*valence of 3"):
        find_molecule("bromine trifluoride")
    with pytest.raises(InputError, match="no heavy atoms"):
        find_molecule("deuterium")


def test_smiles_followed_by_a_name():
    molecule = find_molecule("CCO my ethanol")
    assert (molecule.smiles, molecule.name) == ("CCO", "my ethanol")


def test_index_is_built_once():
    assert name_index() is name_index()
    assert name_index().name("") == []


@pytest.mark.parametrize("prefix", ["", "InChIKey="])
@pytest.mark.parametrize(
    ("key", "smiles"), [("VNWKTOKETHGBQD-UHFFFAOYSA-N", "C"), ("uhovqnzjysornb-uhfffaoysa-n", "C1=CC=CC=C1")]
)
def test_inchi_keys(prefix, key, smiles):
    molecule = find_molecule(prefix + key)
    assert (molecule.smiles, molecule.origin) == (smiles, "PubChem InChIKey")


def test_unknown_inchi_key_searches_no_names(monkeypatch):
    monkeypatch.setattr(NameIndex, "nearest", None)
    with pytest.raises(UnknownNameError, match="enter a SMILES or an InChI instead") as caught:
        find_molecule("VNWKTOKETHGBQX-UHFFFAOYSA-N")
    assert caught.value.suggestions == ()


def test_inchis():
    molecule = find_molecule("inchi=1S/C2H6O/c1-2-3/h3H,2H2,1H3")
    assert (molecule.smiles, molecule.origin, molecule.notes) == ("CCO", "InChI", ())
    assert "formula is CH9" in find_molecule("InChI=1S/CH9").notes[0]


@pytest.mark.parametrize("text", ["InChI=", "InChI=1S/Zz", "InChI=1S/C2H6O/c1-", "InChI=1S/" + "C" * 50_000])
def test_broken_inchis(text, capfd):
    with pytest.raises(InputError, match="The InChI") as caught:
        find_molecule(text)
    assert len(str(caught.value)) < 200
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "text", ["water", "carnitin", "C3H9NO/c1-3(5)2-4/h3,5H,2,4H2,1H3", "HXKKHQJGJAFBHI-UHFFFAOYSA-N"]
)
def test_suggestions_are_names_and_never_the_text(text):
    index = name_index()
    names = index.nearest(text)
    assert text.lower() not in names
    assert all(index.name(name) for name in names)
