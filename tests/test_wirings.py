"""One motif in many wirings: the study, its command, its numbers in lessons."""

import json

import pytest

from wombat_core.cli import main
from wombat_core.errors import InputError
from wombat_core.lessons.engine import Engine
from wombat_core.lessons.lesson import Situation
from wombat_core.lessons.placeholders import value_of
from wombat_core.molecules import from_smiles
from wombat_core.studies.sample_size import published_positives
from wombat_core.studies.wirings import WiringResult, wiring_title, wirings, wirings_study
from wombat_core.whitebox.catalogue import pattern

FIVE = pattern("5")
ROOT_3 = f"smarts:{FIVE.smarts}|root=3"
IN_A_RING = "O=C(O)C1CC(=NNC(=O)C2CC2)C1"


def rows(capsys, *arguments: str) -> list[dict]:
    assert main(["study", "wirings", "--pattern", "5", "--json", *arguments]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_the_failure_on_pattern_5_belongs_to_its_wiring(capsys):
    """The hand-made network as published; root 3 is perfect on 25 of 25 under both readouts (shared design, 2.8)."""
    hand, *compiled = rows(capsys)
    assert (hand["style"], hand["root"], hand["layers"], hand["channels"], hand["molecules"]) == (None, None, 6, 27, 25)
    assert {name: (round(one["auroc"], 3), one["perfect"]) for name, one in hand["scores"].items()} == {
        "r1": (0.986, 20),
        "r2": (0.994, 23),
    }
    assert [row["root"] for row in compiled] == list(range(10))
    assert all(row["style"] == "small" and row["molecules"] == 25 for row in compiled)
    assert compiled[2]["layers"] == 4 and all(5 <= row["layers"] <= 8 for row in compiled if row["root"] != 2)
    assert all(one == {"auroc": 1, "perfect": 25, "null": 0} for one in compiled[3]["scores"].values())
    assert compiled[2]["scores"]["r1"]["perfect"] == compiled[4]["scores"]["r1"]["perfect"] == 25
    assert min(row["scores"]["r1"]["perfect"] for row in compiled) < 25


def test_few_steps_make_answers_null_where_activations_grow_and_the_exact_integral_does_not():
    molecules = [from_smiles(IN_A_RING)]
    nulls = {}
    for method in ("integrated-gradients", "integrated-gradients-exact"):
        found = wirings_study(FIVE, ("deep",), method, molecules=molecules)
        nulls[method] = [row.scores["r2"].null for row in found]
        assert all((row.scores["r2"].auroc == 0.5) == bool(row.scores["r2"].null) for row in found)
    assert nulls["integrated-gradients"] == [0] * 7 + [1] + [0] * 3, "the deep network at root 6"
    assert not any(nulls["integrated-gradients-exact"])


def test_settings_reach_the_explainer_and_rows_are_told_as_they_come():
    told: list[WiringResult] = []
    molecules = [from_smiles("NC(=O)NN=C1CCCC(C(=O)O)C1")]
    found = wirings_study(pattern("5"), (), settings={"steps": 2}, molecules=molecules, on_result=told.append)
    other = wirings_study(pattern("5"), (), settings={"steps": 50}, molecules=molecules)
    assert found == told and found[0].title == "hand-made"
    assert other[0].scores["r1"].auroc == pytest.approx(12 / 13)
    assert found[0].scores != other[0].scores


def test_wirings_have_the_label_and_the_published_molecules_of_their_motif():
    [first, *_] = own = list(wirings(pattern("12"), ("small", "unit")))
    assert [wiring_title(one) for one in own] == [
        f"{style}, root {root}" for style in ("small", "unit") for root in (0, 1, 2)
    ]
    assert [each.smiles for each in published_positives(first)] == [
        each.smiles for each in published_positives(pattern("12"))
    ]
    assert published_positives(pattern("smarts:[OX2H]CC[OX2H]")) == []


def test_numbers_of_lessons_are_those_of_the_study():
    engine, situation = Engine(), Situation(IN_A_RING, ROOT_3, "r2")
    assert value_of("num_perfect('integrated-gradients')", situation, engine) == "25"
    assert value_of("num_scored('integrated-gradients')", situation, engine) == "25"
    assert value_of("mean_auroc('integrated-gradients', pattern='5', readout='r1')", situation, engine) == "0.986"
    for source, reason in (
        ("mean_auroc('pg-explainer')", "takes too long"),
        ("mean_auroc('saliency', pattern='flucarb')", "no published molecule"),
    ):
        with pytest.raises(InputError, match=reason):
            value_of(source, situation, engine)


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (("--pattern", "5", "--styles", "tiny"), "There is no style 'tiny'"),
        (("--pattern", "flucarb"), "There is no molecule to study GINE, flucarb on"),
        (("--pattern", "5", "--explainer", "nobody"), "nobody"),
        (("--pattern", "5", "--set", "samples=3"), "None of the chosen explainers"),
    ],
)
def test_wrong_input_is_one_sentence(capsys, arguments, sentence):
    assert main(["study", "wirings", *arguments]) == 2
    error = capsys.readouterr().err
    assert sentence in error and error.count("\n") == 1
