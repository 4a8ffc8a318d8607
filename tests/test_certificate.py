"""Library arrays, the forward pass over them, the search, and what a certificate says."""

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
import torch
from rdkit import Chem

from tests.browser import ROOT
from wombat_core.cli import main
from wombat_core.compiler.certify import certify
from wombat_core.compiler.compile import compile_smarts
from wombat_core.compiler.reasons import reason
from wombat_core.compiler.synthetic import near_misses
from wombat_core.errors import InputError
from wombat_core.ground_truth import query
from wombat_core.molecules import from_smiles
from wombat_core.molecules.arrays import arrays_of, concatenated
from wombat_core.molecules.encoding import encode_batch
from wombat_core.molecules.levels import Inputs, inputs_of
from wombat_core.molecules.library import library_rows
from wombat_core.progress import Stopped
from wombat_core.screening.motif_search import candidates, matches
from wombat_core.whitebox.catalogue import Pattern, fourteen, pattern
from wombat_core.whitebox.model import Whitebox
from wombat_core.whitebox.notation import read_channel
from wombat_core.whitebox.sweep import sweep

CHAIN = Pattern(
    "chain",
    "[CH3][CH2][CH2][CH3]",
    "[#6]~[#6]~[#6]~[#6]",
    # A carbon that has a carbon which has two, less the way back: a three-membered ring looks like a chain of four.
    (
        (read_channel("A", 1, ["C", "C", "~", -1]),),
        (read_channel("A", 2, ["A", "A", "~", 0]),),
    ),
)


@pytest.fixture(scope="module")
def rows():
    return [row for number, row in enumerate(library_rows()) if number % 150 == 0]


@pytest.fixture(scope="module")
def arrays(rows):
    third = len(rows) // 3
    parts = (rows[:third], rows[third : 2 * third], rows[2 * third :])
    return concatenated([arrays_of([r.smiles for r in p], [(r.name, r.cas) for r in p]) for p in parts])


def test_arrays_keep_the_molecules(rows, arrays):
    for place in range(0, len(rows), 7):
        assert arrays.texts(place) == (rows[place].smiles, " ".join(rows[place].name.split()), rows[place].cas)
        plain, kept = from_smiles(rows[place].smiles).mol, arrays.mol(place)
        assert Chem.MolToSmiles(plain) == Chem.MolToSmiles(kept)
        atoms = arrays.kinds[arrays.kind[arrays.atom_start[place] : arrays.atom_start[place + 1]]]
        expected = [
            (a.GetAtomicNum(), a.GetTotalNumHs(), a.GetDegree(), a.GetFormalCharge(), a.GetIsAromatic())
            for a in plain.GetAtoms()
        ]
        assert [tuple(row) for row in atoms.tolist()] == expected


@pytest.mark.parametrize("encoding", ["wombat", "wombat+"])
@pytest.mark.parametrize("id", [5, 9, 10])
def test_the_pass_over_arrays_is_the_plain_forward_pass(rows, arrays, id, encoding):
    usable = np.flatnonzero(arrays.usable)[:120]
    entry = replace(pattern(id), encoding=encoding)
    found = sweep(Whitebox(entry), inputs_of(arrays, encoding), len(arrays))
    batch = encode_batch([from_smiles(rows[place].smiles) for place in usable], encoding)
    for readout in ("r1", "r2"):
        with torch.no_grad():
            plain = Whitebox(entry, readout)(batch.x, batch.edge_index, batch.edge_attr, batch.batch).numpy()
        assert np.allclose(getattr(found, readout)[usable], plain, atol=1e-6)


def test_inputs_survive_being_kept(arrays):
    made = inputs_of(arrays)
    again = Inputs.from_dict(made.as_dict())
    network = Whitebox(pattern(7))
    assert np.array_equal(sweep(network, made, len(arrays)).r1, sweep(network, again, len(arrays)).r1)


