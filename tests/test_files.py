"""Files in, a stream of molecules and errors out."""

import io
import itertools
import os
import threading
from random import Random

import pandas as pd
import pytest
from rdkit import Chem

from wombat_core.errors import InputError
from wombat_core.molecules import Molecule, files, opening, read_molecules
from wombat_core.molecules.columns import ColumnError


def read(content, filename, column=None):
    content = content.encode() if isinstance(content, str) else content
    return list(read_molecules(io.BytesIO(content), filename, column))


def smiles(records):
    return [(number, result.smiles) for number, result in records if isinstance(result, Molecule)]


def errors(records):
    return [(number, str(result)) for number, result in records if isinstance(result, InputError)]


def mol_block(text, name=""):
    mol = Chem.AddHs(Chem.MolFromSmiles(text))
    mol.SetProp("_Name", name)
    return Chem.MolToMolBlock(mol)


@pytest.mark.parametrize(
    ("content", "filename"),
    [
        ("name,SMILES\nethanol,CCO\nmethane,C\n", "a.csv"),
        ("name;smiles\nethanol;CCO\nmethane;C\n", "a.csv"),
        ("name\tCanonical SMILES\nethanol\tCCO\nmethane\tC\n", "a.tsv"),
        ('name,x_smiles\n"ethanol","CCO"\n"methane","C"\n', "a.csv"),
        ("name,code\nethanol,CCO\nmethane,C\n", "a.csv"),
        ("name,smiles\r\nethanol,CCO\r\nmethane,C\r\n", "a.txt"),
    ],
)
def test_tables_find_their_columns(content, filename):
    records = read(content, filename)
    assert smiles(records) == [(2, "CCO"), (3, "C")]
    assert [molecule.name for _, molecule in records] == ["ethanol", "methane"]
    assert records[1][1].origin == f"{filename}, line 3"


def test_table_without_header():
    records = read("CCO,ethanol\nCC(=O)O,acetic acid\n", "a.csv")
    assert smiles(records) == [(1, "CCO"), (2, "CC(=O)O")]
    assert records[1][1].name == "acetic acid"
    assert smiles(read("1,CCO,x\n2,CCN,y\n", "a.csv")) == [(1, "CCO"), (2, "CCN")]
    assert smiles(read("CCO\n", "a.csv")) == [(1, "CCO")]


def test_quoted_cells_over_several_lines_and_blank_lines():
    records = read('smiles,remark\nCCO,"two\nlines, and a comma"\n\n,\nCCN,""\n', "a.csv")
    assert smiles(records) == [(2, "CCO"), (6, "CCN")]


def test_chosen_column():
    content = "product,reactant\nCCO,CC=O\nCCN,CC#N\n"
    with pytest.raises(ColumnError, match="several columns") as caught:
        read(content, "a.csv")
    assert caught.value.columns == ("product", "reactant")
    assert smiles(read(content, "a.csv", "reactant")) == [(2, "CC=O"), (3, "CC#N")]
    assert smiles(read(content, "a.csv", "Column 1")) == [(2, "CCO"), (3, "CCN")]
    with pytest.raises(ColumnError, match="no column 'educt'; its columns are 'product', 'reactant'"):
        read(content, "a.csv", "educt")


def test_no_smiles_column():
    with pytest.raises(ColumnError, match="no column that holds SMILES") as caught:
        read("sample,weight\nqqq1,46.1\nqqq2,16.0\n", "a.csv")
    assert caught.value.columns == ("sample", "weight")
    assert smiles(read("name,weight\nethanol,46.1\nmethane,16.0\n", "a.csv")) == [(2, "CCO"), (3, "C")]


def test_bad_rows_are_reported_and_the_rest_read():
    records = read("id,smiles\n1,CCO\n2,C1CC\n3\n4, \n5,[H][H]\n6,CCN\n", "a.csv")
    assert smiles(records) == [(2, "CCO"), (7, "CCN")]
    found = dict(errors(records))
    assert found[3].startswith("a.csv, line 3: the SMILES 'C1CC' cannot be read: ring 1")
    assert "none in the SMILES column" in found[4]
    assert "cell is empty" in found[5]
    assert "no heavy atoms" in found[6]


