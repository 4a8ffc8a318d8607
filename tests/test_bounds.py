"""Input that costs more than its answer is worth, in a process that has 2 GB: one sentence or an answer, soon."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPT = r"""
import io, json, resource, sys, time
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
from rdkit import Chem
from wombat_core.compiler.catalogues import motifs
from wombat_core.drawing import layout as layouts
from wombat_core.errors import InputError
from wombat_core.molecules import find_molecule, from_smiles, read_molecules
from wombat_core.molecules.cycles import cycle_flags
from wombat_core.molecules import substructure

layouts.SECONDS = substructure.SECONDS = 0  # the shortest limits, so that the test is short


def ring(size):
    return "C1" + "C" * (size - 2) + "C1"


def complete(size):
    labels, parts = {}, []
    for one in range(size):
        text = "*"
        for other in range(size):
            if abs(one - other) > 1:
                text += f"%({labels.setdefault(frozenset((one, other)), len(labels) + 1)})"
        parts.append(text)
    return "".join(parts)


def grid(size):
    mol = Chem.RWMol()
    for _ in range(size * size):
        mol.AddAtom(Chem.Atom(6))
    for atom in range(size * size):
        if (atom + 1) % size:
            mol.AddBond(atom, atom + 1, Chem.BondType.SINGLE)
        if atom + size < size * size:
            mol.AddBond(atom, atom + size, Chem.BondType.SINGLE)
    return Chem.MolToSmiles(mol)


def block(size):
    atoms = [f"{i + 1} C 0 0 0 0" for i in range(size)]
    bonds = [f"{i + 1} 1 {i + 1} {(i + 1) % size + 1}" for i in range(size)]
    inside = ["BEGIN CTAB", f"COUNTS {size} {size} 0 0 0", "BEGIN ATOM", *atoms, "END ATOM", "BEGIN BOND", *bonds]
    lines = ["", "", "", "  0  0  0     0  0            999 V3000"]
    lines += [f"M  V30 {line}" for line in (*inside, "END BOND", "END CTAB")] + ["M  END"]
    return "\n".join(lines)


def first(name, text):
    found = next(iter(read_molecules(io.BytesIO(text.encode()), name)))[1]
    if isinstance(found, InputError):
        raise found
    return found


CASES = {
    "ring of 50,000": lambda: find_molecule(ring(50_000)),
    "ring of 4,991": lambda: find_molecule(ring(4_991)),
    "ring of 900": lambda: find_molecule(ring(900)),
    "49,000 open parentheses": lambda: find_molecule("C(" * 49_000),
    "1,000 open parentheses": lambda: find_molecule("C(" * 1_000),
    "60,000 atoms": lambda: find_molecule("C=C" * 30_000),
    "30,000 hydrogens": lambda: find_molecule("[H]" * 30_000 + "C"),
    "1,300 branches deep": lambda: find_molecule("C(" * 1_300 + "C" + ")" * 1_300),
    "1,000 fragments": lambda: find_molecule("C." * 999 + "C"),
    "InChI of 9,000 fragments": lambda: find_molecule("InChI=1S/9000CH4/h9000*1H4"),
    "everything bonded": lambda: cycle_flags(from_smiles(complete(16)).mol),
    "long motif in a grid": lambda: substructure.check_search(from_smiles(grid(7)).mol, ("C~" * 40 + "[U]",)),
    "layout of a long chain": lambda: layouts.layout(from_smiles("C" * 3_000)),
    "molfile ring of 20,000": lambda: first("a.mol", block(20_000)),
    "molfile ring of 3,000": lambda: first("a.mol", block(3_000)),
    "table of large rings": lambda: first("a.csv", "id,mol\n" + f"1,{ring(2_000)}\n" * 5),
    "search by a large ring": lambda: [found.name for found in motifs(ring(1_900), "motifs")],
}
for name, work in CASES.items():
    began, problem = time.process_time(), ""
    try:
        work()
    except InputError as error:
        problem = str(error)
    status = dict(line.split(":", 1) for line in open("/proc/self/status", encoding="utf-8"))
    peak = int(status["VmHWM"].split()[0]) / 1024  # of this program; getrusage counts its parent's as well
    print(json.dumps([name, problem, time.process_time() - began, peak]), flush=True)
"""
SENTENCES = {
    "ring of 50,000": "50,000 heavy atoms",
    "ring of 4,991": "a ring of 4,991 atoms; rings of at most 1,000",
    "ring of 900": "",
    "49,000 open parentheses": "49,000 parentheses are never closed, the first of them at position 2",
    "1,000 open parentheses": "1,000 parentheses are never closed",
    "60,000 atoms": "60,000 heavy atoms",
    "30,000 hydrogens": "with its hydrogens",
    "1,300 branches deep": "",
    "1,000 fragments": "",
    "InChI of 9,000 fragments": "9,000 heavy atoms",
    "everything bonded": "its rings are so entangled",
    "long motif in a grid": "The motif cannot be searched",
    "layout of a long chain": "The picture of this molecule cannot be drawn",
    "molfile ring of 20,000": "20,000 heavy atoms",
    "molfile ring of 3,000": "a ring of 3,000 atoms",
    "table of large rings": "a ring of 2,000 atoms",
    "search by a large ring": "",
}


def test_dear_input_ends_in_a_sentence_within_two_gigabytes():
    process = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    found = [json.loads(line) for line in process.stdout.splitlines()]
    assert process.returncode == 0, process.stderr[-2000:]
    assert [name for name, *_ in found] == list(SENTENCES)
    for name, problem, seconds, peak in found:
        wanted = SENTENCES[name]
        assert wanted in problem if wanted else not problem, (name, problem)
        assert len(problem) < 300, name
        assert seconds < 3, (name, "computing in the process that serves everybody")
        assert peak < 500, (name, "megabytes there")


def test_limits_leave_errors_and_answers_as_they_are():
    from wombat_core.bounded import TooDear, bounded
    from wombat_core.errors import InputError
    from wombat_core.molecules.molecule import _read

    molecule = bounded(_read, "CC(=O)[O-]", None, "SMILES", [], sentence="")
    assert (molecule.smiles, molecule.num_atoms, molecule.mol.GetAtomWithIdx(3).GetFormalCharge()) == (
        "CC(=O)[O-]",
        4,
        -1,
    )
    with pytest.raises(InputError, match="never closed"):
        bounded(_read, "C1CC", None, "SMILES", [], sentence="")
    with pytest.raises(TooDear, match=r"^Too dear\.$"):
        bounded(bytearray, 3 << 30, sentence="Too dear.")
    with pytest.raises(TooDear, match=r"^Too long\.$"):
        bounded(pow, 3, 10**9, sentence="Too long.", seconds=0)
    assert bounded(len, "abc", sentence="") == 3
