import networkx as nx
import numpy as np
import pytest
import torch

from wombat_core import progress
from wombat_core.explainers.coalitions import Coalitions
from wombat_core.explainers.local_shapley import LocalShapley
from wombat_core.explainers.mcts import Search
from wombat_core.explainers.registry import explainer
from wombat_core.explanation import explain
from wombat_core.molecules import from_smiles
from wombat_core.molecules.encoding import encode
from wombat_core.whitebox.build import build

FIGURE_5 = "NC(=O)NN=C1CCCC(C(=O)O)C1"
TWENTY_TWO_ATOMS = "CC(C)C(=O)OCCN(CC)CCOC(=O)C(C)CCCC"


def walk(smiles: str) -> tuple:
    data = encode(from_smiles(smiles))
    graph = nx.Graph(data.edge_index.T.tolist())
    return data, graph


def test_figure_5_is_everything_but_atom_7():
    (explanation,) = explain([from_smiles(FIGURE_5)], build(5, "r2"), explainer("subgraphx"))
    assert explanation.attribution.atom_scores.tolist() == [1] * 7 + [0] + [1] * 6


@pytest.mark.slow
@pytest.mark.parametrize("id", ["1", "2", "3", "4", "5", "12"])
def test_the_published_mean(reference_scores, id):
    rows = reference_scores[(reference_scores.pattern == id) & (reference_scores.readout == "r2")]
    found = explain([from_smiles(smiles) for smiles in rows.smiles], build(id, "r2"), explainer("subgraphx"))
    scores = np.array([np.nan if each.scores.auroc is None else each.scores.auroc for each in found])
    published = rows.subgraphx.to_numpy(float)
    both = ~np.isnan(published)
    assert scores[both].mean() == pytest.approx(published[both].mean(), abs=0.1)


@pytest.mark.parametrize("id", ["5", "flucarb"])
def test_a_seed_is_an_answer_alone_and_in_a_batch(id):
    molecules = [from_smiles(smiles) for smiles in (FIGURE_5, "C", "FCC(C)CC(N)C=O", "CC.CCCO")]
    model, method = build(id, "r2"), explainer("subgraphx", rollouts=3)
    together = explain(molecules, model, method)
    for molecule, expected in zip(molecules, together, strict=True):
        (alone,) = explain([molecule], model, method)
        assert np.array_equal(alone.attribution.atoms, expected.attribution.atoms)
        assert set(alone.attribution.atom_scores.tolist()) <= {0.0, 1.0}


def test_the_search_finds_the_best_piece_of_a_path():
    """On a path of eight atoms where only atoms 2 to 4 count, they are found, and nothing else."""
    wanted = {2, 3, 4}

    def rewards(coalitions):
        return [float(wanted <= coalition) for coalition in coalitions]

    search = Search(nx.path_graph(8), rewards, min_atoms=3, exploration=10, expand_atoms=14)
    for _ in range(50):
        search.rollout()
    assert search.best().coalition == wanted


def test_a_molecule_too_small_to_search_is_its_own_answer():
    search = Search(nx.path_graph(4), lambda coalitions: 1 / 0, min_atoms=5, exploration=10, expand_atoms=14)
    search.rollout()
    assert search.best().coalition == frozenset(range(4))


def test_the_reward_is_the_shapley_value_among_the_atoms_around():
    """CCCC=O under Pattern 12, coalition {3, 4} (CHO): v needs atom 2 as well, present in half of the samples."""
    data, graph = walk("CCCC=O")
    rewards = LocalShapley(build(12, "r2"), data, graph, radius=2, samples=4000, seed=0)
    one, zero = 1 / (1 + np.exp(-1)), 1 / (1 + np.exp(1))
    assert rewards([frozenset({3, 4})])[0] == pytest.approx((one - zero) / 2, abs=0.02)
    # Radius 1 looks at no atom around, so the others are always there.
    alone = LocalShapley(build(12, "r2"), data, graph, radius=1, samples=10, seed=0)
    assert alone([frozenset({3, 4})])[0] == pytest.approx(one - zero)


@pytest.mark.parametrize("id", ["4", "flucarb"])
def test_coalitions_are_the_network_with_atoms_blanked(id):
    data, model = encode(from_smiles("CC(F)C(=O)OCCN(CC)CC")), build(id, "r1")
    present = np.random.default_rng(0).random((50, data.num_nodes)) < 0.9
    present[0] = True
    expected = [
        model(data.x * torch.from_numpy(mask).unsqueeze(1), data.edge_index, data.edge_attr).item() for mask in present
    ]
    assert np.ptp(expected) > 0
    assert np.allclose(Coalitions(model, data).values(present), expected, rtol=1e-5)


def test_a_molecule_of_22_atoms_is_evaluated_many_coalitions_at_once_and_none_twice(monkeypatch):
    """Speed itself is in ``make bench``."""
    molecule, model, method = from_smiles(TWENTY_TWO_ATOMS), build(4, "r2"), explainer("subgraphx")
    assert molecule.num_atoms == 22
    batches = []
    evaluate = Coalitions.evaluate
    monkeypatch.setattr(Coalitions, "evaluate", lambda game, masks: batches.append(masks) or evaluate(game, masks))
    explain([molecule], model, method)
    seen = np.concatenate(batches)
    assert len(np.unique(seen, axis=0)) == len(seen)
    _, graph = walk(TWENTY_TWO_ATOMS)
    scored = []
    search = Search(graph, lambda coalitions: scored.extend(coalitions) or [0.0] * len(coalitions), 5, 10.0, 14)
    for _ in range(method.rollouts):
        search.rollout()
    assert len(seen) * 10 < 2 * method.samples * len(scored)
    assert len(batches) * 100 < 2 * method.samples * len(scored)


def test_progress_rises_to_one_and_can_stop():
    heard = []
    molecules = [from_smiles(FIGURE_5), from_smiles("CCCCCC=O")]
    with progress.listening(heard.append):
        explain(molecules, build(12), explainer("subgraphx", rollouts=4))
    assert heard == sorted(heard) and heard[0] == 0 and heard[-1] == 1 and 0.5 in heard

    def stop(share):
        if share > 0.2:
            raise progress.Stopped

    for name in ("subgraphx", "shapley-value-sampling"):
        with pytest.raises(progress.Stopped), progress.listening(stop):
            explain(molecules, build(12), explainer(name))
    explain(molecules, build(12), explainer("subgraphx", rollouts=1))
