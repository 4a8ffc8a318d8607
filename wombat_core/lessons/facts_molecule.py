"""Numbers about molecule, whitebox, ground truth and prediction."""

from dataclasses import replace

import numpy as np
from rdkit.Chem.rdMolDescriptors import CalcMolFormula

from ..errors import InputError
from ..ground_truth import contains_motif
from ..whitebox.model import is_positive
from .atoms import named
from .engine import Engine
from .fact import atom_of, fact, number
from .lesson import Situation


@fact("molecule")
def _molecule(engine, situation, words, digits) -> str:
    molecule = engine.molecule(situation.molecule)
    return molecule.name or molecule.smiles


@fact("formula")
def _formula(engine, situation, words, digits) -> str:
    return CalcMolFormula(engine.molecule(situation.molecule).mol)


@fact("num-atoms")
def _num_atoms(engine, situation, words, digits) -> str:
    return str(engine.molecule(situation.molecule).num_atoms)


@fact("pattern")
def _pattern(engine, situation, words, digits) -> str:
    return engine.network(situation).pattern.title


@fact("smarts")
def _smarts(engine, situation, words, digits) -> str:
    return engine.network(situation).pattern.smarts


@fact("num-layers")
def _num_layers(engine, situation, words, digits) -> str:
    return str(engine.network(situation).pattern.num_layers)


@fact("num-channels")
def _num_channels(engine, situation, words, digits) -> str:
    return str(engine.network(situation).pattern.num_channels)


@fact("atom ATOM")
def _atom(engine, situation, words, digits) -> str:
    return engine.labels(situation)[atom_of(engine, situation, words[0])]


@fact("truth")
def _truth(engine, situation, words, digits) -> str:
    return named(engine.labels(situation), np.flatnonzero(engine.truth(situation)))


@fact("num-truth")
def _num_truth(engine, situation, words, digits) -> str:
    return str(int(engine.truth(situation).sum()))


def prediction(engine: Engine, situation: Situation) -> float:
    """F of the molecule under the situation's readout, or the network's own."""
    readouts = engine.trace(situation).readouts
    return float(readouts.get(situation.readout, next(iter(readouts.values()))))


def _under(situation: Situation, words: list[str]) -> Situation:
    if not words:
        return situation
    if words[0] not in ("r1", "r2"):
        raise InputError(f"there is no readout '{words[0][:20]}'; choose r1 or r2.")
    return replace(situation, readout=words[0])


@fact("prediction READOUT", optional=1)
def _prediction(engine, situation, words, digits) -> str:
    return number(prediction(engine, _under(situation, words)), digits)


@fact("verdict READOUT", optional=1)
def _verdict(engine, situation, words, digits) -> str:
    return "positive" if is_positive(prediction(engine, _under(situation, words))) else "negative"


@fact("motif")
def _motif(engine, situation, words, digits) -> str:
    found = contains_motif(engine.molecule(situation.molecule), engine.network(situation).pattern)
    return "contains the motif" if found else "does not contain the motif"
