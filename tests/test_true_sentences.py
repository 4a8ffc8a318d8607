"""Sentences of lessons, cases and cards, each on the engine's numbers."""

import numpy as np
import pytest
import torch
import yaml

from wombat_core.data import data_file
from wombat_core.explainers.control import Oracle
from wombat_core.explainers.pg_settings import TrainingSettings
from wombat_core.explainers.pg_training import training_set
from wombat_core.explainers.registry import explainer
from wombat_core.explainers.tie_reason import tie_reason
from wombat_core.explanation import explain
from wombat_core.ground_truth import ground_truth
from wombat_core.lessons.engine import Engine
from wombat_core.lessons.facts_path import blanked, needed_of
from wombat_core.lessons.lesson import Situation
from wombat_core.lessons.reader import FOLDER, lesson_files, read_lesson
from wombat_core.metrics.ranking import auroc_and_average_precision, random_average_precision
from wombat_core.molecules import find_molecule, from_smiles
from wombat_core.molecules.encoding import encode
from wombat_core.molecules.positives import positives
from wombat_core.studies.graphxai_scores import graphxai_scores
from wombat_core.whitebox.build import build
from wombat_core.whitebox.catalogue import fourteen

GLUTARALDEHYDE = "C(CC=O)CC=O"


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


def lesson_text(number: int) -> str:
    return lesson_files(FOLDER)[number - 1].read_text(encoding="utf-8")


def test_case_table_s2_says_what_oxygen_is_to_the_network():
    """A zero embedding is the all-zero baseline; sulfur in its place changes the answer."""
    [case] = [one for one in yaml.safe_load(data_file("cases.yaml").read_text("utf-8")) if one["id"] == "table-s2"]
    model = build("flucarb", "r1").eval()
    found = {}
    for element in "OS":
        data = encode(find_molecule(f"CC(={element})Nc1ccc(F)cc1"))
        found[element] = float(model(data.x, data.edge_index, data.edge_attr))
    assert f"from {found['O']:.3f} to {found['S']:.3f}" in case["why"]
    data = encode(find_molecule(case["molecule"]))
    blank = data.x.clone()
    blank[2] = 0  # the oxygen
    assert float(model(blank, data.edge_index, data.edge_attr)) == float(model(data.x, data.edge_index, data.edge_attr))
    assert find_molecule(case["molecule"]).mol.GetAtomWithIdx(2).GetSymbol() == "O"


def test_exact_and_sampled_shapley_values_are_of_two_games():
    # Five players of equal part, 3 atoms and 2 directions of bonds, against the three atoms alone.
    model = build("12", "r2").eval()
    molecule = find_molecule("O=CCCC")
    [exact] = explain([molecule], model, explainer("shapley-exact"))
    [sampled] = explain([molecule], model, explainer("shapley-value-sampling", samples=5000))
    assert exact.attribution.atom_scores[:3] == pytest.approx([1 / 3] * 3, abs=1e-6)
    assert sampled.attribution.atom_scores[:3] == pytest.approx([1 / 5] * 3, abs=0.02)


def test_the_oracle_is_perfect_by_auroc_and_not_by_graphxai():
    model, molecule = build("12", "r1").eval(), find_molecule("O=CCCCCCCCCC=O")
    found = explain([molecule], model, Oracle())
    [scores] = graphxai_scores(found)
    record = scores.as_record()
    assert (found[0].scores.auroc, record["gea"], record["gef"]) == (1, pytest.approx(0.5), pytest.approx(1, abs=0.01))


def test_random_numbers_have_the_average_precision_that_is_said():
    generator, truth = np.random.default_rng(0), np.arange(11) < 7
    drawn = [auroc_and_average_precision(generator.random(11), truth)[1] for _ in range(20_000)]
    assert random_average_precision(11, 7) == pytest.approx(np.mean(drawn), abs=0.003)
    assert random_average_precision(5, 5) == 1


def test_random_numbers_have_more_than_a_constant_on_every_pattern():
    for number, texts in positives().items():
        molecules = [find_molecule(text) for text in texts]
        truths = [ground_truth(molecule, build(str(number), "r1").pattern) for molecule in molecules]
        gains = [
            random_average_precision(len(truth), int(truth.sum())) - truth.mean() for truth in truths if truth.any()
        ]
        assert 0.02 < np.mean(gains) < 0.14, number


@pytest.mark.parametrize("readout", ["r1", "r2"])
def test_glutaraldehyde_needs_no_single_atom(engine, readout):
    situation = Situation(GLUTARALDEHYDE, "12", readout)
    assert [blanked(engine, situation, [atom]) for atom in range(7)] == [1] * 7
    for number in (1, 4, 6, 11):
        assert f'molecule="{GLUTARALDEHYDE}"' in lesson_text(number), (
            "the lesson says what one blanked atom cannot prove"
        )


