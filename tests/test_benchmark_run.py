"""The benchmark command: runs, resumed runs, refused runs, the same bytes every way."""

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from types import ModuleType, SimpleNamespace

import psutil
import pytest

from tests.browser import ROOT
from tests.terminal import outcome
from wombat_core.benchmark import cluster, sources, workers
from wombat_core.benchmark import store as stores
from wombat_core.benchmark.pace import Pace
from wombat_core.benchmark.plan import load_plugins
from wombat_core.benchmark.planning import make_plan
from wombat_core.benchmark.run import run
from wombat_core.benchmark.summary import summarise
from wombat_core.benchmark.tables import FILES, write_tables
from wombat_core.cli import main
from wombat_core.errors import InputError
from wombat_core.explainers import registry
from wombat_core.explainers.registry import explainer
from wombat_core.molecules.sets import entries
from wombat_core.progress import Stopped
from wombat_core.screening.negatives import negatives

OPTIONS = ["--patterns", "10,2", "--readouts", "r1,r2", "--molecules", "library", "--limit", "900"]
OPTIONS += ["--explainers", "saliency"]


@pytest.fixture
def command(capsys):
    def run_command(*arguments) -> tuple[int, str, str]:
        return outcome(capsys, "benchmark", *map(str, arguments))

    return run_command


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The summary's bytes of a run that nothing disturbs, in one process."""
    folder = tmp_path_factory.mktemp("undisturbed")
    assert main(["benchmark", *OPTIONS, "--out", str(folder), "--jobs", "1"]) == 0
    return summary_bytes(folder)


def summary_bytes(folder) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES.values()}


def rows_in(folder) -> int:
    try:
        with closing(sqlite3.connect(f"file:{folder / stores.FILE_NAME}?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT count(*) FROM rows").fetchone()[0]
    except sqlite3.OperationalError:  # not there yet
        return 0


def started(folder, options: list[str], jobs: int) -> subprocess.Popen:
    """The command in a process of its own, once some of its rows are there."""
    call = [sys.executable, "-m", "wombat_core", "benchmark", *options, "--out", str(folder), "--jobs", str(jobs)]
    process = subprocess.Popen(call, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    deadline = time.monotonic() + 120
    while not rows_in(folder):
        assert process.poll() is None and time.monotonic() < deadline, process.stderr.read()
        time.sleep(0.02)
    return process


def test_killed_and_resumed_gives_the_same_bytes(command, undisturbed, tmp_path):
    process = started(tmp_path, OPTIONS, jobs=2)
    helpers = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGSTOP)  # it stands still, and holds its lock
    code, _, error = command("--out", tmp_path, "--resume")
    assert code == 2 and "Another run is at work" in error and stores.is_locked(tmp_path)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stderr.close()
    kept = rows_in(tmp_path)
    assert not stores.is_locked(tmp_path)
    with stores.load(tmp_path) as store:
        assert 0 < kept < len(store.plan.tasks) * 800 and not store.is_complete()
        before = {chunk for chunk in store.done()}
    assert command("--out", tmp_path, "--resume", "--jobs", "1")[0] == 0
    assert summary_bytes(tmp_path) == undisturbed
    with stores.load(tmp_path) as store, closing(sqlite3.connect(tmp_path / stores.FILE_NAME)) as connection:
        assert store.is_complete() and before < store.done()
        once = "SELECT count(*), count(DISTINCT pattern || readout || place) FROM scores"
        all_rows, distinct = connection.execute(once).fetchone()
        assert all_rows == distinct == store.count() > kept
    _, alive = psutil.wait_procs(helpers, timeout=10)
    assert not alive, "processes of a killed run end by themselves"


def test_resuming_repeats_nothing(command, undisturbed, tmp_path):
    plan = make_plan(["10", "2"], ["r1", "r2"], [explainer("saliency")], "library", limit=900)

    def stop(progress):
        if progress.rows > 500:
            raise Stopped

    with pytest.raises(Stopped):
        run(plan, tmp_path, progress=stop)
    seen = []
    with stores.load(tmp_path) as store:
        kept = {task: [row.seconds for row in store.rows(task)] for task in range(4)}
    run(None, tmp_path, resume=True, progress=lambda progress: seen.append(progress.rows))
    with stores.load(tmp_path) as store:
        for task, seconds in kept.items():
            assert [row.seconds for row in store.rows(task)][: len(seconds)] == seconds
        assert seen[0] == sum(map(len, kept.values())) > 500 and seen[-1] == store.count()
    assert command(*OPTIONS, "--out", tmp_path, "--resume", "--jobs", "1")[0] == 0
    assert summary_bytes(tmp_path) == undisturbed


def test_control_c_says_how_to_go_on(tmp_path):
    process = started(tmp_path, ["--patterns", "all", "--molecules", "library"], jobs=1)  # takes hours
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=240)
    assert process.returncode == 130
    last = error.strip().splitlines()[-1]
    assert last.startswith("wombat_core benchmark: stopped;") and f"--out {tmp_path} --resume" in last
    assert "Traceback" not in error


