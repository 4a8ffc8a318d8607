"""Where along the path F changes."""

import numpy as np
import pytest

from wombat_core.paths.rise import changing_range, rise

ALPHAS = np.linspace(0, 1, 1001)


def test_the_shortest_range_of_a_ramp():
    values = np.clip((ALPHAS - 0.4) / 0.1, 0, 1)
    low, high = rise(ALPHAS, values)
    assert high - low == pytest.approx(0.099, abs=0.0011)
    assert low + 1e-9 >= 0.4 and high <= 0.5 + 1e-9
    assert values[round(1000 * high)] - values[round(1000 * low)] >= 0.99 - 1e-9


def test_a_fall_is_a_rise_of_its_negative():
    values = np.clip((ALPHAS - 0.4) / 0.1, 0, 1)
    assert rise(ALPHAS, 5 - 5 * values) == rise(ALPHAS, values)


@pytest.mark.parametrize("values", [np.zeros(1001), np.ones(1001), np.sin(np.pi * ALPHAS)])
def test_where_nothing_is_gained_there_is_no_range(values):
    assert rise(ALPHAS, values) is None


def test_the_changing_range_covers_every_output_and_has_round_ends():
    early = np.clip((ALPHAS - 0.4) / 0.1, 0, 1)
    late = np.clip((ALPHAS - 0.8) / 0.1, 0, 1)
    low, high = changing_range(ALPHAS, [early, late])
    assert 0.3 < low <= 0.401 and 0.899 <= high < 1
    assert low / 0.005 == pytest.approx(round(low / 0.005)) and high / 0.005 == pytest.approx(round(high / 0.005))
    assert changing_range(ALPHAS, [np.zeros(1001)]) == (0, 1)


def test_ups_and_downs_count_where_the_ends_agree():
    bump = np.exp(-(((ALPHAS - 0.5) / 0.02) ** 2))
    low, high = changing_range(ALPHAS, [bump])
    assert 0.4 < low < 0.48 and 0.52 < high < 0.6
