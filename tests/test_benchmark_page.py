"""The Benchmark page: results beside the paper's, a run that is started, stopped and goes on, the paper's tables."""

import io
import re
import shutil
import sqlite3
import stat
import time
from contextlib import closing
from pathlib import Path

import pytest
import streamlit as st

from pages.addresses.benchmark import BENCHMARK, BenchmarkState
from pages.parts.benchmark import own, processes
from tests.app import opened
from wombat_core.benchmark import run as running
from wombat_core.benchmark import runs, store
from wombat_core.benchmark.beside import beside
from wombat_core.benchmark.planning import make_plan
from wombat_core.benchmark.summary import summarise
from wombat_core.errors import InputError
from wombat_core.explainers.registry import explainer, explainer_taking
from wombat_core.published import tables


@pytest.fixture(scope="module")
def small() -> str:
    """A finished run: integrated gradients and saliency on five positives of patterns 2 and 5."""
    methods = [explainer("integrated-gradients"), explainer("saliency")]
    runs.begin("small", make_plan(["2", "5"], ["r1", "r2"], methods, limit=5))
    running.run(None, runs.folder_of("small"), resume=True)
    return "small"


def text(app) -> str:
    return " ".join(element.value for element in (*app.markdown, *app.caption, *app.warning, *app.error, *app.info))


def test_a_folder_without_runs_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("WOMBAT_RUNS", str(tmp_path / "none"))
    app = opened("benchmark")
    assert "no run yet" in app.info[0].value
    assert [button.label for button in app.button if "run" in button.label] == ["Set up a run"]


def test_our_numbers_stand_beside_the_papers(small):
    with store.load(runs.folder_of(small)) as rows:
        cells = summarise(rows)
    table = beside(cells, "auroc")
    assert table.patterns == ("2", "5")
    assert table.columns == tuple((name, r) for name in ("integrated-gradients", "saliency") for r in ("r1", "r2"))
    entry = table.entries["5", "saliency", "r2"]
    assert (entry.value, entry.molecules) == (0.5, 5)
    # Table S4 of the paper.
    assert (entry.paper.value, entry.paper.stderr, entry.paper.table) == (0.5, 0.0, "S4")
    assert beside(cells, "accuracy").entries["5", "saliency", "r2"].value == 1.0
    assert beside(cells, "iqr_pass_rate").entries["5", "saliency", "r2"].value is None, "positives have no IQR"


def test_results_say_which_molecules_and_link_to_them(small):
    app = opened("benchmark", run=small, cell="5:saliency:r2")
    words = text(app)
    assert "positives, at most 5 a pattern, seed 0" in words.replace("\\", "")
    assert "other molecules" in words and "AUROC **0.500 ± 0.000**" in words
    assert "Table S4" in words.replace("\\", "")
    assert not app.error


@pytest.mark.parametrize("score", ["iqr_pass_rate", "accuracy", "null_rate"])
def test_every_score_has_a_table_and_a_chart(small, score):
    for chart in ("0", "1"):
        app = opened("benchmark", run=small, score=score, chart=chart)
        assert not app.error
        if score == "iqr_pass_rate":
            assert "needs molecules without the motif" in text(app)


@pytest.mark.parametrize("number", [table.number for table in tables()])
def test_every_table_of_the_paper_is_shown(number):
    app = opened("benchmark", board="paper", table=number)
    assert not app.error and "arXiv" in text(app).replace("\\", "")


@pytest.mark.parametrize(
    "params, sentence",
    [
        ({"run": "nothing"}, "no run 'nothing'"),
        ({"run": "../../etc"}, "cannot be called"),
        ({"score": "beauty"}, "score=beauty"),
        ({"board": "new", "explainers": "none"}, "at least one explainer"),
        ({"board": "new", "over": "none"}, "at least one pattern"),
        ({"board": "new", "molecules": "file"}, "Choose a file"),
    ],
)
def test_what_does_not_go_is_said_in_a_sentence(small, params, sentence):
    assert sentence in text(opened("benchmark", **params)).replace("\\", "")


