"""Malformed SMILES and damaged files: each ends as a molecule or as a sentence."""

import random
import tempfile
import time
from itertools import islice
from pathlib import Path

from rdkit import Chem, rdBase

from tests.soak import mutate
from tests.soak.counts import Counts
from wombat_core.engine import Engine
from wombat_core.errors import InputError
from wombat_core.molecules import find_molecule, read_molecules
from wombat_core.molecules.library import library_rows

SUGGESTED = 10
"""Every tenth text is looked up as people type it, near names and all."""


def _smiles(number: int) -> list[str]:
    rows = list(library_rows())
    return [row.smiles for row in islice(rows, 0, None, max(len(rows) // number, 1))][:number]


def smiles(number: int, seed: int) -> Counts:
    """Malformed SMILES, each read, encoded and predicted where it is a molecule after all."""
    found, own, engine = Counts("malformed SMILES"), random.Random(seed), Engine()
    starts = _smiles(500)
    engine.predictions("C", 5)
    for place in range(number):
        given = mutate.text(own, own.choice(starts))
        start = time.perf_counter()
        try:
            molecule = find_molecule(given, suggest=place % SUGGESTED == 0)
            prediction = engine.predictions(molecule, 5)["r1"]
            found.add("molecules") if prediction == prediction else found.fail("prediction is no number", given)
        except InputError as error:
            sound = "\n" not in str(error) and len(str(error)) < 1200 and str(error).isprintable()
            found.add("sentences") if sound else found.fail(f"no sentence, {str(error)[:200]!r}", given)
        except BaseException as error:
            found.fail(error, given)
        found.took(time.perf_counter() - start, given)
    return found


def _files(own: random.Random) -> dict[str, bytes]:
    with rdBase.BlockLogs():
        some = [(mol, f"name {k}") for k, text in enumerate(_smiles(12)) if (mol := Chem.MolFromSmiles(text))]
    table = [("name", "SMILES", "value"), *((name, Chem.MolToSmiles(mol), "1.5") for mol, name in some)]
    blocks = [Chem.MolToMolBlock(mol) for mol, _ in some]
    return {
        "a.csv": "\n".join(",".join(row) for row in table).encode(),
        "a.tsv": "\r\n".join("\t".join(row) for row in table).encode("utf-16"),
        "a.smi": "\n".join(f"{row[1]} {row[0]}" for row in table[1:]).encode(),
        "a.sdf": "".join(f"{block}> <id>\n{k}\n\n$$$$\n" for k, block in enumerate(blocks)).encode(),
        "a.mol": blocks[0].encode(),
        "b.mol": Chem.MolToV3KMolBlock(some[1][0]).encode(),
        "a.xyz": b"3\nwater\nO 0 0 0\nH 0 0 1\nH 0 1 0\n",
        "a.json": b'{"smiles": ["CCO", "CC=O"]}',
        "random.smi": own.randbytes(400),
    }


def files(number: int, seed: int) -> Counts:
    """Damaged files, read as uploads and ``--input`` are."""
    found, own = Counts("damaged files"), random.Random(seed)
    starts = _files(own)
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(number):
            name = own.choice(list(starts))
            given = mutate.content(own, starts[name])
            path = Path(folder) / name
            path.write_bytes(given)
            start = time.perf_counter()
            try:
                for _, record in read_molecules(str(path)):
                    found.add("records that are sentences" if isinstance(record, InputError) else "molecules")
                found.add("files read")
            except InputError:
                found.add("files refused")
            except BaseException as error:
                found.fail(error, (name, given))
            found.took(time.perf_counter() - start, name)
    return found