def test_dask_cluster_of_two_workers(command, undisturbed, tmp_path, monkeypatch):
    from distributed import LocalCluster

    # A spawned worker runs the main module's file again, and a page test before this one leaves app.py there.
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        code, _, error = command(*OPTIONS, "--out", tmp_path, "--dask", cluster.scheduler_address)
    assert code == 0, error
    assert summary_bytes(tmp_path) == undisturbed


def test_dask_that_is_not_there(command, tmp_path, monkeypatch):
    code, _, error = command(*OPTIONS, "--out", tmp_path / "a", "--dask", "nonsense")
    assert code == 2 and "No Dask cluster answers at nonsense" in error and "Traceback" not in error
    code, _, error = command(*OPTIONS, "--out", tmp_path / "a", "--dask", "nonsense://here")
    assert code == 2 and "No Dask cluster answers at nonsense://here" in error
    monkeypatch.setitem(sys.modules, "distributed", None)
    code, _, error = command(*OPTIONS, "--out", tmp_path / "b", "--dask", "tcp://127.0.0.1:1")
    assert code == 2 and "--dask needs the package 'distributed'" in error


def test_dask_at_the_address_of_a_web_server(command, tmp_path):
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"tcp://127.0.0.1:{server.server_address[1]}"
        code, _, error = command(*OPTIONS, "--out", tmp_path, "--dask", address)
        server.shutdown()
    last = error.strip().splitlines()[-1]
    assert code == 2 and f"No Dask cluster answers at {address}: what is there said nothing" in last
    assert "Traceback" not in error