@pytest.mark.parametrize(
    "smarts",
    [
        *(entry.smarts for entry in fourteen()),
        "[NX3;H2,H1;!$(NC=O)]",
        "[N+](=O)[O-]",
        "c1ccccc1",
        "[R]-;!@[!R]",
        "[!C&!c]~[!C&!c]",
        "[13C]",
        "[CX4v4]",
        "C-,=C",
        "[D{2-3}]O",
        "*!-*",
        "[Na+]",
    ],
)
def test_the_search_finds_what_a_plain_one_finds(rows, arrays, smarts):
    motif = query(smarts)
    plain = [
        place in _readable(arrays) and from_smiles(row.smiles).mol.HasSubstructMatch(motif)
        for place, row in enumerate(rows)
    ]
    assert matches(arrays, smarts).tolist() == plain
    assert not (np.array(plain) & ~candidates(motif, arrays)).any()


def _readable(arrays):
    return set(np.flatnonzero(arrays.readable).tolist())


def test_a_reason_names_the_atom_where_branches_meet():
    chain = Chem.MolFromSmarts("CCCC")
    found = reason(from_smiles("C1CC1").mol, chain)
    assert found.shared == (0, 3) and found.image[0] == found.image[3] == found.meeting
    assert "Atoms 1 and 4 of the SMARTS both fall on C0" in found.sentence
    assert reason(from_smiles("CC(C)C").mol, chain).image is None, "no walk of four atoms without turning back"
    assert reason(from_smiles("Cn1cccc1").mol, Chem.MolFromSmarts("[n+]C")).image is None
    assert reason(from_smiles("C1CO1").mol, Chem.MolFromSmarts("OCCO")).shared == (0, 3)


def test_molecules_made_from_a_smarts():
    made = near_misses("OCCO")
    assert set(made) == {"OCCO", "CCO", "COO", "C1CO1"}, "whole, less either oxygen, two apart merged, ends merged"
    assert "c1ccccc1" in near_misses("c1ccccc1")
    assert "c1ccc2[nH]ccc2c1" in near_misses("c1ccc2c(c1)cc[nH]2")


def test_a_network_that_sees_walks_is_exact_but_for_rings():
    found = certify(CHAIN, molecules=["C1CC1", "CCC", "c1ccccc1", "C1CCC1", "CCCC", "[Na+]", "C1CC"])
    assert found.molecules == 7 and found.left_out == {"no_bonds": 1, "unreadable": 1}
    r1 = found.readouts["r1"]
    assert found.positives + found.negatives == found.usable == 5
    assert r1.misses == 0 and r1.false_positives >= 1
    assert json.loads(found.to_json())["verdict"] == found.verdict
    page = found.to_html()
    assert (
        page.count("Circles: ")
        == page.count("Readout r1, r2")
        == page.count("made from the SMARTS, readout r1, r2")
        == 1
    )
    assert "\n" not in repr(found)


@pytest.mark.parametrize("id", [6, 10, 12])
def test_certificates_of_hand_made_whiteboxes(arrays, id):
    found = certify(id, molecules=arrays, name="a sample")
    assert found.verdict == "exact" and found.readouts["r1"] == found.readouts["r2"]
    assert found.readouts["r1"].false_positives == found.readouts["r1"].misses == 0
    assert found.synthetic_molecules >= 1
    assert certify(id, molecules=["C=C"]).verdict == "untested"
    assert len(found.weights_hash) == len(found.set_hash) == 64
    assert found.weights_hash != certify(7, molecules=["C=C"]).weights_hash


@pytest.mark.parametrize("encoding", ["wombat", "wombat+"])
def test_molecules_of_which_none_can_be_used(encoding):
    entry = compile_smarts("c1cnc[nH]1", encoding=encoding)
    found = certify(entry, molecules=["[Na+]", "C1CC", "[I-].[Na+]"])
    assert (found.usable, found.verdict) == (0, "untested")
    assert found.left_out == {"no_bonds": 2, "unreadable": 1}
    assert certify(entry, molecules=["C1CC"]).left_out == {"unreadable": 1}


