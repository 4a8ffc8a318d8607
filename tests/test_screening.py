"""Motifs, similarities and the two SMARTS on molecules chosen by hand; stopping; the terminal."""

import json

import numpy as np
import pytest

from tests.terminal import outcome
from wombat_core.drawing.chart_style import SERIES
from wombat_core.drawing.similarity_charts import BINS, similarity_chart, similarity_shares
from wombat_core.errors import InputError
from wombat_core.ground_truth import query
from wombat_core.molecules import from_smiles
from wombat_core.molecules.sets import Entry, entries
from wombat_core.progress import Stopped, listening
from wombat_core.screening import library_pass as screening
from wombat_core.screening.fingerprints import fingerprints, motif_molecule, shared_bits, tanimoto, tversky
from wombat_core.screening.membership import membership
from wombat_core.screening.negatives import negatives
from wombat_core.screening.relaxed import compare_smarts, disagreement, original_atoms, paper_rows, read
from wombat_core.screening.similarity import similarity
from wombat_core.whitebox.catalogue import fourteen, pattern

SMILES = ["CC(C)C=O", "C1CC", "CC=O", "[Na+]", "CCCl", "FC(C)C(C)=O", "C[N+](C)(C)C"]
MINE = [Entry(line, smiles) for line, smiles in enumerate(SMILES, start=1)]


def bits(*rows: str) -> np.ndarray:
    return np.array([[mark == "1" for mark in row] for row in rows])


def test_tversky_asks_for_the_motifs_bits_alone():
    motif = bits("11110000")
    molecules = bits("11001110", "11111111", "11110000", "00001111")
    shared = shared_bits(molecules, motif)
    assert shared[:, 0].tolist() == [2, 4, 4, 0]
    assert tversky(shared[:, 0], 4).tolist() == [0.5, 1, 1, 0], "bits of the molecule outside the motif do not count"
    assert tanimoto(shared[:, 0], molecules.sum(axis=1), 4).tolist() == [2 / 7, 0.5, 1, 0]


def test_every_motif_becomes_a_molecule_that_contains_it():
    for entry in fourteen():
        motif = motif_molecule(entry)
        assert motif.HasSubstructMatch(query(entry.krfp)) and motif.GetNumAtoms() == query(entry.krfp).GetNumAtoms()
        assert {atom.GetNumRadicalElectrons() for atom in motif.GetAtoms()} == {0}
    assert fingerprints([motif_molecule(pattern(14))]).shape == (1, 2048)


def test_the_motif_itself_is_as_similar_as_can_be():
    own = similarity([Entry(0, "CCCl"), Entry(1, "CC(C)C"), Entry(2, "c1ccccc1"), Entry(3, "C1CC")])
    assert own.to(14)[0] == own.to(14, "tanimoto")[0] == 1
    assert own.to(10)[1] == own.to(11)[1] == 1, "isobutane is the motif of both"
    assert own.to(14)[2] == own.to(14)[3] == 0
    with pytest.raises(InputError, match="'dice'"):
        own.to(14, "dice")


def test_membership_of_molecules_by_hand():
    known = membership(MINE)
    assert known.left_out() == {"unreadable": 1, "no_bonds": 1}
    assert known.places(12).tolist() == [0, 2] and known.places("12-leaf").tolist() == [0, 2]
    assert known.places(12, contains=False).tolist() == [4, 5, 6]
    assert known.places(12, contains=False, usable=False).tolist() == [3, 4, 5, 6]
    assert known.places("flucarb").tolist() == [5] and known.places(13).tolist() == [6]
    assert known.num_atoms.tolist() == [5, 0, 3, 1, 3, 6, 5]
    assert known.charged.tolist() == [False, False, False, True, False, False, True]
    with pytest.raises(InputError, match="flucarb has no original"):
        known.places("flucarb", smarts="original")
    with pytest.raises(InputError, match="'Xx'"):
        known.has_element("Xx")
    assert len(membership([])) == 0 and membership([]).places(1).tolist() == []