def test_a_dask_scheduler_that_is_killed_is_one_sentence(tmp_path):
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    dask = [sys.executable, "-m"]
    quiet = {"cwd": ROOT, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    port = address.rpartition(":")[2]
    begun = [
        subprocess.Popen(
            [*dask, "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard"],
            **quiet,
        ),
        subprocess.Popen(
            [*dask, "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard"],
            **quiet,
        ),
    ]
    scheduler, _ = begun
    options = [*OPTIONS[:-1], "integrated-gradients", "--out", str(tmp_path), "--dask", address]
    try:
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            # The cluster takes a while to begin.
            run_ = subprocess.Popen(
                [sys.executable, "-m", "wombat_core", "benchmark", *options],
                cwd=ROOT,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
            begun.append(run_)
            while not rows_in(tmp_path) and run_.poll() is None:
                time.sleep(0.05)
            if run_.poll() is None:
                break
            run_.stderr.close()
        scheduler.kill()
        _, error = run_.communicate(timeout=120)
    finally:
        for process in begun:
            process.kill()
            process.wait()
    assert run_.returncode == 2 and "Traceback" not in error, error
    sentence = f"The Dask scheduler at {address} has ended or cannot be reached any more; what is done is kept, go on"
    assert sentence in error.strip().splitlines()[-1] and rows_in(tmp_path) > 0


class Killed(BaseException):
    """In place of a signal that ends a run at once."""


def test_a_run_that_is_killed_again_and_again_comes_to_its_end(tmp_path, monkeypatch):
    # It lives for 60 molecules, and a chunk has some 270.
    lives, run_on = 60, workers.work_on

    def work_on(work, *plan):
        nonlocal left
        left -= len(work.sources)
        if left < 0:
            raise Killed
        return run_on(work, *plan)

    monkeypatch.setattr(workers, "work_on", work_on)
    plan = make_plan(["10"], ["r1"], [explainer("saliency")], "library", limit=350)
    left = plan.limit
    run(plan, tmp_path / "undisturbed")
    kept, cut = [], 0
    while True:
        left = lives
        try:
            run(plan, tmp_path / "killed", resume=True)
            break
        except Killed:
            with stores.load(tmp_path / "killed") as store:
                kept.append(store.count())
                cut += bool(store.pieces())
    assert kept[0] == 0 and cut and kept == sorted(kept)
    assert all(later > earlier for earlier, later in pairwise(kept[2:])), "no life is in vain"
    for folder in (tmp_path / "undisturbed", tmp_path / "killed"):
        with stores.load(folder) as store:
            assert not store.pieces() and store.is_complete()
            write_tables(summarise(store), store.plan, folder)
    assert summary_bytes(tmp_path / "killed") == summary_bytes(tmp_path / "undisturbed")


def test_a_run_of_before_pieces_were_kept_goes_on(undisturbed, tmp_path):
    plan = make_plan(["10", "2"], ["r1", "r2"], [explainer("saliency")], "library", limit=900)

    def stop(progress):
        if progress.rows > 500:
            raise Stopped

    with pytest.raises(Stopped):
        run(plan, tmp_path, progress=stop)
    with closing(sqlite3.connect(tmp_path / stores.FILE_NAME)) as connection, connection:
        connection.execute("DROP TABLE pieces")
        connection.execute("DELETE FROM run WHERE key IN ('begun_at', 'in_vain')")
    with stores.load(tmp_path) as store:
        assert store.pieces() == {}
    run(None, tmp_path, resume=True)
    with stores.load(tmp_path) as store:
        write_tables(summarise(store), store.plan, tmp_path)
    assert summary_bytes(tmp_path) == undisturbed


def test_pieces_of_a_chunk_cover_what_is_missing():
    assert list(Pace().pieces(9)) == [(0, 9)]
    assert list(Pace(1).pieces(9)) == [(0, 4), (4, 8), (8, 9)]
    assert list(Pace(1).pieces(9, [(2, 3), (5, 9)])) == [(0, 2), (3, 5)]
    pace = Pace(50)
    assert list(pace.pieces(3)) == [(0, 1), (1, 2), (2, 3)]
    for _ in range(10):
        pace.keep()
    assert list(pace.pieces(270)) == [(0, 270)], "a run that is left alone does whole chunks again"


@pytest.mark.parametrize("damage", ["{}", "[" * 9000, "pages", "names"])
def test_a_damaged_run_is_one_sentence(command, tmp_path, damage):
    plan = make_plan(["2"], ["r2"], [explainer("saliency")], limit=3)
    run(plan, tmp_path)
    path = tmp_path / stores.FILE_NAME
    if damage[0] in "{[":
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE run SET value = ? WHERE key = 'plan'", (damage,))
    elif damage == "names":  # SQLite's own message then holds bytes that are no text
        content = path.read_bytes()
        broken = content.replace(b"chunkschunks", b"ch\x85nkschunks").replace(
            b"CREATE TABLE chunks", b"CREATE TABLX chunks"
        )
        assert broken != content
        path.write_bytes(broken)
    else:
        content = bytearray(path.read_bytes())
        content[100:] = bytes(255 - byte for byte in content[100:])
        path.write_bytes(content)
    code, out, error = command("--out", tmp_path, "--resume")
    assert code == 2 and not out and "Traceback" not in error and "should not happen" not in error
    [sentence] = error.strip().splitlines()
    assert str(path) in sentence


def test_json_and_table(command, tmp_path):
    options = ["--patterns", "2", "--readouts", "r2", "--explainers", "oracle,saliency", "--jobs", "1"]
    code, out, _ = command(*options, "--out", tmp_path / "a", "--json")
    oracle, saliency = map(json.loads, out.splitlines())
    assert code == 0 and oracle["auroc"] == oracle["perfect_rate"] == oracle["accuracy"] == 1.0
    assert (saliency["auroc"], saliency["null_rate"], saliency["molecules"]) == (0.5, 1.0, "positives, seed 0")
    code, out, _ = command(*options, "--out", tmp_path / "b")
    assert code == 0 and "1.000 ± 0.000" in out and "Molecules: positives, seed 0." in out


def test_negatives_are_scored_by_the_iqr_criterion(command, tmp_path, monkeypatch):
    # Drawn from a piece of the library: looking at all of it takes long.
    among = list(entries("library", places=range(0, 60_000, 60)))
    monkeypatch.setattr(sources, "negatives", partial(negatives, among=among))
    options = ["--patterns", "10", "--readouts", "r1", "--explainers", "saliency,random", "--jobs", "1", "--json"]
    for kind in ("negatives", "hard-negatives"):
        more = ["--molecules", kind, "--limit", 10, "--seed", 4, "--out", tmp_path / kind]
        code, out, _ = command(*options, *more)
        saliency, random = map(json.loads, out.splitlines())
        assert code == 0 and saliency["molecules"] == f"{kind}, at most 10 a pattern, seed 4"
        assert saliency["negatives"] == random["negatives"] == 10 and saliency["auroc"] is None
        assert saliency["accuracy"] == 1.0 and 0.0 <= saliency["iqr_pass_rate"] <= 1.0
    with stores.load(tmp_path / "negatives") as random, stores.load(tmp_path / "hard-negatives") as hard:
        assert {row.place for row in random.rows(0)} != {row.place for row in hard.rows(0)}


def test_bad_molecules_of_a_file_are_named(command, tmp_path):
    file = tmp_path / "some.csv"
    file.write_text("smiles,name\nCC=O,ethanal\nC1CC,ring\nO,water\nCCO,ethanol\n")
    options = ["--patterns", "12,flucarb", "--explainers", "saliency,shapley-exact", "--jobs", "1", "--json"]
    code, out, error = command(*options, "--molecules", file, "--out", tmp_path / "run")
    cells = [json.loads(line) for line in out.splitlines()]
    assert code == 2 and "some.csv, line 3" in error and "Traceback" not in error
    assert [(cell["pattern"], cell["readout"]) for cell in cells[::2]] == [
        ("12", "r1"),
        ("12", "r2"),
        ("flucarb", "sigmoid"),
    ]
    assert all((cell["num_molecules"], cell["left_out"], cell["unreadable"]) == (2, 1, 1) for cell in cells)
    with stores.load(tmp_path / "run") as store:
        aldehyde, alcohol = store.rows(store.task("12", "r1", "saliency"))
        assert (aldehyde.place, aldehyde.name, aldehyde.contains_motif) == (2, "ethanal", True)
        assert (alcohol.place, alcohol.iqr_pass, alcohol.auroc) == (5, True, None)


def test_refused_settings_are_named(command, tmp_path):
    short = ["--patterns", "2", "--readouts", "r2", "--explainers", "random", "--jobs", "1", "--out", tmp_path / "run"]
    assert command(*short)[0] == 0
    code, _, error = command(*short)
    assert code == 2 and "holds a run already" in error and "--resume" in error
    code, _, error = command(*short, "--resume", "--limit", "3")
    assert code == 2 and "limit: none then, 3 now" in error
    code, _, error = command(*short, "--resume", "--seed", "7")
    assert code == 2 and '"seed":0' in error and '"seed":7' in error
    code, _, error = command("--out", tmp_path / "run", "--resume", "--limit", "3")
    assert code == 2 and "--limit came without --patterns" in error


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ([], "--patterns is missing"),
        (["--patterns", "15"], "There is no pattern '15'"),
        (["--patterns", "5-1"], "run backwards"),
        (["--patterns", "flucarb"], "patterns 1 to 14 only, not for GINE, flucarb"),
        (["--patterns", "1", "--readouts", "r3"], "There is no readout 'r3'"),
        (["--patterns", "1", "--explainers", "magic"], "There is no explainer 'magic'"),
        (["--patterns", "1", "--set", "steps=0"], "The setting steps takes a whole number from 1"),
        (["--patterns", "1", "--molecules", "nowhere.csv"], "There is no set or file of molecules 'nowhere.csv'"),
        (["--patterns", "1", "--column", "smiles"], "goes with a file"),
        (["--patterns", "1", "--limit", "0"], "no whole number from 1"),
        (["--patterns", "1", "--jobs", "2", "--dask", "tcp://a:1"], "give one of them"),
        (["--resume"], "holds no run to go on with"),
    ],
)
def test_bad_input_is_one_sentence(command, tmp_path, options, sentence):
    code, out, error = command(*options, "--out", tmp_path / "run")
    assert code == 2 and not out and sentence in error and "Traceback" not in error
    assert not (tmp_path / "run" / stores.FILE_NAME).exists()


