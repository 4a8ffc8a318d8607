from importlib.metadata import EntryPoint

import numpy as np
import pytest

from wombat_core.cli import main
from wombat_core.errors import InputError
from wombat_core.explainers import plugins, registry
from wombat_core.explainers.registry import explainer, load_file, names, problems
from wombat_core.explanation import explain
from wombat_core.molecules import from_smiles
from wombat_core.molecules.encoding import encode_batch
from wombat_core.whitebox.build import build

OCCLUSION = """
from dataclasses import dataclass
from typing import ClassVar

import torch

from wombat_core.explainers.attribution import Attribution
from wombat_core.progress import each
from wombat_core.explainers.registry import register


@register
@dataclass(frozen=True)
class Occlusion:
    fill: float = 0.0

    name: ClassVar[str] = "occlusion"
    title: ClassVar[str] = "Occlusion"
    summary: ClassVar[str] = "How much the prediction falls when one atom is blanked."
    expensive: ClassVar[bool] = False

    def attribute(self, model, batch):
        return each(batch.to_data_list(), lambda graph: self.one(model, graph))

    @torch.no_grad()
    def one(self, model, graph):
        whole = model(graph.x, graph.edge_index, graph.edge_attr)
        falls = []
        for atom in range(graph.num_nodes):
            x = graph.x.clone()
            x[atom] = self.fill
            falls.append((whole - model(x, graph.edge_index, graph.edge_attr)).item())
        return Attribution.of_atoms(falls, graph)
"""


@pytest.fixture(autouse=True)
def nothing_added(monkeypatch):
    """Every test starts without explainers of users, and leaves none behind."""
    monkeypatch.setattr(registry, "_ADDED", {})
    monkeypatch.setattr(registry, "_PROBLEMS", [])
    registry._find_added.cache_clear()
    yield
    registry._find_added.cache_clear()


@pytest.fixture
def plugin(tmp_path):
    def write(text: str = OCCLUSION):
        path = tmp_path / "mine.py"
        path.write_text(text)
        return path

    return write


def test_a_file_adds_an_explainer_that_answers_as_the_others_do(plugin):
    assert load_file(plugin()) == ["occlusion"] and names()[-1] == "occlusion"
    (explanation,) = explain([from_smiles("CCCC=O")], build(12, "r2"), explainer("occlusion"))
    assert explanation.attribution.atom_scores.tolist() == [0, 0, 1, 1, 1]
    assert explanation.scores.perfect and explanation.attribution.seconds > 0


def test_a_file_can_be_loaded_again_after_an_edit(plugin):
    load_file(plugin())
    load_file(plugin(OCCLUSION.replace('"Occlusion"', '"Occlusion, second edition"')))
    assert explainer("occlusion").title == "Occlusion, second edition"


def test_the_environment_names_files_and_its_failures_are_sentences(plugin, monkeypatch):
    monkeypatch.setenv(plugins.FILES_VARIABLE, f"{plugin()}:/nowhere.py")
    assert names()[-1] == "occlusion"
    assert problems() == ["There is no Python file '/nowhere.py' to take explainers from."]


