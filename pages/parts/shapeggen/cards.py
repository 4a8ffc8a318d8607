"""What the cards of the Explain view show: the planted explanation, then one card an explainer, all in one layout."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from pages.shared.memory import remembered
from wombat_core.drawing.feature_strip import feature_strip_svg
from wombat_core.drawing.graphs import LABELS
from wombat_core.drawing.neighbourhood import draw_neighbourhood

from . import engine

if TYPE_CHECKING:
    from pages.addresses.shapeggen import ShapeGGenState
    from wombat_core.drawing.neighbourhood import NeighbourhoodPicture
    from wombat_core.shapeggen.node_tasks import NodeTask

    from .engine import Graph, NodeAnswer

WIDTH = 300
WIDE = 1.5
"""Width of a neighbourhood over its height, and the most that it is stretched for that."""
TELLS = {"node": "nodes", "edge": "edges", "feature": "features"}


def truth_card(page: ShapeGGenState, graph: Graph, task: NodeTask, height: int, dark: bool = False) -> dict[str, Any]:
    """The neighbourhood with its classes, and what is planted."""
    truth = task.truths[0]
    card = {"title": "Planted", "badge": {"text": "ground truth", "tone": "info"}}
    if page.mask == "feature":
        informative = int(truth.feature_mask.sum())
        svg = _features(graph, None, height, None)
        return card | {"svg": svg, "message": f"{informative} of {len(truth.feature_mask)} features are informative."}
    labels = graph.planted.data.y[truth.nodes].tolist()
    fills = [LABELS[label % len(LABELS)] for label in labels]
    picture = _picture(page, graph, task, height, fills=fills)
    marked = int((truth.node_mask if page.mask == "node" else truth.edge_mask[:]).sum())
    if page.mask == "node":
        message = f"{marked} of {len(truth.nodes)} nodes are in motifs"
    else:
        message = f"{marked // 2} of {len(truth.edge_mask) // 2} edges are planted"
    return card | _drawn(picture) | {"message": message}


def answer_card(page: ShapeGGenState, graph: Graph, task: NodeTask, answer: NodeAnswer, height: int) -> dict[str, Any]:
    """One explainer's mask and scores, or why there are none."""
    if answer.scores is None:
        state = answer.offer.state if answer.offer else "failed"
        text = {"new": "not run yet", "waiting": "running", "done": "running"}.get(state, state)
        tone = {"not run yet": "neutral", "running": "info"}.get(text, "warn")
        return {"title": answer.title, "badge": {"text": text, "tone": tone}, "message": answer.problem}
    raw, mask = answer.scores.of(page.mask), engine.mask_of(answer.scores, page.mask, page.rule)
    if raw is None or mask is None:
        return {"title": answer.title, "message": f"It gives no masks of {TELLS[page.mask]}."}
    accuracy = engine.accuracy_of(task, page.mask, mask)
    moved = engine.unfaithfulness_of(task, page.mask, mask, page.direction)
    shown, limit = (mask.astype(float), 1.0) if page.binary else (raw, None)
    if page.mask == "feature":
        drawn = {"svg": _features(graph, shown, height, limit)}
    else:
        drawn = _drawn(_picture(page, graph, task, height, scores=shown, limit=limit))
    return {
        "title": answer.title,
        **drawn,
        "caption": [
            {"label": "GEA", "value": _number(accuracy)},
            {"label": "GEF", "value": _number(moved)},
        ],
        "foot": _marked(int(mask.sum()), page.mask),
        "message": "" if raw.any() else "Every score is 0: it marks nothing.",
    }


def node_lines(page: ShapeGGenState, graph: Graph, task: NodeTask, answers: list[NodeAnswer]) -> list[dict[str, Any]]:
    """What is told of every node of the neighbourhood."""
    data, truth = graph.planted.data, task.truths[0]
    scores = {
        answer.title: answer.scores.node for answer in answers if answer.scores is not None and page.mask == "node"
    }
    found = []
    for place, node in enumerate(truth.nodes.tolist()):
        motif = int(data.motif[node])
        lines = [("class", str(int(data.y[node]))), ("motif", str(motif) if motif >= 0 else "none")]
        lines += [(title, f"{own[place]:.3g}") for title, own in scores.items()]
        found.append({"title": f"node {node}" + (" (explained)" if place == 0 else ""), "lines": lines})
    return found


@remembered(200)
def _places(key: str, node: int, hops: int, _task: NodeTask) -> np.ndarray:
    from wombat_core.drawing.graph_layout import neighbourhood_layout

    truth = _task.truths[0]
    places = neighbourhood_layout(truth.edge_index.numpy(), len(truth.nodes))
    # A place means nothing by itself, so the picture may be as wide as its card.
    span = np.maximum(np.ptp(places, axis=0), 1e-9)
    return places * (min(max(WIDE * span[1] / span[0], 1.0), WIDE), 1.0)


def _picture(page: ShapeGGenState, graph: Graph, task: NodeTask, height: int, *, fills=None, scores=None, limit=None):
    truth = task.truths[0]
    nodes = page.mask == "node"
    places = _places(graph.key, truth.node, graph.planted.parameters.num_layers, task)
    return draw_neighbourhood(
        places,
        truth.edge_index.numpy(),
        width=WIDTH,
        height=height,
        scores=scores if nodes else None,
        edge_scores=None if nodes else scores,
        limit=limit,
        ground_truth=truth.node_mask.numpy() if nodes else None,
        edge_truth=None if nodes else truth.edge_mask.numpy(),
        planted=(graph.planted.data.motif[truth.nodes] >= 0).numpy(),
        fills=fills,
        title=f"Neighbourhood of node {truth.node}",
    )


def _drawn(picture: NeighbourhoodPicture) -> dict[str, Any]:
    return {"svg": picture.svg, "positions": picture.positions, "radius": picture.atom_radius}


def _features(graph: Graph, scores: np.ndarray | None, height: int, limit: float | None) -> str:
    planted = graph.planted
    kinds = ["informative" if own else "redundant" for own in planted.informative.tolist()]
    kinds[planted.protected] = "protected"
    names = [f"feature {place}, {kind}" for place, kind in enumerate(kinds)]
    return feature_strip_svg(scores, planted.informative.numpy(), names, width=WIDTH, height=height, limit=limit)


def _number(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:.2f}"


def _marked(count: int, kind: str) -> str:
    if kind == "edge":
        return f"{count} directed edges"
    return f"{count} {TELLS[kind] if count != 1 else kind}"