def test_a_run_starts_stops_and_goes_on():
    app = opened(
        "benchmark", board="new", over="6,10", explainers="integrated-gradients", molecules="library", most_each="20000"
    )
    [name] = [box for box in app.text_input if box.label == "Name of the run"]
    name.set_value("started").run()
    [start] = [button for button in app.button if button.label == "Start the run"]
    start.click().run()
    told = app.query_params[BENCHMARK.name_of("run")]
    id = told if isinstance(told, str) else told[0]
    assert re.fullmatch(r"started-[0-9a-f]{20}", id) and runs.name_of(id) == "started" and not app.exception
    folder = runs.folder_of(id)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    wait_for(lambda: runs.info(id).rows > 0)
    assert runs.info(id).standing == "running"
    with pytest.raises(InputError, match="already"):
        runs.begin(id, runs.info(id).plan)
    with pytest.raises(InputError, match="stop it first"):
        runs.delete(id)
    app.run()
    assert not [button for button in app.button if button.label == "Delete the run"]
    [stop] = [button for button in app.button if button.label == "Stop"]
    stop.click().run()
    wait_for(lambda: runs.info(id).standing == "stopped")
    before = runs.info(id).rows
    assert 0 < before < runs.info(id).total
    app.run()
    [again] = [button for button in app.button if button.label == "Go on"]
    again.click().run()
    wait_for(lambda: runs.info(id).rows > before)
    assert runs.stop(id)
    wait_for(lambda: not runs.info(id).at_work)
    assert not runs.stop(id), "nothing works on it any more"
    wait_for(lambda: not processes.run_job(id).is_active)
    app.run()
    [delete] = [button for button in app.button if button.label == "Delete the run"]
    delete.click().run()
    assert not folder.exists() and "no run yet in this tab" in text(app) and not app.exception


def test_visitors_see_their_own_runs_and_those_whose_links_they_have(small):
    runs.begin("other", runs.info(small).plan)
    try:
        nobody = opened("benchmark")
        assert "no run yet in this tab" in text(nobody) and not [box for box in nobody.selectbox if box.label == "Run"]
        linked = opened("benchmark", run=small)
        [box] = [box for box in linked.selectbox if box.label == "Run"]
        assert box.options == [f"{small} · {runs.info(small).plan.title}"]
    finally:
        runs.delete("other")


def test_an_upload_is_kept_with_its_run_and_goes_with_it(tmp_path, monkeypatch):
    there = [True]
    monkeypatch.setattr(own, "watch_visitor", lambda: lambda: there[0])
    monkeypatch.setattr(own, "LOOK", 0.1)
    keep_upload = own.keep_upload

    class File(io.BytesIO):
        name, file_id = "../my mole cules.SMI", "1"

    state = {}
    monkeypatch.setattr(st, "session_state", state)
    path = keep_upload(File(b"CCO ethanol\nCC(=O)O acid"))
    assert keep_upload(File(b"CCO ethanol\nCC(=O)O acid")) == path and path.name == "my_mole_cules.smi"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    id = runs.new_id("mine")
    runs.begin(id, make_plan(["2"], ["r1"], [explainer("saliency")], str(path)), path)
    kept = Path(runs.info(id).plan.file)
    assert kept.is_relative_to(runs.folder_of(id)) and kept.read_bytes() == path.read_bytes()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    other = File(b"CCN")
    other.file_id = "2"
    second = keep_upload(other)
    assert not path.exists() and second.read_bytes() == b"CCN", "another choice, another file"
    time.sleep(0.3)
    assert second.exists()
    there[0] = False
    wait_for(lambda: not second.parent.exists(), 5)
    assert keep_upload(other) != second, "a tab that comes back has it again"
    runs.delete(id)
    assert not kept.exists()


def test_runs_take_no_more_of_the_disk_than_they_may(small, monkeypatch):
    monkeypatch.setenv("WOMBAT_RUNS_LIMIT", "1 kB")
    with pytest.raises(InputError, match=r"^The runs of this server take \d.* kB, and at most 1 kB are kept: delete"):
        runs.begin("more", runs.info(small).plan)
    assert not runs.folder_of("more").exists()