def test_false_positives_without_rings_are_counted():
    wrong = replace(pattern(12), smarts="[CH3][CH]=O")
    molecules = [
        *("C" * size + "C=O" for size in range(2, 40)),
        "O=CC1CC1.CCC",
        "[Na+].CCC=O",
        "O=CC1CC1",
        "O=Cc1ccccc1",
    ]
    r1 = certify(wrong, molecules=molecules).readouts["r1"]
    assert (r1.false_positives, r1.acyclic) == (42, 39)


def test_a_wrong_network_is_approximate_and_its_page_draws_why():
    wrong = replace(pattern(12), smarts="[CH3][CH]=O")
    found = certify(wrong, molecules=["CCC=O", "CC=O", "O=Cc1ccccc1"])
    r1 = found.readouts["r1"]
    assert found.verdict == "approximate" and (r1.false_positives, r1.acyclic, r1.misses) == (2, 1, 0)
    assert [example.smiles for example in r1.false_examples] == ["CCC=O", "O=Cc1ccccc1"], "smallest first"
    page = found.to_html()
    assert page.index("false positives, ") < page.index("<h2>Facts</h2>")
    assert page.count("<svg") >= 2 and "O=Cc1ccccc1" in page and "<script" not in page


def test_the_page_shows_text_as_text():
    found = replace(certify(12, molecules=["CC=O"]), smarts="<b>x</b>")
    assert "<b>x</b>" not in found.to_html() and "&lt;b&gt;x" in found.to_html()


def test_certify_in_the_terminal(capsys, tmp_path):
    mine = tmp_path / "mine.smi"
    mine.write_text("CC=O ethanal\nCCC\nC1CC\n")
    page = tmp_path / "page.html"
    arguments = ["certify", "--pattern", "12", "--input", str(mine), "--jobs", "1"]
    assert main([*arguments, "--html", str(page), "--json"]) == 2
    out, err = capsys.readouterr()
    assert err.startswith("mine.smi, line 3: the SMILES 'C1CC' cannot be read: ring 1") and err.count("\n") == 1
    record = json.loads(out)
    assert (record["molecules"], record["positives"], record["verdict"]) == (3, 1, "exact")
    assert record["left_out"] == {"unreadable": 1}
    assert "exact" in page.read_text() and "left out: 1 unreadable" in page.read_text()
    # The second time the file comes from the cache, under another name with its own.
    assert main(arguments) == 2
    again = capsys.readouterr()
    assert "exact on 2 molecules" in again.out and again.err == err
    mine.rename(tmp_path / "other.smi")
    arguments[4] = str(tmp_path / "other.smi")
    assert main(arguments) == 2 and capsys.readouterr().err == err.replace("mine", "other")
    (tmp_path / "good.smi").write_text("CC=O\nCCC\n")
    arguments[4] = str(tmp_path / "good.smi")
    assert main(arguments) == 0 and capsys.readouterr().err == ""
    assert main(["certify", "--pattern", "12", "--input", str(tmp_path / "none.smi")]) == 2
    assert "does not exist" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (["--smarts", "C("], "The SMARTS 'C(' cannot be read: the bracket ( at position 2 is not closed."),
        (["--smarts", ""], "The SMARTS is empty."),
        (["--smarts", "CO", "--root", "7"], "The root '7' is no atom of the SMARTS"),
        (["--smarts", "CO", "--root", "two"], "The root 'two' is no atom of the SMARTS; its atoms are 0, 1 (from 0)."),
        (["--smarts", "CO", "--root", "-1"], "The root '-1' is no atom of the SMARTS; its atoms are 0, 1 (from 0)."),
        (["--pattern", "5,smarts:C("], "The SMARTS 'C(' cannot be read: the bracket ( at position 2 is not closed."),
        (["--smarts", "CO", "--style", "huge"], "There is no style 'huge'"),
        (["--smarts", "CO", "--encoding", "all"], "There is no encoding 'all'"),
        (["--pattern", "99"], "There is no pattern '99'"),
        (["--smarts", "CO", "--input", "EMPTY"], "is empty"),
        (["--smarts", "CO", "--input", "."], "does not exist"),
    ],
)
def test_bad_input_is_one_sentence(capsys, tmp_path, arguments, sentence):
    empty = tmp_path / "empty.smi"
    empty.write_text("")
    assert main(["certify", *(str(empty) if text == "EMPTY" else text for text in arguments)]) == 2
    said = capsys.readouterr().err.strip()
    assert sentence in said and "\n" not in said and "Traceback" not in said


