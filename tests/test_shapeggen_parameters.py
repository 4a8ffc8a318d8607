"""Impossible parameters are refused in one sentence before any work; presets are the paper's."""

import networkx as nx
import numpy as np
import pytest

from wombat_core.errors import InputError
from wombat_core.shapeggen import PRESETS, Parameters, generate, preset, published, published_of
from wombat_core.shapeggen.parameters import READINGS


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"subgraph_size": 4}, "more than subgraph_size"),
        ({"p": 1.01}, "p takes a number from 0 to 1"),
        ({"p": -0.1}, "The setting p takes"),
        ({"p": float("nan")}, "The setting p takes"),
        ({"p": "0.1"}, "The setting p takes"),
        ({"num_classes": 1}, "num_classes takes a whole number from 2"),
        ({"num_classes": True}, "num_classes"),
        ({"num_informative": 12}, "above num_features"),
        ({"num_informative": 11}, "protected feature"),
        ({"num_informative": 1, "num_clusters": 2}, "corners"),
        ({"num_subgraphs": 1}, "below num_classes"),
        ({"num_subgraphs": 2.5}, "num_subgraphs takes a whole number"),
        ({"num_subgraphs": 20_000, "p": 1e-5}, "nodes; at most"),
        ({"num_subgraphs": 10_000, "p": 1.0}, "pairs of subgraphs"),
        ({"num_subgraphs": 10_000, "p": 1e-3, "num_features": 1000}, "values"),
        ({"protected_noise": 2}, "protected_noise"),
        ({"homophily": float("inf")}, "homophily"),
        ({"num_layers": 0}, "num_layers"),
        ({"seed": -1}, "seed"),
        ({"connection": "3p"}, "connection takes one of p, 2p"),
        ({"split": None}, "split takes"),
        ({"motif": "hous"}, "no motif 'hous'"),
        ({"motif": ""}, "no motif"),
        ({"motif": 3}, "networkx graph"),
        ({"motif": "0-1,2-3"}, "several parts"),
        ({"motif": "0-0,0-1"}, "to itself"),
        ({"motif": nx.Graph()}, "empty"),
        ({"motif": nx.empty_graph(1)}, "no edge"),
        ({"motif": nx.DiGraph([(0, 1)])}, "undirected"),
        ({"motif": nx.MultiGraph([(0, 1), (0, 1)])}, "parallel"),
        ({"motif": nx.path_graph(101), "subgraph_size": 101}, "at most 100"),
    ],
)
def test_impossible_values_are_one_sentence(values, sentence):
    with pytest.raises(InputError) as error:
        Parameters(**values)
    text = str(error.value)
    assert sentence in text
    assert text.endswith(".") and "\n" not in text and len(text) < 250


def test_a_graph_without_a_class_says_what_to_raise():
    with pytest.raises(InputError, match="class 1 is empty; raise p"):
        generate(Parameters(p=0.0, num_subgraphs=20))


def test_first_reading_is_the_default():
    for name, (paper, code) in READINGS.items():
        assert getattr(Parameters(), name) == paper != code


# Table 6 of arXiv 2208.09339: motif, N_s, p, n_s, K, n_f, n_i, s_f, c_f, phi, eta, L.
TABLE_6 = {
    "SG-Base": ("house", 1200, 0.006, 11, 2, 11, 4, 0.6, 2, 0.5, 1, 3),
    "SG-Heterophilic": ("house", 1200, 0.006, 11, 2, 11, 4, 0.6, 2, 0.5, -1, 3),
    "SG-SmallEx": ("triangle", 1300, 0.006, 12, 2, 11, 4, 0.5, 2, 0.5, 1, 3),
    "SG-Unfair": ("house", 1200, 0.006, 11, 2, 11, 4, 0.6, 2, 0.75, 1, 3),
    # Section Results, Faithfulness shift.
    "SG-MoreInform": ("house", 1200, 0.006, 11, 2, 11, 8, 0.6, 2, 0.5, 1, 3),
    "SG-LessInform": ("house", 1200, 0.006, 11, 2, 21, 4, 0.6, 2, 0.5, 1, 3),
}


@pytest.mark.parametrize("name", TABLE_6)
def test_presets_are_the_papers(name):
    values = list(PRESETS[name].as_dict().values())[:12]
    assert tuple(values) == TABLE_6[name]


@pytest.mark.parametrize("name", [name for name in PRESETS if name.endswith("-500")])
def test_demo_presets_have_about_500_nodes_and_the_same_density(name):
    small, large = PRESETS[name], PRESETS[name.removesuffix("-500")]
    assert 480 <= small.num_subgraphs * small.subgraph_size <= 520
    partners = [(each.num_subgraphs - 1) * each.join_probability for each in (small, large)]
    assert partners[0] == pytest.approx(partners[1], rel=0.01)
    assert small.changed(num_subgraphs=large.num_subgraphs, p=large.p) == large


def test_published_numbers_go_with_the_paper_s_parameters_only():
    assert published("SG-Base").classes == (4382, 8768)
    assert published("SG-MoreInform") is None
    assert published_of(PRESETS["SG-SmallEx"].changed(seed=9)).nodes == 15_505
    assert published_of(PRESETS["SG-SmallEx-500"].changed(seed=9)).nodes == 15_505
    assert published_of(PRESETS["SG-Base"].changed(p=0.007)) is None
    with pytest.raises(InputError, match="no preset 'SG'"):
        preset("SG")


def test_numpy_numbers_are_plain_afterwards():
    parameters = Parameters(num_subgraphs=np.int64(30), p=np.float32(0.5), homophily=1)
    assert parameters.as_dict()["num_subgraphs"] == 30 and type(parameters.num_subgraphs) is int
    assert type(parameters.p) is float and type(parameters.homophily) is float