def test_players_that_pattern_5_cannot_do_without(engine):
    situation = Situation("NC(=O)NN=C1CCCC(C(=O)O)C1", "5", "r2")
    atoms, bonds = needed_of(engine, situation)
    settings = (("shapley-value-sampling", "samples", 4000),)
    answer = engine.answer(Situation(situation.molecule, "5", "r2", settings), "shapley-value-sampling")
    # Players that are all needed share F equally.
    assert np.median(answer.signed_atoms) == pytest.approx(1 / (atoms + bonds), rel=0.1)
    assert atoms == 13


def test_a_sigmoid_keeps_the_ranking_of_the_gradients(engine):
    situation = Situation("CC(=O)OCC[N+](C)(C)C", "13", "r1")
    model, data = engine.network(situation), engine.data(situation)
    scores = []
    for last in (lambda f: f, lambda f: torch.sigmoid(14.7 * f.double())):
        x = data.x.clone().requires_grad_()
        value = last(model(x, data.edge_index, data.edge_attr))
        value.sum().backward()
        scores.append(auroc_and_average_precision(x.grad.abs().sum(1).numpy(), engine.truth(situation))[0])
    assert value.item() == pytest.approx(0.9999996, abs=1e-7)
    assert scores == [1, 1]


def test_steps_can_move_auroc(engine):
    molecule = "Cc1ccc(C(=O)NC(NC(=O)Nc2cccnc2)C(Cl)(Cl)Cl)cc1"
    few, exact = (
        engine.answer(Situation(molecule, "1", "r2"), name).scores.auroc
        for name in ("integrated-gradients", "integrated-gradients-exact")
    )
    assert (round(few, 4), round(exact, 4)) == (0.9936, 0.9872)


@pytest.mark.parametrize("smiles, found", [("O=CO", True), ("CN(C)C=O", True), ("CC=O", True), ("C=O", False)])
def test_pattern_12_finds_a_formyl_group_on_a_heavy_atom(engine, smiles, found):
    assert engine.truth(Situation(smiles, "12")).any() == found


def test_the_marked_answer_of_lesson_10_is_that_of_both_scores(engine):
    step = read_lesson(lesson_files(FOLDER)[9]).steps[1]
    assert "aldosterone" in step.choices[step.answer]
    gains = []
    for molecule in (GLUTARALDEHYDE, "aldosterone"):
        situation = Situation(molecule, "12-smoothing", "r2")
        scores, truth = engine.answer(situation, "integrated-gradients").scores, engine.truth(situation)
        chance = random_average_precision(len(truth), int(truth.sum()))
        gains.append((scores.auroc - 0.5, scores.average_precision - chance))
    assert max(gains[0]) < 0 < min(gains[1])


def test_the_sentence_about_ties_stands_where_it_happens(engine):
    hexamethonium = Situation("C[N+](C)(C)CCCCCC[N+](C)(C)C", "13", "r1")
    products = engine.trace(hexamethonium).products
    tied = int((products == products.max()).sum())
    truth = engine.truth(hexamethonium)
    atoms = engine.answer(hexamethonium, "integrated-gradients").atoms
    assert "2 atoms tie for the maximum" in tie_reason("integrated-gradients", atoms, truth, tied, "r1")
    assert tie_reason("integrated-gradients", atoms, truth, tied, "r2") == ""
    assert tie_reason("grad-cam", atoms, truth, tied, "r1") == ""
    assert tie_reason("integrated-gradients", atoms + 1, truth, tied, "r1") == ""


def test_pg_explainer_learns_from_few_molecules_with_the_motif_repeated():
    """The sentence of lessons 6 and 7: with and without the motif, the few published ones repeated."""
    assert "for each pattern the few published ones with it, repeated" in lesson_text(7)
    settings = TrainingSettings()
    for entry in fourteen():
        chosen = training_set(entry, settings.positives, settings.negatives)
        published = set(positives()[int(entry.id)])
        with_motif = [smiles for smiles, label in chosen if label]
        without = [smiles for smiles, label in chosen if not label]
        assert len(with_motif) == settings.positives and set(with_motif) == published
        assert len(published) < settings.positives / 2, "so each comes more than twice"
        assert len(set(without)) == len(without) == settings.negatives
        assert not any(ground_truth(from_smiles(smiles), entry).any() for smiles in without)


def test_rounding_near_one_makes_gradients_zero(engine):
    """The sentence of lesson 6: single precision writes 1 for a sigmoid that is near enough, and its slope is 0."""
    assert "so near to 1 that the computer writes 1" in lesson_text(6)
    situation = Situation("CC(=O)OCC[N+](C)(C)C", "13", "r1")
    model, data = engine.network(situation), engine.data(situation)
    found = {}
    for factor in (14.7, 20.0):
        x = data.x.clone().requires_grad_()
        value = torch.sigmoid(factor * model(x, data.edge_index, data.edge_attr))
        value.sum().backward()
        found[factor] = value.item(), float(x.grad.abs().max())
    assert found[14.7][0] < 1 and found[14.7][1] > 0
    assert found[20.0] == (1, 0)
