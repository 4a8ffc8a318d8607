"""A newcomer's jobs, done as README's "The house" says: what is added through its registry is seen everywhere."""

import json
from dataclasses import dataclass
from typing import ClassVar

import pytest

from pages.addresses.shapeggen_codecs import method_names
from pages.parts.shapeggen.scores import heading, meaning
from wombat_core.cli import main
from wombat_core.explainers.attribution import Attribution
from wombat_core.explainers.registry import EXPLAINERS, names
from wombat_core.lessons.blocks import Words
from wombat_core.lessons.view import VIEWS, view
from wombat_core.shapeggen.node_metrics import METRICS, NodeMetric

LESSON = """---
title: Backwards
minutes: 1
summary: A view of one's own.
---

## The molecule, read from its end
```step
molecule: CCO
pattern: 5
view: backwards
options: {times: 2}
```
Look.

## Open question
```step
links:
  - {page: layers, title: All layers}
```
What would you do?
"""


@pytest.fixture(autouse=True)
def nothing_stays(monkeypatch):
    """What a test adds is gone after it."""
    for registry in (EXPLAINERS, METRICS, VIEWS):
        monkeypatch.setattr(registry, "_entries", dict(registry._entries))


@dataclass(frozen=True)
class LastAtom:
    """Points at the last atom."""

    height: float = 2.0

    name: ClassVar[str] = "last-atom"
    title: ClassVar[str] = "Last atom"
    summary: ClassVar[str] = "Points at the last atom."
    expensive: ClassVar[bool] = False

    def attribute(self, model, batch):
        return [
            Attribution.of_atoms([0.0] * (graph.num_nodes - 1) + [self.height], graph) for graph in batch.to_data_list()
        ]


def test_an_explainer_is_a_class_and_a_line(capsys):
    EXPLAINERS.register("last-atom", LastAtom)
    assert "last-atom" in names() and "last-atom" in method_names()
    assert main(["explain", "--pattern", "5", "--explainer", "lastatom", "CCO"]) == 2
    assert "did you mean 'last-atom'" in capsys.readouterr().err
    arguments = ["explain", "--pattern", "5", "--explainer", "last-atom", "--set", "height=3", "--json", "CCO"]
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out)["atom_attributions"] == [0, 0, 3]


def test_a_metric_is_a_function_and_an_entry(capsys):
    METRICS.register("SIZE", NodeMetric("size: the share of nodes in the mask", lambda s: [m.mean() for m in s.masks]))
    assert heading("SIZE") == "SIZE ↓" and meaning("SIZE").startswith("size")
    small = ["--subgraphs", "12", "--p", "0.3", "--subgraph-size", "8", "--epochs", "1", "--nodes", "2"]
    assert main(["shapeggen", "evaluate", *small, "--explainers", "random", "--metrics", "SIZE", "--json"]) == 0
    found = capsys.readouterr().out
    assert '"metric": "SIZE"' in found and 0.2 < _mean(found) < 0.5


def _mean(text: str) -> float:
    lines = [json.loads(line) for line in text.splitlines() if line.strip()]
    rows = [row for line in lines for row in line.get("rows", [line]) if row.get("metric") == "SIZE"]
    return rows[0]["mean"]


def test_a_lesson_view_is_a_function_under_its_name(tmp_path, capsys):
    lesson, page = tmp_path / "01-backwards.md", tmp_path / "handout.html"
    lesson.write_text(LESSON, encoding="utf-8")
    assert main(["lessons", "check", "--quick", str(lesson)]) == 2
    assert "backwards" in capsys.readouterr().out

    @view("backwards")
    def backwards(engine, step, times: int = 1):
        return [Words(engine.molecule(step.situation.molecule).smiles[::-1] * times)]

    assert main(["lessons", "check", str(lesson)]) == 0
    assert main(["lessons", "handout", str(lesson), "--out", str(page)]) == 0
    assert "OCCOCC" in page.read_text(encoding="utf-8")
