"""Users' explainers that misbehave: one sentence each, and nothing else is any different for it."""

import json
import os
import random
import sys
import threading
import time

import numpy as np
import pytest
import torch

from wombat_core.cli import main
from wombat_core.engine import Engine
from wombat_core.errors import InputError
from wombat_core.explainers import registry
from wombat_core.explainers.contained import GIVES_WAY, contained
from wombat_core.explainers.estimate import estimate
from wombat_core.explainers.registry import explainer, load_file
from wombat_core.explainers.seeding import generator
from wombat_core.progress import Stopped, listening, report

SMILES = "CCCC=O"
PLUGIN = """
import os, random, sys
from dataclasses import dataclass
import numpy as np, torch
from wombat_core.explainers.attribution import Attribution
from wombat_core.explainers.registry import explainer, register
from wombat_core.progress import report

print("hello from the file")
torch.manual_seed(5); np.random.seed(5); random.seed(5); torch.set_default_dtype(torch.float64)
shared = np.zeros((5, 110))


@register
@dataclass(frozen=True)
class Bad:
    seed: int = 0
    name, title, summary, expensive = "bad", "Bad", "It misbehaves.", False

    def estimate(self, model, num_atoms):
        sys.exit(1)

    def attribute(self, model, batch):
        scores = [np.arange(graph.num_nodes, dtype=float) for graph in batch.to_data_list()]
        answers = [Attribution.of_atoms(own, graph) for own, graph in zip(scores, batch.to_data_list())]
        BODY
        return answers
"""


@pytest.fixture
def bad(tmp_path, monkeypatch):
    """Writes the plug-in with a body, loads it and gives its path."""
    monkeypatch.setattr(registry, "_ADDED", {})

    def write(body: str):
        path = tmp_path / "bad.py"
        path.write_text(PLUGIN.replace("BODY", body))
        load_file(path)
        return path

    return write


@pytest.fixture
def engine():
    return Engine()


def _world():
    return [
        torch.get_default_dtype(),
        torch.get_num_threads(),
        torch.is_grad_enabled(),
        str(torch.get_default_device()),
        torch.get_deterministic_debug_mode(),
        np.geterr(),
        os.getcwd(),
        sys.getrecursionlimit(),
        sys.stdout,
        len(torch.nn.modules.module._global_forward_hooks),
        torch.get_rng_state().tolist(),
        np.random.get_state()[1].tolist(),
        random.getstate(),
    ]


REFUSED = {
    "sys.exit(3)": "'bad' fails with SystemExit: 3",
    "raise BaseException('no')": "'bad' fails with BaseException: no",
    "raise GeneratorExit": "'bad' fails with GeneratorExit",
    "raise RuntimeError('two\\nlines \\x1b[31m')": r"'bad' fails with RuntimeError: two lines \[31m",
    "[w.data.fill_(0) for w in model.state_dict().values()]": "'bad' changed the network's weights",
    "batch.x[0] = 7": "'bad' changed the encoded molecules in place",
    "batch.edge_index.flip(0, 1); batch.edge_index[:] = 0": "'bad' changed the encoded molecules in place",
    "answers[0] = Attribution(np.zeros((9, 110)))": r"atoms of molecule 1 as \(9, 110\)",
    "answers[0] = Attribution.of_atoms(float('inf'), batch)": "with numbers that are not finite",
    "answers[0] = Attribution(np.zeros((5, 110), dtype=complex))": "as complex128, not as real numbers",
    "answers[0] = Attribution(np.full((5, 110), 'a'))": "not as real numbers",
    "return (x for x in answers)": "must return a list",
}
TOLD = {
    "torch.set_default_dtype(torch.float64)": "torch's default type of numbers",
    "torch.set_num_threads(2)": "torch's number of threads",
    "torch.set_grad_enabled(False)": "whether torch keeps gradients",
    "torch.set_default_device('meta')": "torch's default device",
    "torch.use_deterministic_algorithms(True)": "torch's choice of deterministic algorithms",
    "np.seterr(all='raise')": "what numpy does about errors",
    "os.chdir('/')": "the working folder",
    "sys.setrecursionlimit(5000)": "Python's limit of recursion",
    "torch.nn.modules.module.register_module_forward_hook(lambda *a: torch.zeros(1))": "the hooks of all of torch's",
}
QUIET = [
    "torch.manual_seed(1); np.random.seed(1); random.seed(1); torch.rand(9)",
    "[m.register_forward_hook(lambda *a: torch.zeros(1)) for m in model.modules()]",
    "model.pattern = None; model.train(); model.requires_grad_(True)",
    "model.forward = None",
    "print('{'); sys.stdout = None",
    "explainer('random').attribute(model, batch)",
]


