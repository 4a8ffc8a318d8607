"""What ``import wombat_core as wombat`` gives a researcher."""

import ast
import io
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from rdkit import Chem

import wombat_core as wombat
from tests.browser import ROOT
from wombat_core.errors import InputError

FIGURE_5 = "NC(=O)NN=C1CCCC(C(=O)O)C1"
HEAVY = ("torch", "rdkit", "pandas", "numpy", "torch_geometric", "captum", "plotly", "sklearn", "scipy", "streamlit")


@dataclass(frozen=True)
class CountHeteroatoms:
    """An explainer of one's own, not registered: every atom that is no carbon."""

    weight: float = 2.0

    name: ClassVar[str] = "count-heteroatoms"
    title: ClassVar[str] = "Count <heteroatoms>"
    summary: ClassVar[str] = "Every atom that is no carbon."
    expensive: ClassVar[bool] = False

    def attribute(self, model, batch):
        return [
            wombat.Attribution.of_atoms(self.weight * (graph.x[:, 6] == 0).numpy(), graph)
            for graph in batch.to_data_list()
        ]


@pytest.fixture(scope="module")
def model():
    return wombat.load("5", readout="r2")


def heavy_after(code: str) -> str:
    program = f"import sys; {code}; print([m for m in {HEAVY} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def test_importing_the_package_loads_nothing_heavy():
    assert heavy_after("import wombat_core; dir(wombat_core); wombat_core.InputError") == "[]"


def test_every_public_name_is_there_and_documented():
    assert len(wombat.__all__) == len(set(wombat.__all__)) > 25
    for name in wombat.__all__:
        assert getattr(wombat, name).__doc__, name
    with pytest.raises(AttributeError):
        _ = wombat.no_such_name


