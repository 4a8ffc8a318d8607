"""The Failures page in each of its states, without a browser."""

import json
import time
from functools import partial
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from pages.addresses.failures import FAILURES, FailuresState
from pages.parts.failures.cases import state_of
from pages.parts.failures.runs import Search, search_of
from pages.parts.failures.upload import UserFile, _files
from pages.shared.jobs import all_jobs
from pages.shared.state import State, parse
from tests import app as tested
from wombat_core.explainers.registry import explainer
from wombat_core.failures.curated import cases
from wombat_core.failures.search import Spec
from wombat_core.molecules.sets import Entry

opened = partial(tested.opened, "failures")
FIGURE_5 = "NC(=O)NN=C1CCCC(C(=O)O)C1"


def cards(app: AppTest) -> list[dict]:
    found = [
        json.loads(one.proto.json) for one in app.main if one.type == "bidi_component" and "cards" in one.proto.json
    ]
    return [card for data in found for card in data["cards"]]


def opens(card: dict, title: str) -> tuple[State, list[str]]:
    """What a card's link opens its page with."""
    [address] = [link["address"] for link in card["links"] if link["title"] == title]
    return parse(dict(parse_qsl(urlsplit(address).query)))


def texts(app: AppTest) -> str:
    kinds = (app.main.markdown, app.main.caption, app.main.info, app.main.warning, app.main.error)
    return "\n".join(element.value for kind in kinds for element in kind).replace("\\", "")


def settled(app: AppTest) -> AppTest:
    """The page once its search is over."""
    for _ in range(200):
        if not [button for button in app.main.button if button.key == "stop-search"]:
            return app
        time.sleep(0.2)
        app.run()
        assert not app.exception
    raise AssertionError("the search does not end")


def test_every_case_is_a_card_that_opens_its_page():
    app = opened()
    found = cards(app)
    assert len(found) == len(cases()) and not app.main.error and not app.main.warning
    first = found[0]
    assert first["title"] == cases()[0].title and first["foot"] == "Figures 5 and 6"
    assert [link["title"] for link in first["links"]] == ["Explore", "Layers", "Interpolation"]
    assert first["links"][0]["address"].startswith("./?") and opens(first, "Explore")[0].atom == 7
    assert sum("<svg" in card["svg"] for card in found) == len(found)
    for case, card in zip(cases(), found, strict=True):
        assert card["links"][0]["title"] == case.page.capitalize()
        for link in card["links"]:
            state, problems = opens(card, link["title"])
            assert problems == [] and state.pattern == case.pattern and state.readout == case.readout


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.id)
def test_what_a_case_opens_with_is_understood(case):
    state, problems = state_of(case)
    assert problems == [] and set(state.explainers) == set(case.explainers)
    assert state.molecule.startswith(case.molecule)


def test_the_search_shows_figure_5():
    app = settled(opened(show="search"))
    assert app.subheader[0].value == "Integrated gradients on Pattern 5, r2: 2 of 25 fail"
    found = cards(app)
    [card] = [card for card in found if card["hint"] == FIGURE_5]
    assert card["badge"] == {"text": "AUROC 0.923", "tone": "bad"} and card["lines"] == ["C7 above N0 · 14 atoms"]
    assert ["AP", "0.995", "(baseline 0.929)"] in card["scores"] and ["Saliency", "0.500", "AUROC"] in card["scores"]
    assert card["links"][2]["address"].startswith("./interpolation?")
    state, problems = opens(card, "Interpolation")
    assert problems == []
    assert (state.atom, state.explainers, state.molecule) == (7, ("integrated-gradients", "saliency"), FIGURE_5)
    assert (
        "28 molecules looked at · 2 of 25 fail · not counted: 3 whose every atom is ground truth" in texts(app)
        and not app.main.error
    )


def test_no_failure_says_what_to_change():
    app = settled(opened(show="search", pattern="3"))
    assert not cards(app)
    assert "Integrated gradients passes on all 17 molecules that can be scored." in texts(app)
    assert "the other readout" in texts(app)


def test_filters_that_nothing_passes_can_be_cleared():
    app = settled(opened(show="search", named="nowhere"))
    assert "No molecule passes the filters (“nowhere” in name or SMILES)." in texts(app) and not cards(app)
    [button] = [button for button in app.main.button if button.key == "none-clear"]
    button.click().run()
    assert not app.exception and len(cards(app)) == 2 and "named" not in app.query_params


def test_what_the_address_says_wrongly_is_a_sentence():
    app = settled(opened(show="search", least="many", failure="nonsense", elements="Xx", ring="maybe"))
    said = texts(app)
    assert "The address says least=many, but it must be a whole number from 1 to 5000" in said
    assert "failure=nonsense, but it must be one of lowest-auroc, gap, misranked, null, iqr" in said
    assert "elements=Xx, but it must be element symbols" in said and "ring=maybe" in said
    assert len(cards(app)) == 2
    assert "none has both" in texts(settled(opened(show="search", least="30", most="10")))


def test_a_gap_needs_two_explainers():
    app = settled(opened(show="search", failure="gap", against="none"))
    assert "A gap needs two explainers" in texts(app) and not cards(app)