def test_smi_lines():
    records = read("CCO ethanol, pure\n\n# remark\nC1CC bad\nCCN\nCC |$a;b$|\n", "a.smi")
    assert smiles(records) == [(1, "CCO"), (5, "CCN"), (6, "CC |$a;b$|")]
    assert records[0][1].name == "ethanol, pure"
    assert errors(records)[0][0] == 4
    assert smiles(read("smiles name\nCCO x\n", "a.txt")) == [(2, "CCO")]


@pytest.mark.parametrize(
    ("encoding", "noted"), [("utf-8", False), ("utf-8-sig", False), ("utf-16", False), ("latin-1", True)]
)
def test_encodings(encoding, noted):
    content = "smiles,name\nCCO,éthanol\n".encode(encoding)
    ((line, molecule),) = read(content, "a.csv")
    assert (line, molecule.smiles, molecule.name) == (2, "CCO", "éthanol")
    assert any("Latin-1" in note for note in molecule.notes) == noted


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_structure_files_in_any_encoding(encoding):
    ((_, molecule),) = read(mol_block("CCO", "éthanol").encode(encoding), "a.mol")
    assert (molecule.num_atoms, molecule.name) == (3, "éthanol")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (bytes(range(256)) * 40, "binary data"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "binary data"),
        (b"PK\x03\x04" + b"x" * 99, "Excel workbook"),
        (b"\x1f\x8b\x08" + b"x" * 99, "compressed"),
        (b"\xff\xfeC\x00\n", "cannot be decoded"),
    ],
)
@pytest.mark.parametrize("filename", ["a.csv", "a.sdf", "a.smi"])
def test_files_that_are_not_text(content, words, filename):
    with pytest.raises(InputError, match=words) as caught:
        read_molecules(io.BytesIO(content), filename)
    assert str(caught.value).startswith(filename)


def test_too_large(monkeypatch):
    monkeypatch.setattr(opening, "MAX_FILE_BYTES", 3_000_000)
    with pytest.raises(InputError, match="more than 3 MB"):
        read_molecules(io.BytesIO(b"C\n" * 1_500_001), "a.smi")


