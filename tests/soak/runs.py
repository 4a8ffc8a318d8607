"""Runs that are killed end with the same bytes; folders that are damaged are a sentence."""

import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from tests.browser import ROOT
from tests.soak.counts import Counts
from wombat_core.benchmark import store as stores
from wombat_core.benchmark.summary import summarise
from wombat_core.benchmark.tables import FILES
from wombat_core.errors import InputError

OPTIONS = ["--patterns", "5,12", "--explainers", "saliency,random", "--molecules", "library"]


def _command(folder: Path, *options: str) -> subprocess.Popen:
    call = [sys.executable, "-m", "wombat_core", "benchmark", "--out", str(folder), "--jobs", "2", *options]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(call, cwd=ROOT, **quiet)


def _rows(folder: Path) -> int:
    try:
        with closing(sqlite3.connect(f"file:{folder / stores.FILE_NAME}?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT count(*) FROM rows").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


def _bytes(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES.values()}


def kills(number: int, seed: int) -> Counts:
    """A run killed at any moment, begun again as often, against one that nothing disturbs."""
    found, own = Counts("kills of a run"), random.Random(seed)
    with tempfile.TemporaryDirectory() as place:
        whole, killed = Path(place) / "whole", Path(place) / "killed"
        options = [*OPTIONS, "--limit", str(400 * number)]
        if _command(whole, *options).wait():
            found.fail("the run failed", options)
            return found
        for turn in range(number):
            process = _command(killed, *options, *["--resume"] * (turn > 0))
            before = _rows(killed)
            while process.poll() is None and _rows(killed) == before:
                time.sleep(0.02)
            time.sleep(own.random())
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                found.add("kills")
            process.wait()
            found.add("of them between chunks", _rows(killed) > before)
        if _command(killed, "--resume").wait():
            found.fail("resuming failed", options)
        elif _bytes(killed) == _bytes(whole):
            found.add("summary, the same to the byte")
            found.add("rows", _rows(killed))
        else:
            found.fail("other bytes", options)
    return found


def damage(number: int, seed: int) -> Counts:
    """The file of a run with bits flipped, cut or overwritten, or with another plan."""
    found, own = Counts("damaged runs"), random.Random(seed)
    with tempfile.TemporaryDirectory() as place:
        whole, other = Path(place) / "whole", Path(place) / "other"
        _command(whole, *OPTIONS, "--limit", "40").wait()
        with closing(sqlite3.connect(whole / stores.FILE_NAME)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
        sound = (whole / stores.FILE_NAME).read_bytes()
        plans = ["{}", "[]", "null", "", "1e999", '{"patterns": 5}', '{"patterns": [["x"]]}', "\x00", "[" * 9000]
        for turn in range(number):
            shutil.rmtree(other, ignore_errors=True)
            other.mkdir()
            content = bytearray(sound)
            for _ in range(own.choice((0, 1, 30, 1000))):
                content[own.randrange(len(content))] = own.randrange(256)
            (other / stores.FILE_NAME).write_bytes(content[: own.choice((None, None, None, len(sound) // 2, 100, 0))])
            if turn < len(plans):
                (other / stores.FILE_NAME).write_bytes(sound)
                with closing(sqlite3.connect(other / stores.FILE_NAME, isolation_level=None)) as connection:
                    connection.execute("UPDATE run SET value = ? WHERE key = 'plan'", (plans[turn],))
            try:
                with stores.load(other) as store:
                    store.count(), store.is_complete(), store.pieces()
                    summarise(store)
                found.add("read")
            except InputError:
                found.add("sentences")
            except BaseException as error:
                found.fail(error, plans[turn] if turn < len(plans) else f"turn {turn}")
    return found
