from typing import ClassVar

import numpy as np
import pytest
import torch
from rdkit import Chem

from wombat_core.errors import InputError
from wombat_core.molecules import from_smiles
from wombat_core.molecules.encoding import encode, encode_batch, encode_types
from wombat_core.molecules.features import NUM_ELEMENTS, WOMBAT_PLUS, feature_names
from wombat_core.whitebox.notation import read_atom_term, read_bond_term

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


class TestWombatPlus:
    """The encoding that shows charges, aromaticity and rings besides."""

    SMARTS: ClassVar = {
        "charge+1": "[+1]",
        "charge-1": "[-1]",
        "charge0": "[+0]",
        "aromatic": "a",
        "ring": "[R]",
        **{f"rings{count}": f"[R{count}]" for count in range(5)},
        **{f"smallest{size}": f"[r{size}]" for size in range(3, 9)},
        **{f"ringbonds{count}": f"[x{count}]" for count in range(5)},
        **{f"cycle{size}": "*~1" + "~*" * (size - 1) + "1" for size in range(3, 9)},
    }
    SMILES = (
        "CC(=O)Oc1ccccc1C(=O)O",
        "C1CC2CCC1C2",  # norbornane: its six-membered ring is in no smallest set
        "C12C3C4C1C5C2C3C45",
        "C[N+](C)(C)CC([O-])=O",
        "c1ccc2c(c1)[nH]c1ccccc12",
        "C1CCC2(CC1)OCCO2",
        "[Ca+2].[O-]C(=O)C1CC1",
        "C1CCCCCCCC1",
        "CCO",
    )

    @pytest.mark.parametrize("smiles", SMILES)
    def test_every_slot_is_what_rdkit_finds(self, smiles):
        molecule = from_smiles(smiles)
        data = encode(molecule, "wombat+")
        for name, smarts in self.SMARTS.items():
            matches = molecule.mol.GetSubstructMatches(Chem.MolFromSmarts(smarts), uniquify=False, maxMatches=100_000)
            found = {match[0] for match in matches}
            assert set(np.flatnonzero(data.x[:, WOMBAT_PLUS.atom_slots[name]]).tolist()) == found, name

    @pytest.mark.parametrize("smiles", SMILES)
    def test_the_first_slots_are_the_papers(self, smiles):
        molecule = from_smiles(smiles)
        narrow, wide = encode(molecule), encode(molecule, "wombat+")
        assert torch.equal(wide.x[:, :110], narrow.x)
        assert torch.equal(wide.edge_attr[:, :4], narrow.edge_attr)
        assert torch.equal(wide.edge_index, narrow.edge_index)
        assert wide.x.shape[1] == 145 and wide.edge_attr.shape[1] == 11

    def test_types_are_the_batch(self):
        molecules = [from_smiles(text) for text in self.SMILES]
        types, batch = encode_types(molecules, "wombat+"), encode_batch(molecules, "wombat+")
        assert torch.equal(types.x[types.rows], batch.x)
        assert torch.equal(types.batch, batch.batch)
        bonds = [torch.cat([d.edge_index.T.float(), d.edge_attr], dim=1).tolist() for d in (types, batch)]
        assert sorted(bonds[0]) == sorted(bonds[1])

    def test_an_unknown_encoding_is_one_sentence(self):
        with pytest.raises(InputError, match=r"There is no encoding 'x'; choose wombat or wombat\+\."):
            encode(from_smiles("C"), "x")

    @pytest.mark.parametrize(
        ("text", "asked"),
        [
            ("C;cycle6", "[#6;$(*~1~*~*~*~*~*~1)]"),
            ("C;H1;aromatic;cycle6;!cycle5", "[#6H1;a;$(*~1~*~*~*~*~*~1);!$(*~1~*~*~*~*~1)]"),
            ("*;charge0,charge+1;rings2", "[+0,+1;R2]"),
            ("C;ring", "[#6;R]"),
        ],
    )
    def test_a_term_is_one_where_all_conditions_hold(self, text, asked):
        weights = read_atom_term(text).weights()
        for smiles in self.SMILES:
            molecule = from_smiles(smiles)
            values = encode(molecule, "wombat+").x.numpy() @ weights
            found = molecule.mol.GetSubstructMatches(Chem.MolFromSmarts(asked), maxMatches=10_000)
            assert set(np.flatnonzero(values > 0).tolist()) == {match[0] for match in found}
            assert set(values[values > 0].tolist()) <= {1.0}

    def test_a_bond_term_asks_for_its_ring(self):
        data = encode(from_smiles("c1ccc2c(c1)[nH]c1ccccc12"), "wombat+")
        values = data.edge_attr.numpy() @ read_bond_term(":;cycle6;!cycle5").weights()
        assert sorted(set(values.clip(min=0).tolist())) == [0.0, 1.0]
        assert (values > 0).sum() == 2 * 10  # twelve bonds of two benzene rings, less the two fused ones, both ways
