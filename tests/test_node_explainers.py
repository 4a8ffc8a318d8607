"""Explaining nodes: neighbourhoods that count as the whole graph does, all explainers, the five metrics."""

import numpy as np
import pytest
import torch
from torch_geometric.data import Batch, Data
from torch_geometric.nn import GCNConv

from wombat_core.cli import main
from wombat_core.errors import InputError
from wombat_core.explainers.masked import on_masked
from wombat_core.explainers.mcts import Search
from wombat_core.explainers.registry import explainer
from wombat_core.metrics.accuracy import gea
from wombat_core.metrics.masks import binarise, quarter
from wombat_core.networks.class_value import ClassValue
from wombat_core.networks.networks import Architecture, Predictor
from wombat_core.networks.training import PUBLISHED
from wombat_core.progress import Stopped, listening
from wombat_core.shapeggen import PRESETS, Parameters, PlantedGraph, generate
from wombat_core.shapeggen.evaluate import METRICS, Options, evaluate
from wombat_core.shapeggen.node_explainers import GRAPHXAI, evaluation_seconds, node_explainer
from wombat_core.shapeggen.node_masks import kinds_of
from wombat_core.shapeggen.node_tasks import neighbourhoods, node_task, sampled_test_nodes
from wombat_core.shapeggen.perturb import Perturbation, counterfactuals, perturbed
from wombat_core.shapeggen.predictor import train_predictor, training_seconds
from wombat_core.shapeggen.published_scores import comparable, molecule_value, node_value

FAST = {
    "gnn-explainer": {"epochs": 3},
    "pgm-explainer": {"samples": 10},
    "pg-explainer": {"epochs": 1, "positives": 3, "negatives": 2},
    "subgraphx": {"rollouts": 1, "samples": 2, "expand_atoms": 2},
    "integrated-gradients": {"steps": 4},
}


@pytest.fixture(scope="module")
def planted():
    return generate(Parameters(num_subgraphs=12, p=0.3, subgraph_size=8, seed=3))


@pytest.fixture(scope="module", params=["gin", "gcn"])
def predictor(request, planted):
    return Predictor(Architecture(request.param, planted.data.num_features), seed=4).requires_grad_(False)


@pytest.fixture(scope="module")
def gin(planted):
    return Predictor(Architecture("gin", planted.data.num_features), seed=4).requires_grad_(False)


@pytest.fixture(scope="module")
def cut():
    """A path of six nodes with three leaves on its far end: the 3-hop neighbourhood of node 0 ends at node 3.

    The degree of node 3 is 2 in the whole graph and 1 in the neighbourhood.
    """
    pairs = torch.tensor([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (5, 7), (5, 8)]).T
    edge_index = torch.cat([pairs, pairs.flip(0)], dim=1)
    edge_index = edge_index[:, edge_index[0].argsort(stable=True)]
    x = torch.randn(9, 11, generator=torch.Generator().manual_seed(2))
    motif = torch.tensor([-1, 0, 0, -1, -1, -1, 1, 1, 1])
    data = Data(x=x, edge_index=edge_index, y=torch.zeros(9).long(), motif=motif)
    data.update({"informative": torch.arange(11) < 4, "protected": 10})
    data.x[:, 10] = torch.tensor([0, 1, 0, 1, 0, 1, 0, 1, 0])
    for split in ("train", "val", "test"):
        data[f"{split}_mask"] = torch.ones(9, dtype=torch.bool)
    return PlantedGraph(Parameters(), data)


# Neighbourhoods


def test_the_centre_of_a_neighbourhood_counts_as_in_the_whole_graph(planted, predictor):
    nodes = list(range(planted.num_nodes))
    task = node_task(planted, predictor, nodes)
    whole = predictor(planted.data.x, planted.data.edge_index).softmax(dim=1)
    assert np.allclose(task.probabilities, whole, atol=1e-5)
    assert {len(graph.x) for graph in task.graphs} != {planted.num_nodes}


