"""GraphXAI's molecular tasks on library molecules, and its metrics on whiteboxes."""

import math

import numpy as np
import pytest

from wombat_core.cli import main
from wombat_core.errors import InputError
from wombat_core.explainers.registry import explainer
from wombat_core.explanation import explain
from wombat_core.molecules import from_smiles
from wombat_core.networks.training import TrainingSettings
from wombat_core.studies.graphxai_scores import graphxai_scores, ground_truths
from wombat_core.studies.molecule_rules import ATOM_TYPES, TASKS, encode, is_near, is_positive, molecule_task, truths
from wombat_core.studies.molecule_tasks import evaluate_task, remark, train_on_task
from wombat_core.whitebox.build import build
from wombat_core.whitebox.catalogue import pattern


def sets(masks):
    return [set(np.flatnonzero(mask).tolist()) for mask in masks]


# The rules


@pytest.mark.parametrize(
    ("task", "smiles", "positive"),
    [
        ("benzene", "Cc1ccccc1", True),
        ("benzene", "C1CCCCC1", False),
        ("benzene", "c1ccncc1", False),
        ("fluoride-carbonyl", "FCC=O", True),
        ("fluoride-carbonyl", "FCCO", False),
        ("fluoride-carbonyl", "ClCC=O", False),
        ("alkane-carbonyl", "CCCC=O", True),
        ("alkane-carbonyl", "CCC=O", False),
        ("alkane-carbonyl", "CC(C)(C)C=O", False),
        ("alkane-carbonyl", "O=C1CCCCC1", False),
        ("mutag", "CCN", True),
        ("mutag", "C[N+](=O)[O-]", True),
        ("mutag", "CNC", False),
    ],
)
def test_labels(task, smiles, positive):
    assert is_positive(from_smiles(smiles), TASKS[task]) == positive


def test_every_ring_is_a_ground_truth_of_its_own():
    """Biphenyl: atoms 0 to 5 and 6 to 11. Naphthalene: two rings that share a bond."""
    assert sets(truths(from_smiles("c1ccccc1c1ccccc1"), TASKS["benzene"])) == [set(range(6)), set(range(6, 12))]
    assert [len(own) for own in sets(truths(from_smiles("c1ccc2ccccc2c1"), TASKS["benzene"]))] == [6, 6]
    assert truths(from_smiles("CCO"), TASKS["benzene"]) == []


def test_pairs_of_parts_are_ground_truths():
    """FCC(=O)CF: fluorines 0 and 5, carbonyl 2 and 3."""
    task = TASKS["fluoride-carbonyl"]
    assert sets(truths(from_smiles("FCC(=O)CF"), task)) == [{0, 2, 3}, {5, 2, 3}]
    assert truths(from_smiles("FCCO"), task) == []
    assert is_near(from_smiles("FCCO"), task) and not is_near(from_smiles("CCO"), task)


def test_the_groups_of_mutag_are_ground_truths():
    assert sets(truths(from_smiles("NCC[N+](=O)[O-]"), TASKS["mutag"])) == [{0}, {3, 4, 5}]


def test_features_are_fourteen_atom_types():
    """GraphXAI, Table 7: 14 features."""
    assert len(ATOM_TYPES) == 14
    graph = encode(from_smiles("NC([Se])Cl"))
    assert [ATOM_TYPES[slot] for slot in graph.x.argmax(dim=1)] == ["N", "C", "*", "Cl"]
    assert graph.x.sum(dim=1).tolist() == [1.0] * 4
    assert graph.edge_index.shape == (2, 6)


def test_there_is_no_other_task():
    with pytest.raises(InputError, match="There is no molecule task 'water'; choose from benzene"):
        molecule_task("water")


# A trained network


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WOMBAT_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield train_on_task("fluoride-carbonyl", TrainingSettings(epochs=30, lr=3e-3, graphs_at_once=16), most=60)


