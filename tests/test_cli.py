import io
import json
import subprocess
import sys

import pytest

from tests.browser import ROOT
from tests.terminal import outcome

FIGURE_5 = "NC(=O)NN=C1CCCC(C(=O)O)C1"
KEPT = 4


@pytest.fixture
def run(capsys, monkeypatch):
    def command(*arguments: str, stdin: bytes | None = None):
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        return outcome(capsys, *arguments)

    return command


def objects(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def test_patterns(run):
    code, out, _ = run("patterns", "--json")
    listed = objects(out)
    assert code == 0 and len(listed) == 18
    assert {key: listed[2][key] for key in ("pattern", "layers", "channels")} == {
        "pattern": "3",
        "layers": 7,
        "channels": 25,
    }
    assert listed[9]["smarts"] == "[!#1][CH]([!#1])[!#1]"


def test_the_parser_and_the_list_of_patterns_do_without_torch():
    program = """
import sys
from wombat_core.cli import main
from wombat_core.explainers.registry import names
assert main(["patterns", "--json"]) == 0 and "saliency" in names()
slow = {"captum", "dask", "joblib", "pandas", "plotly", "scipy", "sklearn", "streamlit", "torch", "torch_geometric"}
print(sorted(slow & set(sys.modules)))
"""
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert process.returncode == 0, process.stderr
    assert process.stdout.splitlines()[-1] == "[]", "what takes seconds to import belongs inside a command's run"


def test_predict(run):
    code, out, err = run("predict", "--pattern", "5", "--readout", "r1", "--json", FIGURE_5)
    assert (code, err) == (0, "")
    assert objects(out) == [
        {
            "smiles": FIGURE_5,
            "pattern": "5",
            "readout": "r1",
            "prediction": 16.0,
            "positive": True,
            "contains_motif": True,
        }
    ]


def test_predict_all_patterns_of_a_name(run):
    code, out, _ = run("predict", "--pattern", "all", "--json", "Acetaldehyde")
    found = objects(out)
    assert code == 0 and [entry["pattern"] for entry in found] == [str(n) for n in range(1, 15)]
    assert [entry["pattern"] for entry in found if entry["positive"]] == ["12"]


def test_explain(run):
    code, out, _ = run(
        "explain", "--pattern", "5", "--readout", "r2", "--explainer", "integrated-gradients,random", "--json", FIGURE_5
    )
    first, second = objects(out)
    assert code == 0 and (first["explainer"], second["explainer"]) == ("integrated-gradients", "random")
    assert first["auroc"] == pytest.approx(0.923077, abs=1e-6)
    assert first["ground_truth"] == [1] * 7 + [0] + [1] * 6
    assert len(first["atom_attributions"]) == 14 and first["atom_attributions"][7] == pytest.approx(0.011056, abs=1e-5)
    assert first["bond_attributions"][0].keys() == {"begin", "end", "value"} and len(first["bond_attributions"]) == 14
    assert first["iqr_pass"] is None and first["seconds"] > 0


def test_explain_for_people_names_what_is_undefined(run):
    code, out, _ = run("explain", "--pattern", "12", "--explainer", "saliency", "CC=O")
    assert code == 0 and "AUROC undefined" in out and "Every atom is ground truth" in out


def test_more_steps_are_taken(run):
    def total(steps):
        arguments = (
            "--pattern",
            "5",
            "--readout",
            "r2",
            "--explainer",
            "integrated-gradients",
            "--json",
            "--steps",
            steps,
        )
        (record,) = objects(run("explain", *arguments, FIGURE_5)[1])
        return sum(record["atom_attributions"]) + sum(bond["value"] for bond in record["bond_attributions"])

    assert total("50") == pytest.approx(1.3019, abs=1e-4)
    assert total("1000") == pytest.approx(0.9598, abs=1e-4)


def test_trace(run):
    code, out, _ = run("trace", "--pattern", "12", "--json", "CC=O")
    assert code == 0
    assert objects(out) == [
        {
            "smiles": "CC=O",
            "pattern": "12",
            "layers": [{"layer": 1, "channels": ["A.1", "B.1"], "activations": [[0, 0], [1, 1], [0, 0]]}],
            "readouts": {"r1": 1.0, "r2": 1.0},
        }
    ]


def test_interpolate(run):
    code, out, _ = run("interpolate", "--pattern", "5", "--readout", "r2", "--points", "201", "--json", FIGURE_5)
    (record,) = objects(out)
    at = record["alphas"].index(0.985)
    assert code == 0 and record["outputs"]["r2"][at] == pytest.approx(0.4307102, abs=2e-6)
    assert record["gradient_times_input"][at][7] == pytest.approx(0.9170766, abs=2e-6)
    assert len(record["bond_gradient_times_input"][at]) == 14


def test_interpolate_one_atom(run):
    """Figure 6(c): everything at 0.98, atom 7 at s."""
    chosen = ("--pattern", "5", "--atom", "7", "--points", "101", "--watch", "A.6:13", "--watch", "C.2:9")
    code, out, _ = run("interpolate", *chosen, "--json", FIGURE_5)
    (record,) = objects(out)
    assert code == 0 and [entry["channel"] for entry in record["watched"]] == ["A.6", "C.2"]
    assert record["watched"][0]["activations"][98:100] == pytest.approx([0.1207944, 0.1234454], abs=2e-6)
    assert record["watched"][1]["activations"][98] == pytest.approx(1.4243529, abs=2e-6)


def test_interpolate_goes_on_after_a_molecule_without_the_atom(run):
    code, out, err = run("interpolate", "--pattern", "5", "--atom", "7", "--points", "3", "--json", "CC", FIGURE_5)
    assert code == 2 and [entry["smiles"] for entry in objects(out)] == [FIGURE_5]
    assert err.startswith("CC: There is no atom 7")


def test_a_bad_molecule_among_many_is_named_and_the_rest_go_on(run):
    code, out, err = run("predict", "--pattern", "12", "--json", stdin=b"CC=O\nC1CC\n\nCCC=O\n\xff\xfe\n")
    assert code == 2
    assert [entry["smiles"] for entry in objects(out)] == ["CC=O", "CCC=O"]
    note, *problems = err.splitlines()
    assert note == "standard input: The file is not UTF-8; it was read as Latin-1."
    assert [line.split(":")[0].rpartition(", ")[2] for line in problems] == ["line 2", "line 5"]


def test_input_file_with_its_line_numbers(run, tmp_path):
    file = tmp_path / "some.csv"
    file.write_text("id,smiles\na,CC=O\nb,nonsense\nc,CCC\n")
    code, out, err = run("predict", "--pattern", "12", "--json", "--input", str(file))
    assert code == 2 and len(objects(out)) == 2 and "line 3" in err


def test_atoms_of_a_file_stay_in_its_order_and_the_smiles_says_its_own(run, tmp_path):
    from rdkit import Chem

    original = Chem.RenumberAtoms(Chem.MolFromSmiles("O=CCCN"), [2, 4, 0, 3, 1])
    file = tmp_path / "order.sdf"
    with Chem.SDWriter(str(file)) as writer:
        writer.write(original)
    code, out, _ = run("explain", "--pattern", "12", "--explainer", "saliency", "--json", "--input", str(file))
    (record,) = objects(out)
    symbols = [atom.GetSymbol() for atom in original.GetAtoms()]
    again = [atom.GetSymbol() for atom in Chem.MolFromSmiles(record["smiles"]).GetAtoms()]
    assert code == 0 and [symbols[index] for index in record["smiles_order"]] == again
    assert record["ground_truth"] == [1, 0, 1, 0, 1]


def test_a_file_that_cannot_be_used_leaves_the_other_molecules(run, tmp_path):
    code, out, err = run("predict", "--pattern", "12", "--json", "--input", str(tmp_path / "none.csv"), "CC=O")
    assert code == 2 and [entry["smiles"] for entry in objects(out)] == ["CC=O"] and "does not exist" in err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("predict", "--pattern", "15", "C"), "There is no pattern '15'"),
        (("predict", "--pattern", "5", "--input", "missing.csv"), "does not exist"),
        (("predict", "--pattern", "5"), "standard input is empty"),
        (("explain", "--pattern", "5", "--explainer", "lime", "C"), "There is no explainer 'lime'"),
        (("explain", "--pattern", "5", "--steps", "0", "C"), "'0' is no whole number"),
        (("predict", "--pattern", "5", "--readout", "r3", "C"), "invalid choice: 'r3'"),
        (("explain", "C"), "--pattern"),
        (("interpolate", "--pattern", "5", "--alpha", "2", "C"), "'2' is no number from 0 to 1"),
        (("interpolate", "--pattern", "5", "--points", "1", "C"), "'1' is no whole number from 2 to 20,000"),
        (("interpolate", "--pattern", "5", "--alpha", "0.5", "C"), "name the atom as well"),
        (("interpolate", "--pattern", "5", "--watch", "A.6:0", "C"), "name the atom as well"),
        (("trace", "--pattern", "5", "no such thing"), "no such thing"),
    ],
)
def test_bad_words_are_one_sentence_and_exit_code_2(run, arguments, sentence):
    code, out, err = run(*arguments, stdin=b"")
    assert code == 2 and out == "" and sentence in err and "Traceback" not in err


