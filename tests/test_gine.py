import numpy as np
import pytest
import torch

from wombat_core.errors import InputError
from wombat_core.explanation import predict
from wombat_core.ground_truth import contains_motif, ground_truth
from wombat_core.molecules import from_smiles
from wombat_core.molecules.encoding import encode, encode_batch
from wombat_core.molecules.library import library_rows
from wombat_core.screening.validation import validate
from wombat_core.whitebox.build import build
from wombat_core.whitebox.catalogue import pattern
from wombat_core.whitebox.evaluation import CopiesEvaluation
from wombat_core.whitebox.gine_calculation import calculate_gine
from wombat_core.whitebox.model import Whitebox

FLUOROACETALDEHYDE = "FCC=O"


def test_the_formula_by_hand():
    """FCC=O: z of the oxygen is (0, 0, 0, 1, 1), of the carbon beside fluorine (1, 0, -10, 1, 0)."""
    (value,) = predict([from_smiles(FLUOROACETALDEHYDE)], build("flucarb"))
    logit = np.tanh(1) + np.tanh(1) - 1.51
    assert value == pytest.approx(1 / (1 + np.exp(-logit)), abs=1e-6) and value > 0.5


def test_the_answer_to_an_empty_input_is_not_zero():
    data = encode(from_smiles(FLUOROACETALDEHYDE))
    value = build("flucarb")(torch.zeros_like(data.x), data.edge_index, torch.zeros_like(data.edge_attr)).item()
    assert value == pytest.approx(1 / (1 + np.exp(np.tanh(1) + 1.51)), abs=1e-6)


def test_both_motifs_are_needed_and_either_is_ground_truth():
    entry = pattern("flucarb")
    both, only_fluorine, only_carbonyl = (from_smiles(smiles) for smiles in ("FCCC=O", "FCC", "CCC=O"))
    assert [contains_motif(molecule, entry) for molecule in (both, only_fluorine, only_carbonyl)] == [
        True,
        False,
        False,
    ]
    assert ground_truth(both, entry).tolist() == [True, True, False, True, True]
    assert not ground_truth(only_fluorine, entry).any() and not ground_truth(only_carbonyl, entry).any()


def test_it_agrees_with_its_smarts_on_the_library():
    rows = [row for number, row in enumerate(library_rows(), start=1) if number % 20 == 0]
    tally = validate(((1, row.smiles) for row in rows), [pattern("flucarb")])
    assert tally.disagreements == [] and tally.positives["flucarb"] > 50


def test_the_trace_names_its_columns():
    data = encode(from_smiles(FLUOROACETALDEHYDE))
    trace = build("flucarb").trace(data.x, data.edge_index, data.edge_attr)
    assert [tuple(layer.activations.shape) for layer in trace.layers] == [(4, 5), (4, 5), (4, 2)]
    answers = dict(zip(trace.layers[-1].channels, trace.layers[-1].activations.T.tolist(), strict=True))
    assert np.argmax(answers["a: carbonyl"]) == 3 and np.argmax(answers["a: fluorine"]) == 1
    assert list(trace.readouts) == ["sigmoid"]


def test_hydrogen_counts_are_not_read():
    data, model = encode(from_smiles(FLUOROACETALDEHYDE)), build("flucarb")
    other = data.x.clone()
    other[:, 100:] = torch.rand(4, 10)
    assert torch.equal(model(data.x, data.edge_index, data.edge_attr), model(other, data.edge_index, data.edge_attr))


def test_build_gives_the_network_of_a_pattern():
    assert isinstance(build(5, "r2"), Whitebox)
    assert build("flucarb", "r1").readout == build("flucarb", "r2").readout == "sigmoid"
    with pytest.raises(InputError, match="no readout 'r3'; flucarb has one of its own, sigmoid"):
        build("flucarb", "r3")


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_copies_evaluate_as_the_network_does_alone(dtype):
    model = build("flucarb")
    batch = encode_batch([from_smiles(smiles) for smiles in (FLUOROACETALDEHYDE, "C", "O=C(F)c1ccccc1")])
    copies = CopiesEvaluation(model, batch, dtype)
    random = torch.Generator().manual_seed(0)
    atoms = torch.rand(7, copies.atom_entries.size(1), generator=random)
    bonds = torch.rand(7, copies.bond_entries.size(1), generator=random)
    found = copies(atoms, bonds)
    assert found.dtype == dtype and next(model.parameters()).dtype == torch.float32
    for row in range(7):
        x, edge_attr = batch.x.clone(), batch.edge_attr.clone()
        x[tuple(copies.atom_entries)] *= atoms[row]
        edge_attr[tuple(copies.bond_entries)] *= bonds[row]
        expected = model(x, batch.edge_index, edge_attr, batch.batch)
        assert torch.allclose(found[row].float(), expected, atol=1e-6)


@pytest.mark.parametrize("smiles", ["O=C(CF)Nc1ccccc1", FLUOROACETALDEHYDE, "C", "FC(F)(F)C(F)(F)F", "[Na+].[Cl-]"])
def test_the_calculation_gives_the_numbers_of_the_trace(smiles):
    model, data = build("flucarb"), encode(from_smiles(smiles))
    trace = model.trace(data.x, data.edge_index, data.edge_attr)
    for layer, table in enumerate(trace.layers, start=1):
        for atom, row in enumerate(table.activations.tolist()):
            for column, value in enumerate(row):
                found = calculate_gine(model, data, trace, layer, column, atom)
                assert found.own + sum(term.value for term in found.terms) == pytest.approx(found.total, abs=1e-5)
                expected = np.tanh(found.total) if layer == 3 else found.total
                assert found.value == pytest.approx(value, abs=1e-6) == pytest.approx(expected, abs=1e-5)
                if layer == 2:
                    assert len(found.terms) == int((data.edge_index[1] == atom).sum())
    readout = calculate_gine(model, data, trace, 0, 0, 0)
    assert [term.value for term in readout.terms] == trace.layers[-1].activations.max(dim=0).values.tolist()
    assert 1 / (1 + np.exp(-readout.total)) == pytest.approx(readout.value, abs=1e-6)


def test_the_calculation_is_written_out():
    model, data = build("flucarb"), encode(from_smiles("O=C(CF)Nc1ccccc1"))
    trace = model.trace(data.x, data.edge_index, data.edge_attr)
    lines = calculate_gine(model, data, trace, 2, 3, 1).latex
    assert lines[:2] == (
        r"m_{0\to 1}&=\operatorname{relu}(h_{0}+b_{0,1})\quad\small\color{gray}\text{O0, double bond}",
        r"&=\operatorname{relu}(0+0)=0",
    )
    assert lines[-1] == r"&=1+0+0+0=\mathbf{1}"
    readout = calculate_gine(model, data, trace, 0, 0, 0)
    assert [term.text for term in readout.terms] == ["carbonyl: O0", "fluorine: C2"]
    assert readout.latex[-2] == r"s&=0.7616+0.7616-1.51=0.01319"


@pytest.mark.parametrize(
    "place, sentence",
    [((4, 0, 0), "no layer 4"), ((3, 2, 0), "Layer 3 .* no column 2"), ((1, 0, 9), "no atom 9")],
)
def test_the_calculation_says_what_there_is_not(place, sentence):
    model, data = build("flucarb"), encode(from_smiles(FLUOROACETALDEHYDE))
    with pytest.raises(InputError, match=sentence):
        calculate_gine(model, data, model.trace(data.x, data.edge_index, data.edge_attr), *place)