def test_no_molecules_are_no_certificate():
    with pytest.raises(InputError, match="no molecule"):
        certify("12", molecules=[])


@pytest.mark.parametrize(
    "arguments, id",
    [
        (["--smarts", "CO", "--style", "deep", "--root", "1"], "smarts:CO|style=deep|root=1"),
        (["--root", "1", "--smarts", "CO|style=deep"], "smarts:CO|style=deep|root=1"),
        (["--smarts", "CO|style=deep|root=1"], "smarts:CO|style=deep|root=1"),
        (["--encoding", "wombat+", "--depth", "3", "--smarts", "C1CC1"], "smarts:C1CC1|encoding=wombat+|depth=3"),
        (["--pattern", "smarts:CO", "--style", "unit"], "smarts:CO|style=unit"),
    ],
)
def test_a_smarts_and_its_options_come_in_either_form(capsys, tmp_path, arguments, id):
    mine = tmp_path / "mine.smi"
    mine.write_text("CO methanol\nCCC\n")
    assert main(["certify", *arguments, "--input", str(mine), "--json"]) == 0
    certified = json.loads(capsys.readouterr().out)
    assert certified["pattern"] == id
    assert main(["predict", "CO", *arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pattern"] == id
    if "--smarts" in arguments:
        place = arguments.index("--smarts")
        assert main(["compile", arguments[place + 1], *arguments[:place], *arguments[place + 2 :], "--json"]) == 0
        compiled = json.loads(capsys.readouterr().out)
        assert compiled["layers"] == certified["layers"] and compiled["style"] == certified["style"]


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (["--pattern", "12", "--root", "1"], "--root belongs to --smarts"),
        (["--style", "deep", "--pattern", "all"], "--style belongs to --smarts"),
        (["--smarts", "CO|style=deep", "--style", "unit"], "given twice"),
        (["--smarts", "CO", "--pattern", "12"], "not allowed with"),
    ],
)
def test_options_that_do_not_go_together(capsys, arguments, sentence):
    with pytest.raises(SystemExit) as ended:
        main(["certify", *arguments])
    assert ended.value.code == 2 and sentence in capsys.readouterr().err


@pytest.mark.parametrize("share", [0.0, 0.5, 0.6])
def test_a_certificate_tells_its_progress_and_can_be_stopped(arrays, share):
    shares = []
    certify("12", molecules=arrays, progress=shares.append)
    assert len(shares) > 3 and shares == sorted(shares) and 0.9 < shares[-1] <= 1
    seen = []

    def stop(done: float) -> None:
        seen.append(done)
        if done >= share:
            raise Stopped

    with pytest.raises(Stopped):
        certify("12", molecules=arrays, progress=stop)
    assert seen[-1] >= share and len(seen) < len(shares)


def test_the_public_function_is_no_module():
    program = (
        "import wombat_core as wombat\n"
        'first = wombat.certify(wombat.compile_smarts("[CX3H1](=O)[#6]"), molecules=["CC=O", "CCO"])\n'
        "import wombat_core.compiler.certify\n"
        'second = wombat.certify("12", molecules=["CC=O", "CCO"])\n'
        "assert isinstance(first, wombat.Certificate)\n"
        "print(first.verdict, second.verdict, second.positives)"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, timeout=300)
    assert ran.stdout == "exact exact 1\n", ran.stderr