def test_half_of_the_negatives_come_close(trained):
    molecules = [from_smiles(smiles) for own in trained.molecules.values() for smiles in own]
    positive = [is_positive(molecule, trained.task) for molecule in molecules]
    near = [is_near(molecule, trained.task) for molecule in molecules]
    assert sum(positive) == 60 and len(molecules) == 120
    assert sum(near) - sum(positive) == 30
    assert trained.training.scores["train"].accuracy > 0.7


def test_rows_have_gea_and_gef_of_every_molecule(trained):
    own = [
        explainer("oracle"),
        explainer("saliency"),
        explainer("gnn-explainer", epochs=2),
        explainer("pg-explainer", epochs=1, positives=3, negatives=2),
        explainer("subgraphx", rollouts=1, samples=2),
    ]
    rows = evaluate_task(trained, own, molecules=5)
    assert [(row.explainer, row.metric) for row in rows] == [(e.name, m) for e in own for m in ("GEA", "GEF")]
    assert all(row.summary.count == 5 and all(0 <= value <= 1 for value in row.values) for row in rows)
    with pytest.raises(InputError, match="At least 1 molecule"):
        evaluate_task(trained, own, molecules=0)


def test_the_terminal_prints_the_table(capsys):
    arguments = ["shapeggen", "molecules", "--tasks", "benzene", "--explainers", "random,saliency", "--molecules", "4"]
    assert main([*arguments, "--epochs", "2", "--most", "40"]) == 0
    out = capsys.readouterr().out
    assert "[0.108]" in out and "[0.262]" in out and "other molecules" in out
    assert "here 80 molecules of the library" in out and "At most 40 positive ones" in out
    assert main([*arguments[:3], "water"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_too_few_molecules_are_refused_before_any_work(capsys, monkeypatch):
    from wombat_core.studies import molecule_tasks

    monkeypatch.setattr(molecule_tasks, "balanced_molecules", None)
    assert main(["shapeggen", "molecules", "--most", "1"]) == 2
    err = capsys.readouterr().err
    assert "--most must be at least 10" in err and "not 1." in err and err.count("\n") == 1
    with pytest.raises(InputError, match="at least 10"):
        train_on_task("benzene", most=9)


def test_the_remark_has_the_real_numbers():
    assert "here 80 molecules" in remark([80, 80]) and "here 80 to 1,200 molecules" in remark([1200, 80])


# Whiteboxes


def test_ground_truths_are_single_matches_and_all_together():
    """Pattern 12 is C-C=O (see patterns.yaml); butanedial has it twice."""
    molecule = from_smiles("O=CCCC=O")
    found = sets(ground_truths(molecule, pattern("12")))
    assert found[-1] == set().union(*found[:-1])
    assert len(found) == 3 and all(len(own) < len(found[-1]) for own in found[:-1])
    assert ground_truths(from_smiles("CCO"), pattern("12")) == []


def test_whiteboxes_have_gea_and_gef():
    """The oracle's mask holds all that F needs: F stays, GEF = 0. Nothing shown: F falls from 1 to 0, GEF = 1."""
    molecules, model = [from_smiles("CCCCCC=O"), from_smiles("CCO")], build("12", "r2")
    explanations = explain(molecules, model, explainer("oracle"))
    found = graphxai_scores(explanations, rule="above-0.8")
    truth = ground_truths(molecules[0], model.pattern)[-1]
    assert (found[0].mask == truth).all()
    assert found[0].gea == 1.0
    assert found[0].gef == pytest.approx(0.0, abs=1e-6)
    assert math.isnan(found[1].gea) and found[1].gef == 0.0
    # Under r2 the gradient is zero where the motif is there.
    nothing = graphxai_scores(explain(molecules[:1], model, explainer("saliency")), "above-0.8")
    assert not nothing[0].mask.any()
    assert (nothing[0].gea, nothing[0].gef) == (0.0, 1.0)
