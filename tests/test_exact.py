"""The exact integral: completeness on real molecules, a brute-force reference, batches."""

from functools import cache
from itertools import islice

import numpy as np
import pytest
import torch

from wombat_core.errors import InputError
from wombat_core.explainers import registry
from wombat_core.explainers.exact import ExactIntegratedGradients
from wombat_core.molecules.encoding import encode, encode_batch
from wombat_core.molecules.library import library_rows
from wombat_core.molecules.molecule import from_smiles
from wombat_core.molecules.positives import positives
from wombat_core.molecules.usability import exclusion_key
from wombat_core.whitebox.active_part import ActivePart
from wombat_core.whitebox.build import build
from wombat_core.whitebox.catalogue import pattern, patterns
from wombat_core.whitebox.model import Whitebox


@cache
def library_sample():
    found = []
    for row in islice(library_rows(), 11, None, 650):
        try:
            molecule = from_smiles(row.smiles)
        except InputError:
            continue
        if exclusion_key(molecule) is None:
            found.append(molecule)
    return found


@cache
def batch_of(number: int):
    return encode_batch([*map(from_smiles, positives()[number]), *library_sample()])


@pytest.mark.parametrize("readout", ["r1", "r2"])
@pytest.mark.parametrize("id", [id for id, pattern in patterns().items() if pattern.layers])
def test_completeness(id, readout):
    batch = batch_of(int(pattern(id).variant_of or id))
    assert batch.num_graphs > 100
    double = Whitebox(id, readout).double()
    with torch.no_grad():
        values = double(batch.x.double(), batch.edge_index, batch.edge_attr.double(), batch.batch)
        zero = double(0 * batch.x.double(), batch.edge_index, 0 * batch.edge_attr.double(), batch.batch)
    assert (values > 0.5).sum() >= 6
    totals = [attribution.total for attribution in ExactIntegratedGradients().attribute(Whitebox(id, readout), batch)]
    assert totals == pytest.approx((values - zero).tolist(), rel=1e-8, abs=1e-7)


@pytest.mark.parametrize(
    "id, readout, smiles",
    [
        ("5", "r2", "NC(=O)NN=C1CCCC(C(=O)O)C1"),
        ("5", "r1", "NC(=O)NN=C1CCCC(C(=O)O)C1"),
        ("4", "r2", "CCC(C)C(=O)OCC[N+](CC)(CC)CCCOS(=O)(=O)O"),
        ("12-smoothing", "r2", "CC(C)C(C=O)CC=O"),
    ],
)
def test_equals_a_fine_midpoint_rule(id, readout, smiles):
    data = encode(from_smiles(smiles))
    part = ActivePart(Whitebox(id, readout), data, torch.float64)
    points, reference = 200_000, np.zeros(part.atom_entries.size(1))
    for chunk in ((torch.arange(points).double() + 0.5) / points).split(20_000):
        scales = [chunk.unsqueeze(1).repeat(1, entries.size(1)) for entries in (part.atom_entries, part.bond_entries)]
        scales = [scale.requires_grad_() for scale in scales]
        reference += torch.autograd.grad(part(*scales).sum(), scales)[0].sum(dim=0).numpy() / points
    (exact,) = ExactIntegratedGradients().attribute(Whitebox(id, readout), encode_batch([from_smiles(smiles)]))
    found = exact.atoms[tuple(part.atom_entries.numpy())]
    scale = max(1, np.abs(reference).max())
    assert np.abs(found).sum() == pytest.approx(np.abs(exact.atoms).sum())
    # The midpoint rule itself is off by half a step times the jump of the gradient at a kink.
    assert found / scale == pytest.approx(reference / scale, abs=1e-4)


def test_figure_5_sums_to_one():
    (answer,) = ExactIntegratedGradients().attribute(
        Whitebox("5", "r2"), encode_batch([from_smiles("NC(=O)NN=C1CCCC(C(=O)O)C1")])
    )
    assert answer.total == pytest.approx(1, abs=1e-12)
    # The ranking error stays: it is the method's.
    assert answer.atom_scores[7] > answer.atom_scores[0]


@pytest.mark.parametrize("id, readout", [("5", "r2"), ("3", "r1"), ("7", "r2"), ("12-moving", "r2")])
def test_a_molecule_gets_the_same_answer_alone_or_in_a_batch(id, readout):
    molecules = [*map(from_smiles, positives()[int(pattern(id).variant_of or id)]), *library_sample()[:60]]
    model = Whitebox(id, readout)
    together = ExactIntegratedGradients().attribute(model, encode_batch(molecules))
    for molecule, expected in list(zip(molecules, together, strict=True))[::7]:
        (alone,) = ExactIntegratedGradients().attribute(model, encode_batch([molecule]))
        assert alone.atoms == pytest.approx(expected.atoms, rel=1e-9, abs=1e-12)
        assert alone.bonds == pytest.approx(expected.bonds, rel=1e-9, abs=1e-12)


def test_equal_atoms_under_r1_do_not_take_turns():
    (answer,) = ExactIntegratedGradients().attribute(Whitebox("14"), encode_batch([from_smiles("ClCCN(C)CCCl")]))
    assert (answer.atom_scores[:3] > 0).all()
    assert not answer.atom_scores[4:].any()
    assert answer.total == pytest.approx(1)


def test_more_steps_come_closer():
    batch = encode_batch([from_smiles("CC(C)C=O")])
    model = Whitebox("10", "r2")
    (exact,) = registry.explainer("integrated-gradients-exact").attribute(model, batch)
    errors = []
    for steps in (20, 200, 2000):
        (answer,) = registry.explainer("integrated-gradients", steps=steps).attribute(model, batch)
        errors.append(np.abs(answer.atoms - exact.atoms).max())
    assert errors[2] < errors[0] / 10
    assert errors[2] < 1e-3


@pytest.mark.parametrize("smiles", ["C", "[Na+].[Cl-]", "CC"])
def test_no_motif_no_attribution(smiles):
    for id in ("3", "12-moving"):
        (answer,) = ExactIntegratedGradients().attribute(Whitebox(id, "r2"), encode_batch([from_smiles(smiles)]))
        assert not answer.atoms.any()
        assert answer.total == 0


def test_completeness_on_a_network_of_another_kind():
    model, molecules = build("flucarb"), map(from_smiles, ["CC(=O)CF", "CCO", "FC(F)(F)C(=O)c1ccccc1C=O"])
    batch = encode_batch(list(molecules))
    with torch.no_grad():
        values = model(batch.x, batch.edge_index, batch.edge_attr, batch.batch)
        zero = model(0 * batch.x, batch.edge_index, 0 * batch.edge_attr, batch.batch)
    totals = [answer.total for answer in ExactIntegratedGradients().attribute(model, batch)]
    assert totals == pytest.approx((values - zero).tolist(), abs=1e-5)
    assert totals[0] > 0.3


def test_it_stands_after_integrated_gradients():
    names = registry.names()
    assert names[names.index("integrated-gradients") + 1] == ExactIntegratedGradients.name