def test_what_failures_share():
    app = settled(opened(show="patterns", pattern="4"))
    table = app.main.dataframe[0].value
    assert table["substructure"][0] == "N+ in the motif"
    assert table["of the failures"][0] == "4 of 4" and table["of the successes"][0] == "6 of 18"
    assert "A hint, not a proof" in texts(app)
    assert "There are no failures among the 17 molecules" in texts(settled(opened(show="patterns", pattern="3")))


def test_a_user_s_file_is_asked_for():
    app = opened(show="search", among="file")
    assert "Choose a file of molecules" in texts(app) and not app.main.error
    assert "not on the server any more" in texts(opened(show="search", among="file", file="ab12"))
    molecules = [Entry(3, "C[N+](C)(C)CCCCCC[N+](C)(C)C", "hexamethonium"), Entry(4, "CCO")]
    _files().put("cd34", UserFile(molecules, "cd34", "mine.csv", ("mine.csv, line 5: the SMILES '(' cannot be read.",)))
    app = opened(show="search", among="file", file="cd34", pattern="13", readout="r1")
    assert "mine.csv: 2 molecules." in texts(app)
    assert app.main.expander[0].label == "1 line or record cannot be used"
    assert "line 5" in app.main.expander[0].code[0].value
    [button] = [button for button in app.main.button if button.key == "failure-start"]
    button.click().run()
    [card] = cards(settled(app))
    assert card["title"] == "hexamethonium" and card["badge"]["text"] == "AUROC 0.750"


def test_a_long_search_waits_to_be_asked_stops_and_goes_on(monkeypatch):
    from wombat_core.failures import search as failures
    from wombat_core.molecules.sets import entries

    def slow(spec, model, molecules, keep):
        def counted(batch):
            keep(batch)
            time.sleep(0.3)

        return search(spec, model, molecules, counted)

    search = failures.search
    monkeypatch.setattr(failures, "search", slow)
    monkeypatch.setattr(failures, "CHARACTERS", 60)
    monkeypatch.setattr(failures, "molecules_of", lambda spec: list(entries("positives", "5")))
    app = opened(show="search", among="library", steps="7")
    assert "Nothing has been searched yet." in texts(app) and not cards(app)
    [button] = [button for button in app.main.button if button.key == "failure-start"]
    button.click().run()
    [job] = [job for job in all_jobs("search") if job.is_active]
    while job.is_active and not job.told.done:
        time.sleep(0.01)
    [stop] = [button for button in app.main.button if button.key == "stop-search"]
    stop.click().run()
    job.wait(60)
    assert not app.exception
    app.run()
    assert "Stopped after" in texts(app) and "of 28 molecules" in texts(app)
    monkeypatch.setattr(failures, "search", search)
    [button] = [button for button in app.main.button if button.key == "failure-start"]
    assert button.label == "Go on"
    button.click().run()
    assert "28 molecules looked at" in texts(settled(app))


def test_a_search_is_shared_and_a_failing_one_says_why():
    spec = Spec("5", "r2", explainer("integrated-gradients", steps=9))
    assert search_of(spec) is search_of(spec) and search_of(spec) is not search_of(spec, digest="file")
    broken = Search(Spec("flucarb", "r1", explainer("saliency")))
    broken.job.start(patience=20)
    assert broken.state == "failed" and broken.job.problem.startswith("There are no published positives")


def test_the_address_round_trip():
    where = ("hard", "ab12", "my-run")
    page = FailuresState("search", "saliency", "none", "iqr", *where, 5, 40, ("N", "Cl"), "motif", "in", "acid & co", 3)
    assert FAILURES.parse(FAILURES.params_of(page)) == (page, [])
    assert FAILURES.params_of(FailuresState()) == {}
    assert FAILURES.changed(page, named="x").sheet == 1
    assert FAILURES.changed(page, sheet=4).sheet == 4 and FAILURES.changed(page, view="patterns").sheet == 3


def test_nothing_looked_at_is_said_as_such(monkeypatch):
    from wombat_core.failures import search as failures

    monkeypatch.setattr(failures, "molecules_of", lambda spec: time.sleep(0.5) or [])
    spec = Spec("5", "r2", explainer("integrated-gradients", steps=11), explainer("saliency"), among="library")
    search = search_of(spec)
    search.job.start()
    search.job.stop(patience=60)
    assert search.state == "stopped" and search.molecules is None
    for show in ("search", "patterns"):
        said = texts(opened(show=show, among="library", steps="11"))
        assert "Nothing has been looked at yet" in said and "Stopped before anything was looked at" in said
        assert "can be scored" not in said and "could be scored" not in said


def test_an_empty_set_is_said_as_such():
    spec = Spec("3", "r2", explainer("integrated-gradients"), explainer("saliency"), among="library")
    search_of(spec).molecules = []
    assert "The library contains no molecule with the motif of Pattern 3." in texts(
        opened(show="search", among="library", pattern="3")
    )


def test_a_benchmark_run_that_is_not_there():
    app = opened(show="search", among="run", run="nothere")
    assert "There is no run 'nothere'." in texts(app) and not cards(app)
    app = settled(opened(show="search", among="run"))
    assert "names none; this is “Published positives”." in texts(app) and len(cards(app)) == 2


def test_presenting_keeps_the_parts_of_the_page():
    app = opened(present="1")
    assert [button.key for button in app.main.button] == ["leave"]
    assert app.main.segmented_control[0].options == ["Curated cases", "Search", "What failures share"]
