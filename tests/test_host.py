"""A server owner's settings, and the limits in bytes that they set."""

import os
import re
import time
import tomllib

import numpy as np
import pytest
from filelock import FileLock, Timeout

from tests.app import opened
from tests.browser import ROOT
from wombat_core import cache
from wombat_core.compiler.compile import compile_smarts
from wombat_core.compiler.files import to_yaml
from wombat_core.drawing.viewer_script import VERSION
from wombat_core.errors import InputError
from wombat_core.explanation import predict
from wombat_core.host import Host, host, size_words
from wombat_core.lessons.reader import lesson_folder
from wombat_core.memo import Memo, size_of
from wombat_core.molecules.molecule import from_smiles
from wombat_core.progress import Stopped, listening
from wombat_core.whitebox import catalogue
from wombat_core.whitebox.model import Whitebox

WHOLE = """
pages = ["explore", "lessons"]
show_runs = "all"
read_only = true
[limits]
workers = 4
runs = "1.5 GB"
memory = 1000
[folders]
lessons = "/my/lessons"
plugins = ["/my/plugin.py"]
"""


@pytest.fixture
def settings(tmp_path, monkeypatch):
    """Writes a settings file that is in force."""

    def write(text: str, name: str = "own.toml") -> None:
        (tmp_path / name).write_text(text, encoding="utf-8")
        monkeypatch.setenv("WOMBAT_SETTINGS", str(tmp_path / name))

    return write


def test_without_a_file_there_are_defaults_and_variables_win(settings, monkeypatch):
    assert host() == Host() and host().show_runs == "own" and not host().read_only
    settings(WHOLE)
    assert (host().pages, host().show_runs, host().read_only) == (("explore", "lessons"), "all", True)
    assert (host().limits.workers, host().limits.runs, host().limits.memory) == (4, 1_500_000_000, 1000)
    assert str(lesson_folder()) == "/my/lessons"
    monkeypatch.setenv("WOMBAT_LESSONS", "/other")
    monkeypatch.setenv("WOMBAT_RUNS_LIMIT", "20 MB")
    assert str(lesson_folder()) == "/other" and host().limits.runs == 20_000_000
    monkeypatch.setenv("WOMBAT_RUNS_LIMIT", "much")
    with pytest.raises(InputError, match="WOMBAT_RUNS_LIMIT is 'much', but it must be a size"):
        host()


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("read_onli = true", "there is no setting read_onli; there are pages, show_runs, read_only, limits, folders."),
        ("[limits]\nspeed = 1", "there is no setting limits.speed; there are workers,"),
        ("[limits]\nworkers = 0", "limits.workers is '0', but it must be greater than or equal to 1."),
        ('[limits]\nruns = "lots"', 'limits.runs is \'lots\', but it must be a size such as "5 GB" or "500 MB".'),
        ('pages = ["explore", "chat"]', "pages.1 is 'chat', but it must be 'explore', 'layers',"),
        ("[folders]\nruns = 3", "folders.runs is '3', but it must be the path of a folder or file."),
        ("pages = [", "cannot be read: "),
    ],
)
def test_each_fault_is_one_sentence(settings, text, sentence):
    settings(text, f"fault-{abs(hash(text))}.toml")
    with pytest.raises(InputError) as error:
        host()
    assert sentence in str(error.value) and str(error.value).count(". ") == 0


def test_a_settings_file_that_is_not_there_is_no_default(monkeypatch, tmp_path):
    monkeypatch.setenv("WOMBAT_SETTINGS", str(tmp_path / "none.toml"))
    with pytest.raises(InputError, match="cannot be read: No such file"):
        host()


def test_sizes_in_words():
    assert [size_words(size) for size in (5_000_000_000, 1_234_567, 12)] == ["5 GB", "1.23 MB", "12 bytes"]


def test_the_memo_forgets_what_was_used_longest_ago_over_all_kinds():
    memo = Memo(most_bytes=2_000_000)
    for number in range(4):
        memo.of((f"kind {number % 2}", number), lambda: np.zeros(100_000))  # 0.8 MB each
    assert [memo.known((f"kind {number % 2}", number)) is not None for number in range(4)] == [False, False, True, True]
    assert 1_600_000 <= memo.num_bytes <= 2_000_000
    memo.of(("kind 0", 2), lambda: None)
    memo.of(("kind 1", 5), lambda: np.zeros(100_000))
    assert memo.known(("kind 0", 2)) is not None and memo.known(("kind 1", 3)) is None, "used again, it stays"
    memo.of(("large",), lambda: np.zeros(1_000_000))
    assert memo.known(("large",)) is not None and memo.num_bytes >= 8_000_000, "the last one is kept whatever its size"
    memo.clear()
    assert memo.num_bytes == 0


