"""Constants and terms whose meaning a change of one character would change: each is held by a value worked out here."""

from collections import Counter
from dataclasses import fields, replace

import networkx as nx
import numpy as np
import pytest
import torch
from torch_geometric.data import Data

from wombat_core.benchmark.plan import Plan
from wombat_core.benchmark.sources import sources
from wombat_core.explainers import pg_training
from wombat_core.explainers.attribution import Attribution
from wombat_core.explainers.mcts import Node, Search
from wombat_core.explainers.pg_settings import TrainingSettings as PGSettings
from wombat_core.explainers.registry import explainer
from wombat_core.explanation import explain
from wombat_core.failures.kinds import Filter
from wombat_core.metrics.scores import iqr_pass
from wombat_core.molecules import from_smiles
from wombat_core.molecules.library import library_rows, library_size
from wombat_core.molecules.positives import positives
from wombat_core.networks.labelled import NodeLabels
from wombat_core.networks.networks import Architecture, Predictor
from wombat_core.networks.training import TrainingSettings, _key
from wombat_core.shapeggen.parameters import READINGS, Parameters
from wombat_core.shapeggen.store import graph_key
from wombat_core.whitebox.build import build
from wombat_core.whitebox.catalogue import pattern, patterns

FOURTEEN = [str(number) for number in range(1, 15)]


# The IQR criterion: [q1 - 1.5 iqr, q3 + 1.5 iqr], iqr = q3 - q1 + 1e-6 (design.md, "Scores").
@pytest.mark.parametrize(
    ("farthest", "passes"),
    [(2.49, True), (2.5 + 1.0e-6, True), (2.5 + 2.0e-6, False), (2.9, False), (-1.49, True), (-1.51, False)],
)
def test_the_iqr_reaches_one_and_a_half_ranges(farthest, passes):
    """Quartiles 0 and 1 whatever the ninth value is: fences at -1.5 and 2.5, which the margin moves by 1.5e-6."""
    scores = np.array([0.0, 0.0, 0.0, 0.5, 0.5, 1.0, 1.0, 1.0, farthest])
    lower, higher = np.quantile(scores, 0.25, method="lower"), np.quantile(scores, 0.75, method="higher")
    assert (lower, higher) == ((0.0, 1.0))
    assert iqr_pass(scores) is passes


def test_the_iqr_margin_lets_rounding_pass():
    equal = np.full(9, 0.25)
    assert iqr_pass(equal + np.array([0, 0, 0, 0, 0, 0, 0, 0, 1.4e-6]))
    assert not iqr_pass(equal + np.array([0, 0, 0, 0, 0, 0, 0, 0, 1.6e-6]))


@pytest.mark.parametrize("readout", ["r1", "r2"])
@pytest.mark.parametrize("id", FOURTEEN)
def test_shapley_sampling_shares_out_the_whole_prediction(id, readout):
    """Every order of the players telescopes from F(0) to F(x): any number of samples is complete, on every pattern."""
    molecules = [from_smiles(smiles) for smiles in positives()[int(id)][:2]]
    for answer in explain(molecules, build(id, readout), explainer("shapley-value-sampling", samples=3)):
        attribution = answer.attribution
        assert attribution.total == pytest.approx(answer.prediction, rel=1e-4)
        # An atom's two features, element and hydrogens, are one player: they share its value equally.
        live = np.abs(attribution.atoms) > 0
        for row, on in zip(attribution.atoms, live, strict=True):
            assert np.allclose(row[on], row[on][:1])


@pytest.mark.parametrize("field", [field.name for field in fields(PGSettings)])
def test_pg_explainer_is_trained_anew_for_every_setting(field):
    model, settings = build("12", "r2"), PGSettings(epochs=1)
    other = replace(settings, **{field: getattr(settings, field) + 1})
    assert pg_training._key(model, settings, []) != pg_training._key(model, other, [])


def test_pg_explainer_is_trained_anew_for_another_network_or_molecules():
    settings = PGSettings()
    keys = {pg_training._key(build(id, readout), settings, []) for id in ("12", "12-leaf") for readout in ("r1", "r2")}
    keys.add(pg_training._key(build("12", "r1"), settings, [("CC=O", 1.0)]))
    keys.add(pg_training._key(build("12", "r1"), settings, [("CC=O", 0.0)]))
    keys.add(pg_training._key(build("12", "r1"), settings, [("CCC=O", 1.0)]))
    assert len(keys) == 7


def task() -> NodeLabels:
    masks = {f"{split}_mask": torch.tensor([split == "train", split == "val", split == "test"]) for split in SPLITS}
    edges = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
    return NodeLabels(Data(x=torch.eye(3), edge_index=edges, y=torch.tensor([0, 1, 0]), **masks))