def test_a_gcn_needs_the_degrees_of_the_whole_graph(cut):
    """Without them the far end of the neighbourhood has degree 1 and the value of the centre changes."""
    model = Predictor(Architecture("gcn", 11), seed=1)
    (graph,) = neighbourhoods(cut, [0])
    assert graph.num_nodes == 4
    assert graph.edge_attr[graph.edge_index[1] == 3].tolist() == [[2.0, 2.0]]
    whole = model(cut.data.x, cut.data.edge_index)[0]
    assert torch.allclose(model(graph.x, graph.edge_index, graph.edge_attr)[0], whole, atol=1e-6)
    assert not torch.allclose(model(graph.x, graph.edge_index)[0], whole, atol=1e-3)


def test_neighbourhoods_do_not_see_each_other(planted, predictor):
    task = node_task(planted, predictor, [0, 7, 20])
    model = ClassValue(predictor, 1)
    together = Batch.from_data_list(list(task.graphs))
    found = model(together.x, together.edge_index, together.edge_attr, together.batch)
    alone = [model(graph.x, graph.edge_index, graph.edge_attr).item() for graph in task.graphs]
    assert found.tolist() == pytest.approx(alone, abs=1e-6)


def test_tasks_that_cannot_be_are_refused(planted, gin):
    with pytest.raises(InputError, match="There is no node to explain"):
        node_task(planted, gin, [])
    with pytest.raises(InputError, match="There is no node 9999"):
        node_task(planted, gin, [9999])
    with pytest.raises(InputError, match="looks 4 hops far, the ground truth 3"):
        node_task(planted, Predictor(Architecture("gin", 11, layers=4)), [0])
    with pytest.raises(InputError, match="none for nodes of 11 features"):
        node_task(planted, Predictor(Architecture("gin", 5)), [0])


def test_test_nodes_are_drawn_from_the_test_split(planted):
    nodes = sampled_test_nodes(planted, 8, seed=1)
    assert nodes == sorted(set(nodes)) == sampled_test_nodes(planted, 8, seed=1)
    assert len(nodes) == 8
    assert planted.data.test_mask[nodes].all()


# Explainers


@pytest.mark.parametrize("name", GRAPHXAI)
def test_every_explainer_of_the_tables_gives_its_masks(planted, predictor, name):
    task = node_task(planted, predictor, [1, 5, 30])
    for graph, scores in zip(task.graphs, task.explain(node_explainer(name, **FAST.get(name, {}))), strict=True):
        sizes = {"node": graph.num_nodes, "edge": graph.num_edges, "feature": 11}
        for kind, size in sizes.items():
            values = scores.of(kind)
            assert (values is not None) == (kind in kinds_of(name))
            if values is not None:
                assert values.shape == (size,)
                assert np.isfinite(values).all() and (values >= 0).all()


def test_the_kinds_of_masks_are_those_of_the_papers_tables():
    """Table 3 has four explainers, Table 4 five."""
    assert {name for name in GRAPHXAI if "edge" in kinds_of(name)} == {
        "random",
        "gnn-explainer",
        "pg-explainer",
        "subgraphx",
    }
    assert {name for name in GRAPHXAI if "feature" in kinds_of(name)} == {
        "random",
        "saliency",
        "guided-backprop",
        "integrated-gradients",
        "gnn-explainer",
    }


def test_saliency_is_the_gradient_of_the_predicted_class_in_the_whole_graph(planted, predictor):
    task = node_task(planted, predictor, [5])
    (scores,) = task.explain(explainer("saliency"))
    x = planted.data.x.clone().requires_grad_()
    predictor(x, planted.data.edge_index).softmax(dim=1)[5, task.predicted[0]].backward()
    own = x.grad[task.truths[0].nodes].abs()
    assert np.allclose(scores.node, own.sum(dim=1), atol=1e-5)
    assert np.allclose(scores.feature, own.mean(dim=0), atol=1e-5)


def test_answers_do_not_depend_on_the_other_nodes(planted, gin):
    nodes = [1, 5, 30, 41]
    for name in ("integrated-gradients", "grad-cam", "random", "gnn-explainer"):
        own = node_explainer(name, **FAST.get(name, {}))
        together = node_task(planted, gin, nodes).explain(own)
        alone = [node_task(planted, gin, [node]).explain(own)[0] for node in nodes]
        for one, other in zip(together, alone, strict=True):
            assert np.allclose(one.node, other.node, atol=1e-5)


