"""Situations that chemists bring (``data/inputs.yaml``), each run through the terminal's main in this process."""

import base64
import io
import json
import re
import sys
from pathlib import Path

import pytest
import yaml
from rdkit import Chem

from tests.terminal import outcome

DATA = Path(__file__).parent / "data"
CASES = [
    case
    for name in ("inputs.yaml", "more_inputs.yaml")
    for case in yaml.safe_load((DATA / name).read_text(encoding="utf-8"))
    if "command" in case
]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case, tmp_path_factory, monkeypatch, capsys):
    # A folder whose name says nothing: a test's own has the case's name, which messages with a path would repeat.
    code, out, err = run(case, tmp_path_factory.mktemp("d"), monkeypatch, capsys)
    name = case.get("file", {}).get("name", "")
    expected = case["expect"] if isinstance(case["expect"], list) else [case["expect"]]
    faults = [faults_of(one, code, out, err, name) for one in expected]
    assert not all(faults), f"{faults}\nexit {code}\n{out[:600]}\n{err[:1500]}"
    assert "Traceback" not in err and "should not happen" not in err


def run(case, folder, monkeypatch, capsys):
    """Exit code, standard output and standard error of a case."""
    file = folder / "nothing"
    if "file" in case:
        file = folder / case["file"]["name"]
        file.write_bytes(content_of(case["file"], "content", "base64"))
    given = content_of(case, "stdin", "stdin_base64")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
    places = {"{file}": str(file), "{out}": str(folder / "out")}
    return outcome(capsys, *(places.get(text, text) for text in case["command"]))


def content_of(case, text, encoded):
    if encoded in case:
        return base64.b64decode(case[encoded])
    return case.get(text, "").encode()


def faults_of(expect, code, out, err, filename):
    """What does not hold of one alternative; nothing where all of it does."""
    records = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    lines = err.splitlines()
    faults = []

    def check(name, fine):
        if not fine:
            faults.append(name)

    if "exit" in expect:
        codes = expect["exit"] if isinstance(expect["exit"], list) else [expect["exit"]]
        check(f"exit {code}", code in codes)
    if "molecules" in expect:
        check(f"{len(records)} molecules", len(records) == expect["molecules"])
    if "smiles" in expect:
        found = [plain(record.get("smiles", "")) for record in records]
        check(f"smiles {found}", found == [plain(text) for text in expect["smiles"]])
    if "names" in expect:
        found = [bare(record.get("name")) for record in records]
        check(f"names {found}", found == [bare(name) for name in expect["names"]])
    for field, values in expect.get("values", {}).items():
        found = [record.get(field) for record in records]
        check(f"{field} {found}", found == values)
    if expect.get("sum_is_prediction"):
        sums = [sum(record["atom_attributions"]) - record["prediction"] for record in records]
        check(f"sums {sums}", all(abs(each) < 0.01 for each in sums))
    said = (err + json.dumps(records, ensure_ascii=False)).lower()
    if filename:
        said = said.replace(filename.lower(), "")
    if "notes_mention" in expect and expect["notes_mention"] != ["any"]:
        words = expect["notes_mention"]
        check(f"none of {words}", any(re.search(rf"(?<![^\W_]){re.escape(str(w).lower())}", said) for w in words))
    elif "notes_mention" in expect:
        check("nothing said", bool(err.strip()) or bool(records))
    for word in expect.get("notes_lack", ()):
        check(f"says {word}", str(word).lower() not in err.lower())
    if "stderr_max_lines" in expect:
        check(f"{len(lines)} lines", len(lines) <= expect["stderr_max_lines"])
    if "stderr_max_line" in expect:
        check("a long line", all(len(line) <= expect["stderr_max_line"] for line in lines))
    return faults


def plain(smiles):
    mol = Chem.MolFromSmiles(smiles)
    for atom in mol.GetAtoms():
        atom.SetAtomMapNum(0)
    return Chem.MolToSmiles(mol, isomericSmiles=False)


def bare(name):
    return None if name is None else name.strip("\"'")