def test_installed_packages_add_explainers(plugin, monkeypatch):
    module = plugins.run_file(plugin(OCCLUSION.replace("@register\n", "")))
    good = EntryPoint("occlusion", f"{module}:Occlusion", plugins.ENTRY_POINTS)
    bad = EntryPoint("broken", "no_such_package:Explainer", plugins.ENTRY_POINTS)
    monkeypatch.setattr(plugins, "installed", lambda: [good, bad])
    assert names()[-1] == "occlusion" and "broken" not in names()
    (problem,) = problems()
    assert problem.startswith("The explainer 'broken' (no_such_package:Explainer) fails with ModuleNotFoundError")


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ("whole = model", "whole = = model", r"mine\.py, line 27, fails with SyntaxError"),
        (
            "import torch\n",
            "import torch\n1 / 0\n",
            r"mine\.py, line 6, fails with ZeroDivisionError: division by zero",
        ),
        ("import torch\n", "import torch\nraise SystemExit(3)\n", r"mine\.py, line 6, fails with SystemExit: 3"),
        ("@register\n", "", "mine.py registers no explainer; put @register above its class"),
        ('name: ClassVar[str] = "occlusion"', 'name: ClassVar[str] = "saliency"', "already an explainer 'saliency'"),
        ('name: ClassVar[str] = "occlusion"', 'name: ClassVar[str] = "<b>"', "name of lower-case words"),
        ("    summary: ClassVar", "    about: ClassVar", "needs a class attribute 'summary' of type str"),
        ("@dataclass(frozen=True)\n", "", "must be a dataclass"),
        ("fill: float = 0.0", "fill: float", "Every setting of the explainer Occlusion needs a default"),
        ("def attribute(self", "def explain(self", r"needs a method 'attribute\(self, model, batch\)'"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_sentence(plugin, before, after, sentence):
    assert before in OCCLUSION
    with pytest.raises(InputError, match=sentence) as caught:
        load_file(plugin(OCCLUSION.replace(before, after)))
    assert "\n" not in str(caught.value)
    assert "occlusion" not in names()


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ("falls = []", "falls = {}", "'occlusion' fails with AttributeError: 'dict' object has no attribute 'append'"),
        ("Attribution.of_atoms(falls, graph)", "falls", "must return a list of Attribution"),
        ("each(batch.to_data_list(),", "each(batch.to_data_list()[:1],", "gave 1 answers for 2 molecules"),
        (
            "of_atoms(falls, graph)",
            "of_atoms([float('nan')] * len(falls), graph)",
            "molecule 1 with numbers that are not",
        ),
        (
            "Attribution.of_atoms(falls, graph)",
            "Attribution(torch.tensor(falls).numpy(), None, 0.0)",
            r"atoms of molecule 1 as \(3,\), not as an array \[3, 110\]",
        ),
    ],
)
def test_an_answer_that_is_none_is_one_sentence(plugin, before, after, sentence):
    assert before in OCCLUSION
    load_file(plugin(OCCLUSION.replace(before, after)))
    with pytest.raises(InputError, match=sentence):
        explain([from_smiles("CC=O"), from_smiles("CCC=O")], build(12), explainer("occlusion"))


def test_the_terminal_takes_a_file(plugin, capsys):
    assert main(["explain", "--pattern", "12", "--plugin", str(plugin()), "--explainer", "occlusion", "CCC=O"]) == 0
    assert "occlusion" in capsys.readouterr().out
    command = ["explain", "--pattern", "12", "--plugin", str(plugin("1 / 0")), "CCC=O"]
    assert main(command) == 2
    assert "mine.py, line 1, fails with ZeroDivisionError" in capsys.readouterr().err


def test_the_terminal_sets_any_setting_and_a_refusal_leaves_the_others(capsys):
    command = ["explain", "--pattern", "12", "--explainer", "shapley-exact,random", "--set"]
    assert main([*command, "max_atoms=3", "CCC=O", "C=O"]) == 2
    streams = capsys.readouterr()
    assert "shapley-exact, CCC=O: Exact Shapley values" in streams.err and streams.out.count("shapley-exact") == 3
    assert "shapley-exact is null: F stays 0 whichever atoms are switched on." in streams.out
    assert main([*command, "rollouts=3", "CC=O"]) == 2
    assert "None of the chosen explainers (shapley-exact, random) has a setting 'rollouts'" in capsys.readouterr().err
    assert main([*command, "max_atoms=many", "CC=O"]) == 2
    assert "The setting max_atoms takes a whole number from 1 to 20, not 'many'" in capsys.readouterr().err


def test_controls():
    molecules = [from_smiles(smiles) for smiles in ("CCCC=O", "CCC", "C")]
    model = build(12)
    for explanation in explain(molecules, model, explainer("oracle")):
        assert explanation.attribution.atom_scores.tolist() == explanation.truth.tolist()
    assert explain(molecules, model, explainer("oracle"))[0].scores.perfect
    drawn = [each.attribution.atom_scores for each in explain(molecules, model, explainer("random-atoms"))]
    assert [int(mask.sum()) for mask in drawn] == [2, 2, 1] and set(np.concatenate(drawn)) == {0.0, 1.0}
    with pytest.raises(InputError, match="these graphs carry none"):
        explainer("oracle").attribute(model, encode_batch(molecules))