@pytest.mark.parametrize("body", [*REFUSED, *TOLD, *QUIET])
def test_a_misbehaving_explainer_is_one_sentence_and_later_answers_stay(bad, engine, body, capsys):
    bad(body)
    before = _world()
    good = engine.explanation(SMILES, 12, "r2", explainer("random-atoms"))
    own = bad_answer = None
    try:
        bad_answer = engine.explanation(SMILES, 12, "r2", explainer("bad"))
    except InputError as error:
        own = str(error)
    assert _world() == before
    if body in REFUSED:
        with pytest.raises(InputError, match=REFUSED[body]):
            raise InputError(own)
        assert "\n" not in own and own.endswith((".", ")."))
    else:
        assert own is None and bad_answer.prediction == 1 and bad_answer.atom_scores.tolist() == [0, 1, 2, 3, 4]
        told = bad_answer.attribution.notes
        assert (told == ()) if body in QUIET else (len(told) == 1 and TOLD[body] in told[0])
    assert capsys.readouterr().out == ""
    afterwards = Engine().explanation(SMILES, 12, "r2", explainer("random-atoms"))
    assert afterwards.atom_scores.tolist() == good.atom_scores.tolist()
    # The engine's own network and molecule, which the bad one was to explain.
    assert engine.network(12, "r2")(*_arguments(engine)).item() == 1


def _arguments(engine):
    graph = engine.graph(SMILES)
    return graph.x, graph.edge_index, graph.edge_attr


def test_answers_are_the_callers_own_and_draws_repeat(bad, engine):
    bad("shared[:] += torch.rand(1).item(); answers = [Attribution(shared)]")
    first = engine.explanation(SMILES, 12, "r2", explainer("bad"))
    kept = first.atom_scores.tolist()
    again, other = (engine.explanation(text, 12, "r2", explainer("bad")) for text in ("OCCC=C", "CCCC=N"))
    assert first.atom_scores.tolist() == kept
    steps = np.diff([0, *(each.atom_scores[0] for each in (first, again, other))])
    assert len(set(steps.round(9))) == 3
    assert estimate(explainer("bad"), engine.network(12), 5) is None


def test_the_terminal_prints_json_alone_and_a_sentence_for_each(bad, capsys):
    path = bad("print('noise'); os.chdir('/')")
    code = main(["explain", "--json", "--plugin", str(path), "--explainer", "bad,saliency", "--pattern", "12", SMILES])
    said = capsys.readouterr()
    assert code == 0 and [json.loads(line)["explainer"] for line in said.out.splitlines()] == ["bad", "saliency"]
    assert "noise" in said.err and said.err.count("'bad' changed the working folder; it is set back.") == 1
    path = bad("sys.exit(0)")
    code = main(["explain", "--json", "--plugin", str(path), "--explainer", "bad,saliency", "--pattern", "12", SMILES])
    said = capsys.readouterr()
    assert code == 2 and [json.loads(line)["explainer"] for line in said.out.splitlines()] == ["saliency"]
    assert [line for line in said.err.splitlines() if "hello" not in line] == [
        f"bad, {SMILES}: The explainer 'bad' fails with SystemExit: 0."
    ]


def test_whoever_stops_the_work_is_heard_and_others_draw_meanwhile():
    drawn, seen = [], []

    def elsewhere():
        with generator:
            drawn.append(torch.rand(1).item())

    def listener(share):
        seen.append(share)
        other = threading.Thread(target=elsewhere)
        other.start()
        other.join(timeout=20)
        if share == 1:
            raise Stopped

    torch.manual_seed(3)
    expected = [torch.rand(1).item() for _ in range(2)]
    torch.manual_seed(3)
    own = []
    with pytest.raises(Stopped), listening(listener), contained(8) as found:
        torch.set_num_threads(2)
        for share in (0.5, 1.0):
            own.append(torch.rand(1).item())
            time.sleep(1.2 * GIVES_WAY)
            report(share)
    assert torch.get_num_threads() == 1 and "torch's number of threads" in found.changed
    assert seen == [0.5, 1.0] and drawn == expected
    torch.manual_seed(8)
    assert own == [torch.rand(1).item() for _ in range(2)]