def test_the_stub_names_what_its_modules_have():
    tree = ast.parse((ROOT / "wombat_core/__init__.pyi").read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            # The loader knows names, not aliases.
            assert all(alias.asname == alias.name for alias in node.names)


def test_functions_that_share_a_name_with_a_module_stay_functions():
    import importlib

    importlib.import_module("wombat_core.benchmark.run")
    assert callable(wombat.benchmark) and wombat.benchmark.__name__ == "benchmark"
    from wombat_core.benchmark import run

    assert run.__name__ == "wombat_core.benchmark.run"


def test_an_explanation_has_scores_and_a_row_an_atom(model):
    e = wombat.explain(FIGURE_5, model, "integrated-gradients", steps=100)
    assert e.auroc == pytest.approx(wombat.auroc(e.atom_scores, e.truth), abs=0)
    assert e.average_precision == pytest.approx(wombat.average_precision(e.atom_scores, e.truth), abs=0)
    table = e.to_frame()
    assert list(table.columns) == ["element", "truth", "score", "signed"] and len(table) == 14
    assert table["truth"].tolist() == e.truth.tolist() and "".join(table["element"][:3]) == "NCO"
    assert np.allclose(table["score"], np.abs(e.attribution.atoms).sum(axis=1))
    assert repr(e) == f"<Explanation by integrated-gradients of {FIGURE_5}, Pattern 5, r2 = 1: AUROC 0.923>"


def test_a_picture_shows_the_ground_truth_beside_the_heatmap(model, tmp_path):
    from PIL import Image

    picture = wombat.explain(FIGURE_5, model, "saliency").plot()
    svg = picture._repr_svg_()
    assert svg.startswith("<svg") and "Ground truth" in svg and "Saliency" in svg and "AUROC 0.500 (null)" in svg
    assert svg in picture._repr_html_()
    assert picture.save(tmp_path / "a.svg").read_text() == svg
    assert Image.open(io.BytesIO(picture.save(tmp_path / "a.png").read_bytes())).format == "PNG"
    with pytest.raises(InputError, match=r"\.svg or \.png"):
        picture.save(tmp_path / "a.pdf")


def test_a_comparison_is_one_figure_with_a_card_an_explainer(model):
    c = wombat.compare(FIGURE_5, model, ["saliency", "oracle", CountHeteroatoms()])
    assert [each.explainer for each in c] == ["saliency", "oracle", "count-heteroatoms"]
    html = c._repr_html_()
    assert html.count("<svg") == 5 and "Count &lt;heteroatoms&gt;" in html and "Count <h" not in html
    assert c.to_frame().loc["oracle", "auroc"] == 1 and c.to_frame().loc["saliency", "null"]
    assert repr(c).startswith("<Comparison on NC") and "oracle AUROC 1.000" in repr(c)
    with pytest.raises(InputError, match="in a list"):
        wombat.compare(FIGURE_5, model, "saliency")


def test_own_explainers_come_as_instances(model):
    with pytest.raises(InputError, match="is a class"):
        wombat.explain(FIGURE_5, model, CountHeteroatoms)
    with pytest.raises(InputError, match="has its own"):
        wombat.explain(FIGURE_5, model, CountHeteroatoms(), weight=1)
    with pytest.raises(InputError, match="no explainer"):
        wombat.explain(FIGURE_5, model, 3)


def test_molecules_come_as_text_or_from_rdkit(model):
    own = wombat.molecule(Chem.MolFromSmiles(FIGURE_5))
    assert wombat.molecule("aspirin").name == "aspirin" and wombat.molecule(own) is own
    assert wombat.predict([FIGURE_5, own, "CCO"], model) == [1, 1, 0]
    assert wombat.predict(own, model) == 1
    with pytest.raises(InputError, match="neither a SMILES"):
        wombat.molecule("xyzzyplugh")


def test_a_network_of_one_s_own_has_no_ground_truth():
    from torch import nn

    with pytest.raises(InputError, match="no whitebox"):
        wombat.explain(FIGURE_5, nn.Linear(1, 1), "saliency")


def test_a_loaded_network_is_the_caller_s_own():
    first, second = wombat.load("5"), wombat.load(5)
    assert first is not second and not first.training
    with pytest.raises(InputError, match="no pattern"):
        wombat.load("99")


def test_torch_keeps_its_number_of_threads(model):
    import torch

    before = torch.get_num_threads()
    try:
        torch.set_num_threads(2)
        wombat.explain(FIGURE_5, model, "saliency")
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_results_are_tables_and_lines(model):
    trace = wombat.trace(FIGURE_5, model)
    assert trace.to_frame().shape == (14, 28) and "product" in trace.to_frame() and "r1 = 16" in repr(trace)
    assert trace.to_frame()["A.1"].tolist() == trace.layers[0].activations[:, 0].tolist()
    path = wombat.interpolate(FIGURE_5, model, np.array([0.0, 0.5, 1.0]))
    assert path.to_frame()["r2"].tolist()[::2] == [0, 1] and "from zero, 3 points" in repr(path)
    tally = wombat.validate([FIGURE_5, "CCO", "xyzzyplugh"], ["5", "12"])
    assert tally.to_frame().loc["5"].tolist() == [1, 1, 0]
    assert repr(tally) == "<Tally of 3 molecules under 2 patterns: no disagreement, 1 left out>"


def test_a_benchmark_is_a_table():
    steps = wombat.explainer("integrated-gradients", steps=10)
    result = wombat.benchmark(["4-5"], ["r2"], ["saliency", steps], molecules="positives", limit=2)
    table = result.to_frame()
    assert len(table) == 8 and set(table["pattern"]) == {"4", "5"} and set(table["wombat"]) == {wombat.__version__}
    one = table[(table["pattern"] == "5") & (table["explainer"] == "integrated-gradients")].iloc[0]
    e = wombat.explain(one["smiles"], wombat.load("5", "r2"), steps)
    assert one["auroc"] == pytest.approx(e.auroc, abs=1e-9)
    assert len(result.summary()) == 4 and result.summary()["auroc"].notna().all()
    assert repr(result) == "<BenchmarkResult: 4 cells, 8 rows, positives, at most 2 a pattern, seed 0>"


def test_a_benchmark_names_what_it_cannot_use(tmp_path):
    with pytest.raises(InputError, match="no set or file"):
        wombat.benchmark(["5"], ["r2"], ["saliency"], molecules="everything")
    with pytest.raises(InputError, match="no explainer"):
        wombat.benchmark(["5"], ["r2"], [CountHeteroatoms()])


def test_the_version_is_said_in_one_place():
    changes = (ROOT / "CHANGELOG.md").read_text()
    assert re.search(rf"^## {re.escape(wombat.__version__)}\b", changes, re.M)
    assert f"\nversion: {wombat.__version__}\n" in (ROOT / "CITATION.cff").read_text()


def test_captum_s_names_of_settings_are_accepted(model):
    ours = wombat.explain(FIGURE_5, model, "integrated-gradients", steps=7)
    theirs = wombat.explain(FIGURE_5, model, "integrated-gradients", n_steps=7)
    default = wombat.explain(FIGURE_5, model, "integrated-gradients")
    assert np.array_equal(ours.attribution.atoms, theirs.attribution.atoms)
    assert not np.array_equal(ours.attribution.atoms, default.attribution.atoms)


def test_a_setting_that_is_not_there_is_an_error(model):
    with pytest.raises(InputError, match="stepz"):
        wombat.explain(FIGURE_5, model, "integrated-gradients", stepz=100)


def test_an_explanation_says_its_completeness_gap(model):
    # By Captum's own loop over Figure 5's molecule under r2, 50 steps sum to 1.30 and not to F(x) - F(0) = 1.
    e = wombat.explain(FIGURE_5, model, "integrated-gradients")
    assert e.gap == pytest.approx(0.30, abs=0.005)
    assert wombat.explain(FIGURE_5, model, "integrated-gradients-exact").gap == pytest.approx(0, abs=1e-5)
    assert wombat.explain(FIGURE_5, model, "saliency").gap is None
    other = wombat.explain(FIGURE_5, model, "integrated-gradients-exact", baselines="mean-atom")
    assert other.gap == pytest.approx(0, abs=1e-3)


def test_pyg_validates_what_it_gets(model):
    from torch_geometric.explain import Explanation

    e = wombat.explain(FIGURE_5, model, "integrated-gradients")
    found = e.to_pyg()
    assert isinstance(found, Explanation) and found.validate(raise_on_error=True)
    assert found.node_mask.shape == (14, 110) and found.edge_mask.shape == (28,)
    assert found.node_mask.sum() + found.edge_mask.sum() == pytest.approx(e.attribution.total, abs=1e-5)
    assert found.truth.tolist() == e.truth.tolist()
    atoms_only = wombat.explain(FIGURE_5, model, CountHeteroatoms()).to_pyg()
    assert atoms_only.node_mask.shape[1] == 1 and "edge_mask" not in atoms_only
    assert atoms_only.node_mask.sum() == 2 * sum(atom.GetSymbol() != "C" for atom in e.molecule.mol.GetAtoms())


def test_networks_and_patterns_say_what_they_are_in_a_line():
    assert repr(wombat.load("12", "r2")) == "<Whitebox of Pattern 12, r2: 1 layer, 2 channels>"
    assert repr(wombat.pattern("12-leaf")) == "<Pattern 12, leaf variant, [!#1][CH]=O, 2 layers, 3 channels>"


def test_a_pattern_or_its_id_stands_for_its_network():
    whitebox = wombat.explain("CCC=O", wombat.load("12"), "saliency")
    for model in ("12", 12, wombat.pattern("12")):
        assert np.array_equal(wombat.explain("CCC=O", model, "saliency").atom_scores, whitebox.atom_scores)
        assert wombat.predict("CCC=O", model) == 1


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: wombat.benchmark(["12"], limit=0), "The limit is a whole number from 1, or None for all, not 0."),
        (lambda: wombat.benchmark(["12"], molecules=["CC=O"]), "write a list into a file first"),
        (lambda: wombat.molecule(3), "A molecule is a SMILES, a name, a Molecule or an RDKit molecule, not '3'."),
        (lambda: wombat.score([1, 2], [1]), "There are 2 scores for 1 atoms; each atom needs one."),
        (lambda: wombat.from_yaml(None), "A whitebox file is a text, not 'None'."),
        (lambda: wombat.load("C=O"), "A SMARTS is written smarts:C=O; see compile_smarts."),
    ],
)
def test_what_cannot_be_used_is_one_sentence(call, sentence):
    with pytest.raises(wombat.InputError) as error:
        call()
    assert sentence in str(error.value)
