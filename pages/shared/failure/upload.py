"""The user's own file of molecules on the Failures page."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from wombat_core.errors import InputError

from ..text import plain
from ..upload import TYPES, list_molecules, plain_option

if TYPE_CHECKING:
    from wombat_core.molecules.sets import Entry


MAX_KEPT = 4
"""Files that the server keeps."""
DIGITS = 24
"""Of a file's digest in the address."""


@dataclass(frozen=True, eq=False)
class UserFile:
    """The molecules of a file, and a digest of its content that tells it from others."""

    molecules: list[Entry]
    digest: str
    name: str
    problems: int


class _Files:
    """The latest files of all sessions: a card's link leaves the page, and coming back begins a new session."""

    def __init__(self):
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, UserFile] = OrderedDict()

    def get(self, digest: str) -> UserFile | None:
        with self._lock:
            return self._kept.get(digest)

    def put(self, file: UserFile) -> None:
        with self._lock:
            self._kept[file.digest] = file
            if len(self._kept) > MAX_KEPT:
                self._kept.popitem(last=False)


@st.cache_resource(show_spinner=False)
def _files() -> _Files:
    return _Files()


def user_file(digest: str) -> UserFile | None:
    """Ask for a file. None where there is none yet, or it cannot be used.

    Args:
        digest: of the file of the address, or "".
    """
    kept = _files().get(digest)
    file = st.file_uploader(
        "CSV, TSV, SDF, MOL or SMI file, up to 200 MB", type=TYPES, key="failure-upload", max_upload_size=200
    )
    if file is None:
        if kept is not None:
            st.caption(plain(f"{kept.name}: {len(kept.molecules):,} molecules, {kept.problems:,} records left out."))
        elif digest:
            st.info("The file of this address is not on the server any more. Choose it again.")
        else:
            st.info("Choose a file of molecules, or other molecules in the sidebar.")
        return kept
    try:
        return _read(file)
    except InputError as error:
        st.error(plain(str(error)))
        return None


def _read(file) -> UserFile:
    from wombat_core.molecules.columns import ColumnError
    from wombat_core.molecules.sets import Entry

    content = file.getvalue()
    key = f"failure-column-{file.file_id}"
    column = st.session_state.get(key)
    digest = hashlib.sha256(content + repr(column).encode()).hexdigest()[:DIGITS]
    if kept := _files().get(digest):
        return kept
    try:
        with st.spinner("Reading the file", show_time=True):
            listing = list_molecules(file, file.name, column)
    except ColumnError as error:
        st.selectbox("Column with SMILES", error.columns, index=None, key=key, format_func=plain_option)
        raise
    if not listing.smiles:
        raise InputError("The file contains no molecule that can be used.")
    rows = zip(listing.numbers, listing.smiles, listing.names, strict=True)
    molecules = [Entry(number, smiles, name or None) for number, smiles, name in rows]
    found = UserFile(molecules, digest, file.name, len(listing.problems))
    _files().put(found)
    return found
