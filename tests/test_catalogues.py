"""Catalogues of motifs: what is in them, how they are searched, and a whole one certified."""

import json
import random
from datetime import date
from pathlib import Path

import pytest
from rdkit import Chem

from wombat_core.cli import main
from wombat_core.compiler import batch
from wombat_core.compiler.catalogues import CATALOGUES, Motif, catalogue, motif, search
from wombat_core.compiler.compile import compile_smarts
from wombat_core.compiler.facts import FILE, facts_of, find_facts
from wombat_core.compiler.smarts_error import SmartsError
from wombat_core.compiler.verdicts import AGREE, REFUSED, count_verdicts, shipped_verdicts, verdict_on, write_table
from wombat_core.data import data_file
from wombat_core.errors import InputError
from wombat_core.molecules import from_smiles
from wombat_core.molecules.arrays import arrays_of
from wombat_core.molecules.levels import inputs_of
from wombat_core.whitebox.catalogue import fourteen, pattern


def test_every_catalogue_is_readable_and_its_keys_are_unique():
    # 4,860 Klekota-Roth keys; RDKit defines 163 of the 166 MACCS keys by a SMARTS.
    assert len(catalogue("klekota-roth").motifs) == 4860 and len(catalogue("maccs").motifs) == 163
    assert len(catalogue("motifs").motifs) >= 60
    for entry in CATALOGUES.values():
        assert len({found.key for found in entry.motifs}) == len(entry.motifs) > 0
        assert all(Chem.MolFromSmarts(found.smarts) is not None for found in entry.motifs)


def test_the_fourteen_are_klekota_roth_keys():
    keys = {found.smarts for found in catalogue("klekota-roth").motifs}
    assert {entry.krfp for entry in fourteen()} <= keys


def test_search_by_name_key_and_example():
    named = catalogue("motifs").motifs
    assert motif("Nitro").smarts == "[N+](=O)[O-]"
    assert [found.key for found in search("nitro", named)] == ["nitro", "nitrosamine"]
    assert {"thiophene"} == {found.key for found in search("c1ccsc1", named)}, "a SMARTS as it stands"
    assert {found.key for found in search("CC(=O)OC", named)} == {"ester", "methoxy"}
    assert search("no such thing", named) == []
    with pytest.raises(InputError, match="'gold'"):
        catalogue("gold")


def test_a_catalogue_certified_goes_on_where_it_was_ended(tmp_path, monkeypatch):
    arrays = arrays_of(["CC=O", "CCC", "CC(C)=O"], [("ethanal", "75-07-0"), ("", ""), ("", "")])
    monkeypatch.setattr(batch, "library_arrays", lambda jobs=1: arrays)
    monkeypatch.setattr(batch, "library_inputs", lambda *_: None)
    from wombat_core.compiler import certify as room

    monkeypatch.setattr(room, "library_arrays", lambda jobs=1: arrays)
    monkeypatch.setattr(room, "library_inputs", lambda *_: inputs_of(arrays))

    def compile_(smarts):
        if smarts != "[CX3H1](=O)[#6]":
            raise InputError("not this one")
        return pattern(12)

    motifs, out = [motif("aldehyde"), motif("nitro")], tmp_path / "out.jsonl"
    assert batch.certify_motifs(motifs, out, 1, compile_) == 2
    aldehyde, nitro = map(json.loads, out.read_text().splitlines())
    assert aldehyde["certificate"]["verdict"] == "exact" and aldehyde["certificate"]["positives"] == 1
    assert aldehyde["example"] == {"name": "ethanal", "cas": "75-07-0", "smiles": "CC=O"}
    assert nitro["error"] == "not this one"
    assert batch.certify_motifs(motifs, out, 1, compile_) == 0
    first = out.read_text().splitlines()[0]
    out.write_text(first + "\n" + '{"catalogue": "mot')
    assert batch.certify_motifs(motifs, out, 1, compile_) == 1 and len(out.read_text().splitlines()) == 2


def test_catalogues_in_the_terminal(capsys):
    assert main(["catalogue", "list"]) == 0 and "klekota-roth" in capsys.readouterr().out
    assert main(["catalogue", "list", "motifs", "--search", "urea", "--json"]) == 0
    assert [json.loads(line)["key"] for line in capsys.readouterr().out.splitlines()] == ["thiourea", "urea"]
    assert main(["catalogue", "show", "KR1"]) == 0 and "Bioinformatics" in capsys.readouterr().out
    assert main(["catalogue", "show", "KR9999"]) == 2 and "KR9999" in capsys.readouterr().err