def test_subgraphx_keeps_the_node_and_answers_with_a_quarter_at_most(planted, gin):
    task = node_task(planted, gin, [1, 5])
    for graph, scores in zip(task.graphs, task.explain(node_explainer("subgraphx", **FAST["subgraphx"])), strict=True):
        assert set(scores.node) == {0.0, 1.0}
        assert scores.node[0] == 1
        assert scores.node.sum() <= max(5, round(0.25 * graph.num_nodes))
        inside = scores.node[graph.edge_index.numpy()].all(axis=0)
        assert (scores.edge == inside).all()


def test_a_search_with_a_centre_never_drops_it():
    import networkx as nx

    search = Search(nx.path_graph(9), lambda found: [float(len(own)) for own in found], 2, 10.0, 9, centre=4)
    for _ in range(5):
        search.rollout()
    assert all(4 in coalition for coalition in search.nodes)
    assert len(search.best(3).coalition) <= 3


def test_exact_shapley_values_are_refused():
    with pytest.raises(InputError, match="at most 20 nodes"):
        node_explainer("shapley-exact")


def test_estimates_count_the_copies():
    """SubgraphX at 0.4 s a node: 10 nodes once, or with 5 copies and a counterfactual each."""
    assert evaluation_seconds(["subgraphx"], 10, ("GEA", "GEF")) == pytest.approx(4)
    assert evaluation_seconds(["subgraphx"], 10, METRICS, copies=5) == pytest.approx(28)
    assert training_seconds(13_000, "gin") > 10 * training_seconds(13_000, "gin", epochs=50)


# Perturbed copies


def test_perturbed_copies_change_a_little_and_are_seeded(planted, gin):
    graphs = node_task(planted, gin, [1, 5]).graphs
    how = Perturbation(noise=0.1, drop=0.3, seed=5)
    one, again = (perturbed(graphs, planted.data.x, how, 0) for _ in range(2))
    other = perturbed(graphs, planted.data.x, how, 1)
    protected = planted.data.protected
    for graph, first, second, third in zip(graphs, one, again, other, strict=True):
        assert torch.equal(first.x, second.x) and torch.equal(first.kept, second.kept)
        assert not torch.equal(first.x, third.x)
        assert torch.equal(first.x[:, protected], graph.x[:, protected])
        assert first.num_nodes == graph.num_nodes
        assert 0 < first.num_edges == int(first.kept.sum()) < graph.num_edges
        pairs = {tuple(pair) for pair in first.edge_index.T.tolist()}
        assert all((b, a) in pairs for a, b in pairs)
    spread = torch.cat([copy.x - graph.x for copy, graph in zip(one, graphs, strict=True)])[:, 0].std()
    assert spread == pytest.approx(0.1 * planted.data.x[:, 0].std().item(), rel=0.5)


def test_counterfactuals_flip_the_protected_feature(cut):
    graphs = neighbourhoods(cut, [0])
    (node,), (all_of_it,) = (counterfactuals(graphs, 10, flip) for flip in ("node", "neighbourhood"))
    assert graphs[0].x[:, 10].tolist() == [0, 1, 0, 1]
    assert node.x[:, 10].tolist() == [1, 1, 0, 1]
    assert all_of_it.x[:, 10].tolist() == [1, 0, 1, 0]
    assert torch.equal(node.x[:, :10], graphs[0].x[:, :10])
    with pytest.raises(InputError, match="node or neighbourhood"):
        counterfactuals(graphs, 10, "graph")


# Evaluation


def test_the_planted_explanation_itself_is_perfect(planted, gin):
    nodes = [node for node in range(planted.num_nodes) if planted.truth(node).node_mask.float().mean() > 0.2][:4]
    rows = evaluate(planted, gin, [explainer("oracle")], nodes, metrics=("GEA",), options=Options(rule="above-0.8"))
    assert [(row.metric, row.summary.mean) for row in rows] == [("GEA", 1.0)]


