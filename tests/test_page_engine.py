"""Pages stand on the one engine: what several of them need is computed once."""

from dataclasses import replace

import pytest

from pages.parts.interpolation import path_engine
from pages.shared import engine
from pages.shared.layer_activations import forward_pass
from pages.shared.state import State
from wombat_core.engine import Engine


@pytest.fixture
def counted(monkeypatch):
    """How often molecules are encoded and their ground truth searched, from an empty memory on."""
    import wombat_core.ground_truth as truths
    import wombat_core.molecules.encoding as encoding
    import wombat_core.subject as subject

    calls = {"encode": 0, "truth": 0}

    def count(name, function):
        def counting(*args):
            calls[name] += 1
            return function(*args)

        return counting

    monkeypatch.setattr(encoding, "encode", count("encode", encoding.encode))
    searched = count("truth", truths.looked_at)
    monkeypatch.setattr(truths, "looked_at", searched)
    monkeypatch.setattr(subject, "looked_at", searched)
    fresh = Engine()
    monkeypatch.setattr(engine, "get_engine", lambda: fresh)
    return calls


def test_a_molecule_is_encoded_once_and_its_truth_searched_once_on_the_way_to_its_heatmaps(counted):
    state = State(molecule="CCCCCC=NNC(N)=O", explainers=("saliency", "integrated-gradients", "random"))
    case = engine.case(state.molecule, state.pattern)
    for readout in ("r1", "r2"):
        answers = engine.answers(replace(state, readout=readout))
        assert all(answer.problem is None for answer in answers)
    assert counted == {"encode": 1, "truth": 1}
    path_engine.walk(state)
    path_engine.layers_at(state.molecule, state.pattern, "r2", "zero", 0.5)
    path_engine.followed(state.molecule, state.pattern, "r2", 3, 0.5)
    forward_pass(state.molecule, state.pattern, "r1")
    forward_pass(state.molecule, state.pattern, "r2")
    assert counted == {"encode": 1, "truth": 1}
    assert engine.case(state.molecule, state.pattern) is case
    # An answer is computed once: the very arrays come again.
    again = engine.answers(replace(state, readout="r2"))
    assert [each.atoms is first.atoms for each, first in zip(again, answers, strict=True)] == [True] * 3


def test_the_engine_of_the_pages_is_one():
    assert engine.get_engine() is engine.get_engine()
