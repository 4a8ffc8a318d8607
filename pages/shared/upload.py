"""The upload dialog: a file of molecules, a searchable list, one of them chosen."""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

from wombat_core.errors import InputError

from . import engine
from .codecs import MAX_TEXT
from .guard import error_boundary
from .state import write
from .text import plain

TYPES = ["csv", "tsv", "tab", "txt", "xlsx", "json", "jsonl", "smi", "smiles", "sdf", "sd", "mol", "mdl"]
ACCEPTED = "CSV, TSV, XLSX, JSON, SDF, MOL or SMI file, up to 200 MB"
MAX_LISTED = 100_000
_SHOWN_PROBLEMS = 200


@dataclass
class Listing:
    """The molecules of a file: number in the file, name and SMILES of each, and the lines that are none.

    ``remarks`` are the notes on each molecule, what the networks do not see of it among them.
    ``structures`` is true of MOL and SDF files, whose records are numbered and whose SMILES are written here;
    ``notes`` are sentences about the file as a whole.
    """

    numbers: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    smiles: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    notes: tuple[str, ...] = ()
    structures: bool = False
    cut: bool = False


def list_molecules(file, filename: str, column: str | None = None, progress=None) -> Listing:
    """Read a file of molecules, at most ``MAX_LISTED`` of them.

    Args:
        file: open binary file.
        filename: its name; the ending tells the format.
        column: the SMILES column of a table, or None.
        progress: called with the number of records read, now and then.

    Raises:
        InputError: the file as a whole cannot be used (``ColumnError`` where a column has to be chosen).
    """
    from wombat_core.molecules import read_molecules

    listing = Listing()
    file.seek(0)
    records = read_molecules(file, filename, column)
    listing.notes = records.notes
    for count, (number, result) in enumerate(records, 1):
        if isinstance(result, InputError):
            listing.problems.append(str(result))
        else:
            listing.numbers.append(number)
            listing.names.append(result.name or "")
            listing.smiles.append(result.smiles)
            listing.structures = result.origin.endswith(f", record {number}")
            listing.remarks.append(" ".join(note for note in result.notes if note not in listing.notes))
        if progress is not None and count % 500 == 0:
            progress(count)
        if count >= MAX_LISTED:
            listing.cut = True
            break
    return listing


def as_typed(smiles: str, name: str) -> str:
    """SMILES and name as one types them, "CCO ethanol"; without the name where it would not be read back."""
    text = f"{smiles} {' '.join(name.split())}".strip()
    if text == smiles or len(text) > MAX_TEXT:
        return smiles
    molecule = engine.find(text).molecule
    return text if molecule and molecule.name and molecule.smiles == smiles else smiles


def too_long(smiles: str) -> str:
    """Why a page cannot open a molecule whose SMILES does not fit into its address."""
    return f"The molecule's SMILES has {len(smiles):,} characters; a page opens at most {MAX_TEXT:,}."


@st.dialog("Upload molecules", width="large")
def upload_dialog() -> None:
    """Choose a file, its SMILES column if need be, and one molecule."""
    with error_boundary("The file"):
        _upload()


def _upload() -> None:
    file = st.file_uploader(ACCEPTED, type=TYPES, key="upload-file", max_upload_size=200)
    if file is None:
        return
    listing = _listing(file)
    if listing is None:
        return
    for note in listing.notes:
        st.info(plain(note))
    if listing.cut:
        st.warning(f"Only the first {MAX_LISTED:,} records are listed.")
    if listing.problems:
        with st.expander(f"{len(listing.problems):,} of them cannot be used"):
            st.code("\n".join(listing.problems[:_SHOWN_PROBLEMS]), language=None, height=160)
            if len(listing.problems) > _SHOWN_PROBLEMS:
                st.caption(f"The first {_SHOWN_PROBLEMS} are shown.")
    if not listing.smiles:
        st.error("The file contains no molecule that can be used.")
        return
    count = "1 molecule" if len(listing.smiles) == 1 else f"{len(listing.smiles):,} molecules"
    st.caption(f"{count}. Click a row to open it; Ctrl+F in the table searches.")
    if listing.structures:
        st.caption("The page numbers the atoms in the order of the SMILES here, not in the file's.")
    place = "record" if listing.structures else "line"
    table = {place: listing.numbers, "name": listing.names, "SMILES": listing.smiles, "note": listing.remarks}
    for column in ("name", "note"):
        if not any(table[column]):
            del table[column]
    chosen = st.dataframe(
        table,
        hide_index=True,
        height=320,
        on_select="rerun",
        selection_mode="single-row",
        key=f"upload-rows-{file.file_id}",
        column_config={place: st.column_config.NumberColumn(width="small", format="%d")},
    ).selection.rows
    if chosen and len(listing.smiles[chosen[0]]) > MAX_TEXT:
        st.error(too_long(listing.smiles[chosen[0]]))
    elif chosen:
        write(molecule=as_typed(listing.smiles[chosen[0]], listing.names[chosen[0]]))
        st.rerun()


def _listing(file) -> Listing | None:
    """The file's molecules, read once; None where something has to be chosen or mended first."""
    from wombat_core.molecules.columns import ColumnError

    kept = st.session_state.get("upload-listing")
    # The choice outlives its widget, which is gone once the file is read.
    columns = st.session_state.setdefault("upload-columns", {})
    column = columns.get(file.file_id)
    known = (file.file_id, column)
    if kept is None or kept[0] != known:
        place = st.empty()
        try:
            with st.spinner("Reading the file", show_time=True):
                kept = (
                    known,
                    list_molecules(file, file.name, column, lambda count: place.caption(f"{count:,} records read")),
                )
        except ColumnError as error:
            st.warning(plain(str(error)))
            key = f"upload-column-{file.file_id}"
            st.selectbox(
                "Column with the molecules",
                error.columns,
                index=None,
                key=key,
                format_func=plain_option,
                on_change=lambda: columns.update({file.file_id: st.session_state[key]}),
            )
            return None
        except InputError as error:
            st.error(plain(str(error)))
            return None
        finally:
            place.empty()
        st.session_state["upload-listing"] = kept
    return kept[1]


def plain_option(text: str) -> str:
    """An option of a list, cut to a length that fits."""
    return text if len(text) <= 80 else text[:79] + "…"
