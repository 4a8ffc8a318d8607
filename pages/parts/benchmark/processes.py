"""Runs of the benchmark as processes of their own: they go on when a page is closed, and lose little when killed."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import streamlit as st

from wombat_core.benchmark import runs

ROOT = Path(__file__).resolve().parents[3]
LOG = "messages.txt"
PATIENCE = 20.0
"""Seconds after which a process that has not begun is not waited for."""


@st.cache_resource(show_spinner=False)
def _started() -> dict[str, tuple[subprocess.Popen, float]]:
    return {}


def start(name: str) -> None:
    """Work on a run that is there, from where it is."""
    folder = runs.folder_of(name)
    with open(folder / LOG, "wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "wombat_core", "benchmark", "--out", str(folder), "--resume"],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            start_new_session=True,
        )
    _started()[name] = process, time.monotonic()


def stop(name: str) -> None:
    """End the work on a run; what is done is kept."""
    if not runs.stop(name) and is_starting(name):
        _started()[name][0].terminate()
    process = _started().get(name)
    if process is not None:
        try:
            process[0].wait(5)
        except subprocess.TimeoutExpired:
            return


def is_starting(name: str) -> bool:
    """Whether a process of this server was started for the run and has neither begun nor ended."""
    process, began = _started().get(name, (None, 0.0))
    return process is not None and process.poll() is None and time.monotonic() - began < PATIENCE


def failure(name: str) -> str | None:
    """What the last process of the run said where it failed, in one sentence."""
    process, _ = _started().get(name, (None, 0.0))
    if process is None or process.poll() in (None, 0, 130, -15):
        return None
    try:
        lines = (runs.folder_of(name) / LOG).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    said = [line for line in lines if line.startswith("wombat_core benchmark:")]
    return said[-1].partition(": ")[2] if said else None
