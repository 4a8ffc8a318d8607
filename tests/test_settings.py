"""Settings hold their limits wherever a value comes from, for explainers here and for users' own."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from wombat_core.errors import InputError
from wombat_core.explainers import registry
from wombat_core.explainers.attribution import Attribution
from wombat_core.explainers.integrated import IntegratedGradients
from wombat_core.explainers.registry import explainer, explainer_class, names, register
from wombat_core.settings import Checked, as_stored, check_settings, matching, one_of, settings_of, within


@dataclass(frozen=True)
class Own:
    """A user's own.

    Args:
        width: of the brush.
    """

    width: int = within(3, 1, 9)
    kind: str = one_of("flat", "flat", "round")

    name: ClassVar[str] = "own"
    title: ClassVar[str] = "LRP-ε"
    summary: ClassVar[str] = "Paints."
    expensive: ClassVar[bool] = False

    def attribute(self, model, batch):
        return [Attribution.of_atoms(self.width, graph) for graph in batch.to_data_list()]


@pytest.fixture
def own(monkeypatch):
    monkeypatch.setattr(registry, "_ADDED", {})
    return register(Own)


def test_an_unknown_setting_lists_those_there_are():
    with pytest.raises(
        InputError, match=r"integrated-gradients has no setting 'stepz' \(did you mean 'steps'\?\); its"
    ):
        explainer("integrated-gradients", stepz=100)
    with pytest.raises(InputError, match="its settings are steps, method, baseline"):
        explainer("integrated-gradients", samples=100)
    with pytest.raises(InputError, match="saliency has no setting 'steps'; it has none"):
        explainer("saliency", steps=100)


@pytest.mark.parametrize("steps", [-5, 0, 100_001, 1.5, "50", True, float("nan")])
def test_an_impossible_setting_is_refused_where_an_instance_is_made(steps):
    with pytest.raises(
        InputError, match=r"steps takes a whole number from 1 to 100,000, not .*; its settings are steps"
    ):
        IntegratedGradients(steps=steps)
    with pytest.raises(InputError, match="steps takes"):
        replace(IntegratedGradients(), steps=steps)
    with pytest.raises(InputError, match="steps takes"):
        explainer("integrated-gradients", n_steps=steps)


@pytest.mark.parametrize("name", names())
def test_every_setting_of_every_explainer_has_limits_that_hold(name):
    kind = explainer_class(name)
    for setting in settings_of(kind).values():
        assert setting.meaning, f"{name}.{setting.name}"
        beyond = {bool: 2, int: (setting.most or 0) + 1, float: float("inf"), str: "no such text"}[
            type(setting.default)
        ]
        with pytest.raises(InputError, match=f"{setting.name} takes"):
            kind(**{setting.name: beyond})
        assert setting.parse(setting.text(setting.default)) == setting.default


def test_a_users_own_explainer_is_held_to_its_limits_too(own):
    assert explainer("own", width=9).width == 9
    for make in (lambda: explainer("own", width=10), lambda: own(width=10), lambda: replace(own(), width=0)):
        with pytest.raises(InputError, match="own: The setting width takes a whole number from 1 to 9, not"):
            make()
    with pytest.raises(InputError, match=r"own has no setting 'with'.*its settings are width, kind"):
        explainer("own", **{"with": 3})


def test_captums_names_of_settings_do_as_well():
    assert explainer("integrated-gradients", n_steps=7, baselines="mean-atom") == IntegratedGradients(
        steps=7, baseline="mean-atom"
    )
    assert explainer("shapley-value-sampling", n_samples=7).samples == 7
    with pytest.raises(InputError, match="given its setting steps twice"):
        explainer("integrated-gradients", n_steps=7, steps=8)
    with pytest.raises(InputError, match="saliency has no setting 'n_steps'"):
        explainer("saliency", n_steps=7)


def test_values_are_kept_in_the_type_of_their_default():
    assert repr(IntegratedGradients(steps=np.int64(7))) == repr(IntegratedGradients(steps=7))
    assert explainer("gnn-explainer", lr=1) == explainer("gnn-explainer", lr=np.float64(1.0))
    assert type(explainer("gnn-explainer", lr=1).lr) is float


def test_a_later_setting_is_stored_only_where_it_is_not_the_default():
    """Runs that were stored before there was a baseline can be gone on with."""
    assert as_stored(IntegratedGradients()) == {"steps": 50, "method": "gausslegendre"}
    assert as_stored(IntegratedGradients(baseline="without-N"))["baseline"] == "without-N"


def test_limits_and_meaning_stand_with_the_field():
    @dataclass(frozen=True)
    class Brush(Checked):
        width: float = within(1.0, 0.5, 2, "how wide it paints", title="Width")
        end: str = matching("round", "round|flat-[0-9]", "round, or flat- and a digit", "round", "flat-1")

    width, end = settings_of(Brush).values()
    assert (width.wanted, width.meaning, width.title) == ("a number from 0.5 to 2", "how wide it paints", "Width")
    assert end.wanted == "round, or flat- and a digit" and end.examples == ("round", "flat-1")
    with pytest.raises(InputError, match="Brush: The setting end takes round, or flat- and a digit, not 'flat'"):
        Brush(end="flat")
    brush = Brush()
    object.__setattr__(brush, "width", 3.0)
    with pytest.raises(InputError, match=r"width takes a number from 0\.5 to 2"):
        check_settings(brush)