@pytest.mark.parametrize(
    "arguments", [["predict", "--pattern"], ["nonsense"], ["shapeggen", "generate", "--seed", "x"]]
)
def test_words_that_no_command_takes_are_one_line_without_the_usage(run, arguments):
    code, out, err = run(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert err.startswith(" ".join(["wombat_core", *arguments[: -1 if len(arguments) < 3 else 2]]) + ": "), err


def test_validate_own_molecules(run):
    code, out, err = run("validate", "--pattern", "12", "--json", "CC=O", "CCC", "C", "C[O+](C)C", "C1CC")
    (record,) = objects(out)
    assert code == 2 and "C1CC" in err
    assert record["left_out"] == {"no_bonds": 1, "valence": 1, "unreadable": 1}
    assert record["patterns"] == [{"pattern": "12", "positives": 1, "negatives": 1, "disagreements": []}]


def test_a_note_on_the_whole_file_is_told_once(run, tmp_path):
    file = tmp_path / "latin.csv"
    file.write_bytes("smiles,name\nCC=O,caf\xe9\nCC=O,th\xe9\n".encode("latin-1"))
    code, out, err = run("predict", "--pattern", "12", "--input", str(file))
    assert code == 0 and "caf\xe9" in out
    assert err == "--input: The file is not UTF-8; it was read as Latin-1.\n"


def test_graphxais_scores_on_demand(run):
    """Figure 5: a quarter of 14 atoms, 4, is kept, all ground truth: GEA is 4/13. Without the others F is 0."""
    arguments = ("explain", "--pattern", "5", "--readout", "r2", "--explainer", "integrated-gradients", FIGURE_5)
    code, out, _ = run(*arguments, "--graphxai", "--json")
    [record] = objects(out)
    assert code == 0 and record["gea"] == pytest.approx(KEPT / 13) and record["gef"] == pytest.approx(1.0)
    assert "gea" not in objects(run(*arguments, "--json")[1])[0]
    assert f"GEA {KEPT / 13:.3f}  GEF 1.000" in run(*arguments, "--graphxai")[1]


@pytest.mark.parametrize(
    "pattern, explainer, molecule, reason",
    [
        ("6", "saliency", "menthol", "r2 is saturated, so all gradients are 0"),
        ("12", "saliency", "CCO", "F is 0 and its ReLUs are shut, so all gradients are 0"),
        ("12", "integrated-gradients", "CCO", "F stays 0 whichever atoms are switched on"),
        ("12", "oracle", "CCO", "where the molecule does not contain the motif"),
        ("flucarb", "subgraphx", "CCO", "the piece of highest reward holds every atom"),
        ("flucarb", "gnn-explainer", "CCO", "no mask receives a gradient"),
    ],
)
def test_explain_says_why_an_answer_is_null(run, pattern, explainer, molecule, reason):
    code, out, _ = run("explain", "--pattern", pattern, "--readout", "r2", "--explainer", explainer, molecule)
    assert code == 0 and f"{explainer} is null: {reason}" in out


def test_why_an_answer_is_null_does_not_say_that_a_sigmoid_is_0():
    import numpy as np

    from wombat_core.explainers.null_reason import null_reason
    from wombat_core.explainers.registry import explainer_class, names

    for name in names():
        said = null_reason(explainer_class(name), np.zeros(3), "sigmoid", 0.09)
        assert said and "F is 0" not in said and "F = 0" not in said and "r2" not in said
    trained = explainer_class("pg-explainer")
    assert null_reason(trained, np.zeros(3), "sigmoid", 0.9).startswith("in training the penalties")
    own = type("Own", (), {"when_null": "Where F is flat."})
    assert null_reason(own, np.zeros(3), "r1", 1.0) == "where F is flat"