def test_other_versions_are_refused(tmp_path):
    from dataclasses import replace

    plan = make_plan(["2"], ["r2"], [explainer("saliency")])
    older = replace(plan, versions=(("torch", "1.0"), *plan.versions[1:]))
    with stores.locked(tmp_path), stores.create(tmp_path, older):
        pass
    with pytest.raises(InputError, match=r"versions: torch 1\.0 then, torch \d"):
        run(None, tmp_path, resume=True)


def test_what_is_no_run_is_said(tmp_path):
    (tmp_path / stores.FILE_NAME).write_bytes(b"something else" * 100)
    plan = make_plan(["2"], ["r2"], [explainer("saliency")])
    with pytest.raises(InputError, match="is no run of the benchmark"):
        run(plan, tmp_path)
    with pytest.raises(InputError, match="cannot be made"):
        run(plan, tmp_path / stores.FILE_NAME / "deeper")
    assert os.listdir(tmp_path)


def test_a_cluster_without_the_package_is_named():
    client = SimpleNamespace(run_on_scheduler=lambda found: found(), run=lambda found: {"tcp://a:1": False})
    with pytest.raises(InputError, match=r"The Dask worker tcp://a:1 cannot import wombat_core"):
        cluster.check_installed(client)


PLUGIN = """
from dataclasses import dataclass
from pathlib import Path
from wombat_core.explainers.attribution import Attribution
from wombat_core.explainers.registry import register

Path(__file__).with_suffix(".ran").touch()

@register
@dataclass(frozen=True)
class Ones:
    name, title, summary, expensive = "ones-of-run", "Ones", "One each.", False

    def attribute(self, model, batch):
        return [Attribution.of_atoms(1.0, graph) for graph in batch.to_data_list()]
"""


