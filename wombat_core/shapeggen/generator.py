"""From parameters to a graph, step by step (alg. 1)."""

import numpy as np
import torch

from ..molecules.graphs import Graph
from ..progress import in_turn
from .features import draw_features
from .graph import PlantedGraph
from .homophily import draw_pairs, optimise_homophily
from .parameters import Parameters
from .split import split_masks
from .structure import Structure, build_structure

VERSION = 1
"""Raise it when the same parameters give another graph, so that no cache answers for the old one."""


def generate(parameters: Parameters) -> PlantedGraph:
    """A random graph with planted motifs; the same parameters, seed included, give the same graph.

    Structure, features, homophily and split draw from random numbers of their own: parameters of the features leave the
    structure as it is. No global random state is read or changed. Progress is told to the listener of
    ``progress.py``.

    Raises:
        InputError: the parameters give no usable graph; the sentence says what to change.
        Stopped: the listener wants no more.
    """
    streams = [np.random.default_rng(seed) for seed in np.random.SeedSequence(parameters.seed).spawn(4)]
    made: list[Structure] = []

    def structure() -> None:
        made.append(build_structure(parameters, streams[0]))

    def data() -> Graph:
        return _data(made[0], parameters, *streams[1:])

    _, found = in_turn(structure, data)
    return PlantedGraph(parameters, found)


def _data(
    structure: Structure,
    parameters: Parameters,
    features_rng: np.random.Generator,
    pairs_rng: np.random.Generator,
    split_rng: np.random.Generator,
) -> Graph:
    features = draw_features(structure.labels, parameters, features_rng)
    alike = parameters.homophily_pairs == "same-label"
    pairs = draw_pairs(structure.edge_index, structure.labels, pairs_rng, unconnected_alike=alike)
    x = torch.from_numpy(features.x).float()
    redundant = torch.from_numpy(features.redundant)
    x[:, redundant] = optimise_homophily(x[:, redundant], pairs, parameters.homophily)
    train, val, test = split_masks(len(x), split_rng, overlapping=parameters.split == "overlapping")
    return Graph(
        x=x,
        edge_index=torch.from_numpy(structure.edge_index),
        y=torch.from_numpy(structure.labels),
        train_mask=torch.from_numpy(train),
        val_mask=torch.from_numpy(val),
        test_mask=torch.from_numpy(test),
        motif=torch.from_numpy(structure.motif),
        subgraph_id=torch.from_numpy(structure.subgraph),
        informative=torch.from_numpy(features.informative),
        redundant=redundant,
        protected=features.protected,
    )
