"""Steps of integrated gradients against the exact integral."""

import numpy as np
import pytest
from captum.attr._utils.approximation_methods import SUPPORTED_METHODS, approximation_parameters

from wombat_core.errors import InputError
from wombat_core.explainers.integrated import IntegratedGradients
from wombat_core.molecules.encoding import encode_batch
from wombat_core.molecules.molecule import from_smiles
from wombat_core.paths.convergence import convergence
from wombat_core.paths.rules import METHODS, quadrature_rule
from wombat_core.whitebox.model import Whitebox

FIGURE_5 = from_smiles("NC(=O)NN=C1CCCC(C(=O)O)C1")


def test_sums_of_figure_5():
    rows = convergence(Whitebox("5", "r2"), FIGURE_5, (50, 100, 300, 1000), ("gausslegendre",))
    assert [row.total for row in rows] == pytest.approx([1.3019, 0.7274, 1.1129, 0.9598, 1], abs=5e-5)
    assert [row.steps for row in rows] == [50, 100, 300, 1000, None]
    assert rows[0].gap == pytest.approx(0.3019, abs=5e-5)
    assert abs(rows[-1].gap) < 1e-10
    assert rows[-1].method == "exact"
    assert rows[-1].error == 0


def test_the_ranking_error_is_not_the_quadratures():
    molecule = from_smiles("CCC(C)C(=O)OCC[N+](CC)(CC)CCCOS(=O)(=O)O")
    rows = convergence(Whitebox("4", "r2"), molecule, (50, 500, 5000), ("gausslegendre",))
    assert [row.auroc for row in rows] == pytest.approx([0.931624] * 4, abs=1e-6)
    assert abs(rows[2].gap) < 0.01 < abs(rows[0].gap)


@pytest.mark.parametrize("method", METHODS)
def test_rows_are_captums(method):
    model = Whitebox("5", "r1")
    row, exact = convergence(model, FIGURE_5, (40,), (method,))
    (answer,) = IntegratedGradients(40, method).attribute(model, encode_batch([FIGURE_5]))
    assert row.total == pytest.approx(answer.total, rel=1e-4)
    assert row.gap == pytest.approx(answer.total - 16, abs=1e-3)
    assert exact.total == pytest.approx(16)
    assert row.error > exact.error == 0


@pytest.mark.parametrize("method", METHODS)
def test_rules_are_captums(method):
    step_sizes, alphas = approximation_parameters(method)
    found = quadrature_rule(method, 30)
    assert found[0] == pytest.approx(np.array(alphas(30)), abs=1e-7)
    assert found[1] == pytest.approx(np.array(step_sizes(30)), abs=1e-12)


def test_every_rule_of_captum_is_offered():
    assert set(METHODS) == set(SUPPORTED_METHODS)


def test_every_rule_converges():
    rows = convergence(Whitebox("10", "r2"), from_smiles("CC(C)CO"), (10, 5000))
    for coarse, fine in zip(rows[:-1:2], rows[1:-1:2], strict=True):
        assert fine.error < 2e-3 < coarse.error
        assert abs(fine.gap) < 0.01


def test_no_motif_has_no_auroc():
    rows = convergence(Whitebox("5", "r2"), from_smiles("CCO"), (10,))
    assert [row.auroc for row in rows] == [None] * 6
    assert all(row.total == row.gap == row.error == 0 for row in rows)


@pytest.mark.parametrize("steps, methods", [((1,), METHODS), ((50_000,), METHODS), ((10,), ("simpson",))])
def test_bad_settings_get_a_sentence(steps, methods):
    with pytest.raises(InputError, match=r"cannot be taken|no quadrature rule"):
        convergence(Whitebox("5"), FIGURE_5, steps, methods)
