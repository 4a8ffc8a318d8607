import numpy as np
import pytest
import torch
from captum.attr import IntegratedGradients
from rdkit import Chem
from torch import nn

from wombat_core.errors import InputError
from wombat_core.explainers.estimate import Estimate, estimate
from wombat_core.explainers.registry import explainer, explainer_class, explainer_taking, names
from wombat_core.explainers.seeding import Stream, seeded
from wombat_core.explainers.settings import settings_of
from wombat_core.explanation import explain
from wombat_core.molecules import from_smiles
from wombat_core.molecules.encoding import encode, encode_batch
from wombat_core.whitebox.build import build
from wombat_core.whitebox.catalogue import patterns
from wombat_core.whitebox.model import Whitebox

FIGURE_5 = "NC(=O)NN=C1CCCC(C(=O)O)C1"
DETERMINISTIC = ["integrated-gradients", "saliency", "input-x-gradient"]
SOME = [FIGURE_5, "C", "CC(C)C=O", "[Na+].[Cl-]", "CC(Cl)C(C)CCC", "c1ccccc1"]


def step_by_step(model: nn.Module, smiles: str, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Captum's integrated gradients on the plain network, one forward pass a step."""
    data = encode(from_smiles(smiles))

    def forward(x, edge_attr):
        return model(x[0], data.edge_index, edge_attr[0])

    atoms, bonds = IntegratedGradients(forward).attribute(
        (data.x[None], data.edge_attr[None]), n_steps=steps, internal_batch_size=1
    )
    return atoms[0].detach().numpy(), bonds[0].detach().numpy()


@pytest.mark.parametrize("readout", ["r1", "r2"])
@pytest.mark.parametrize("id", patterns())
def test_integrated_gradients_equal_captum_step_by_step(id, readout):
    smiles = "CC(Cl)C(=O)OCCN(CC)CC" if id == "4" else "CC(C)C(C)CCC=O"
    model = build(id, readout)
    (attribution,) = explainer("integrated-gradients", steps=20).attribute(model, encode_batch([from_smiles(smiles)]))
    atoms, bonds = step_by_step(model, smiles, 20)
    assert np.allclose(attribution.atoms, atoms, rtol=1e-5, atol=1e-5)
    assert np.allclose(attribution.bonds, bonds, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("method", ["gausslegendre", "riemann_trapezoid"])
def test_many_steps_equal_captums_own_rule(method, monkeypatch):
    batch, model = encode_batch([from_smiles(FIGURE_5)]), Whitebox(5, "r2")
    few = explainer("integrated-gradients", steps=120, method=method)
    (own,) = few.attribute(model, batch)
    monkeypatch.setattr("wombat_core.explainers.integrated.MANY_STEPS", 1)
    monkeypatch.setattr("wombat_core.explainers.integrated.MESSAGES_AT_ONCE", 1000)
    (given,) = few.attribute(model, batch)
    assert np.allclose(own.atoms, given.atoms, atol=1e-6) and np.allclose(own.bonds, given.bonds, atol=1e-6)


def test_figure_5_attributions():
    """IG under r2 puts the bystander, atom 7 (0.011), above the motif's nitrogen, atom 0 (0.006)."""
    (explanation,) = explain([from_smiles(FIGURE_5)], Whitebox(5, "r2"), explainer("integrated-gradients"))
    importance = explanation.attribution.atom_scores
    assert importance[7] == pytest.approx(0.011, abs=5e-4)
    assert importance[0] == pytest.approx(0.006, abs=5e-4)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("readout", ["r1", "r2"])
def test_alone_or_in_a_batch_the_answer_is_the_same(name, readout):
    molecules = [from_smiles(smiles) for smiles in SOME]
    model, method = Whitebox(10, readout), explainer(name)
    for molecule, together in zip(molecules, explain(molecules, model, method), strict=True):
        (alone,) = explain([molecule], model, method)
        assert np.allclose(alone.attribution.atoms, together.attribution.atoms, atol=1e-7)
        if alone.attribution.bonds is not None:
            assert np.allclose(alone.attribution.bonds, together.attribution.bonds, atol=1e-7)


@pytest.mark.parametrize("name", ["shapley-value-sampling", "random", "random-atoms"])
def test_a_seed_is_an_answer_and_another_seed_another(name):
    batch, model = encode_batch([from_smiles(FIGURE_5)]), Whitebox(5, "r2")
    first, again, other = (explainer(name, seed=seed).attribute(model, batch)[0].atoms for seed in (1, 1, 2))
    assert np.array_equal(first, again) and not np.array_equal(first, other)


def test_sampling_leaves_the_global_random_state_alone():
    torch.manual_seed(7)
    expected = torch.rand(1)
    torch.manual_seed(7)
    explainer("shapley-value-sampling", samples=3).attribute(Whitebox(12), encode_batch([from_smiles("CCC=O")]))
    assert torch.equal(torch.rand(1), expected)


def test_shapley_values_are_efficient():
    """Over each order the marginal gains add up to F(x) - F(0), so their means do."""
    batch = encode_batch([from_smiles(FIGURE_5)])
    (attribution,) = explainer("shapley-value-sampling", samples=10).attribute(Whitebox(5, "r1"), batch)
    assert attribution.total == pytest.approx(16, rel=1e-5)


@pytest.mark.parametrize("name", DETERMINISTIC)
@pytest.mark.parametrize(("id", "readout"), [("5", "r1"), ("5", "r2"), ("12", "r1"), ("12-smoothing", "r2")])
def test_rewriting_a_smiles_permutes_the_attributions(name, id, readout):
    smiles = "CC(=O)c1ccc(CC=O)cc1F" if id != "5" else FIGURE_5
    original = Chem.MolFromSmiles(smiles)
    model, method = Whitebox(id, readout), explainer(name)
    (expected,) = explain([from_smiles(smiles)], model, method)
    for root in range(original.GetNumAtoms()):
        rewritten = Chem.MolToSmiles(original, rootedAtAtom=root, canonical=False)
        order = list(original.GetPropsAsDict(True, True)["_smilesAtomOutputOrder"])
        (found,) = explain([from_smiles(rewritten)], model, method)
        assert np.allclose(found.attribution.atom_scores, expected.attribution.atom_scores[order], atol=1e-5)
        assert found.prediction == expected.prediction
        assert found.truth.tolist() == expected.truth[order].tolist()
        assert found.scores.auroc == pytest.approx(expected.scores.auroc, abs=1e-9)


def test_a_tie_under_r1_goes_to_the_first_match_as_published():
    """Two equal chloroethyl groups under Pattern 14: only the first is explained, AUROC 0.75 (reference scores)."""
    (explanation,) = explain([from_smiles("O=P(CCc1ccccc1)(OCCCl)OCCCl")], Whitebox(14), explainer("saliency"))
    assert explanation.scores.auroc == 0.75
    assert explanation.attribution.atom_scores[[12, 13]].sum() > 0
    assert explanation.attribution.atom_scores[[16, 17]].sum() == 0


def test_null_answers_say_so():
    molecules = [from_smiles(FIGURE_5)]
    (saliency,) = explain(molecules, Whitebox(5, "r2"), explainer("saliency"))
    (integrated,) = explain(molecules, Whitebox(5, "r2"), explainer("integrated-gradients"))
    assert saliency.attribution.is_null and not integrated.attribution.is_null


def test_no_bonds_no_attribution():
    for name in names():
        (explanation,) = explain([from_smiles("C")], Whitebox(10), explainer(name))
        assert explanation.attribution.atoms.shape == (1, 110)
        assert explanation.attribution.bonds is None or explanation.attribution.bond_scores.shape == (0,)
        assert np.isfinite(explanation.attribution.atoms).all()


def test_shared_settings_go_to_those_that_have_them():
    shared = {"steps": 7, "n_samples": 9, "seed": None}
    assert explainer_taking("integrated-gradients", shared) == explainer("integrated-gradients", steps=7)
    assert explainer_taking("shapley-value-sampling", shared) == explainer("shapley-value-sampling", samples=9)
    assert explainer_taking("saliency", shared) == explainer("saliency")
    with pytest.raises(InputError, match="steps takes a whole number from 1 to 100,000"):
        explainer_taking("integrated-gradients", {"steps": 0})


def test_an_unknown_explainer_is_one_sentence():
    with pytest.raises(InputError, match=r"There is no explainer 'lime'; choose from .*random"):
        explainer("lime")


def test_random_numbers_do_not_depend_on_who_else_draws():
    def drawn(disturb: bool) -> list[float]:
        stream, numbers = Stream(3), []
        for _ in range(4):
            with stream.step():
                numbers.append(torch.rand(()).item())
            if disturb:
                torch.rand(5)
                with seeded(9):
                    torch.rand(2)
        return numbers

    with seeded(3):
        expected = torch.rand(4).tolist()
    assert drawn(False) == drawn(True) and drawn(False)[0] == expected[0] and len(set(drawn(False))) == 4


def test_every_setting_has_limits_and_a_meaning():
    for name in names():
        for setting in settings_of(explainer_class(name)).values():
            assert setting.parse(setting.text(setting.default)) == setting.default
            assert setting.meaning, (name, setting.name)
            assert (
                isinstance(setting.default, bool) or setting.choices or setting.form or setting.least <= setting.default
            )


def test_expensive_explainers_say_before_what_they_take():
    model = build(5)
    for name in names():
        kind = explainer_class(name)
        assert (estimate(kind(), model, 14) is not None) == kind.expensive, name
    assert [Estimate(seconds).time for seconds in (0.2, 2.1, 33, 200)] == [
        "under 1 s",
        "about 3 s",
        "about 35 s",
        "about 4 min",
    ]
    with pytest.raises(InputError, match="this one has 15"):
        estimate(explainer("shapley-exact"), model, 15)
