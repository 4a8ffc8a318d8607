"""Traces against a plain evaluation of the equations, written from the comment in ``patterns.yaml`` alone."""

import re
from itertools import islice

import numpy as np
import pytest
import yaml
from rdkit import Chem

from wombat_core.molecules.encoding import encode
from wombat_core.molecules.library import library_rows
from wombat_core.molecules.molecule import from_smiles
from wombat_core.molecules.positives import positives
from wombat_core.whitebox.catalogue import PATTERNS_FILE
from wombat_core.whitebox.model import Whitebox

FACTS = yaml.safe_load(PATTERNS_FILE.read_text(encoding="utf-8"))
RAW = {str(number): entry["layers"] for number, entry in FACTS["patterns"].items()}
RAW |= {name: entry["layers"] for name, entry in FACTS["variants"].items()}
COUNT, STRIDE = 120, 590
BONDS = {
    Chem.BondType.SINGLE: 0,
    Chem.BondType.DOUBLE: 1,
    Chem.BondType.TRIPLE: 2,
    Chem.BondType.AROMATIC: 3,
}


def relu(values):
    return np.maximum(values, 0)


def feature_row(term: str) -> np.ndarray:
    row = np.zeros(110)
    if term == "1":
        return np.ones(110)
    if re.fullmatch(r"H\d", term):
        row[100 + int(term[1])] = 1
        return row
    if term == "0":
        return row
    element, *counts = term.replace(";", ",").split(",")
    if element == "*":
        row[:100] = 1
    else:
        row[Chem.GetPeriodicTable().GetAtomicNumber(element)] = 1
    if counts:
        row[100:] = [0 if f"H{n}" in counts else -10 for n in range(10)]
    return row


def channel_row(term: str, letters: list[str]) -> np.ndarray:
    row = np.zeros(len(letters))
    if term != "0":
        for sign, factor, letter in re.findall(r"([+-]?)(\d*)([A-Z])", term):
            row[letters.index(letter)] += float(f"{sign}{factor or 1}")
    return row


def bond_row(term: str) -> np.ndarray:
    return {"-": np.eye(4)[0], "=": np.eye(4)[1], "~": np.ones(4), "0": np.zeros(4)}[term]


def evaluate(layers: list[dict], mol: Chem.Mol):
    """All activations, ``p_i``, r1 and r2 of one RDKit molecule, message by message."""
    z = np.zeros((mol.GetNumAtoms(), 110))
    for atom in mol.GetAtoms():
        if atom.GetAtomicNum() < 100:
            z[atom.GetIdx(), atom.GetAtomicNum()] = 1
        z[atom.GetIdx(), 100 + atom.GetTotalNumHs()] = 1
    messages = []
    for bond in mol.GetBonds():
        e = np.zeros(4)
        if bond.GetBondType() in BONDS:
            e[BONDS[bond.GetBondType()]] = 1
        ends = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
        messages += [(*ends, e), (*ends[::-1], e)]
    letters, found = None, []
    for layer in layers:
        new = np.zeros((len(z), len(layer)))
        for index, (own, neighbour, bond, bias) in enumerate(layer.values()):
            self_row, neighbour_row = (
                feature_row(str(term)) if letters is None else channel_row(str(term), letters)
                for term in (own, neighbour)
            )
            weights = bond_row(str(bond))
            s, n = relu(z @ self_row), relu(z @ neighbour_row)
            for j, i, e in messages:
                new[i, index] += s[i] * n[j] * relu(weights @ e)
            new[:, index] = relu(new[:, index] + bias)
        z, letters = new, list(layer)
        found.append(z)
    p = relu(z).prod(axis=1)
    return found, p, p.max(), relu(1 - np.prod(relu(1 - p)))


@pytest.fixture(scope="module")
def molecules():
    return [from_smiles(row.smiles) for row in islice(library_rows(), 0, COUNT * STRIDE, STRIDE)]


@pytest.mark.slow
@pytest.mark.parametrize("id", RAW)
def test_traces_equal_numpy(id, molecules):
    assert len(molecules) == COUNT
    model = Whitebox(id)
    found = 0
    own_positives = [from_smiles(smiles) for smiles in positives()[int(id.split("-")[0])]]
    for molecule in molecules + own_positives:
        data = encode(molecule)
        trace = model.trace(data.x, data.edge_index, data.edge_attr)
        layers, products, r1, r2 = evaluate(RAW[id], molecule.mol)
        assert len(trace.layers) == len(layers)
        for layer, z in zip(trace.layers, layers, strict=True):
            assert layer.channels == [f"{letter}.{layer.layer}" for letter in RAW[id][layer.layer - 1]]
            np.testing.assert_allclose(layer.activations, z, rtol=1e-6, atol=1e-6, err_msg=molecule.smiles)
        np.testing.assert_allclose(trace.products, products, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(trace.readouts["r1"], r1, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(trace.readouts["r2"], r2, rtol=1e-6, atol=1e-6)
        found += (layers[-1] > 0).all(axis=1).any()
    assert found >= len(own_positives)
