"""Every page opens with a whitebox that a link compiles."""

import pytest

from pages.shared.state_codecs import WHITEBOXES
from tests.app import opened

ALDEHYDE = "smarts:[CX3H1](=O)[#6]"
PYRIDINE = "smarts:c1ccncc1"
NAMES = {ALDEHYDE: "aldehyde", PYRIDINE: "pyridine"}


def selectbox(app, label: str):
    [found] = [box for box in app.selectbox if box.label == label]
    return found


@pytest.mark.parametrize("pattern, molecule", [(ALDEHYDE, "citronellal"), (PYRIDINE, "4-aminopyridine")])
def test_the_pages_of_one_molecule(pattern, molecule):
    explore = opened(pattern=pattern, molecule=molecule, explainers="saliency", readout="r1")
    assert not explore.error and not explore.warning
    assert explore.subheader[0].value == f"{NAMES[pattern]} finds its motif; does the explainer?"
    assert selectbox(explore, "Whitebox").value == pattern, "the sidebar shows it as the current one"
    for page in ("layers", "interpolation"):
        app = opened(page, pattern=pattern, molecule=molecule, readout="r1")
        assert not app.error and not app.warning, (page, app.error, app.warning)
        assert selectbox(app, "Whitebox").value == pattern


@pytest.mark.parametrize("pattern", [ALDEHYDE, PYRIDINE])
def test_failures_and_benchmark(pattern):
    failures = opened("failures", pattern=pattern, **{"failures.view": "search", "failures.explainer": "saliency"})
    assert not failures.error and not failures.warning
    assert selectbox(failures, "Whitebox").value == pattern
    form = opened("benchmark", pattern=pattern, **{"benchmark.view": "new"})
    assert not form.error
    [pills] = [each for each in form.button_group if each.label == "Patterns"]
    assert NAMES[pattern] in pills.options
    molecules = opened("benchmark", pattern=pattern, **{"benchmark.view": "molecules"})
    assert not molecules.error


def test_a_smarts_that_does_not_compile_is_a_sentence_and_the_default():
    app = opened(pattern="smarts:[13C]=O", molecule="citronellal", explainers="random")
    assert "isotope" in app.warning[0].value
    assert selectbox(app, "Whitebox").value == "5"


def test_a_list_in_an_address_may_have_commas_within_smarts():
    for text in ("smarts:[O,N]=C,5", "smarts:[O%2CN]=C,5", "5,smarts:[O,N]=C"):
        ids = WHITEBOXES.decode(text)
        assert ids == ("smarts:[O,N]=C", "5")
        assert WHITEBOXES.encode(ids) == "smarts:[O%2CN]=C,5" and WHITEBOXES.decode(WHITEBOXES.encode(ids)) == ids