def test_paths(tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        read_molecules(tmp_path / "missing.csv")
    with pytest.raises(InputError, match="is a folder"):
        read_molecules(tmp_path)
    (tmp_path / "a.smi").write_text("CCO\n")
    assert smiles(read_molecules(tmp_path / "a.smi")) == [(1, "CCO")]
    assert smiles(read_molecules(str(tmp_path / "a.smi"))) == [(1, "CCO")]


def test_file_with_nothing_in_it():
    for content, filename in [("\n\n", "a.smi"), ("smiles\n", "a.csv"), ("\n\n", "a.sdf")]:
        ((_, result),) = read(content, filename)
        assert "contains no molecule" in str(result)
    with pytest.raises(InputError, match="has no rows"):
        read("\n\n", "a.csv")


def test_uploaded_file_can_be_read_again():
    file = io.BytesIO(b"smiles\nCCO\n")
    for _ in range(2):
        assert smiles(read_molecules(file, "a.csv")) == [(2, "CCO")]


def test_pipe():
    class Pipe(io.BytesIO):
        def seekable(self):
            return False

    assert smiles(read_molecules(io.TextIOWrapper(Pipe(b"CCO\nCCN x\n")))) == [(1, "CCO"), (2, "CCN")]


def test_sdf_records(capfd):
    pentavalent = Chem.MolToMolBlock(Chem.MolFromSmiles("CC(C)(C)(C)C", sanitize=False), kekulize=False)
    content = "".join(
        block + "$$$$\n" for block in [mol_block("NCO", "first"), pentavalent, "junk\n\n\ngarbage\n", mol_block("CC")]
    )
    records = read(content + "\n\n", "a.sdf")
    assert [number for number, _ in records] == [1, 2, 3, 4]
    first = records[0][1]
    assert (first.name, first.origin, first.num_atoms) == ("first", "a.sdf, record 1", 3)
    assert [atom.GetSymbol() for atom in first.mol.GetAtoms()] == ["N", "C", "O"]
    found = dict(errors(records))
    assert "a.sdf, record 2: atom C1 has a valence of 5" in found[2]
    assert "line" in found[3]
    assert set(found) == {2, 3}
    assert capfd.readouterr() == ("", "")


def test_mol_file_and_structure_without_its_ending():
    for filename in ("a.mol", "a.txt", "upload"):
        ((number, molecule),) = read(mol_block("CCO"), filename)
        assert (number, molecule.num_atoms) == (1, 3)


def test_only_as_much_as_needed_is_read():
    class Counting(io.BytesIO):
        lines = 0

        def read(self, size=-1):
            data = super().read(size)
            self.lines += data.count(b"\n")
            return data

    file = Counting(b"smiles,name\n" + b"CCO,ethanol\n" * 50_000)
    records = read_molecules(file, "a.csv")
    file.lines = 0
    assert len(list(itertools.islice(records, 100))) == 100
    assert file.lines < 5_000
    assert sum(1 for _ in records) == 49_900


def test_oversized_cell_is_one_bad_line():
    records = read("smiles,name\nCCO,a\n" + "C" * 200_000 + ",b\nCCN,c\n", "a.csv")
    assert smiles(records) == [(2, "CCO"), (4, "CCN")]
    assert errors(records)[0][0] == 3


def test_damaged_files_never_raise_anything_else(monkeypatch):
    monkeypatch.setattr(files, "_SUGGESTIONS", 0)  # like names take most of the time, and are not in question
    random = Random(0)
    table = b'smiles,name\nCCO,x\n"CC",y\n'
    for content in (table, b"CCO x\nCCN\n", mol_block("CO").encode() + b"$$$$\n"):
        for _ in range(60):
            damaged = bytearray(content * 2)
            for _ in range(4):
                damaged[random.randrange(len(damaged))] = random.randrange(256)
            for filename in ("a.csv", "a.tsv", "a.sdf", "a.smi"):
                try:
                    records = read(bytes(damaged), filename)
                except InputError:
                    continue
                assert all(isinstance(result, Molecule | InputError) for _, result in records)
                assert all(message.isprintable() for _, message in errors(records))


def test_several_columns_named_smiles():
    content = "id,smiles_a,smiles_b\n1,CCO,CC=O\n2,CCN,CC#N\n"
    with pytest.raises(ColumnError, match="choose one of 'smiles_a', 'smiles_b'") as caught:
        read(content, "a.csv")
    assert caught.value.columns == ("smiles_a", "smiles_b")
    assert smiles(read(content, "a.csv", "smiles_b")) == [(2, "CC=O"), (3, "CC#N")]
    assert smiles(read("smiles length,my smiles\n3,CCO\n", "a.csv")) == [(2, "CCO")]
    assert smiles(read("name,canonical_smiles,isomeric_smiles\nx,CCO,OCC\n", "a.csv")) == [(2, "CCO")]
    with pytest.raises(ColumnError, match="several columns"):
        read("smiles,smiles\nCCO,CC=O\n", "a.csv")


@pytest.mark.parametrize(
    ("content", "filename"), [("CCO x\n", "a.smi"), (mol_block("CCO"), "a.mol"), ("CCO\n", "input")]
)
def test_a_column_of_a_file_without_columns(content, filename):
    with pytest.raises(InputError, match=f"{filename} has no columns, so 'smiles' cannot be one"):
        read(content, filename, "smiles")


def test_the_wanted_column_makes_a_table_of_any_file():
    assert smiles(read("product,reactant\nCCO,CC=O\n", "a.txt", "Reactant")) == [(2, "CC=O")]


@pytest.mark.parametrize("filename", ["latin.csv", "latin.smi"])
def test_places_say_when_a_file_was_read_as_latin_1(filename):
    records = read("smiles,name\nCCO,éthanol\nC1CC,b\n".encode("latin-1"), filename)
    assert records[0][1].origin == f"{filename} (read as Latin-1), line 2"
    assert records[1][1].place == f"{filename} (read as Latin-1), line 3"


def test_a_broken_record_swallows_no_other():
    good = mol_block("CCO") + "$$$$\n"
    records = read(good + "garbage\n$$$$\n" + good + good, "a.sdf")
    assert [number for number, _ in smiles(records)] == [1, 3, 4]
    ((number, message),) = errors(records)
    assert number == 2 and message.startswith("a.sdf, record 2: the record ends before its line with the numbers")


def test_data_fields_and_line_ends_of_sdf_records():
    record = mol_block("CCO", "x") + ">  <a>\n1\n\n>  <M  END>\n2\n\n$$$$\n"
    for end in ("\n", "\r\n", "\r"):
        records = read((record * 2).replace("\n", end), "a.sdf")
        assert [(number, molecule.name) for number, molecule in records] == [(1, "x"), (2, "x")]


ETHANOL = Chem.MolToMolBlock(Chem.MolFromSmiles("CCO"))
ETHANOL_V3000 = Chem.MolToV3KMolBlock(Chem.MolFromSmiles("CCO"))


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        (ETHANOL.replace(" O  ", " Zz "), "'Zz' is no element (line 18)"),
        (ETHANOL_V3000.replace(" O ", " Zz "), "'Zz' is no element (line 21)"),
        (ETHANOL.replace(" O  ", "    "), "an atom has no element symbol"),
        (ETHANOL[: ETHANOL.index("    1.2990")], "the record ends before its atom list does"),
        (ETHANOL[: ETHANOL.index("  2  3")], "the record ends before its bond list does"),
        (ETHANOL.replace("M  END\n", ""), "there is a blank line before 'M  END', or that line is missing (line 21)"),
        (ETHANOL.replace("  1  2  1", "  1  9  1"), "a bond names an atom that the record does not have"),
        (ETHANOL.replace("  2  3  1", "  1  2  1"), "two atoms are bonded twice"),
        (ETHANOL.replace("  2  3  1", "  2  2  1"), "an atom is bonded to itself"),
        (ETHANOL.replace("0.0000", "0.0x00", 1), "the coordinates of an atom are no numbers (line 16)"),
        (ETHANOL.replace("M  END", "M  CHG  x   2   1\nM  END"), "'x' is no number (line 21)"),
        (ETHANOL.replace("M  END", "M  CHG  1   9   1\nM  END"), "a line names an atom that the record does not have"),
        ("x\n" + ETHANOL, "the line with the numbers of atoms and bonds is missing or not valid (line 15)"),
        ("$RXN\n\n\n\n  1  1\n$MOL\n" + ETHANOL, "the record is a reaction, not a molecule"),
        ("", "the record is empty"),
        ("x\n", "the record ends before its line with the numbers of atoms and bonds"),
    ],
)
def test_reasons_of_broken_records(block, reason, capfd):
    first = ETHANOL + "$$$$\n"
    assert first.count("\n") == 11
    records = read(first + block.rstrip("\n") + "\n$$$$\n" + first, "a.sdf")
    assert errors(records) == [(2, f"a.sdf, record 2: {reason}.")]
    assert records[1][1].place == "a.sdf, record 2"
    assert len(smiles(records)) == 2
    assert capfd.readouterr() == ("", "")


