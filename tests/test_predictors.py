"""GIN and GCN: their equations, their training, what is kept of it, and the learnt motif."""

import warnings

import numpy as np
import pytest
import torch
from torch_geometric.data import Batch, Data
from torch_geometric.nn import GCNConv

from wombat_core.errors import InputError
from wombat_core.explainers.registry import explainer
from wombat_core.explanation import explain
from wombat_core.ground_truth import contains_motif
from wombat_core.molecules import from_smiles
from wombat_core.networks.class_value import ClassValue
from wombat_core.networks.molecule_sets import split_places
from wombat_core.networks.motif import MotifPredictor, balanced, train_on_motif
from wombat_core.networks.networks import Architecture, KeptDegrees, Predictor
from wombat_core.networks.scores import score_split
from wombat_core.networks.training import PUBLISHED, Curve, GraphSplits, TrainingSettings, train
from wombat_core.progress import Stopped, listening
from wombat_core.whitebox.catalogue import pattern

QUICK = TrainingSettings(epochs=60, lr=0.02)


@pytest.fixture
def ring():
    """A ring of 30 nodes whose label is the sign of its first feature."""
    random = torch.Generator().manual_seed(1)
    x = torch.randn(30, 4, generator=random)
    there = torch.arange(30)
    edges = torch.stack([there, (there + 1) % 30])
    part = torch.arange(30) % 5
    return Data(
        x=x,
        edge_index=torch.cat([edges, edges.flip(0)], dim=1),
        y=(x[:, 0] > 0).long(),
        train_mask=part < 3,
        val_mask=part == 3,
        test_mask=part == 4,
    )


def gin(data, **changes):
    return Predictor(Architecture("gin", data.num_features, **changes), seed=0)


# Networks


def test_a_gin_by_hand(ring):
    """h_i = relu(W (x_i + sum_j x_j) + b) three times, then a linear layer."""
    model = gin(ring)
    adjacent = torch.zeros(30, 30)
    adjacent[ring.edge_index[0], ring.edge_index[1]] = 1
    h = ring.x
    for convolution in model.convolutions:
        linear = convolution.nn.linears[0]
        h = ((torch.eye(30) + adjacent) @ h @ linear.weight.T + linear.bias).relu()
    expected = h @ model.head.weight.T + model.head.bias
    assert torch.allclose(model(ring.x, ring.edge_index), expected, atol=1e-5)
    assert model(ring.x, ring.edge_index).shape == (30, 2)


def test_the_gcn_is_pygs_where_the_graph_is_whole(ring):
    own, pyg = KeptDegrees(4, 5), GCNConv(4, 5)
    pyg.load_state_dict(own.state_dict())
    degrees = torch.full((30,), 2.0)
    assert torch.allclose(own(ring.x, ring.edge_index, degrees), pyg(ring.x, ring.edge_index), atol=1e-6)


@pytest.mark.parametrize("pooling", ["add", "mean"])
def test_graphs_are_pooled(ring, pooling):
    model = Predictor(Architecture("gcn", 4, num_classes=3, level="graph", pooling=pooling), seed=2)
    one = model(ring.x, ring.edge_index)
    two = Batch.from_data_list([Data(ring.x, ring.edge_index)] * 2)
    assert one.shape == (1, 3)
    assert torch.allclose(model(two.x, two.edge_index, None, two.batch), one.expand(2, 3), atol=1e-5)


def test_the_seed_decides_the_weights_and_leaves_the_random_state_alone(ring):
    torch.manual_seed(5)
    expected = torch.rand(1)
    torch.manual_seed(5)
    first, second = gin(ring), gin(ring)
    assert torch.equal(torch.rand(1), expected)
    assert torch.equal(first.head.weight, second.head.weight)
    assert not torch.equal(Predictor(first.architecture, 1).head.weight, first.head.weight)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"kind": "gat"}, "There is no network 'gat'; choose gin or gcn."),
        ({"kind": "gin", "level": "edge"}, "There is no level 'edge'; choose node or graph."),
        ({"kind": "gin", "pooling": "max"}, "There is no pooling 'max'; choose add or mean."),
        ({"kind": "gin", "num_classes": 1}, "A predictor needs num_classes of at least 2, not 1."),
    ],
)
def test_impossible_networks_are_refused(changes, sentence):
    with pytest.raises(InputError, match=sentence):
        Architecture(num_features=4, **changes)


# Training


def test_the_papers_settings():
    """GraphXAI, Implementation details: GIN lr 1e-2, decay 1e-5, 1000 epochs; the other lr 3e-2, none, 1500."""
    assert [(own.lr, own.weight_decay, own.epochs) for own in (PUBLISHED["gin"], PUBLISHED["gcn"])] == [
        (1e-2, 1e-5, 1000),
        (3e-2, 0.0, 1500),
    ]