def test_a_folder_alone_has_no_code_run(command, tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "_ADDED", {})
    own, out, moved = tmp_path / "own.py", tmp_path / "out", tmp_path / "moved.py"
    own.write_text(PLUGIN)
    registry.load_file(own)
    plan = make_plan(["12"], ["r1"], [explainer("ones-of-run")], limit=2, plugins=[str(own)])

    def stop(progress):
        raise Stopped

    with pytest.raises(Stopped):
        run(plan, out, progress=stop)
    ran = own.with_suffix(".ran")
    ran.unlink()
    registry._ADDED.clear()
    load_plugins.cache_clear()
    resume = ["--out", out, "--resume", "--jobs", "1"]
    code, _, error = command(*resume)
    assert code == 2 and not ran.exists()
    assert f"uses explainers of the file {own}; a folder alone does not have code run" in error
    moved.write_text(PLUGIN + "# another\n")
    code, _, error = command(*resume, "--plugin", moved)
    assert code == 2 and "uses explainers of the file" in error and not moved.with_suffix(".ran").exists()
    own.rename(moved)  # the same content elsewhere will do
    assert command(*resume, "--plugin", moved)[0] == 0 and moved.with_suffix(".ran").exists()
    with stores.load(out) as store:
        assert store.is_complete() and all(row.null and row.problem is None for row in store.rows(0))
    code, _, error = command("--out", tmp_path / "b", "--resume", "--patterns", "12", "--plugin", tmp_path / "none.py")
    assert code == 2 and "There is no Python file" in error


@pytest.mark.parametrize("pattern, title", [("smarts:c1ccccc1", "c1ccccc1"), ("flucarb", "GINE, flucarb")])
def test_published_positives_are_of_the_papers_patterns_only(pattern, title):
    with pytest.raises(InputError, match=f"patterns 1 to 14 only, not for {title}; take the library or a file"):
        make_plan(["5", pattern], ["r2"], [explainer("saliency")], molecules="positives")
