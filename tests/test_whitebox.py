import numpy as np
import pytest
import torch

from wombat_core.errors import InputError
from wombat_core.explanation import predict
from wombat_core.molecules import from_smiles
from wombat_core.molecules.encoding import encode, encode_batch
from wombat_core.molecules.features import NUM_ELEMENTS, element_slots
from wombat_core.whitebox.build import build
from wombat_core.whitebox.catalogue import fourteen, pattern, patterns
from wombat_core.whitebox.evaluation import scaled_evaluation
from wombat_core.whitebox.model import Whitebox
from wombat_core.whitebox.notation import read_atom_term, read_bond_term, read_channel, read_channel_term

FIGURE_5 = "NC(=O)NN=C1CCCC(C(=O)O)C1"
SOME = [
    FIGURE_5,
    "C",
    "CC(C)C=O",
    "CCC(C)C(=O)OCCN(CC)CC",
    "[Na+].[Cl-]",
    "CC(Cl)C(C)CCC",
    "C[N+](C)(C)CC=O",
    "CS(=O)(=O)C(C)C",
]


class TestNotation:
    def test_element(self):
        weights = read_atom_term("C").weights()
        assert np.flatnonzero(weights).tolist() == [element_slots()["C"]] and weights.max() == 1

    def test_element_with_hydrogens_forbids_the_other_counts(self):
        weights = read_atom_term("N;H0,H1").weights()
        assert weights[element_slots()["N"]] == 1
        assert weights[NUM_ELEMENTS:].tolist() == [0, 0] + [-10] * 8

    def test_wildcards(self):
        assert read_atom_term("*").weights().tolist() == [1] * 100 + [0] * 10
        assert read_atom_term("1").weights().tolist() == [1] * 110

    def test_hydrogens_alone(self):
        assert np.flatnonzero(read_atom_term("H1").weights()).tolist() == [NUM_ELEMENTS + 1]

    def test_sums_of_channels(self):
        assert read_channel_term("B-10C").weights(("A", "B", "C")).tolist() == [0, 1, -10]
        assert read_channel_term("A+B").weights(("A", "B", "C")).tolist() == [1, 1, 0]
        assert read_channel_term("0").weights(("A", "B")).tolist() == [0, 0]

    def test_bonds(self):
        assert [read_bond_term(text).weights().tolist() for text in "-=~0"] == [
            [1, 0, 0, 0],
            [0, 1, 0, 0],
            [1, 1, 1, 1],
            [0, 0, 0, 0],
        ]

    @pytest.mark.parametrize("spec", [["Xx", "C", "-", 0], ["C;H", "C", "-", 0], ["C", "C", "?", 0]])
    def test_what_is_no_notation_is_named(self, spec):
        with pytest.raises(ValueError, match=r"Channel A\.1: "):
            read_channel("A", 1, spec)


def test_fourteen_patterns_and_three_variants():
    assert list(patterns()) == [*map(str, range(1, 15)), "12-leaf", "12-moving", "12-smoothing", "flucarb"]
    assert [entry.id for entry in fourteen()] == [*map(str, range(1, 15))]
    assert pattern("12-leaf").smarts == pattern(12).smarts
    assert [pattern(number).num_layers for number in (3, 5, 12)] == [7, 6, 1]


@pytest.mark.parametrize("unknown", ["15", "", "12-", "<b>"])
def test_an_unknown_pattern_or_readout_is_one_sentence(unknown):
    with pytest.raises(InputError, match="There is no pattern"):
        Whitebox(unknown)
    with pytest.raises(InputError, match="There is no readout"):
        Whitebox(5, unknown)


def test_figure_5_predictions():
    """Figure 5 of the paper's molecule under Pattern 5: r1 = 16, r2 = 1."""
    molecule = from_smiles(FIGURE_5)
    assert predict([molecule], Whitebox(5, "r1")) == [16.0]
    assert predict([molecule], Whitebox(5, "r2")) == [1.0]


@pytest.mark.parametrize("id", patterns())
@pytest.mark.parametrize("readout", ["r1", "r2"])
def test_a_batch_predicts_as_its_molecules_alone(id, readout):
    model = build(id, readout)
    molecules = [from_smiles(smiles) for smiles in SOME]
    assert predict(molecules, model) == [predict([molecule], model)[0] for molecule in molecules]


def test_the_trace_names_channels_and_ends_in_both_readouts():
    data = encode(from_smiles(FIGURE_5))
    trace = Whitebox(5).trace(data.x, data.edge_index, data.edge_attr)
    assert [layer.channels[0] for layer in trace.layers] == [f"A.{depth}" for depth in range(1, 7)]
    assert [tuple(layer.activations.shape) for layer in trace.layers] == [(14, n) for n in (7, 7, 6, 4, 2, 1)]
    assert {name: value.item() for name, value in trace.readouts.items()} == {"r1": 16.0, "r2": 1.0}


@pytest.mark.parametrize("id", patterns())
@pytest.mark.parametrize("readout", ["r1", "r2"])
def test_the_scaled_evaluation_equals_the_network_on_any_scaling(id, readout):
    model = build(id, readout)
    batch = encode_batch([from_smiles(smiles) for smiles in SOME])
    part = scaled_evaluation(model, batch)
    random = torch.Generator().manual_seed(0)
    for scales in (lambda n: torch.ones(n), lambda n: 1 - 0.1 * torch.rand(n, generator=random)):
        x, edge_attr = batch.x.clone(), batch.edge_attr.clone()
        atoms, bonds = scales(part.atom_entries.size(1)), scales(part.bond_entries.size(1))
        x[tuple(part.atom_entries)] *= atoms
        edge_attr[tuple(part.bond_entries)] *= bonds
        expected = model(x, batch.edge_index, edge_attr, batch.batch)
        assert torch.allclose(part(atoms.unsqueeze(0), bonds.unsqueeze(0))[0], expected, rtol=1e-5)
