"""GNNExplainer, PGExplainer and the other mask and activation methods: published scores, and what is behind them."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch_geometric.explain import Explainer as PygExplainer
from torch_geometric.explain import GNNExplainer as PygGNNExplainer
from torch_geometric.explain.algorithm.graphmask_explainer import explain_message

from wombat_core import cache
from wombat_core.errors import InputError
from wombat_core.explainers.gnn_masks import MODEL_CONFIG
from wombat_core.explainers.left_out import LEFT_OUT
from wombat_core.explainers.pg_training import trained_mlp, training_set
from wombat_core.explainers.registry import explainer, explainer_class, names
from wombat_core.explainers.relu_modules import WithReluModules
from wombat_core.explainers.seeding import graph_seed
from wombat_core.explanation import explain
from wombat_core.ground_truth import contains_motif
from wombat_core.molecules import from_smiles
from wombat_core.molecules.encoding import encode, encode_batch
from wombat_core.progress import Stopped, listening
from wombat_core.whitebox.build import build
from wombat_core.whitebox.catalogue import pattern

FORMYL_ANION = "[CH-]=O.CCCCCCO"
NO_BIAS = ("12", "12-leaf", "12-moving")
"""The whiteboxes without a negative bias, but for the smoothing variant."""
OTHERS = tuple(str(number) for number in (*range(1, 12), 13, 14))
QUICK = explainer("pg-explainer", epochs=2, positives=4, negatives=2)


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WOMBAT_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def molecules_of(reference_scores):
    """The molecules of the published table for a pattern, those of either readout."""

    def molecules(id):
        return [from_smiles(smiles) for smiles in reference_scores[reference_scores.pattern == id].smiles.unique()]

    return molecules


def aurocs(molecules, id, readout, name):
    found = [each.scores.auroc for each in explain(molecules, build(id, readout), explainer(name))]
    return [auroc for auroc in found if auroc is not None]


# GNNExplainer


@pytest.mark.parametrize("readout", ["r1", "r2"])
@pytest.mark.parametrize("id", OTHERS)
def test_gnn_explainer_is_null_where_a_bias_is_negative(molecules_of, id, readout):
    explanations = explain(molecules_of(id), build(id, readout), explainer("gnn-explainer"))
    assert all(each.attribution.is_null for each in explanations)
    assert {each.scores.auroc for each in explanations} <= {0.5, None}


@pytest.mark.parametrize("readout", ["r1", "r2"])
@pytest.mark.parametrize("id", NO_BIAS)
def test_gnn_explainer_is_perfect_without_biases(molecules_of, id, readout):
    assert set(aurocs(molecules_of(id), id, readout, "gnn-explainer")) == {1.0}


def test_gnn_explainer_on_the_smoothing_variant(molecules_of):
    """Halved features leave p of 1e-8 or less after five multiplications: 1 - p is 1 in single precision.

    The published table has r2 only; under r1 nothing is rounded away, and the masks get a gradient.
    """
    molecules = molecules_of("12-smoothing")
    assert set(aurocs(molecules, "12-smoothing", "r2", "gnn-explainer")) == {0.5}
    assert set(aurocs(molecules, "12-smoothing", "r1", "gnn-explainer")) != {0.5}


def test_gnn_explainer_on_flucarb(reference_scores):
    rows = reference_scores[reference_scores.pattern == "flucarb"]
    found = aurocs([from_smiles(smiles) for smiles in rows.smiles], "flucarb", "r1", "gnn-explainer")
    assert np.mean(found) == pytest.approx(rows["gnn-explainer"].mean(), abs=0.05)


@pytest.mark.parametrize(("id", "readout"), [("12", "r1"), ("12-moving", "r2"), ("12-smoothing", "r1"), ("10", "r1")])
def test_a_batch_gives_the_masks_of_pyg_one_graph_at_a_time(id, readout):
    molecules = [from_smiles(smiles) for smiles in ("CC(=O)c1ccc(CC=O)cc1F", "CCC", "O=CCC=O")]
    model = build(id, readout)
    for molecule, found in zip(molecules, explain(molecules, model, explainer("gnn-explainer")), strict=True):
        graph = encode(molecule)
        algorithm = PygGNNExplainer(epochs=100, lr=0.01)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(graph_seed(0, graph))
            masks = PygExplainer(
                model,
                algorithm,
                explanation_type="model",
                model_config=MODEL_CONFIG,
                node_mask_type="attributes",
                edge_mask_type="object",
            )(graph.x, graph.edge_index, edge_attr=graph.edge_attr)
        assert np.allclose(found.attribution.atoms, masks.node_mask, atol=1e-5)
        assert np.allclose(found.attribution.bonds[:, 0], masks.edge_mask, atol=1e-5)


def test_gnn_explainer_leaves_the_network_and_the_random_state_as_they_were():
    batch, model = encode_batch([from_smiles("CCC=O")]), build("12")
    torch.manual_seed(7)
    expected = torch.rand(1)
    torch.manual_seed(7)
    explainer("gnn-explainer", epochs=3).attribute(model, batch)
    assert torch.equal(torch.rand(1), expected)
    assert all(convolution.explain is None and convolution._edge_mask is None for convolution in model.convolutions)


def test_gnn_explainer_can_be_stopped():
    def stop(share):
        raise Stopped

    with pytest.raises(Stopped), listening(stop):
        explainer("gnn-explainer").attribute(build("12"), encode_batch([from_smiles("CCC=O")]))


# PGExplainer


@pytest.mark.slow
@pytest.mark.parametrize(
    ("id", "readout"),
    [
        ("5", "r2"),
        ("14", "r1"),
        ("flucarb", "r1"),
    ],
)
def test_pg_explainer_is_null_where_a_bias_is_negative(molecules_of, id, readout):
    """A sample of the whiteboxes: training takes seconds for each.

    On Pattern 14 two half-open bonds reach the bias, so there is a gradient to learn from, and the published null holds
    from some seeds only; the default is one of them (see ``pg_settings``).
    """
    assert set(aurocs(molecules_of(id), id, readout, "pg-explainer")) == {0.5}


@pytest.mark.slow
@pytest.mark.parametrize(("id", "readout"), [("12", "r1"), ("12", "r2"), ("12-leaf", "r2")])
def test_pg_explainer_is_perfect_where_the_last_activations_tell(molecules_of, id, readout):
    assert set(aurocs(molecules_of(id), id, readout, "pg-explainer")) == {1.0}


@pytest.mark.slow
def test_pg_explainer_on_the_moving_variant_is_as_published(molecules_of, reference_scores):
    """The activation sits on the neighbours, so the bonds beyond them are marked too: never 1, never far from it."""
    found = aurocs(molecules_of("12-moving"), "12-moving", "r2", "pg-explainer")
    rows = reference_scores[reference_scores.pattern == "12-moving"]
    assert np.mean(found) > 0.95
    assert found == pytest.approx(rows["pg-explainer"].tolist(), abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("readout", ["r1", "r2"])
def test_pg_explainer_marks_formyl_anions(readout):
    """Figures S5 and S6: A.1 alone, without B.1, is enough for PGExplainer but not for the network."""
    model = build("12", readout)
    anion, both = explain([from_smiles(FORMYL_ANION), from_smiles("[CH-]=O.CCCC=O")], model, explainer("pg-explainer"))
    graph = encode(from_smiles(FORMYL_ANION))
    (layer,) = model.trace(graph.x, graph.edge_index, graph.edge_attr).layers
    assert layer.activations[0].tolist() == [1.0, 0.0]
    assert anion.prediction == 0 and not anion.truth.any()
    scores = anion.attribution.atom_scores
    assert scores[:2].min() > 0.5 and scores[2:].max() == 0
    assert anion.scores.iqr_pass is False
    # Beside a real aldehyde (atoms 4 to 6) the anion is marked as strongly as the aldehyde's own oxygen, but for 1%.
    assert both.prediction == 1 and both.truth[4:].all() and not both.truth[:4].any()
    assert both.attribution.atom_scores[:2].min() > 0.99 * both.attribution.atom_scores[6]


def test_the_training_set_is_labelled_rightly():
    for id in ("3", "12-leaf", "flucarb"):
        molecules = training_set(pattern(id), 20, 5)
        assert [label for _, label in molecules] == [1.0] * 20 + [0.0] * 5
        assert all(contains_motif(from_smiles(smiles), pattern(id)) == bool(label) for smiles, label in molecules)


def same(one, other) -> bool:
    return all(torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters(), strict=True))


def forget(monkeypatch):
    monkeypatch.setattr("wombat_core.explainers.pg_training._remembered", {})


def test_what_was_learnt_is_kept_and_found_again(tmp_path, monkeypatch):
    monkeypatch.setenv("WOMBAT_CACHE", str(tmp_path))
    forget(monkeypatch)
    model = build("12")
    first = trained_mlp(model, QUICK)
    (file,) = tmp_path.rglob("*.npz")
    forget(monkeypatch)
    monkeypatch.setattr("wombat_core.explainers.pg_training._train", None)
    assert same(trained_mlp(model, QUICK), first)
    monkeypatch.undo()
    monkeypatch.setenv("WOMBAT_CACHE", str(tmp_path))
    forget(monkeypatch)
    file.write_bytes(b"damaged")
    assert same(trained_mlp(model, QUICK), first)
    file.unlink()
    forget(monkeypatch)
    assert same(trained_mlp(model, QUICK), first)


def test_other_weights_readouts_and_settings_are_kept_apart(tmp_path, monkeypatch):
    monkeypatch.setenv("WOMBAT_CACHE", str(tmp_path))
    forget(monkeypatch)
    for id, readout, settings in (
        ("12", "r1", QUICK),
        ("12", "r2", QUICK),
        ("12-leaf", "r1", QUICK),
        ("12", "r1", replace(QUICK, lr=0.01)),
        ("12", "r1", replace(QUICK, negatives=3)),
        ("12", "r1", replace(QUICK, seed=1)),
    ):
        trained_mlp(build(id, readout), settings)
    assert len(list(tmp_path.rglob("*.npz"))) == 6


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("WOMBAT_CACHE", str(tmp_path / "file"))
    assert cache.save_arrays("kind", "key", {"a": np.ones(2)}) is False
    assert cache.load_arrays("kind", "key") is None


def test_the_cache_never_unpickles(tmp_path, monkeypatch):
    monkeypatch.setenv("WOMBAT_CACHE", str(tmp_path))
    cache.save_arrays("kind", "key", {"a": np.array([{}], dtype=object)})
    assert cache.load_arrays("kind", "key") is None


def test_the_cache_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.cache_folder() != tmp_path / "wombat-explorer"
    monkeypatch.delenv("WOMBAT_CACHE")
    assert cache.cache_folder() == tmp_path / "wombat-explorer"


def test_training_reports_progress_and_can_be_stopped(tmp_path, monkeypatch):
    monkeypatch.setenv("WOMBAT_CACHE", str(tmp_path))
    forget(monkeypatch)
    shares = []

    def listen(share):
        shares.append(share)
        if share > 0.5:
            raise Stopped

    with pytest.raises(Stopped), listening(listen):
        trained_mlp(build("12"), QUICK)
    assert shares == sorted(shares) and len(shares) > 3
    assert not list(tmp_path.rglob("*.npz"))


# Grad-CAM, guided backpropagation, PGM-Explainer


def test_grad_cam_by_hand():
    """Mean gradient of every channel over the atoms, times activation, summed over channels."""
    molecule, model = from_smiles("CC(C)C(=O)CC=O"), build("12-moving", "r1")
    graph = encode(molecule)
    for layer in (1, 2, 3):
        z = model.activations(graph.x, graph.edge_index, graph.edge_attr)[layer - 1].requires_grad_()
        later = z
        for convolution in model.convolutions[layer:]:
            later = convolution(later, graph.edge_index, graph.edge_attr)
        later.prod(dim=1).max().backward()
        expected = (z.grad.mean(dim=0) * z).sum(dim=1).relu().detach()
        (found,) = explain([molecule], model, explainer("grad-cam", layer=layer))
        assert np.allclose(found.attribution.atom_scores, expected, atol=1e-6) and expected.max() > 0
    with pytest.raises(InputError, match="There is no layer 4; this network has 3"):
        explain([molecule], model, explainer("grad-cam", layer=4))


@pytest.mark.parametrize("id", ["1", "9", "12-smoothing", "flucarb"])
def test_relu_modules_change_nothing(id, molecules_of):
    batch = encode_batch(molecules_of(id)[:3])
    for readout in ("r1", "r2"):
        model = build(id, readout)
        network = WithReluModules(model, (batch.x, batch.edge_index, batch.edge_attr, batch.batch))
        expected = model(batch.x, batch.edge_index, batch.edge_attr, batch.batch)
        assert torch.equal(network(batch.x, batch.edge_attr, batch.edge_index, batch.batch), expected)
        assert len(network.relus) > 0


def test_guided_backpropagation_stops_negative_gradients(molecules_of):
    """Pattern 9 takes single-bonded sulfur away with weight -10: the plain gradient has that, the guided one not."""
    molecules = molecules_of("9")
    model = build("9", "r1")
    plain, guided = (explain(molecules, model, explainer(name)) for name in ("input-x-gradient", "guided-backprop"))
    assert any(np.abs(each.attribution.atoms).max() > 0 for each in plain)
    assert all(each.attribution.bonds.min() >= 0 for each in guided)
    assert any(not each.attribution.is_null for each in guided)
    assert all(each.attribution.is_null for each in explain(molecules, build("9", "r2"), explainer("guided-backprop")))


def test_pgm_explainer_finds_what_matters(molecules_of):
    assert set(aurocs(molecules_of("12"), "12", "r2", "pgm-explainer")) == {1.0}
    (explanation,) = explain([from_smiles("CCC")], build("12"), explainer("pgm-explainer"))
    assert explanation.attribution.is_null


@pytest.mark.parametrize("name", ["pgm-explainer", "gnn-explainer"])
def test_a_seed_is_an_answer(name):
    batch, model = encode_batch([from_smiles("CCCC=O")]), build("12", "r2")
    first, again, other = (explainer(name, seed=seed).attribute(model, batch)[0].atoms for seed in (1, 1, 2))
    assert np.array_equal(first, again) and not np.array_equal(first, other)


@pytest.mark.parametrize("name", ["gnn-explainer", "pgm-explainer", "grad-cam", "guided-backprop"])
@pytest.mark.parametrize("id", ["12", "12-moving", "flucarb"])
def test_alone_or_in_a_batch(name, id):
    molecules = [from_smiles(smiles) for smiles in ("CC(=O)c1ccc(CC=O)cc1F", "C", "O=CCCC=O", "[Na+].[Cl-]")]
    model, method = build(id), explainer(name)
    for molecule, together in zip(molecules, explain(molecules, model, method), strict=True):
        (alone,) = explain([molecule], model, method)
        assert np.allclose(alone.attribution.atoms, together.attribution.atoms, atol=1e-6)
        assert np.isfinite(together.attribution.atoms).all()


# What the registry says


@pytest.mark.parametrize("name", names())
def test_every_explainer_says_when_it_is_null(name):
    sentence = explainer_class(name).when_null
    assert sentence.endswith(".") and 15 < len(sentence) < 300


def test_those_left_out_say_why():
    for name in ("deep-lift", "graph-mask"):
        with pytest.raises(InputError, match=f"'{name}' is left out: "):
            explainer(name)
    assert not set(LEFT_OUT) & set(names())


def test_graph_mask_would_silence_layers_of_one_channel():
    class Convolution:
        pass

    message = explain_message(Convolution(), torch.rand(5, 1), torch.rand(5, 2), torch.rand(5, 2))
    assert message.abs().max() == 0


@pytest.mark.parametrize(
    ("id", "readout", "smiles", "prediction", "total"),
    [
        ("10", "r1", "CC(C)CC", 1, 3),
        ("5", "r1", "NC(=O)NN=C1CCCC(C(=O)O)C1", 16, 2032),
        ("6", "r2", "CC(C)C(C)C", 1, 0),
    ],
)
def test_deep_lift_does_not_add_up(id, readout, smiles, prediction, total):
    from captum.attr import DeepLift

    graph, model = encode_batch([from_smiles(smiles)]), build(id, readout)

    class InputThenBaseline(torch.nn.Module):
        """Captum evaluates the input and its baseline stacked; here they are two graphs."""

        def __init__(self):
            super().__init__()
            self.network = WithReluModules(model, (graph.x, graph.edge_index, graph.edge_attr, graph.batch))

        def forward(self, x, edge_attr):
            copies = range(len(x) // graph.num_nodes)
            edge_index = torch.cat([graph.edge_index + copy * graph.num_nodes for copy in copies], dim=1)
            return self.network(x, edge_attr, edge_index, torch.cat([graph.batch + copy for copy in copies]))

    inputs = tuple(tensor.clone().requires_grad_() for tensor in (graph.x, graph.edge_attr))
    with pytest.warns(UserWarning, match="hooks"):
        atoms, bonds = DeepLift(InputThenBaseline()).attribute(inputs)
    assert model(graph.x, graph.edge_index, graph.edge_attr).item() == prediction
    assert (atoms.sum() + bonds.sum()).item() == pytest.approx(total, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("name", ["grad-cam", "guided-backprop", "pg-explainer", "gnn-explainer"])
def test_threads_that_share_a_network_do_not_disturb_each_other(name):
    """Two sessions of the server use one network; hooks and masks must not meet there."""
    from concurrent.futures import ThreadPoolExecutor

    model = build("12", "r1")
    method = QUICK if name == "pg-explainer" else explainer(name)
    molecules = [from_smiles(smiles) for smiles in ("CC=O", "CCCCC=O", "O=CCCCCCC=O", "CC(C)C=O") * 3]

    def scores(molecule):
        return explain([molecule], model, method)[0].attribution.atom_scores

    alone = [scores(molecule) for molecule in molecules]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(scores, molecules))
    for expected, found in zip(alone, together, strict=True):
        np.testing.assert_array_equal(found, expected)