def test_processes_find_what_one_does():
    smiles = SMILES * 400
    alone, together = (screening.screen(smiles, jobs) for jobs in (1, 2))
    assert len(smiles) > 2 * screening.CHUNK and len(alone["left_out"]) == len(smiles)
    assert all(np.array_equal(alone[name], together[name]) for name in alone)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_pass_can_be_stopped(jobs):
    shares = []

    def stop(share):
        shares.append(share)
        raise Stopped

    with pytest.raises(Stopped), listening(stop):
        screening.screen(SMILES * 2000, jobs)
    assert len(shares) == 1 and shares[0] < 0.1


def test_negatives_of_a_set_of_ones_own():
    found = negatives(10, among=MINE)
    assert sorted(entry.place for entry in found) == [3, 5, 7], "lines of molecules without a CH of three neighbours"
    assert negatives(10, limit=2, among=MINE) == found[:2]
    assert [entry.place for entry in negatives(14, "hard", among=[*MINE, Entry(8, "CCCBr")])] == [8]
    for wrong, sentence in (({"kind": "soft"}, "'soft'"), ({"limit": -1}, "-1"), ({"pattern": "99"}, "'99'")):
        with pytest.raises(InputError, match=sentence):
            negatives(**{"pattern": 10, "among": MINE, **wrong})


RING, CHAIN = "CC1CC1C", "CC(C)C(C)C"
"""In the three-ring both CH have the same third neighbour, which the original SMARTS may not match twice."""


def test_the_two_smarts_disagree_in_label_or_in_atoms():
    six = pattern(6)
    assert [disagreement(from_smiles(smiles), six) for smiles in (CHAIN, RING, f"{RING}.{CHAIN}", "CCO")] == [
        None,
        "label",
        "atom set",
        None,
    ]
    assert original_atoms(from_smiles(f"{RING}.{CHAIN}"), six).tolist() == [False] * 5 + [True] * 6
    counts = compare_smarts(map(from_smiles, (CHAIN, RING, f"{RING}.{CHAIN}", "CCO", "[Na+]")), six)
    assert (counts.molecules, counts.original, counts.relaxed) == (4, 2, 3), "sodium has no bonds and is left out"
    assert (counts.label_disagreements, counts.atom_set_disagreements, counts.total) == (1, 1, 3)
    assert counts.percent == pytest.approx(200 / 3)
    assert compare_smarts([], six).percent is None
    with pytest.raises(InputError, match="flucarb"):
        compare_smarts([], pattern("flucarb"))


def test_the_papers_rows_give_the_papers_percentages():
    # Table S9, column %.
    assert [round(row.percent, 2) for row in paper_rows().values()] == [0.01, 74.19, 0, 0.17, 29.41, 5.91]
    assert list(paper_rows()) == ["1", "2", "3", "4", "5", "6"]


@pytest.mark.parametrize("id", ["1", "2", "3", "4", "5"])
def test_the_published_positives_are_part_of_the_papers_count(id):
    paper, counts = paper_rows()[id], compare_smarts(read(list(entries("positives", id))), pattern(id))
    # They are some of the molecules of Table S9, so neither count can be above the paper's.
    assert counts.disagreements <= paper.disagreements
    assert counts.total - counts.disagreements <= paper.total - paper.disagreements
    assert (counts.disagreements > 0) == (id in "25"), "the patterns that Table S9 gives 74 and 29 per cent"


def test_a_similarity_on_an_edge_counts_upwards():
    shares = similarity_shares(np.array([0, 3 / 5, 0.5, 1, 7 / 20]))
    assert len(shares) == BINS and shares.sum() == pytest.approx(100)
    assert np.flatnonzero(shares).tolist() == [0, 7, 10, 12, 19]


