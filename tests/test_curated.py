"""The curated failures: every fact of ``wombat_core/data/cases.yaml`` against the engine."""

import pytest

from wombat_core.errors import InputError
from wombat_core.failures.curated import CASES_FILE, CuratedCase, cases, failing_facts

FROM_THE_PAPER = {"figure-5", "figure-s1", "figure-s2", "figure-7", "figure-s5", "figure-s6", "table-s2"}


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.id)
def test_its_facts_hold(case: CuratedCase):
    assert failing_facts(case) == []


def test_what_the_issue_asks_for_is_there():
    known = {case.id: case for case in cases()}
    assert FROM_THE_PAPER | {"r2-silences-saliency"} <= set(known)
    found = [case for case in known.values() if case.source.startswith("found in the library")]
    assert len({case.kind for case in found}) >= 6
    assert {case.page for case in known.values()} == {"explore", "layers", "interpolation"}


def test_a_wrong_fact_is_told():
    [case] = [case for case in cases() if case.id == "figure-5"]
    wrong = CuratedCase(
        **{**vars(case), "facts": ({"explainer": "integrated-gradients", "auroc": 1.0, "above": [0, 7]},)}
    )
    assert failing_facts(wrong) == [
        "figure-5: auroc of 5, r2, integrated-gradients is not 1.0.",
        "figure-5: above of 5, r2, integrated-gradients is not [0, 7].",
    ]


@pytest.mark.parametrize(
    "old, new, sentence",
    [
        ('pattern: "5"', 'pattern: "55"', "cases.yaml, case figure-5: There is no pattern '55'; choose from"),
        ("readout: r2", "readout: r3", "cases.yaml, case figure-5: There is no readout 'r3'; choose r1 or r2."),
        (
            "above: [7, 0]",
            "above: [99, 0]",
            "figure-5: the fact 'above' names an atom that the molecule does not have.",
        ),
        ("page: explore", "page: nowhere", "figure-5: There is no page 'nowhere'"),
        ("title:", "titel:", "figure-5: there is no field 'titel'"),
        ("molecule: NC(=O)NN", "molecule: NC(=O(NN", "cases.yaml, case figure-5: The SMILES"),
        ("explainer: integrated-gradients,", "explainer: nobody,", "figure-5: each fact needs an explainer"),
        ("shown: shapley-exact", "shown: saliency", "figure-6: it shows 'saliency', which is none of its explainers."),
        ("id: figure-6", "id: figure-5", "cases.yaml, case figure-5: there are two cases of this id."),
        ("- id: figure-5", "- id: [", "cases.yaml, line"),
    ],
)
def test_a_mistake_in_the_file_is_one_sentence(tmp_path, old, new, sentence):
    text = CASES_FILE.read_text(encoding="utf-8")
    assert old in text
    file = tmp_path / "cases.yaml"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        cases(file)
    assert sentence in str(caught.value) and "\n" not in str(caught.value)


def test_a_missing_file_is_one_sentence(tmp_path):
    with pytest.raises(InputError, match=r"^none.yaml cannot be read: No such file or directory\.$"):
        cases(tmp_path / "none.yaml")