SPLITS = ("train", "val", "test")


@pytest.mark.parametrize("field", [field.name for field in fields(TrainingSettings)])
def test_a_network_is_trained_anew_for_every_setting(field):
    model, settings = Predictor(Architecture("gin", 3)), TrainingSettings()
    other = replace(settings, **{field: getattr(settings, field) + 1})
    assert _key(model, task(), settings) != _key(model, task(), other)


OTHER_GRAPHS = {
    "motif": "triangle",
    "num_subgraphs": 1201,
    "p": 0.007,
    "subgraph_size": 12,
    "num_classes": 3,
    "num_features": 12,
    "num_informative": 5,
    "class_separation": 0.7,
    "num_clusters": 3,
    "protected_noise": 0.6,
    "homophily": -1.0,
    "num_layers": 2,
    "seed": 1,
    **{
        name: next(each for each in answers if each != getattr(Parameters(), name))
        for name, answers in READINGS.items()
    },
}


def test_a_graph_is_generated_anew_for_every_parameter():
    assert set(OTHER_GRAPHS) == {field.name for field in fields(Parameters)}
    given = Parameters()
    keys = {graph_key(replace(given, **{name: value})) for name, value in OTHER_GRAPHS.items()}
    assert len(keys | {graph_key(given)}) == len(OTHER_GRAPHS) + 1


@pytest.mark.parametrize("limit", [3, 10])
def test_a_limited_library_is_spread_evenly(limit):
    plan = Plan(("12",), ("r2",), (("saliency", "{}"),), molecules="library", limit=limit)
    places = [entry.place for entry in sources(plan, "12")]
    step = library_size() / limit
    assert places == [int(index * step) for index in range(limit)]
    assert places[-1] > library_size() * (limit - 1) / limit - 1
    rows = {place: row.smiles for place, row in enumerate(library_rows()) if place in set(places)}
    assert [entry.smiles for entry in sources(plan, "12")] == [rows[place] for place in places]


class Finding:
    """A finding of a molecule with so many atoms."""

    def __init__(self, num_atoms: int):
        self.row = type("Row", (), {"num_atoms": num_atoms, "name": "", "smiles": "C"})
        self.traits = type(
            "Traits", (), {"elements": frozenset("C"), "charged": False, "motif_charged": False, "motif_ring": False}
        )


def test_a_filter_takes_its_own_limits():
    wanted = Filter(least=4, most=7)
    assert [atoms for atoms in range(10) if wanted.takes(Finding(atoms))] == [4, 5, 6, 7]


@pytest.mark.parametrize(
    ("spread", "null"), [(0.0, True), (0.9e-9, True), (1.1e-9, False), (1e-6, False), (0.01, False)]
)
def test_null_is_equal_to_nine_digits(spread, null):
    assert Attribution(np.array([[1.0], [1.0 - spread]]), None, 0.0).is_null is null


def test_null_is_relative_to_large_scores_only():
    assert Attribution(np.array([[1e6], [1e6 - 0.9e-3]]), None, 0.0).is_null
    assert not Attribution(np.array([[1e6], [1e6 - 1.1e-3]]), None, 0.0).is_null
    assert not Attribution(np.array([[1e-6], [1e-6 - 1.1e-9]]), None, 0.0).is_null


def test_exploration_weighs_reward_by_visits():
    """Q + c R sqrt(sum of the siblings' visits) / (1 + own visits), Yuan et al. 2021, Section 3.3."""
    node = Node(frozenset({1}), reward=0.5, visits=3, total_reward=1.2)
    assert node.priority(16, 5.0) == pytest.approx(1.2 / 3 + 5.0 * 0.5 * 4 / (1 + 3))
    assert Node(frozenset({1}), reward=0.5).priority(0, 5.0) == 0
    assert Node(frozenset({1}), reward=0.5).priority(4, 2.0) == pytest.approx(2.0 * 0.5 * 2 / 1)


def test_exploration_decides_which_coalitions_are_seen():
    """Without the bonus every rollout takes the same way; with it others get their turn."""

    def leaves(exploration: float) -> Counter:
        search = Search(nx.path_graph(8), lambda all: [1 / len(each) for each in all], 2, exploration, 12)
        seen = Counter()
        for _ in range(12):
            before = {coalition: node.visits for coalition, node in search.nodes.items()}
            search.rollout()
            seen.update(
                coalition
                for coalition, node in search.nodes.items()
                if len(coalition) <= 2 and node.visits > before.get(coalition, 0)
            )
        return seen

    assert len(leaves(0.0)) == 1
    assert len(leaves(10.0)) > 3


def test_every_whitebox_is_named_once():
    assert len(patterns()) == len({pattern(id).title for id in patterns()})
