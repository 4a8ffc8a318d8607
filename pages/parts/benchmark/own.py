"""What a visitor holds: the runs of this tab and of its links, and a file that waits for its run."""

from __future__ import annotations

import os
import re
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st

from pages.shared.jobs import watch_visitor

LOOK = 15.0
"""Seconds between looks whether the tab of a file is still there; it goes when it was not there twice."""
_RUNS, _UPLOAD = "own-runs", "bench-upload"


def own_runs() -> set[str]:
    """Ids of the runs that this tab began or opened by their links."""
    return st.session_state.setdefault(_RUNS, set())


@dataclass(eq=False)
class _Upload:
    """A file of this tab in a folder of its own, which goes with the session."""

    id: str
    folder: tempfile.TemporaryDirectory = field(
        default_factory=lambda: tempfile.TemporaryDirectory(prefix="wombat-upload-", ignore_cleanup_errors=True)
    )
    path: Path = Path()

    def keep(self, name: str, content: bytes) -> None:
        """Write it, for the eyes of the server alone."""
        stem = re.sub(r"[^A-Za-z0-9._-]+", "_", Path(name).stem)[:60] or "molecules"
        self.path = Path(self.folder.name) / f"{stem}{Path(name).suffix.lower()[:10]}"
        with open(os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(content)

    def watch(self, is_there: Callable[[], bool]) -> None:
        """Delete it when its tab is gone; Streamlit itself forgets sessions late."""
        missed = 0
        while missed < 2 and self.path.exists():
            time.sleep(LOOK)
            missed = 0 if is_there() else missed + 1
        self.folder.cleanup()


def keep_upload(file) -> Path | None:
    """The chosen file where a run's processes can read it, until the session ends or another one is chosen.

    Args:
        file: of Streamlit's uploader, or None where none is chosen.
    """
    held: _Upload | None = st.session_state.get(_UPLOAD)
    if held is not None and (file is None or held.id != file.file_id or not held.path.exists()):
        del st.session_state[_UPLOAD]
        held.folder.cleanup()
        held = None
    if file is None:
        return None
    if held is None:
        held = _Upload(file.file_id)
        held.keep(file.name, file.getvalue())
        st.session_state[_UPLOAD] = held
        threading.Thread(target=held.watch, args=(watch_visitor(),), name="upload", daemon=True).start()
    return held.path
