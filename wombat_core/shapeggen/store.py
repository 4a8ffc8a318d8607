"""Generated graphs kept in the user's cache folder."""

import hashlib
import json

import torch

from ..cache import load_arrays, save_arrays
from ..molecules.graphs import Graph
from .export import ARRAYS, arrays_of
from .generator import VERSION, generate
from .graph import PlantedGraph
from .parameters import Parameters


def stored_graph(parameters: Parameters) -> PlantedGraph:
    """The graph of :func:`generate`, from the cache folder where it was generated before.

    Raises:
        InputError, Stopped: as :func:`generate`.
    """
    key = graph_key(parameters)
    arrays = load_arrays("shapeggen", key)
    if arrays is not None and {*ARRAYS, "protected"} <= set(arrays):
        tensors = {name: torch.from_numpy(arrays[name]) for name in ARRAYS}
        return PlantedGraph(parameters, Graph(**tensors, protected=int(arrays["protected"])))
    graph = generate(parameters)
    save_arrays("shapeggen", key, arrays_of(graph))
    return graph


def graph_key(parameters: Parameters) -> str:
    """A short name of what these parameters generate, for caches of what is made from it."""
    text = json.dumps([VERSION, parameters.as_dict()], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:24]
