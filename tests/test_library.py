"""The offline PubChem identifiers and the positives."""

import subprocess
import sys

import pytest

from wombat_core.errors import InputError
from wombat_core.molecules import library
from wombat_core.molecules.molecule import from_smiles
from wombat_core.molecules.positives import positives


def test_rows_in_file_order():
    rows = library.library_rows()
    first = next(rows)
    assert first == (7, "2715-68-6", "CCN1C=NC2=C1N=CN=C2N", "9-ethyladenine")
    assert next(rows).pubchem_id == 15


def test_every_row_is_complete():
    rows = list(library.library_rows())
    assert len(rows) == library.library_size() == 71347
    assert all(row.smiles and row.name and row.cas.count("-") == 2 for row in rows)
    assert len({row.cas for row in rows}) == 71347


def test_chemicals_itself_is_not_imported():
    code = (
        "import sys, wombat_core.molecules.library as l; next(l.library_rows());"
        "sys.exit('chemicals' in sys.modules or 'torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_missing_library(monkeypatch):
    monkeypatch.setattr(library, "find_spec", lambda name: None)
    with pytest.raises(InputError, match="'chemicals'"):
        next(library.library_rows())


def test_positives_of_every_pattern():
    counts = {pattern: len(molecules) for pattern, molecules in positives().items()}
    assert counts == {1: 18, 2: 17, 3: 18, 4: 22, 5: 28} | dict.fromkeys(range(6, 15), 6)
    assert all(from_smiles(smiles).num_atoms > 1 for molecules in positives().values() for smiles in molecules)
