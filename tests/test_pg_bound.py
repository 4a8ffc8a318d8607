"""The upper bound on PGExplainer's AUROC (Figure S8b)."""

import numpy as np
import pytest

from wombat_core.molecules import from_smiles
from wombat_core.molecules.positives import positives
from wombat_core.studies.pg_bound import best_auroc, bound_study, pg_bound, published_bounds
from wombat_core.whitebox.build import build


@pytest.mark.parametrize("number", range(1, 15))
def test_the_published_means(number):
    """Over data/positives.csv, not the paper's positives; hence 0.011 at most (Pattern 4: 0.624 to 0.614)."""
    (result,) = bound_study({str(number): [from_smiles(smiles) for smiles in positives()[number]]})
    assert result.published == published_bounds()[str(number)]
    assert result.mean == pytest.approx(result.published, abs=0.011)


def test_a_mean_is_over_the_molecules_that_have_a_bound():
    molecules = [from_smiles(smiles) for smiles in ("CC(C)CCC.c1ccccc1", "CCO")]
    (variant,) = bound_study({"12-leaf": [from_smiles("CCC=O"), from_smiles("CC=O")]})
    (result,) = bound_study({"7": molecules})
    assert result.molecules == 1 and result.mean == pytest.approx(0.75)
    assert variant.molecules == 1 and variant.published is None
    (nothing,) = bound_study({"7": molecules[1:]})
    assert nothing.molecules == 0 and nothing.mean is None


def test_one_active_atom_shows_its_bonds_and_no_more():
    """Pattern 7 ends on the second CH2: it and its neighbours can be told from the rest, and nothing else.

    Of the 6 ground-truth atoms of 2-methylpentane with a phenyl far away 3 are seen: (3 + 3 / 2) / 6.
    """
    bound = pg_bound(from_smiles("CC(C)CCC.c1ccccc1"), build("7"))
    assert bound == pytest.approx(0.75)


def test_groups_that_mix_truth_and_rest_cost():
    truth = np.array([True, True, False, False])
    assert best_auroc(["a", "b", "c", "c"], truth) == 1
    assert best_auroc(["a", "a", "a", "a"], truth) == 0.5
    assert best_auroc(["a", "b", "b", "c"], truth) == pytest.approx(0.875)


def test_undefined_without_ground_truth_or_rest():
    assert pg_bound(from_smiles("CCO"), build("7")) is None
    assert pg_bound(from_smiles("CC=O"), build("12")) is None
