"""The command ``study``: Figures S7 and S8b from the terminal."""

import json

import pytest

from tests.terminal import outcome


@pytest.fixture
def run(capsys):
    def command(*arguments: str):
        return outcome(capsys, "study", *arguments)

    return command


def test_samples(run):
    """More samples, more perfect answers (Figure S7b); the motif of Pattern 12 has 3 atoms with its wildcard."""
    code, out, _ = run("samples", "--pattern", "12", "--samples", "1,40", "--limit", "4", "--json")
    few, many = map(json.loads, out.splitlines())
    assert code == 0 and many == {
        "pattern": "12",
        "readout": "r2",
        "pattern_size": 3,
        "samples": 40,
        "molecules": 4,
        "perfect": 4,
        "rate": 1.0,
    }
    assert few["samples"] == 1 and few["rate"] < 1


def test_samples_for_people(run):
    code, out, _ = run("samples", "--pattern", "10-11", "--samples", "2", "--limit", "2")
    header, *rows = out.splitlines()
    assert code == 0 and header == "pattern  pattern size  samples  molecules  perfect  perfect rate"
    assert [row.split()[:4] for row in rows] == [["10", "4", "2", "2"], ["11", "4", "2", "2"]]


def test_pg_bound_stands_beside_the_published_mean(run):
    code, out, _ = run("pg-bound", "--pattern", "9,12-moving", "--json")
    nine, moving = map(json.loads, out.splitlines())
    assert code == 0 and (nine["molecules"], nine["published"]) == (6, 0.856)
    assert nine["mean"] == pytest.approx(0.856, abs=0.011)
    assert moving["published"] is None
    code, out, _ = run("pg-bound", "--pattern", "9,12-moving", "--limit", "2")
    assert code == 0 and [row.split()[-1] for row in out.splitlines()[1:]] == ["0.856", "–"]
    assert out.splitlines()[1].split()[:2] == ["9", "2"]


def test_wrong_input_is_one_sentence_before_any_work(run):
    for arguments, sentence in (
        (("samples", "--pattern", "12,flucarb"), "There is no molecule to study GINE, flucarb on"),
        (("pg-bound", "--pattern", "12,flucarb"), "GINE, flucarb on among the published positives"),
        (("pg-bound", "--pattern", "99"), "There is no pattern '99'"),
        (("samples", "--pattern", "5-1"), "run backwards"),
        (("samples", "--pattern", "1", "--samples", "10,0"), "'0' is no whole number"),
        (("samples", "--pattern", "1", "--seed", "-1"), "'-1' is no whole number"),
        (("bounds", "--pattern", "1"), "invalid choice"),
    ):
        code, out, err = run(*arguments)
        assert code == 2 and out == "" and sentence in err and "Traceback" not in err
