import numpy as np
import pytest

from wombat_core.ground_truth import contains_motif, degree_atoms, ground_truth
from wombat_core.molecules import from_smiles
from wombat_core.whitebox.catalogue import pattern


@pytest.mark.parametrize(
    ("id", "smiles", "outside"),
    [
        (5, "NC(=O)NN=C1CCCC(C(=O)O)C1", [7]),  # Figure 5: every atom but 7
        (4, "CC[N+](C)(CC)CCOC(=O)C(c1ccccc1)C1(O)CCCCC1C.[Br-]", [3, *range(13, 18), *range(19, 27)]),
        (12, "CCC=O", [0]),
        (10, "CC(C)CC", [4]),
    ],
)
def test_ground_truth_atoms(id, smiles, outside):
    assert np.flatnonzero(~ground_truth(from_smiles(smiles), pattern(id))).tolist() == outside


def test_every_match_counts():
    truth = ground_truth(from_smiles("O=CCCCCC=O"), pattern(12))
    assert np.flatnonzero(truth).tolist() == [0, 1, 2, 5, 6, 7]


def test_degree_queries_bring_the_neighbours_in():
    assert degree_atoms(pattern(6).smarts) == (0, 1)
    assert degree_atoms(pattern(10).smarts) == ()
    assert ground_truth(from_smiles("CC(O)C(N)F"), pattern(6)).all()


def test_without_a_match_nothing_is_ground_truth():
    molecule = from_smiles("CCC")
    assert not contains_motif(molecule, pattern(12))
    assert not ground_truth(molecule, pattern(12)).any()