def test_gea_and_gef_of_a_row_worked_out_anew(planted, predictor):
    nodes = [1, 5, 30]
    rows = {
        (row.kind, row.metric): row.values
        for row in evaluate(planted, predictor, [explainer("saliency")], nodes, ("node", "feature"), ("GEA", "GEF"))
    }
    task = node_task(planted, predictor, nodes)
    scores = task.explain(explainer("saliency"))
    for place, truth in enumerate(task.truths):
        mask = binarise(scores[place].node)
        assert mask.sum() == quarter(len(truth.nodes))
        assert rows["node", "GEA"][place] == gea([truth.node_mask.numpy()], mask)
        x = planted.data.x.clone()
        x[truth.nodes[~mask]] = 0
        shown = predictor(x, planted.data.edge_index).softmax(dim=1)[nodes[place]].double()
        own = torch.from_numpy(task.probabilities[place]).double()
        divergence = (own * (own / shown).log()).sum()
        assert rows["node", "GEF"][place] == pytest.approx(1 - float((-divergence).exp()), abs=1e-4)


def test_all_metrics_and_masks_have_a_row(planted, gin):
    own = [node_explainer("random"), node_explainer("grad-cam")]
    shares = []
    with listening(shares.append):
        rows = evaluate(planted, gin, own, [1, 5, 30, 41], ("node", "edge", "feature"), options=_copies(2))
    kinds = {"random": ("node", "edge", "feature"), "grad-cam": ("node",)}
    wanted = [(name, kind, metric) for name, there in kinds.items() for kind in there for metric in METRICS]
    assert [(row.explainer, row.kind, row.metric) for row in rows] == wanted
    assert shares == sorted(shares) and shares[-1] == pytest.approx(1.0)
    assert all(0 <= row.summary.mean <= 1 for row in rows)
    again = evaluate(planted, gin, own, [1, 5, 30, 41], ("node", "edge", "feature"), options=_copies(2))
    assert [row.summary for row in again] == [row.summary for row in rows]


def _copies(count):
    return Options(perturbation=Perturbation(copies=count))


def test_an_explainer_that_never_changes_its_mind_is_stable(planted, gin):
    rows = evaluate(planted, gin, [explainer("oracle")], [1, 5], metrics=("GES", "GECF"), options=_copies(2))
    assert [row.summary.mean for row in rows] == [0.0, 0.0]


def test_evaluation_can_be_stopped(planted, gin):
    def stop(share):
        if share > 0.3:
            raise Stopped

    with pytest.raises(Stopped), listening(stop):
        evaluate(planted, gin, [explainer("random"), explainer("grad-cam")], [1, 5], options=_copies(2))


def test_wrong_questions_are_refused_before_any_work(planted, gin):
    with pytest.raises(InputError, match="There is no metric 'AUC'"):
        evaluate(planted, gin, [], [1], metrics=("AUC",))
    with pytest.raises(InputError, match="There is no mask 'graph'"):
        evaluate(planted, gin, [], [1], masks=("graph",))
    with pytest.raises(InputError, match="There is no rule for masks 'half'"):
        Options(rule="half")
    with pytest.raises(InputError, match="copies"):
        Perturbation(copies=0)


def test_an_edge_mask_in_a_gcn_keeps_the_degrees(cut):
    """Without the edges out of node 2, node 1 hears from node 0 alone, as loudly as before."""
    GCNConv(2, 2)  # what PyG writes into that class must not reach the one that is made of it
    model = ClassValue(Predictor(Architecture("gcn", 11), seed=1), 0)
    batch = Batch.from_data_list(neighbourhoods(cut, [0]))
    kept = (batch.edge_index[0] != 2).numpy()
    shown = on_masked(model, batch, "edge", [kept])
    there = torch.from_numpy(kept)
    expected = model(batch.x, batch.edge_index[:, there], batch.edge_attr[there], batch.batch)
    assert torch.allclose(shown, expected, atol=1e-5)


# The paper's numbers, training, the terminal


def test_published_numbers():
    """GraphXAI, Tables 1, 2, 3, 4 and 5."""
    assert str(node_value("gin", "node", "subgraphx", "GEA")) == "0.324 ± 0.004"
    assert node_value("gcn", "node", "random", "GES").mean == 1.55
    assert node_value("gin", "edge", "pg-explainer", "GEF").mean == 0.171
    feature = node_value("gin", "feature", "saliency", "GECF")
    assert (feature.mean, feature.table) == (0.259, 4)
    assert node_value("gcn", "edge", "random", "GEA") is None
    assert molecule_value("fluoride-carbonyl", "random", "GEF").spread == 0.26
    assert molecule_value("mutag", "grad-cam", "GEA").mean == 0.085
    assert molecule_value("alkane-carbonyl", "random", "GEA") is None