def test_brief_verdicts_of_networks_that_read_rings(tmp_path):
    """Beta-lactam is exact under wombat+ (113 molecules)."""

    out = tmp_path / "verdicts.jsonl"
    motifs = [Motif("own", "lactam", "", "O=C1CCN1"), Motif("own", "bad", "", "C(")]
    assert batch.certify_motifs(motifs, out, 1, encoding="wombat+", brief=True) == 2
    lactam, bad = map(json.loads, out.read_text().splitlines())
    assert (lactam["verdict"], lactam["positives"], lactam["false_positives"], lactam["misses"]) == ("exact", 113, 0, 0)
    assert "cannot be read" in bad["error"]
    assert batch.summary(out).endswith("1 do not compile.")


def test_shipped_verdicts_are_what_comes_out_now():
    """Three Klekota-Roth keys drawn by the day's date, compiled and certified again, give their lines."""
    keys = [found for found in catalogue("klekota-roth").motifs if verdict_on(found) is not None]
    assert list(shipped_verdicts()) == [found.key for found in keys]
    counts = count_verdicts()
    agree = sum(counts[kind][verdict] for kind in counts for verdict in AGREE)
    readme = " ".join((Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8").split())
    assert f"{agree:,} of the {len(keys):,} keys" in readme
    # An atom without bonds gets no message; nothing else is missed.
    assert all(own.misses == own.without_bonds for own in shipped_verdicts().values())
    for found in random.Random(date.today().isoformat()).sample(keys, 3):
        own = verdict_on(found)
        if own.verdict == REFUSED:
            with pytest.raises(SmartsError):
                compile_smarts(found.smarts, encoding=own.encoding)
            continue
        now = batch.verdict_of(compile_smarts(found.smarts, encoding=own.encoding))
        assert {name: value for name, value in now.items() if name != "examples"}.items() <= vars(own).items(), found


def test_verdicts_in_the_terminal_and_as_a_table(tmp_path, capsys):
    assert main(["catalogue", "show", "KR9", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == shipped_verdicts()["KR9"].verdict
    lines, table = tmp_path / "lines.jsonl", tmp_path / "table.csv"
    brief = {"layers": 1, "channels": 2, "positives": 3, "false_positives": 4, "misses": 5, "without_bonds": 5}
    records = [
        {"key": "KR10", "smarts": "CC", "verdict": "misses", **brief},
        {"key": "KR9", "smarts": "C1CC1", "error": "It does not compile."},
    ]
    lines.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert write_table(lines, table) == 2
    assert table.read_text().splitlines()[1:] == ["KR9,1,refused,0,0,0,0,0,0", "KR10,0,misses,1,2,3,4,5,5"]
    assert main(["catalogue", "certify", "motifs", "--out", str(lines), "--table", str(table)]) == 2
    assert "say both" in capsys.readouterr().err


def test_shipped_facts_are_what_comes_out_now():
    """Three motifs drawn by the day's date: compiled and certified again, they give the shipped lines."""
    named = catalogue("motifs").motifs
    shipped = [json.loads(line) for line in (data_file("catalogues") / FILE).read_text().splitlines()]
    assert shipped == sorted(shipped, key=lambda record: (record["catalogue"], record["key"]))
    assert [record["key"] for record in shipped] == sorted(found.key for found in named)
    drawn = random.Random(date.today().isoformat()).sample(named, 3)
    by_key = {record["key"]: record for record in shipped}
    assert find_facts(drawn) == [by_key[found.key] for found in drawn]


def test_shipped_facts_of_motifs_counted_elsewhere():
    # A prototype of another make counted 2,128 molecules with tert-butyl and 33,725 with benzene among 70,140.
    found = facts_of(motif("tert-butyl"))
    assert (found.positives, found.molecules, found.verdict) == (2128, 70140, "exact")
    assert facts_of(motif("benzene")).encoding == "wombat+" and facts_of(motif("benzene")).positives == 33725
    assert facts_of(motif("KR1")) is None
    for entry in catalogue("motifs").motifs:
        example = facts_of(entry) and facts_of(entry).example
        if example:
            assert from_smiles(example["smiles"]).mol.HasSubstructMatch(Chem.MolFromSmarts(entry.smarts))


def test_facts_in_the_terminal(capsys):
    assert main(["catalogue", "show", "aldehyde", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["verdict"] and record["positives"] > 0 and record["example"]["smiles"]
    assert main(["catalogue", "show", "aldehyde"]) == 0
    assert record["example"]["smiles"] in capsys.readouterr().out
    assert main(["catalogue", "list", "motifs", "--search", "aldehyde"]) == 0
    listed = capsys.readouterr().out
    assert "verdict" in listed and f"{record['positives']:,}" in listed