def test_sizes_count_arrays_texts_and_molecules_wherever_they_are():
    shared = np.zeros(1000)
    assert 8000 <= size_of({"a": [shared, shared], "b": (shared,)}) < 9000, "the same array counts once"
    assert 20_000 <= size_of(from_smiles("C" * 30)) < 60_000
    assert 5000 <= size_of("x" * 5000) < 5100
    nested = nested_in = []
    for _ in range(2000):
        nested.append([])
        nested = nested[0]
    nested.append(nested_in)  # a circle
    assert size_of(nested_in) > 2000


def test_the_cache_folder_is_pruned_and_what_is_used_stays(tmp_path, monkeypatch):
    monkeypatch.setenv("WOMBAT_CACHE", str(tmp_path))
    monkeypatch.setenv("WOMBAT_CACHE_LIMIT", "25 kB")
    array = {"a": np.zeros(1000)}  # 8 kB
    for number, key in enumerate("abc"):
        save = cache.save_mapped if key == "b" else cache.save_arrays
        assert save("kind", key, array)
        for path in (tmp_path / "kind").iterdir():
            if path.stem == key:
                os.utime(path, (number, number))
    assert cache.load_arrays("kind", "a") is not None
    cache.save_arrays("kind", "d", array)
    assert {path.stem for path in (tmp_path / "kind").iterdir()} == {"a", "c", "d"}
    assert cache.prune(limit=9000) <= 9000
    monkeypatch.setenv("WOMBAT_CACHE_LIMIT", "1 kB")
    time.sleep(0.01)
    assert cache.save_arrays("other", "e", array)
    assert cache.load_arrays("other", "e") is not None, "what was just made is not pruned"


def test_one_makes_what_is_kept_while_others_wait_and_may_stop(tmp_path, monkeypatch):
    monkeypatch.setenv("WOMBAT_CACHE", str(tmp_path))
    asked = []

    def impatient(share):
        asked.append(share)
        if len(asked) == 2:
            raise Stopped

    with FileLock(tmp_path / "kind" / "key.lock"):  # another process is at it
        with pytest.raises(Stopped), listening(impatient), cache.alone("kind", "key"):
            raise AssertionError("two at once")
        with cache.alone("kind", "another key"):
            pass
    with cache.alone("kind", "key"), pytest.raises(Timeout):
        FileLock(tmp_path / "kind" / "key.lock").acquire(timeout=0)
    monkeypatch.setenv("WOMBAT_CACHE", str(tmp_path / "kind" / "key.lock"))
    with cache.alone("kind", "key"):  # a file where the folder should be: nobody waits
        assert cache.load_mapped("kind", "key") is None


def test_the_app_shows_the_pages_of_its_settings_and_nothing_where_they_are_wrong(settings):
    settings('pages = ["lessons"]', "few.toml")
    app = opened("benchmark")
    assert [each.value for each in app.info] == ["The page Benchmark is not shown on this server."]
    settings("read_onli = true", "wrong.toml")
    app = opened()
    assert "there is no setting read\\_onli" in app.error[0].value and not app.info and not app.text_input


def test_networks_of_a_folder_stand_behind_the_others(tmp_path, monkeypatch, caplog):
    (tmp_path / "nitrile.yaml").write_text(to_yaml(compile_smarts("C#N", name="my nitrile")), encoding="utf-8")
    (tmp_path / "broken.yaml").write_text("layers: 3", encoding="utf-8")
    monkeypatch.setenv("WOMBAT_NETWORKS", str(tmp_path))
    catalogue.patterns.cache_clear()
    try:
        assert list(catalogue.patterns())[-1] == "file:nitrile" and len(catalogue.fourteen()) == 14
        assert "my nitrile" in catalogue.pattern("file:nitrile").title
        assert predict([from_smiles("CC#N")], Whitebox("file:nitrile", "r1")) == [1]
        assert "broken.yaml is left out: The file holds no whitebox" in caplog.text
        app = opened(molecule="CC#N", pattern="file:nitrile")
        assert not app.error and not app.warning
    finally:
        catalogue.patterns.cache_clear()


def test_the_container_has_the_same_versions_as_the_rest():
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert f"3dmol@{VERSION}" in text and text.count(f"3dmol-{VERSION}.tgz") == 2
    [torch] = re.findall(r"^torch==.*$", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert f" {torch} " in text
    settings = tomllib.loads((ROOT / "docs" / "wombat.toml").read_text(encoding="utf-8"))
    assert Host.model_validate(settings) == Host(), "the example says the defaults"
