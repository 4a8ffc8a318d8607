import pytest
import torch

from wombat_core.errors import InputError
from wombat_core.molecules import from_smiles
from wombat_core.molecules.encoding import encode, encode_batch, encode_types
from wombat_core.molecules.features import NUM_ELEMENTS, feature_names

ODD = ["NC(=O)NN=C1CCCC(C(=O)O)C1", "C", "CC#N.c1ccccc1", "[NH3]->[Cu]", "CC~C", "*CC", "[Fm]C", "[13CH4]", "[2H]OC"]


def names(row: torch.Tensor) -> set[str]:
    return {feature_names()[slot] for slot in row.nonzero().squeeze(1).tolist()}


def test_atoms_are_one_hot_in_input_order():
    data = encode(from_smiles("OC=N"))
    assert [names(row) for row in data.x] == [{"O", "H1"}, {"C", "H1"}, {"N", "H1"}]
    assert data.x.shape == (3, 110) and data.x.sum() == 6


def test_every_bond_stands_once_in_each_direction():
    data = encode(from_smiles("CC#N"))
    assert data.edge_index.T.tolist() == [[0, 1], [1, 0], [1, 2], [2, 1]]
    assert data.edge_attr.argmax(dim=1).tolist() == [0, 0, 2, 2]


def test_aromatic_bonds_have_their_own_slot():
    assert encode(from_smiles("c1ccccc1")).edge_attr[:, 3].tolist() == [1.0] * 12


@pytest.mark.parametrize("smiles", ["[NH3]->[Cu]", "CC~C"])
def test_other_bond_types_leave_all_slots_zero(smiles):
    edge_attr = encode(from_smiles(smiles)).edge_attr
    assert edge_attr[-2:].sum() == 0


@pytest.mark.parametrize("smiles", ["[Fm]", "[Md]", "[Og]"])
def test_elements_from_100_leave_all_element_slots_zero(smiles):
    assert encode(from_smiles(smiles)).x[0, :NUM_ELEMENTS].sum() == 0


def test_dummy_atoms_use_slot_zero():
    assert names(encode(from_smiles("*C")).x[0]) == {"*", "H0"}


def test_more_than_nine_hydrogens_are_an_error():
    molecule = from_smiles("C")
    atom = molecule.mol.GetAtomWithIdx(0)
    atom.SetNoImplicit(True)
    atom.SetNumExplicitHs(10)
    with pytest.raises(InputError, match=r"Atom C0 carries 10 hydrogens"):
        encode(molecule)


def test_an_empty_list_is_an_error():
    with pytest.raises(InputError, match="no molecule"):
        encode_batch([])


def test_a_batch_is_its_molecules_side_by_side():
    molecules = [from_smiles(smiles) for smiles in ODD]
    batch = encode_batch(molecules)
    for molecule, part in zip(molecules, batch.to_data_list(), strict=True):
        alone = encode(molecule)
        assert torch.equal(part.x, alone.x)
        assert torch.equal(part.edge_index, alone.edge_index)
        assert torch.equal(part.edge_attr, alone.edge_attr)


def test_the_compact_encoding_holds_the_same_graph():
    molecules = [from_smiles(smiles) for smiles in ODD]
    batch, compact = encode_batch(molecules), encode_types(molecules)

    def edges(data):
        return sorted(
            (*ends.tolist(), *kind.tolist()) for ends, kind in zip(data.edge_index.T, data.edge_attr, strict=True)
        )

    assert torch.equal(compact.x[compact.rows], batch.x)
    assert torch.equal(compact.batch, batch.batch)
    assert edges(compact) == edges(batch)