def test_nothing_is_begun_or_ended_on_a_server_to_read_from(small, tmp_path, monkeypatch):
    (tmp_path / "reading.toml").write_text("read_only = true", encoding="utf-8")
    monkeypatch.setenv("WOMBAT_SETTINGS", str(tmp_path / "reading.toml"))
    app = opened("benchmark", run=small)
    assert not app.error and not [each for each in app.button if each.label in ("Delete the run", "Go on", "Start")]
    assert "No runs are started on this server" in text(opened("benchmark", board="new"))


def test_the_terminal_lists_all_runs_and_deletes_one(small, capsys):
    from wombat_core.cli import main

    runs.begin("gone", runs.info(small).plan)
    assert main(["runs"]) == 0
    told = capsys.readouterr().out
    assert f"/benchmark?benchmark.run={small}" in told and "complete" in told and "of 5 GB" in told
    assert main(["runs", "--delete", "gone"]) == 0 and not runs.folder_of("gone").exists()
    assert main(["runs", "--delete", "gone"]) == 2 and "There is no run 'gone'" in capsys.readouterr().err


@pytest.mark.parametrize("damage", ["plan", "pages", "keys"])
def test_a_damaged_run_is_a_sentence_and_the_others_stay(small, damage, tmp_path, monkeypatch):
    (tmp_path / "all.toml").write_text('show_runs = "all"', encoding="utf-8")
    monkeypatch.setenv("WOMBAT_SETTINGS", str(tmp_path / "all.toml"))
    folder = runs.folder_of("damaged")
    runs.begin("damaged", runs.info(small).plan)
    path = folder / store.FILE_NAME
    try:
        if damage == "pages":
            content = bytearray(path.read_bytes())
            content[100:] = bytes(255 - byte for byte in content[100:])
            path.write_bytes(content)
        else:
            text = "{}" if damage == "plan" else '{"molecules": 7, "patterns": 3}'
            with closing(sqlite3.connect(path)) as connection, connection:
                connection.execute("UPDATE run SET value = ? WHERE key = 'plan'", (text,))
        app = opened("benchmark", run=small)
        assert not app.exception and not app.error and "damaged" in app.warning[0].value
        assert next(box.options for box in app.selectbox if box.label == "Run") == [
            f"{runs.name_of(each.name)} · {each.plan.title}" for each in runs.run_infos()
        ]
        named = opened("benchmark", run="damaged")
        assert not named.exception and "unexpected" not in named.error[0].value
    finally:
        shutil.rmtree(folder)


def test_no_name_that_is_no_choice_gets_into_the_address(small):
    app = opened("benchmark", run=small)
    [box] = [box for box in app.selectbox if box.label == "Run"]
    assert f"{small} · {runs.info(small).plan.title}" in box.options, "nothing of how far it is"
    assert len(box.options) == 1


def wait_for(condition, seconds: float = 240.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.2)


def test_the_address_restores_the_board():
    page = BenchmarkState(
        view="new", patterns=("3", "12-leaf"), readouts=("r2",), molecules="library", most_each=0, chart=True
    )
    assert BENCHMARK.parse(BENCHMARK.params_of(page)) == (page, [])
    assert BENCHMARK.changed(BenchmarkState(run="a", cell="5:saliency:r2"), run="b").cell == ""


def test_the_molecules_behind_a_cell_are_searched_for_failures(small):
    params = {"show": "search", "among": "run", "run": small, "pattern": "5", "against": "none"}
    app = opened("failures", explainer="saliency", readout="r2", **params)
    assert "5 molecules looked at" in text(app) and not app.error
    app = opened("failures", explainer="random", readout="r2", **params)
    assert "no rows of random on pattern 5" in text(app).replace("\\", "")


def test_a_cell_hands_its_settings_on():
    from pages.shared.failures_link import with_settings
    from pages.shared.state import State
    from wombat_core.benchmark.rows import settings_json

    chosen = explainer("gnn-explainer", epochs=50, seed=3)
    state = with_settings(State(), "gnn-explainer", settings_json(chosen))
    assert explainer_taking("gnn-explainer", state.settings("gnn-explainer")) == chosen
    assert (state.seed, state.set) == (3, (("gnn-explainer", "epochs", 50),))