def test_training_learns_reports_and_is_kept(ring, tmp_path, monkeypatch):
    monkeypatch.setenv("WOMBAT_CACHE", str(tmp_path))
    model, curve, shares = gin(ring), Curve(), []
    before = model.head.weight.clone()
    with listening(shares.append):
        first = train(model, ring, QUICK, curve)
    assert torch.equal(model.head.weight, before)
    assert curve.losses == list(first.losses)
    assert len(first.losses) == curve.epochs == 60
    assert first.losses[-1] < 0.5 * first.losses[0]
    assert shares == sorted(shares)
    assert {name: own.size for name, own in first.scores.items()} == {"train": 18, "val": 6, "test": 6}
    assert first.scores["train"].accuracy > 0.9
    again = train(model, ring, QUICK, other := Curve())
    assert (first.from_cache, again.from_cache) == (False, True)
    assert torch.equal(again.model.head.weight, first.model.head.weight)
    assert other.losses == pytest.approx(curve.losses)
    assert again.scores == first.scores
    assert not train(model, ring, TrainingSettings(epochs=2, seed=1)).from_cache
    ring.y = 1 - ring.y
    assert not train(model, ring, TrainingSettings(epochs=2)).from_cache


def test_a_damaged_file_is_trained_anew(ring, tmp_path, monkeypatch):
    monkeypatch.setenv("WOMBAT_CACHE", str(tmp_path))
    settings = TrainingSettings(epochs=2)
    first = train(gin(ring), ring, settings)
    (path,) = (tmp_path / "predictor").iterdir()
    path.write_bytes(path.read_bytes()[:100])
    again = train(gin(ring), ring, settings)
    assert not again.from_cache
    assert torch.equal(again.model.head.weight, first.model.head.weight)


def test_training_can_be_stopped_and_leaves_nothing(ring, tmp_path, monkeypatch):
    monkeypatch.setenv("WOMBAT_CACHE", str(tmp_path))

    def stop(share):
        if share > 0.5:
            raise Stopped

    curve = Curve()
    with pytest.raises(Stopped), listening(stop):
        train(gin(ring), ring, QUICK, curve)
    assert 0 < len(curve.losses) < 60
    assert not (tmp_path / "predictor").exists()


def test_graphs_are_trained_on_in_batches(ring, tmp_path, monkeypatch):
    monkeypatch.setenv("WOMBAT_CACHE", str(tmp_path))
    random = torch.Generator().manual_seed(0)
    graphs = [
        Data(torch.randn(30, 4, generator=random) + 2 * (k % 2), ring.edge_index, y=torch.tensor([k % 2]))
        for k in range(24)
    ]
    splits = GraphSplits(graphs[:16], graphs[16:20], graphs[20:])
    found = train(gin(ring, level="graph"), splits, TrainingSettings(epochs=20, lr=3e-3, graphs_at_once=4))
    assert found.scores["test"].accuracy == found.scores["test"].f1 == 1.0


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda data: data.update({"x": data.x[:, :3]}), "reads 4 features a node; the data have 3"),
        (lambda data: data.update({"y": data.y + 1}), "has 2 classes; the labels go up to 2"),
        (lambda data: data.update({"train_mask": data.val_mask & False}), "the training part is empty"),
    ],
)
def test_data_that_do_not_fit_are_refused(ring, spoil, sentence):
    model = gin(ring)
    spoil(ring)
    with pytest.raises(InputError, match=sentence):
        train(model, ring, QUICK)


def test_settings_outside_their_limits_are_refused():
    with pytest.raises(InputError, match="epochs takes a whole number from 1 to 100,000, not '0'"):
        TrainingSettings(epochs=0)


def test_accuracy_and_f1_by_hand():
    """Class 1: TP = 1, FP = 1, FN = 1, so F1 = 1/2. Three classes: F1 of 1, 2/3 and 0, mean 5/9."""
    two = score_split(np.array([1, 1, 0, 0]), np.array([1, 0, 1, 0]), 2)
    assert (two.size, two.accuracy, two.f1) == (4, 0.5, 0.5)
    three = score_split(np.array([0, 1, 1]), np.array([0, 1, 2]), 3)
    assert three.f1 == pytest.approx(5 / 9)


# The value of a class


