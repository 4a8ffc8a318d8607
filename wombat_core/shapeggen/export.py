"""A generated graph as a file: arrays, JSON or GraphML. Nothing is pickled."""

import json
from pathlib import Path

import networkx as nx
import numpy as np

from ..errors import InputError
from .graph import PlantedGraph

ENDINGS = (".npz", ".json", ".graphml")
ARRAYS = (
    "x",
    "edge_index",
    "y",
    "train_mask",
    "val_mask",
    "test_mask",
    "motif",
    "subgraph_id",
    "informative",
    "redundant",
)
"""The tensors of ``PlantedGraph.data``."""


def check(path: str, with_truth: bool = False) -> None:
    """Find out before the work whether a file of that name can be written.

    Raises:
        InputError: its ending is not one of :data:`ENDINGS`, its folder does not exist, it is a folder itself, or the
            masks are wanted in a file that is not ``.npz``.
    """
    file = Path(path)
    if file.suffix.lower() not in ENDINGS:
        raise InputError(f"The file {path!r} must end in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}.")
    if with_truth and file.suffix.lower() != ".npz":
        raise InputError(f"The masks of every node are written to .npz files only, not to {path!r}.")
    if not file.parent.is_dir():
        raise InputError(f"There is no folder {str(file.parent)!r} to write {file.name!r} to.")
    if file.is_dir():
        raise InputError(f"{path!r} is a folder; name a file.")


def write(graph: PlantedGraph, path: str, with_truth: bool = False) -> None:
    """Write a graph; see :func:`arrays_of`, :func:`record_of` and :func:`network_of` for what the formats hold.

    Raises:
        InputError: as :func:`check`, or the file cannot be written.
    """
    check(path, with_truth)
    ending = Path(path).suffix.lower()
    try:
        if ending == ".npz":
            with open(path, "wb") as file:
                arrays = arrays_of(graph) | (truth_arrays(graph) if with_truth else {})
                np.savez_compressed(file, allow_pickle=False, **arrays)
        elif ending == ".json":
            Path(path).write_text(json.dumps(record_of(graph), allow_nan=False), encoding="utf-8")
        else:
            nx.write_graphml(network_of(graph), path)
    except OSError as error:
        raise InputError(f"The file {path!r} cannot be written: {error.strerror or error}.") from error


def arrays_of(graph: PlantedGraph) -> dict[str, np.ndarray]:
    """The tensors of ``graph.data``, ``protected`` [] and ``parameters`` [] (JSON text)."""
    arrays = {name: graph.data[name].numpy() for name in ARRAYS}
    return arrays | {
        "protected": np.array(graph.protected),
        "parameters": np.array(json.dumps(graph.parameters.as_dict())),
    }


def truth_arrays(graph: PlantedGraph) -> dict[str, np.ndarray]:
    """The masks of all nodes, one behind the other.

    Returns:
        ``truth_nodes`` and ``truth_node_mask``, of which those of node v are ``truth_node_start[v]`` to
        ``truth_node_start[v + 1]``; ``truth_edges`` (columns of ``edge_index``) and ``truth_edge_mask`` with
        ``truth_edge_start`` alike. The feature mask is ``informative``, the same for all.
    """
    truths = list(graph.truths(range(graph.num_nodes)))

    def joined(name: str) -> np.ndarray:
        return np.concatenate([getattr(truth, name).numpy() for truth in truths])

    def starts(name: str) -> np.ndarray:
        return np.cumsum([0, *(len(getattr(truth, name)) for truth in truths)])

    return {
        "truth_nodes": joined("nodes"),
        "truth_node_mask": joined("node_mask"),
        "truth_node_start": starts("nodes"),
        "truth_edges": joined("edges"),
        "truth_edge_mask": joined("edge_mask"),
        "truth_edge_start": starts("edges"),
    }


def record_of(graph: PlantedGraph) -> dict[str, object]:
    """Everything but the masks of single nodes, as JSON can hold it; each edge once."""
    data = graph.data
    nodes = [
        {
            "label": label,
            "motif": None if motif < 0 else motif,
            "subgraph": subgraph,
            "split": split,
            "features": features,
        }
        for label, motif, subgraph, split, features in zip(
            data.y.tolist(),
            data.motif.tolist(),
            data.subgraph_id.tolist(),
            _splits(graph),
            data.x.tolist(),
            strict=True,
        )
    ]
    return {
        "parameters": graph.parameters.as_dict(),
        "statistics": graph.statistics.as_dict(),
        "features": _kinds(graph),
        "nodes": nodes,
        "edges": [[a, b] for a, b in data.edge_index.t().tolist() if a < b],
    }


def network_of(graph: PlantedGraph) -> nx.Graph:
    """``graph.graph`` with every feature as a node attribute named after its kind, and the split."""
    network = graph.graph.copy()
    names = [f"{kind}_{column}" for column, kind in enumerate(_kinds(graph))]
    for node, (split, features) in enumerate(zip(_splits(graph), graph.data.x.tolist(), strict=True)):
        network.nodes[node].update(zip(names, features, strict=True), split=split)
    return network


def _kinds(graph: PlantedGraph) -> list[str]:
    kinds = np.where(graph.informative.numpy(), "informative", "redundant").astype(object)
    kinds[graph.protected] = "protected"
    return kinds.tolist()


def _splits(graph: PlantedGraph) -> list[str]:
    """The sets each node is in, joined by "+" (several, or none, where the split is overlapping)."""
    masks = {name: graph.data[f"{name}_mask"].tolist() for name in ("train", "val", "test")}
    return ["+".join(name for name in masks if masks[name][node]) for node in range(graph.num_nodes)]
