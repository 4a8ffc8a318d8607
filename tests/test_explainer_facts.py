"""An explainer says all there is to know of it in its class; a built-in gets no more and no less than a user's own."""

import subprocess
import sys
from dataclasses import dataclass
from types import ModuleType
from typing import ClassVar

import numpy as np
import pytest

from pages.addresses.shapeggen_codecs import method_names
from pages.shared.text import title_of
from wombat_core.explainers import registry
from wombat_core.explainers.attribution import Attribution
from wombat_core.explainers.registry import EXPLAINERS, explainer, names, register
from wombat_core.explanation import explain
from wombat_core.molecules import from_smiles
from wombat_core.shapeggen.node_explainers import explaining_seconds, node_explainer
from wombat_core.shapeggen.node_masks import kinds_of
from wombat_core.whitebox.build import build


@dataclass(frozen=True)
class Degree:
    """How many neighbours a node has."""

    name: ClassVar[str] = "degree"
    title: ClassVar[str] = "LRP-ε"
    summary: ClassVar[str] = "Counts neighbours."
    expensive: ClassVar[bool] = False

    def attribute(self, model, batch):
        found = []
        for graph in batch.to_data_list():
            found.append(Attribution.of_atoms(np.bincount(graph.edge_index[0], minlength=graph.num_nodes), graph))
        return found


@pytest.fixture(params=["built-in", "user's own"])
def degree(request, monkeypatch):
    """The same class, once as a file and a line of the registry, once registered by a user."""
    monkeypatch.setattr(registry, "_ADDED", {})
    if request.param == "built-in":
        module = ModuleType("wombat_core.explainers.degree")
        module.Degree = Degree
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setattr(EXPLAINERS, "_entries", {**EXPLAINERS._entries, "degree": "degree:Degree"})
    else:
        register(Degree)
    return "degree"


def test_one_file_and_one_line_add_an_explainer_everywhere(degree):
    assert degree in names() and degree in method_names()
    assert title_of(degree) == "LRP-ε"
    assert kinds_of(degree) == ("node",) and explaining_seconds(degree, 10) > 0
    assert node_explainer(degree) == explainer(degree) == Degree()
    (found,) = explain([from_smiles("CCC=O")], build(12), explainer(degree))
    assert found.attribution.atom_scores.tolist() == [1, 2, 2, 1] and found.gap is None


def test_titles_are_those_of_the_classes_and_need_no_torch():
    code = (
        "import sys; from pages.shared.text import title_of; from wombat_core.explainers.registry import names;"
        "print([title_of(name) for name in names()]);"
        "print([each for each in ('torch', 'captum', 'rdkit', 'networkx', 'scipy') if each in sys.modules])"
    )
    titles, heavy = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert heavy == "[]"
    assert "'Input × gradient'" in titles and "'GNNExplainer'" in titles and "'Shapley values, exact'" in titles
    assert title_of("gone-since") == "Gone since"


def test_an_answer_knows_its_masks():
    molecules, model = [from_smiles("CCC(=O)N")], build(5)
    graph_sizes = {"node_mask": (5,), "edge_mask": (8,)}
    for name, node_features, edges in (
        ("integrated-gradients", True, True),
        ("gnn-explainer", True, True),
        ("random", False, True),
        ("grad-cam", False, False),
        ("shapley-exact", False, False),
    ):
        (found,) = explain(molecules, model, explainer(name))
        answer = found.attribution
        assert answer.node_mask.shape == graph_sizes["node_mask"]
        assert (answer.node_feat_mask is not None) == node_features, name
        assert (answer.edge_mask is not None) == edges, name
        if edges:
            assert answer.edge_mask.shape == graph_sizes["edge_mask"] and answer.bonds.shape == (8, 4)
        assert answer.atoms.shape == (5, 110)
        assert np.allclose(answer.atoms.sum(axis=1), answer.node_mask)
        assert answer.total == pytest.approx(answer.atoms.sum() + (answer.bonds.sum() if edges else 0))
        if node_features:
            assert np.shares_memory(answer.atoms, answer.node_feat_mask)


def test_the_older_ways_to_make_an_answer_still_do():
    atoms, bonds = np.arange(6.0).reshape(2, 3) - 2, np.array([[1.0, -1.0], [0.5, 0.0]])
    answer = Attribution(atoms, bonds, 0.5)
    assert answer.atom_scores.tolist() == [3, 6] and answer.signed_atom_scores.tolist() == [-3, 6]
    assert answer.bond_scores.tolist() == [2.5] and answer.signed_bond_scores.tolist() == [0.5]
    assert answer.total == 3.5 and answer.seconds == 0.5 and answer.timed(2).seconds == 2
    assert repr(answer) == "<Attribution of node features of 2 atoms, 2 edges, total 3.5>"