def test_the_chart_compares_shares_of_groups():
    groups = {"with": np.array([0.9, 1.0]), "none": np.zeros(0), "without": np.linspace(0, 1, 2000)}
    figure = similarity_chart(groups, measure="Tanimoto", threshold=0.5)
    assert [trace.name for trace in figure.data] == ["with (2)", "without (2,000)"]
    assert max(figure.data[0].y) == 50 and max(figure.data[1].y) < 6
    assert [trace.line.color for trace in figure.data] == [SERIES[0], SERIES[2]], "an empty group keeps its colour free"
    assert figure.data[0].line.dash != figure.data[1].line.dash, "groups differ in print as well"
    assert figure.layout.xaxis.title.text == "Tanimoto similarity to the motif"
    assert [(shape.x0, shape.name) for shape in figure.layout.shapes] == [(0.5, "threshold")]
    assert len(similarity_chart({}).data) == 0


def run(capsys, *arguments: str):
    return outcome(capsys, "sets", *arguments)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.smi"
    path.write_text("\n".join(smiles for smiles in SMILES if smiles != "C1CC") + "\n")
    return str(path)


def test_membership_in_the_terminal(capsys, file):
    code, out, err = run(capsys, "membership", "--pattern", "12,flucarb", "--input", file, "--json")
    assert (code, err) == (0, "")
    twelve, flucarb = map(json.loads, out.splitlines())
    assert (twelve["molecules"], twelve["usable"], twelve["positives"], twelve["negatives"]) == (6, 5, 2, 3)
    assert (twelve["original"], flucarb["original"], flucarb["positives"]) == (2, None, 1)
    code, out, _ = run(capsys, "membership", "--pattern", "12", "--input", file, "--limit", "1")
    assert out.splitlines()[1].split() == ["12", "1", "CC(C)C=O"] and len(out.splitlines()) == 2


def test_negatives_and_comparison_in_the_terminal(capsys, file):
    code, out, _ = run(capsys, "negatives", "--pattern", "10", "--input", file, "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0 and {row["smiles"] for row in rows} == {"CC=O", "CCCl", "C[N+](C)(C)C"}
    assert all(0 <= row["tversky"] <= 1 for row in rows)
    code, out, _ = run(capsys, "compare", "--pattern", "6", "--input", file)
    header, row, note = (line.split() for line in out.splitlines())
    assert header[-6:] == ["S9", "disagreements", "S9", "total", "S9", "%"] and row[-3:] == ["591", "10000", "5.91"]
    assert " ".join(note).startswith("The S9 columns are the paper's, over its own")
    code, out, _ = run(capsys, "compare", "--pattern", "5", "--set", "positives", "--json")
    row = json.loads(out)
    assert (row["total"], row["S9 disagreements"], row["S9 total"]) == (28, 10, 34) and row["disagreements"] > 0
    code, out, _ = run(capsys, "negatives", "--kind", "hard", "--pattern", "3", "--input", file)
    assert (code, out) == (0, "no such molecule\n")


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (("compare", "--pattern", "flucarb"), "no original"),
        (("negatives", "--pattern", "99"), "'99'"),
        (("membership", "--pattern", "1", "--input", "/missing.smi"), "does not exist"),
        (("membership", "--pattern", "1", "--column", "smiles"), "no --input"),
        (("negatives", "--pattern", "1", "--kind", "soft"), "soft"),
        (("compare", "--pattern", "flucarb", "--set", "positives"), "no published positives"),
        (("compare", "--pattern", "1", "--set", "library", "--input", "-"), "give one"),
        ((), "TASK"),
    ],
)
def test_what_cannot_be_done_ends_with_2_and_a_sentence(capsys, arguments, sentence):
    code, out, err = run(capsys, *arguments)
    assert code == 2 and out == "" and sentence in err and "Traceback" not in err


def test_a_bad_line_is_named_and_the_others_go_on(capsys, tmp_path):
    path = tmp_path / "mine.smi"
    path.write_text("CC=O\nC1CC\n")
    code, out, err = run(capsys, "membership", "--pattern", "12", "--input", str(path), "--json")
    assert code == 2 and "line 2" in err and json.loads(out)["positives"] == 1