def test_sdf_molecules_tell_the_order_of_their_smiles():
    ((_, molecule),) = read(mol_block("OC(=O)CN"), "a.sdf")
    again = molecule.in_smiles_order().mol
    assert [molecule.mol.GetAtomWithIdx(i).GetSymbol() for i in molecule.smiles_order] == [
        atom.GetSymbol() for atom in again.GetAtoms()
    ]


def test_a_workbook_is_a_table():
    file = io.BytesIO()
    rows = [["Compounds of today", None], ["Name", "SMILES"], ["ethanal", "CC=O"], ["open ring", "C1CC"]]
    pd.DataFrame(rows).to_excel(file, index=False, header=False)
    records = read(file.getvalue(), "book.xlsx")
    assert smiles(records) == [(3, "CC=O")] and records[0][1].name == "ethanal"
    assert errors(records)[0][1].startswith("book.xlsx, line 4: the SMILES 'C1CC' cannot be read")


def test_a_fifo_is_read_like_a_file(tmp_path):
    path = tmp_path / "pipe.smi"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=("CC=O ethanal\naspirin\n",))
    writer.start()
    assert smiles(read_molecules(path)) == [(1, "CC=O"), (2, "CC(=O)Oc1ccccc1C(=O)O")]
    writer.join()


def test_lines_that_are_all_bad_are_one_sentence_and_a_good_one_shows_each(monkeypatch):
    monkeypatch.setattr(files, "_SUGGESTIONS", 0)
    bad = "".join(f"rubbish{i}!\n" for i in range(50))
    ((line, error),) = read(bad, "a.txt")
    assert line == 1 and "none of its 50 lines is a molecule" in str(error) and len(str(error)) < 350
    assert len(errors(read(bad + "CC=O\n", "a.txt"))) == 50
