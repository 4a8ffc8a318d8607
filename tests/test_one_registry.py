"""One table for things chosen by name, and its one sentence."""

import doctest
import sys

import pytest

from wombat_core import registry
from wombat_core.errors import InputError
from wombat_core.registry import Registry, no_such


def test_the_examples_hold():
    assert doctest.testmod(registry, optionflags=doctest.ELLIPSIS).attempted > 0
    assert doctest.testmod(registry, optionflags=doctest.ELLIPSIS).failed == 0


def test_an_unknown_name_lists_the_names_there_are():
    rules = Registry("rule", {"left": 1, "right": 2, "middle": 3})
    with pytest.raises(InputError, match=r"^There is no rule 'up'; choose from left, right, middle\.$"):
        rules["up"]
    with pytest.raises(InputError, match=r"^There is no rule 'midle' \(did you mean 'middle'\?\); choose from"):
        rules.check("midle")
    assert str(no_such("readout", "x" * 100, ["r1", "r2"])) == f"There is no readout '{'x' * 40}'; choose r1 or r2."
    assert str(no_such("baseline", "q", ["zero"], " for this molecule")) == (
        "There is no baseline 'q' for this molecule; choose zero."
    )
    assert rules.get("up") is None and rules.get("left") == 1 and "up" not in rules and 3 not in rules


def test_an_entry_is_imported_when_it_is_first_asked_for():
    late = Registry("table", {"colours": "colorsys:rgb_to_hsv", "self": "registry:Registry"}, "wombat_core")
    assert list(late) == ["colours", "self"]
    assert late["self"] is Registry
    with pytest.raises(ModuleNotFoundError):
        late["colours"]
    assert sys.modules["wombat_core.registry"] is registry


def test_a_name_is_taken_once():
    kinds = Registry("kind", {"a": 1})

    @kinds.register("b")
    def second():
        return 2

    assert kinds["b"] is second and list(kinds) == ["a", "b"]
    with pytest.raises(InputError, match="There is already a kind 'a'"):
        kinds.register("a", 5)
    kinds.replace("a", 5)
    assert kinds["a"] == 5 and list(kinds) == ["a", "b"] and repr(kinds) == "<2 of kind: a, b>"
