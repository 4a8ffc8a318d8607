"""The user's own file of molecules on the Failures page."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared.latest import Latest
from pages.shared.text import plain
from pages.shared.upload import ACCEPTED, MAX_LISTED, TYPES, list_molecules, plain_option
from wombat_core.errors import InputError
from wombat_core.molecules.columns import ColumnError
from wombat_core.molecules.sets import Entry

if TYPE_CHECKING:
    from wombat_core.molecules.sets import Entry


MAX_KEPT = 4
"""Files that the server keeps."""
DIGITS = 24
"""Of a file's digest in the address."""
SHOWN_PROBLEMS = 200


@dataclass(frozen=True, eq=False)
class UserFile:
    """The molecules of a file, and a digest of its content that tells it from others.

    ``problems`` are the records that cannot be used, a sentence each, and ``notes`` are about the file as a whole.
    """

    molecules: list[Entry]
    digest: str
    name: str
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@st.cache_resource(show_spinner=False)
def _files() -> Latest[UserFile]:
    """For all sessions: a card's link leaves the page, and coming back begins a new one."""
    return Latest(MAX_KEPT)


def user_file(digest: str) -> UserFile | None:
    """Ask for a file. None where there is none yet, or it cannot be used.

    Args:
        digest: of the file of the address, or "".
    """
    kept = _files().get(digest)
    file = st.file_uploader(ACCEPTED, type=TYPES, key="failure-upload", max_upload_size=200)
    if file is None:
        if kept is not None:
            _tell(kept)
        elif digest:
            st.info("The file of this address is not on the server any more. Choose it again.")
        else:
            st.info("Choose a file of molecules, or other molecules in the sidebar.")
        return kept
    try:
        found = _read(file)
    except InputError as error:
        st.error(plain(str(error)))
        return None
    _tell(found)
    return found


def _tell(file: UserFile) -> None:
    """What the file holds, and which of its lines are no molecules."""
    count = "1 molecule" if len(file.molecules) == 1 else f"{len(file.molecules):,} molecules"
    st.caption(plain(" ".join([f"{file.name}: {count}.", *file.notes])))
    if not file.problems:
        return
    with st.expander(_unusable(len(file.problems))):
        height = "content" if len(file.problems) <= 4 else 160
        st.code("\n".join(file.problems[:SHOWN_PROBLEMS]), language=None, height=height, wrap_lines=True)
        if len(file.problems) > SHOWN_PROBLEMS:
            st.caption(f"The first {SHOWN_PROBLEMS} are shown.")


def _unusable(count: int) -> str:
    return "1 line or record cannot be used" if count == 1 else f"{count:,} lines or records cannot be used"


def _read(file) -> UserFile:
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
        st.selectbox("Column with the molecules", error.columns, index=None, key=key, format_func=plain_option)
        raise
    if not listing.smiles:
        raise InputError("The file contains no molecule that can be used.")
    rows = zip(listing.numbers, listing.smiles, listing.names, strict=True)
    molecules = [Entry(number, smiles, name or None) for number, smiles, name in rows]
    notes = (*listing.notes, f"Only the first {MAX_LISTED:,} records are read.") if listing.cut else listing.notes
    found = UserFile(molecules, digest, file.name, tuple(listing.problems), notes)
    _files().put(digest, found)
    return found