def test_the_value_is_the_probability_or_the_logit(ring):
    model = gin(ring, level="graph", num_classes=3)
    logits = model(ring.x, ring.edge_index)[0]
    assert ClassValue(model, 2)(ring.x, ring.edge_index).item() == pytest.approx(logits.softmax(0)[2].item())
    assert ClassValue(model, 2, "logit")(ring.x, ring.edge_index).item() == pytest.approx(logits[2].item())
    with pytest.raises(InputError, match=r"There is no class 3; the predictor has 3\."):
        ClassValue(model, 3)
    with pytest.raises(InputError, match="probability or logit"):
        ClassValue(model, 0, "odds")


def test_of_a_node_predictor_the_first_node_of_every_graph_counts(ring):
    model = gin(ring)
    two = Batch.from_data_list([Data(ring.x, ring.edge_index), Data(ring.x.flip(0), ring.edge_index)])
    found = ClassValue(model, 1)(two.x, two.edge_index, None, two.batch)
    expected = [model(x, ring.edge_index).softmax(1)[0, 1].item() for x in (ring.x, ring.x.flip(0))]
    assert found.tolist() == pytest.approx(expected)


# A learnt motif


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WOMBAT_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield train_on_motif("4", TrainingSettings(epochs=20, lr=3e-3, graphs_at_once=16), most=24)


def test_positives_and_negatives_are_balanced_and_alike_in_size(learnt):
    with_motif, without = balanced(pattern("4"), 24)
    assert learnt.positives == learnt.negatives == len(set(with_motif)) == len(set(without))
    labels = [[contains_motif(from_smiles(smiles), pattern("4")) for smiles in own] for own in (with_motif, without)]
    assert all(labels[0]) and not any(labels[1])
    sizes = [[from_smiles(smiles).num_atoms for smiles in own] for own in (with_motif, without)]
    assert np.median(np.abs(np.subtract(*sizes))) == 0
    # The published positives of 158 and 263 atoms have few molecules of their size beside them.
    assert np.abs(np.subtract(*sizes)).mean() < 5


def test_the_splits_are_disjoint_and_stratified():
    parts = split_places(100, 50, seed=3)
    assert [len(part) for part in parts] == [105, 15, 30]
    assert sorted(place for part in parts for place in part) == list(range(150))
    assert [sum(place < 100 for place in part) for part in parts] == [70, 10, 20]
    assert parts == split_places(100, 50, seed=3) != split_places(100, 50, seed=4)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("saliency", {}),
        ("input-x-gradient", {}),
        ("guided-backprop", {}),
        ("integrated-gradients", {"steps": 8}),
        ("integrated-gradients", {"steps": 501}),
        ("grad-cam", {}),
        ("gnn-explainer", {"epochs": 3}),
        ("pgm-explainer", {"samples": 10}),
        ("pg-explainer", {"epochs": 1, "positives": 4, "negatives": 2}),
        ("subgraphx", {"rollouts": 2, "samples": 4}),
        ("shapley-value-sampling", {"samples": 3}),
        ("shapley-exact", {}),
        ("oracle", {}),
        ("random", {}),
    ],
)
def test_a_learnt_motif_goes_to_all_explainers(learnt, name, settings):
    molecules = [from_smiles(smiles) for smiles in ("NCC(=O)O", "CCC=O")]
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        found = explain(molecules, learnt.model, explainer(name, **settings))
    for molecule, each in zip(molecules, found, strict=True):
        assert each.attribution.atom_scores.shape == (molecule.num_atoms,)
        assert np.isfinite(each.attribution.atoms).all()
        assert 0 <= each.prediction <= 1


def test_attributions_of_a_learnt_motif_are_complete_and_batch_free(learnt):
    """Many steps of integrated gradients on the logit sum to logit(x) - logit(0)."""
    model = learnt.model.giving("logit")
    assert isinstance(model, MotifPredictor) and model.readout == "logit"
    molecules = [from_smiles(smiles) for smiles in ("NCC(=O)O", "CCC=O")]
    together = explain(molecules, model, explainer("integrated-gradients", steps=300))
    alone = [explain([own], model, explainer("integrated-gradients", steps=300))[0] for own in molecules]
    for molecule, one, other in zip(molecules, together, alone, strict=True):
        from wombat_core.molecules.encoding import encode

        graph = encode(molecule)
        nothing = model(torch.zeros_like(graph.x), graph.edge_index).item()
        assert one.attribution.total == pytest.approx(one.prediction - nothing, abs=0.02)
        assert np.allclose(one.attribution.atoms, other.attribution.atoms, atol=1e-5)
        assert one.attribution.bonds is None


def test_too_few_molecules_are_one_sentence(monkeypatch):
    monkeypatch.setattr("wombat_core.networks.molecule_sets.library_rows", lambda: iter(()))
    with pytest.raises(InputError, match=r"Pattern 7 has 6 known positive molecules; training takes 10 at least\."):
        balanced(pattern("7"), 7)
