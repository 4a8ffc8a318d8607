"""The notebook runs, cell by cell, and says what it says it does."""

import io
from contextlib import redirect_stdout

import jupytext
import pytest

from tests.browser import ROOT
from wombat_core.explainers import registry


@pytest.fixture
def registered():
    yield
    registry._ADDED.pop("far-from-carbon", None)


def test_the_tour_runs(registered):
    notebook = jupytext.read(ROOT / "examples/tour.py")
    cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    assert len(cells) >= 9
    space, shown = {"__name__": "tour"}, io.StringIO()
    with redirect_stdout(shown):
        for number, source in enumerate(cells):
            exec(compile(source, f"cell {number}", "exec"), space)
    e, comparison, result = space["e"], space["comparison"], space["result"]
    assert repr(e) in shown.getvalue() and 0.5 < e.auroc < 1
    assert [each.explainer for each in comparison] == ["saliency", "integrated-gradients", "far-from-carbon"]
    assert "Far from carbon" in comparison._repr_html_()
    assert len(result.cells) == 4 and not any(row.problem for row in result.rows)


def test_the_library_section_of_the_readme():
    text = (ROOT / "README.md").read_text(encoding="utf-8").partition("## The library")[2]
    names = {}
    exec(text.partition("```python")[2].partition("```")[0], names)
    answer = names["answer"]
    assert round(answer.auroc, 3) == 0.923 and len(answer.atom_scores) == len(answer.truth) == 14
