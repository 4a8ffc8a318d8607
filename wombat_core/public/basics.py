"""Load a network, find a molecule, predict, look inside, walk along a path, validate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, overload

from rdkit.Chem import Mol

from ..engine import Engine
from ..errors import InputError
from ..explainers.registry import names
from ..molecules.molecule import Molecule, from_rdkit
from ..whitebox.catalogue import Pattern, fourteen

if TYPE_CHECKING:
    import numpy as np
    from rdkit.Chem import Mol

    from ..molecules.molecule import Molecule
    from ..paths.path import Path
    from ..screening.validation import Tally
    from ..subject import Subject
    from ..whitebox.build import Network
    from ..whitebox.model import Trace

_ENGINE = Engine()
"""Keeps molecules, their graphs and their ground truths; never networks, which callers may change."""


def load(pattern: str | int | Pattern, readout: str = "r1") -> Network:
    """The whitebox of a pattern, an ``nn.Module`` called as ``model(x, edge_index, edge_attr, batch)``.

    Args:
        pattern: "1" to "14", "12-leaf", "12-moving", "12-smoothing" or "flucarb"; or a ``Pattern``.
        readout: "r1" (Eq. 3, the maximum) or "r2" (Eq. 4, saturating); one with a readout of its own takes either.

    Returns:
        A new network in evaluation mode, yours to change; ``model.pattern`` and ``model.readout`` say what it is.

    Raises:
        InputError: there is no such pattern or readout.

    >>> model = load("5", readout="r2")
    >>> model.pattern.title, model.readout
    ('Pattern 5', 'r2')
    """
    from ..whitebox.build import build

    return build(_ENGINE.pattern(pattern), readout).eval()


def molecule(which: str | Molecule | Mol) -> Molecule:
    """A molecule from a SMILES, a name, a CAS number, an InChI or an InChIKey, or from an RDKit molecule.

    Atoms keep the order of the input, hydrogens are removed. Names are those of PubChem in the package ``chemicals``.

    Raises:
        InputError: the text stands for no molecule; the sentence says why, and which names are near.

    >>> molecule("aspirin")
    <Molecule aspirin, CC(=O)Oc1ccccc1C(=O)O, 13 heavy atoms>
    """
    if isinstance(which, str | Molecule):
        return _ENGINE.molecule(which)
    if not isinstance(which, Mol):
        raise InputError(f"A molecule is a SMILES, a name, a Molecule or an RDKit molecule, not {str(which)[:40]!r}.")
    return from_rdkit(which)


def network(model: Network | Pattern | str | int) -> Network:
    """A network as it is, or the r1 network of a pattern or its id.

    Raises:
        InputError: there is no such pattern.
    """
    return load(model) if isinstance(model, str | int | Pattern) else model


def subject(which: str | Molecule | Mol, model: Network) -> Subject:
    """A molecule under a network's pattern.

    Raises:
        InputError: as :func:`molecule`; or the network is no whitebox, so that no ground truth is known.
    """
    entry = getattr(model, "pattern", None)
    if not isinstance(entry, Pattern):
        raise InputError(
            f"{type(model).__name__} is no whitebox: it has no pattern, so no ground truth is known for it. Load one "
            'with load("5").'
        )
    return _ENGINE.subject(which if isinstance(which, str) else molecule(which), entry)


@overload
def predict(molecules: str | Molecule | Mol, model: Network) -> float: ...
@overload
def predict(molecules: Sequence[str | Molecule | Mol], model: Network) -> list[float]: ...
def predict(molecules: Any, model: Network) -> Any:
    """F(G), which is positive above 0.5: of one molecule a number, of several a list, in their order.

    Raises:
        InputError: as :func:`molecule`, or an atom carries more than 9 hydrogens.

    >>> predict(["NC(=O)NN=C1CCCC(C(=O)O)C1", "CCO"], load("5"))
    [16.0, 0.0]
    """
    from .. import explanation

    single = isinstance(molecules, str) or not isinstance(molecules, Sequence)
    several: list[Any] = [molecules] if single else list(molecules)
    model = network(model)
    subjects = [subject(which, model) for which in several]
    with one_thread():
        values = explanation.predict(subjects, model)
    return values[0] if single else values


def trace(which: str | Molecule | Mol, model: Network) -> Trace:
    """The forward pass: every layer's activations [num_atoms, channels] by name, and both readouts.

    Raises:
        InputError: as :func:`molecule`, or an atom carries more than 9 hydrogens.

    >>> trace("CC=O", load("12"))
    <Trace of 3 atoms through layers of ...>
    """
    model = network(model)
    graph: Any = subject(which, model).graph
    with one_thread():
        return model.trace(graph.x, graph.edge_index, graph.edge_attr)


def interpolate(
    which: str | Molecule | Mol, model: Network, alphas: np.ndarray | None = None, baseline: str = "zero"
) -> Path:
    """F, its slope and every atom's share on the straight path from a baseline to the molecule.

    Args:
        which: the molecule.
        model: the whitebox; gradients are those of its readout.
        alphas: ascending, in [0, 1]; 0, 0.01, ..., 1 where None.
        baseline: "zero" (the paper's), "mean-atom", or "without-N" and the like.

    Raises:
        InputError: as :func:`molecule`; alphas that do not ascend in [0, 1]; a baseline the molecule does not have.

    >>> interpolate("NC(=O)NN=C1CCCC(C(=O)O)C1", load("5", "r2"))
    <Path of 14 atoms from zero, 101 points: r1 0 to 16, r2 0 to 1, gathered exact, gap ...>
    """
    from ..paths import path
    from ..paths.baselines import baseline as baseline_of

    model = network(model)
    graph = subject(which, model).graph
    with one_thread():
        return path.interpolate(model, graph, alphas, baseline_of(baseline, graph))


def validate(
    molecules: Iterable[str | Molecule], patterns: Iterable[str | int | Pattern] | None = None, jobs: int = 1
) -> Tally:
    """Does the network agree with the relaxed SMARTS, under both readouts, on every molecule?

    Args:
        molecules: SMILES, names or molecules; what cannot be read is counted as left out.
        patterns: the whiteboxes; the fourteen where None.
        jobs: processes.

    Raises:
        InputError: there is no such pattern.

    >>> validate(["CCO", "CC=O", "NC(=O)NN=C1CCCC(C(=O)O)C1"], ["5", "12"])
    <Tally of 3 molecules under 2 patterns: no disagreement, 0 left out>
    """
    from ..screening import validation

    entries = fourteen() if patterns is None else [_ENGINE.pattern(each) for each in patterns]
    with one_thread():
        return validation.validate(enumerate(map(_found, molecules), start=1), entries, jobs)


def _found(which: str | Molecule) -> Molecule | InputError:
    try:
        return _ENGINE.molecule(which)
    except InputError as error:
        return error


def explainer_names() -> list[str]:
    """The names of all explainers, those that you registered last.

    >>> "integrated-gradients" in explainer_names()
    True
    """
    return names()


@contextmanager
def one_thread() -> Iterator[None]:
    """Within the block torch works on one thread: at this size more of them are many times slower."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
