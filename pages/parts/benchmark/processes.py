"""Runs of the benchmark as processes of their own: they go on when a page is closed, and lose little when killed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from pages.shared.jobs import UNEXPECTED, Job, get_job, start
from wombat_core import progress
from wombat_core.benchmark import runs
from wombat_core.errors import InputError
from wombat_core.host import host
from wombat_core.jobs.queue import processors

ROOT = Path(__file__).resolve().parents[3]
LOG = "messages.txt"
TICK = 0.2
"""Seconds between looks at a process."""
PATIENCE = 5.0
"""Seconds that a process which was told to end is waited for."""
LOOK = 10.0
"""Seconds between looks at how much of the disk the runs take."""
NICE = 10
STOPPED = (130, -2, -15)
"""What a process that was told to end gives back."""


def run_job(name: str) -> Job:
    """The work on a run that is there, from where it is."""
    return get_job("run", name, lasting=True, again=True).of(lambda: _work(name))


def start_run(name: str) -> None:
    """Work on a run, as soon as its turn is there."""
    start(run_job(name), patience=0)


def stop_run(name: str) -> None:
    """End the work on a run, whoever began it; what is done is kept."""
    job = run_job(name)
    if job.is_active:
        job.stop(patience=PATIENCE + 1)
    else:
        runs.stop(name)


def delete_run(name: str) -> None:
    """Delete a run with its file.

    Raises:
        InputError: there is none, or it is at work.
    """
    job = run_job(name)
    if job.is_active:
        raise InputError("The run is at work or waits for its turn; stop it first.")
    runs.delete(name)


def _work(name: str) -> bool:
    """Follow a process to its end; whether the run is complete.

    Raises:
        Stopped: somebody stopped it, here or elsewhere.
        InputError: it failed, or the runs take as much of the disk as they may.
    """
    runs.check_space()
    folder, jobs = runs.folder_of(name), str(_processes())
    with open(folder / LOG, "wb") as log:
        process = subprocess.Popen(  # noqa: S603 - this program, in a folder of ours
            [sys.executable, "-m", "wombat_core", "benchmark", "--out", str(folder), "--resume", "--jobs", jobs],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            start_new_session=True,
        )
    # Pages come first: its processes take what they leave.
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
    looked = time.monotonic()
    try:
        while process.poll() is None:
            progress.report(0)
            if time.monotonic() - looked > LOOK:
                runs.check_space()
                looked = time.monotonic()
            try:
                process.wait(TICK)
            except subprocess.TimeoutExpired:
                continue
    except (progress.Stopped, InputError):
        _end(name, process)
        raise
    if process.returncode in STOPPED:
        raise progress.Stopped
    if process.returncode:
        raise InputError(_last_sentence(folder / LOG))
    return True


def _processes() -> int:
    """How many processes a run has: the runs at once share the processors but one."""
    limits = host().limits
    return limits.processes_a_run or max(1, (processors() - 1) // limits.runs_at_once)


def _end(name: str, process: subprocess.Popen) -> None:
    if not runs.stop(name):  # it has not begun
        process.terminate()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _last_sentence(path: Path) -> str:
    """What the process said last."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    said = [line for line in lines if line.startswith("wombat_core benchmark:")]
    return said[-1].partition(": ")[2] if said else UNEXPECTED
