"""The one engine: everything on the way to a heatmap is computed once."""

import subprocess
import sys
import threading

import numpy as np
import pytest

from tests.browser import ROOT
from wombat_core.engine import Engine
from wombat_core.errors import InputError
from wombat_core.explainers.registry import explainer
from wombat_core.explanation import explain
from wombat_core.memo import Memo
from wombat_core.molecules.molecule import from_smiles
from wombat_core.subject import Subject

FIGURE_5 = "NC(=O)NN=C1CCCC(C(=O)O)C1"


@pytest.fixture
def counted(monkeypatch):
    """How often molecules are encoded and their ground truth searched."""
    import wombat_core.ground_truth as truths
    import wombat_core.molecules.encoding as encoding
    import wombat_core.subject as subject

    calls = {"encode": 0, "truth": 0}
    encode, search = encoding.encode, truths.looked_at

    def encoded(*args):
        calls["encode"] += 1
        return encode(*args)

    def searched(molecule, pattern):
        calls["truth"] += 1
        return search(molecule, pattern)

    monkeypatch.setattr(encoding, "encode", encoded)
    monkeypatch.setattr(truths, "looked_at", searched)
    monkeypatch.setattr(subject, "looked_at", searched)
    return calls


def test_a_molecule_is_encoded_once_and_its_truth_searched_once_on_the_way_to_its_heatmaps(counted):
    engine = Engine()
    for name in ("saliency", "input-x-gradient"):
        for readout in ("r1", "r2"):
            engine.explanation(FIGURE_5, "5", readout, explainer(name))
            engine.graphxai_scores(FIGURE_5, "5", readout, explainer(name))
    engine.predictions(FIGURE_5, "5")
    engine.path(FIGURE_5, "5", "r2", np.linspace(0, 1, 3))
    assert counted == {"encode": 1, "truth": 1}
    engine.predictions(FIGURE_5, "4")
    assert counted["encode"] == 1


def test_the_engine_agrees_with_its_parts():
    engine, molecule = Engine(), from_smiles(FIGURE_5)
    found = engine.explanation(FIGURE_5, "5", "r2", explainer("saliency"))
    [plain] = explain([molecule], engine.network("5", "r2"), explainer("saliency"))
    assert np.array_equal(found.attribution.atoms, plain.attribution.atoms) and found.scores == plain.scores
    assert engine.predictions(FIGURE_5, "5")["r1"] == 16
    assert engine.explanation(FIGURE_5, 5, "r2", explainer("saliency")) is found
    assert engine.explanation(FIGURE_5, "5", "r1", explainer("saliency")) is not found
    assert "truth" not in engine.graph(FIGURE_5)


def test_settings_and_molecules_are_told_apart():
    engine, method = Engine(), "integrated-gradients"
    first = engine.explanation(FIGURE_5, "5", "r2", explainer(method, steps=10))
    other = engine.explanation(FIGURE_5, "5", "r2", explainer(method, steps=20))
    assert first.attribution.total != other.attribution.total
    assert engine.known_explanation(FIGURE_5, "5", "r2", explainer(method, steps=10)) is first
    assert engine.known_explanation(FIGURE_5, "5", "r2", explainer(method, steps=30)) is None
    one, two = from_smiles("CCO"), from_smiles("CCN")
    assert engine.graph(one) is engine.graph(one)
    assert engine.graph(one) is not engine.graph(two)


def test_a_text_that_stands_for_nothing_is_remembered_with_its_suggestions():
    engine = Engine()
    assert engine.look_up("aspirinn") is engine.look_up("aspirinn")
    with pytest.raises(InputError) as raised:
        engine.molecule("aspirinn")
    assert raised.value.suggestions == engine.look_up("aspirinn").suggestions != ()


def test_a_molecule_that_cannot_be_encoded_has_a_truth_and_no_graph():
    molecule = from_smiles("C")
    atom = molecule.mol.GetAtomWithIdx(0)
    atom.SetNoImplicit(True)
    atom.SetNumExplicitHs(10)
    subject = Engine().subject(molecule, "5")
    assert not subject.contains_motif and subject.left_out
    with pytest.raises(InputError, match="hydrogens"):
        _ = subject.graph


def test_a_subject_of_another_pattern_keeps_its_graph():
    engine = Engine()
    subject = engine.subject(FIGURE_5, "5")
    other = Subject.of(subject, engine.pattern("4"))
    assert other.pattern.id == "4" and other.graph is subject.graph
    assert Subject.of(subject, engine.pattern("5")) is subject


def test_a_memo_keeps_the_latest_of_a_kind_and_computes_each_once():
    memo, made = Memo({"a": 2}), []

    def value(key):
        return memo.of(key, lambda: made.append(key) or key[1])

    assert [value(("a", 1)), value(("a", 2)), value(("a", 1)), value(("a", 3))] == [1, 2, 1, 3]
    assert memo.known(("a", 2)) is None and memo.known(("a", 1)) == 1
    value(("b", 1))
    assert made == [("a", 1), ("a", 2), ("a", 3), ("b", 1)]
    with pytest.raises(ZeroDivisionError):
        memo.of(("a", 0), lambda: 1 // 0)
    assert memo.of(("a", 0), lambda: 7) == 7
    memo.clear()
    assert memo.known(("a", 0)) is None


def test_threads_that_want_the_same_value_wait_for_the_first():
    memo, begun, go, made = Memo(), threading.Event(), threading.Event(), []

    def make():
        begun.set()
        go.wait(10)
        made.append(1)
        return "value"

    found = []
    threads = [threading.Thread(target=lambda: found.append(memo.of(("a", 1), make))) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert begun.wait(10) and memo.known(("a", 1)) is None
    go.set()
    for thread in threads:
        thread.join(10)
    assert found == ["value"] * 4 and made == [1]


def test_the_engine_s_module_loads_nothing_heavy():
    code = "import sys, wombat_core.engine; print([m for m in ('torch', 'rdkit', 'pandas') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert run.stdout.strip() == "[]", run.stderr