def test_a_predictor_for_a_graph_learns_its_labels(planted):
    from dataclasses import replace

    found = train_predictor(planted, "gin", replace(PUBLISHED["gin"], epochs=150))
    assert found.scores["train"].accuracy > max(planted.data.y.float().mean(), 1 - planted.data.y.float().mean())
    assert found.model.architecture.layers == 3


def test_the_terminal_trains_and_evaluates(capsys):
    import json

    graph = ["--num-subgraphs", "10", "--p", "0.3", "--subgraph-size", "8", "--epochs", "5"]
    assert main(["shapeggen", "train", *graph, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["settings"]["epochs"] == 5 and set(record["scores"]) == {"train", "val", "test"}
    arguments = [*graph, "--explainers", "random,saliency", "--nodes", "3", "--masks", "node,feature", "--copies", "1"]
    assert main(["shapeggen", "evaluate", *arguments, "--json"]) == 0
    head, *rows = map(json.loads, capsys.readouterr().out.splitlines())
    assert len(head["nodes"]) == 3
    assert len(rows) == 2 * 2 * 5
    assert {row["paper"] for row in rows} == {None} and "are of SG-Base" in head["paper_left_out"]
    assert main(["shapeggen", "evaluate", *arguments]) == 0
    out = capsys.readouterr().out
    assert "no number of theirs stands here" in out and "[0." not in out and "; in brackets" not in out


def test_the_terminal_has_the_papers_numbers_beside_sg_base_alone(capsys):
    """Table 1: random has GEA 0.148 and GEF 0.579."""
    arguments = ["shapeggen", "evaluate", "--epochs", "3", "--nodes", "3", "--explainers", "random,saliency"]
    arguments += ["--masks", "node,edge", "--metrics", "GEA,GEF"]
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert "Table 1" in out and "[0.148]" in out and "[0.579]" in out
    assert "no edge masks from saliency" in err
    assert main([*arguments, "--direction", "reversed"]) == 0
    out = capsys.readouterr().out
    assert "[0.148]" in out and "[0.579]" not in out and "the paper's GEF does not stand here" in out
    assert main([*arguments, "--rule", "above-0.8"]) == 0
    assert "[0.148]" not in capsys.readouterr().out


def test_what_may_stand_beside_the_papers_tables():
    base = PRESETS["SG-Base"]
    assert comparable(base.changed(seed=7)) == comparable(PRESETS["SG-Base-500"]) == (tuple(METRICS), "")
    assert comparable(base.changed(p=0.01))[0] == comparable(base.changed(homophily_pairs="same-label"))[0] == ()
    assert comparable(PRESETS["SG-Unfair"])[0] == comparable(base, "above-0.1-max")[0] == ()
    assert set(METRICS) - set(comparable(base, direction="reversed")[0]) == {"GEF"}


def test_pg_explainer_leaves_torchs_random_numbers_alone(planted, gin, tmp_path, monkeypatch):
    """Trained now, and read from what was kept."""
    monkeypatch.setenv("WOMBAT_CACHE", str(tmp_path))
    task = node_task(planted, gin, [1, 5])
    state = torch.get_rng_state()
    for _ in range(2):
        task.explain(explainer("pg-explainer", epochs=1, positives=3, negatives=2, seed=91))
        assert torch.equal(torch.get_rng_state(), state)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--metrics", "AUC"], "There is no metric 'AUC'"),
        (["--masks", "graph"], "There is no mask 'graph'"),
        (["--explainers", "magic"], "There is no explainer 'magic'"),
        (["--rule", "half"], "There is no rule for masks 'half'"),
        (["--preset", "SG-Nothing"], "There is no preset 'SG-Nothing'"),
        (["--masks", "edge", "--explainers", "saliency,grad-cam"], "None of the chosen explainers gives edge masks"),
    ],
)
def test_the_terminal_refuses_with_one_sentence(capsys, arguments, sentence):
    assert main(["shapeggen", "evaluate", *arguments]) == 2
    err = capsys.readouterr().err
    assert sentence in err and err.count("\n") == 1
