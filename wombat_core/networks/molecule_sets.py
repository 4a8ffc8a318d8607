"""Library molecules for training a graph predictor: as many of one kind as of the other, alike in size."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
import torch

from ..errors import InputError
from ..molecules.graphs import Graph, GraphBatch
from ..molecules.library import library_rows
from ..molecules.molecule import Molecule, from_smiles
from ..molecules.usability import exclusion_key
from ..progress import report
from .class_value import activation_scale
from .labelled import SPLITS, GraphSplits
from .networks import Predictor

LARGEST_MOLECULE = 300
SHARES = (0.7, 0.1, 0.2)
"""Of the molecules for training, validation and testing (GraphXAI, for its molecular data)."""
FEWEST = 10
EVERY = 4
"""Only every fourth molecule of the library is looked at, which takes seconds."""

Smiles = tuple[str, ...]


def balanced_molecules(
    contains: Callable[[Molecule], bool],
    most: int,
    title: str,
    known: Sequence[str] = (),
    near: Callable[[Molecule], bool] | None = None,
) -> tuple[Smiles, Smiles]:
    """Positives and as many negatives, SMILES.

    Args:
        contains: what makes a molecule positive.
        most: positives at most.
        title: of the task, for the error.
        known: positives to begin with.
        near: negatives that come close; every second negative is one of them, as far as there are.

    Raises:
        InputError: there are fewer than ten positives, or the library is not installed.
        Stopped: the listener wants no more.
    """
    found = {smiles: from_smiles(smiles).num_atoms for smiles in known[:most]}
    close: dict[int, list[str]] = {}
    others: dict[int, list[str]] = {}
    for molecule in _usable():
        if not contains(molecule):
            pool = close if near is not None and near(molecule) else others
            pool.setdefault(molecule.num_atoms, []).append(molecule.smiles)
        elif len(found) < most:
            found.setdefault(molecule.smiles, molecule.num_atoms)
    if len(found) < FEWEST:
        raise InputError(f"{title} has {len(found)} known positive molecules; training takes {FEWEST} at least.")
    return tuple(found), tuple(_matched(found.values(), close, others))


def _usable() -> Iterator[Molecule]:
    """Molecules of the library that have at most 300 heavy atoms and that the benchmark uses."""
    for row in islice(library_rows(), None, None, EVERY):
        report(0)
        try:
            molecule = from_smiles(row.smiles)
        except ValueError:
            continue
        if molecule.num_atoms <= LARGEST_MOLECULE and not exclusion_key(molecule):
            yield replace(molecule, smiles=row.smiles)


def _matched(sizes: Iterable[int], close: dict[int, list[str]], others: dict[int, list[str]]) -> Iterator[str]:
    """For every size a molecule of that size or the nearest, in turn from the two pools, none twice."""
    pools = [{size: iter(smiles) for size, smiles in pool.items()} for pool in (close, others)]
    for turn, size in enumerate(sizes):
        found = (_nearest(pools[(turn + step) % 2], size) for step in range(2))
        if (smiles := next((own for own in found if own is not None), None)) is not None:
            yield smiles


def _nearest(pool: dict[int, Iterator[str]], size: int) -> str | None:
    for near in sorted(pool, key=lambda own: (abs(own - size), own)):
        if (smiles := next(pool[near], None)) is not None:
            return smiles
    return None


def labelled_splits(
    with_motif: Smiles, without: Smiles, encode: Callable[[Molecule], Graph], seed: int
) -> tuple[GraphSplits, dict[str, Smiles]]:
    """Encoded molecules with labels 1 and 0 in three parts, and the SMILES of each part in the same order."""
    smiles = [*with_motif, *without]
    labels = [1] * len(with_motif) + [0] * len(without)
    graphs = [
        encode(from_smiles(text)).update({"y": torch.tensor([label])})
        for text, label in zip(smiles, labels, strict=True)
    ]
    parts = split_places(len(with_motif), len(without), seed)
    splits = GraphSplits(*([graphs[place] for place in part] for part in parts))
    return splits, {name: tuple(smiles[place] for place in part) for name, part in zip(SPLITS, parts, strict=True)}


def split_places(num_positives: int, num_negatives: int, seed: int) -> list[list[int]]:
    """Places of the training, validation and test molecules (positives first), 70/10/20 of each label, disjoint."""
    random = np.random.default_rng(seed)
    parts: list[list[int]] = [[], [], []]
    for first, count in ((0, num_positives), (num_positives, num_negatives)):
        cuts = np.round(np.cumsum(SHARES[:2]) * count).astype(int)
        for part, own in zip(parts, np.split(random.permutation(count) + first, cuts), strict=True):
            part += own.tolist()
    return parts


def scale_on(predictor: Predictor, graphs: Sequence[Graph]) -> float:
    """The :func:`~.class_value.activation_scale` on the first 200 of some graphs."""
    batch = GraphBatch.from_data_list(list(graphs[:200]))
    return activation_scale(predictor, batch.x, batch.edge_index)
