"""Numbers about molecule, whitebox, ground truth and prediction."""

from dataclasses import replace

import numpy as np
from rdkit.Chem.rdMolDescriptors import CalcMolFormula

from ..ground_truth import contains_motif
from ..whitebox.model import is_positive
from .arguments import Atom, Readout
from .atoms import named
from .engine import Engine
from .fact import fact
from .lesson import Situation


@fact
def molecule(engine, situation):
    found = engine.molecule(situation.molecule)
    return found.name or found.smiles


@fact
def formula(engine, situation):
    return CalcMolFormula(engine.molecule(situation.molecule).mol)


@fact
def num_atoms(engine, situation):
    return str(engine.molecule(situation.molecule).num_atoms)


@fact
def pattern(engine, situation):
    return engine.network(situation).pattern.title


@fact
def smarts(engine, situation):
    return engine.network(situation).pattern.smarts


@fact
def num_layers(engine, situation):
    return str(engine.network(situation).pattern.num_layers)


@fact
def num_channels(engine, situation):
    return str(engine.network(situation).pattern.num_channels)


@fact
def atom(engine, situation, index: Atom):
    return engine.labels(situation)[index]


@fact
def truth(engine, situation):
    return named(engine.labels(situation), np.flatnonzero(engine.truth(situation)))


@fact
def num_truth(engine, situation):
    return str(int(engine.truth(situation).sum()))


def prediction_of(engine: Engine, situation: Situation) -> float:
    """F of the molecule under the situation's readout, or the network's own."""
    readouts = engine.trace(situation).readouts
    return float(readouts.get(situation.readout, next(iter(readouts.values()))))


@fact
def prediction(engine, situation, under: Readout | None = None):
    return prediction_of(engine, replace(situation, readout=under or situation.readout))


@fact
def verdict(engine, situation, under: Readout | None = None):
    value = prediction_of(engine, replace(situation, readout=under or situation.readout))
    return "positive" if is_positive(value) else "negative"


@fact
def motif(engine, situation):
    found = contains_motif(engine.molecule(situation.molecule), engine.network(situation).pattern)
    return "contains the motif" if found else "does not contain the motif"
