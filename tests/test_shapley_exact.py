from itertools import combinations
from math import comb

import numpy as np
import pytest

from wombat_core import progress
from wombat_core.errors import InputError
from wombat_core.explainers.coalitions import Coalitions
from wombat_core.explainers.registry import explainer
from wombat_core.explainers.shapley_exact import shapley_values
from wombat_core.explanation import explain
from wombat_core.molecules import from_smiles
from wombat_core.molecules.encoding import encode
from wombat_core.studies.sample_size import pattern_size, sample_size_study
from wombat_core.whitebox.build import build
from wombat_core.whitebox.catalogue import pattern

FIGURE_5 = "NC(=O)NN=C1CCCC(C(=O)O)C1"


def test_glove_game():
    """One left glove, two right ones; a pair is worth 1: Shapley values 2/3, 1/6, 1/6."""
    values = np.array([float(bool(c & 1) and bool(c & 6)) for c in range(8)])
    assert np.allclose(shapley_values(values), [2 / 3, 1 / 6, 1 / 6])


@pytest.mark.parametrize(("id", "smiles"), [("12", "CC(C=O)CC=O"), ("flucarb", "FC(C)C=O"), ("12-moving", "CCC=O")])
def test_the_definition_coalition_by_coalition(id, smiles):
    molecule, model = from_smiles(smiles), build(id, "r2")
    game, n = Coalitions(model, encode(molecule)), molecule.num_atoms

    def value(atoms):
        present = np.zeros((1, n), dtype=bool)
        present[0, list(atoms)] = True
        return game.values(present)[0]

    expected = []
    for atom in range(n):
        others = [other for other in range(n) if other != atom]
        expected.append(
            sum(
                (value((*some, atom)) - value(some)) / (n * comb(n - 1, size))
                for size in range(n)
                for some in combinations(others, size)
            )
        )
    (explanation,) = explain([molecule], model, explainer("shapley-exact"))
    assert np.allclose(explanation.attribution.signed_atom_scores, expected, atol=1e-6)


def test_the_values_sum_to_the_prediction_and_bystanders_earn_nothing():
    (explanation,) = explain([from_smiles(FIGURE_5)], build(5, "r2"), explainer("shapley-exact"))
    values = explanation.attribution.atom_scores
    assert values.sum() == pytest.approx(1) and explanation.scores.perfect
    assert values[7] == 0 and np.allclose(values[[*range(7), *range(8, 14)]], 1 / 13)


def test_larger_molecules_are_refused_in_one_sentence():
    method = explainer("shapley-exact")
    with pytest.raises(InputError, match="this one has 15, the limit is 14"):
        explain([from_smiles("C" * 15)], build(12), method)
    explain([from_smiles("C" * 15)], build(12), explainer("shapley-exact", max_atoms=15))


@pytest.mark.parametrize(("id", "smiles"), [("2", "CC1(C2CCC1(C(=O)C2Br)C)C"), ("flucarb", "FCCCCCCCCCC=O")])
def test_twelve_atoms_are_evaluated_once_a_coalition_of_live_atoms_and_many_at_once(id, smiles, monkeypatch):
    """Speed itself is in ``make bench``."""
    molecule, model = from_smiles(smiles), build(id, "r1")
    assert molecule.num_atoms == 12
    rows = []
    evaluate = Coalitions.evaluate
    monkeypatch.setattr(Coalitions, "evaluate", lambda game, masks: rows.append(masks) or evaluate(game, masks))
    explain([molecule], model, explainer("shapley-exact"))
    seen = np.concatenate(rows)
    assert len(np.unique(seen, axis=0)) == len(seen) == 2**12
    assert len(rows) <= 4


def test_the_study_counts_perfect_answers():
    molecules = {"12": [from_smiles(smiles) for smiles in ("CCC=O", "CC=O", "O=CCCCCl")]}
    heard = []
    with progress.listening(heard.append):
        few, many = sample_size_study([pattern(12)], (1, 30), "r2", molecules)
    assert (few.samples, many.samples) == (1, 30) and few.perfect <= many.perfect
    assert many.molecules == 2  # every atom of CC=O is ground truth
    assert many.rate == many.perfect / 2 == 1 and heard[-1] == 1


@pytest.mark.parametrize(("id", "size"), [("10", 4), ("12", 3), ("5", 13)])
def test_pattern_sizes_count_wildcards(id, size):
    assert pattern_size(pattern(id)) == size


def test_what_cannot_be_studied_is_one_sentence():
    with pytest.raises(InputError, match="'saliency' draws no samples"):
        sample_size_study(method="saliency")
    with pytest.raises(InputError, match="no molecule to study"):
        sample_size_study([pattern("flucarb")])


@pytest.mark.slow
def test_500_samples_are_enough_on_the_large_patterns(reference_scores):
    """Figure S7: the share of perfect answers grows with the samples; at 500 it is at least 0.98 on patterns 1 to 5."""
    ids = ["1", "2", "3", "4", "5"]
    rows = reference_scores[reference_scores.readout == "r2"]
    molecules = {id: [from_smiles(smiles) for smiles in rows.smiles[rows.pattern == id][::6]] for id in ids}
    results = sample_size_study([pattern(id) for id in ids], (50, 500), "r2", molecules)
    rates = []
    for samples in (50, 500):
        own = [result for result in results if result.samples == samples]
        rates.append(sum(result.perfect for result in own) / sum(result.molecules for result in own))
    assert rates[0] < 0.5 and rates[1] >= 0.98
