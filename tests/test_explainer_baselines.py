"""Integrated gradients and Shapley values from other baselines than zero, and what they leave unexplained."""

import captum.attr
import numpy as np
import pytest
import torch

from wombat_core.errors import InputError
from wombat_core.explainers.registry import explainer
from wombat_core.explanation import explain
from wombat_core.molecules import from_smiles
from wombat_core.molecules.encoding import encode
from wombat_core.molecules.positives import positives
from wombat_core.paths.baselines import baseline, names
from wombat_core.whitebox.build import build
from wombat_core.whitebox.catalogue import fourteen
from wombat_core.whitebox.evaluation import AnchoredPart, CopiesEvaluation, scaled_evaluation

FIGURE_5 = "NC(=O)NN=C1CCCC(C(=O)O)C1"
BASELINES = ("zero", "mean-atom", "bonds-kept", "without-N")


@pytest.mark.parametrize("name", BASELINES)
@pytest.mark.parametrize(("id", "readout"), [("5", "r1"), ("5", "r2"), ("12", "r1"), ("flucarb", "r1")])
def test_integrated_gradients_equal_captums_with_the_same_baseline(name, id, readout):
    smiles = FIGURE_5 if id == "5" else "CC(N)CC=O"
    model = build(id) if id == "flucarb" else build(id, readout)
    data = encode(from_smiles(smiles))
    start = baseline(name, data)

    def forward(x, edge_attr):
        return model(x[0], data.edge_index, edge_attr[0])

    atoms, bonds = captum.attr.IntegratedGradients(forward).attribute(
        (data.x[None], data.edge_attr[None]),
        baselines=(start.x.float()[None], start.edge_attr.float()[None]),
        n_steps=20,
        internal_batch_size=1,
    )
    method = explainer("integrated-gradients", steps=20, baseline=name)
    (found,) = explain([from_smiles(smiles)], model, method)
    assert np.allclose(found.attribution.atoms, atoms[0].detach(), rtol=1e-5, atol=1e-5)
    assert np.allclose(found.attribution.bonds, bonds[0].detach(), rtol=1e-5, atol=1e-5)
    begins = model(start.x.float(), data.edge_index, start.edge_attr.float()).item()
    total = float(atoms.detach().sum() + bonds.detach().sum())
    assert found.gap == pytest.approx(total - (found.prediction - begins), abs=1e-4)


@pytest.mark.parametrize("name", ["bonds-kept", "without-C"])
def test_a_fixed_part_of_the_input_is_evaluated_as_copies_of_the_network_are(name):
    data, model = encode(from_smiles(FIGURE_5)), build(5, "r1")
    start = baseline(name, data)
    starts = (start.x, start.edge_attr)
    part = scaled_evaluation(model, data, torch.float64, starts)
    copies = CopiesEvaluation(model, data, torch.float64, starts)
    assert isinstance(part, AnchoredPart)
    places = {tuple(entry): place for place, entry in enumerate(copies.atom_entries.T.tolist())}
    scales = torch.rand(6, copies.atom_entries.size(1), generator=torch.Generator().manual_seed(0)).double() / 20 + 0.95
    own = scales[:, [places[tuple(entry)] for entry in part.atom_entries.T.tolist()]]
    none = torch.zeros(6, 0).double()
    assert torch.allclose(part(own, none), copies(scales, none)) and part(own, none).std() > 0


@pytest.mark.parametrize("name", BASELINES)
@pytest.mark.parametrize("readout", ["r1", "r2"])
def test_exact_integrals_leave_no_gap(name, readout):
    molecules = [from_smiles(FIGURE_5), from_smiles("NC(=O)NN=C1CCCCC1")]
    for found in explain(molecules, build(5, readout), explainer("integrated-gradients-exact", baseline=name)):
        assert found.gap == pytest.approx(0, abs=1e-4 * max(1, found.prediction)), name
    (coarse,) = explain(molecules[:1], build(5, "r2"), explainer("integrated-gradients"))
    assert coarse.gap == pytest.approx(0.30, abs=0.01)  # they sum to 1.30: Figure 5's molecule, 50 steps


@pytest.mark.parametrize("id", [entry.id for entry in fourteen()])
@pytest.mark.parametrize("name", ["zero", "bonds-kept", "mean-atom"])
def test_shapley_values_are_efficient_on_every_pattern(id, name):
    """Over each order the gains add up to F(x) - F(baseline): a player's value is split over its features, not kept."""
    molecule = from_smiles(min(positives()[int(id)], key=len))
    (found,) = explain([molecule], build(id), explainer("shapley-value-sampling", samples=2, baseline=name))
    assert found.prediction >= 1
    assert found.gap == pytest.approx(0, abs=1e-4 * found.prediction)


def test_exact_shapley_values_leave_no_gap():
    (found,) = explain([from_smiles("CC(C)C=O")], build(12), explainer("shapley-exact"))
    assert found.prediction == 1 and found.gap == pytest.approx(0, abs=1e-9)
    (other,) = explain([from_smiles("CC(C)C=O")], build(12), explainer("saliency"))
    assert other.gap is None


def test_a_baseline_that_a_molecule_does_not_have_is_one_sentence():
    method = explainer("integrated-gradients", baseline="without-Xe")
    with pytest.raises(InputError, match="There is no baseline 'without-Xe' for this molecule; choose from zero"):
        explain([from_smiles("CCO")], build(12), method)
    with pytest.raises(InputError, match="baseline takes zero, mean-atom, bonds-kept, or without- and an element"):
        explainer("integrated-gradients", baseline="mean")
    assert names(encode(from_smiles("CCO"))) == ["zero", "mean-atom", "bonds-kept", "without-C", "without-O"]
