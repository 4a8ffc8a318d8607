"""The Generate view: the whole graph, its numbers beside the paper's, and the way to one of its nodes."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import streamlit as st

from pages.addresses.shapeggen import SHAPEGGEN, ShapeGGenState
from pages.shared.chart_frame import style_of
from pages.shared.text import plain
from wombat_core.drawing.chart_style import toolbar
from wombat_core.drawing.graphs import overview_figure

from .made import made_graph

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from pages.shared.state import State
    from wombat_core.shapeggen.statistics import Statistics

    from .engine import Graph

HEIGHT = 590


def generate(state: State, page: ShapeGGenState, beside: DeltaGenerator | None = None) -> None:
    """The view."""
    graph = made_graph(page)
    if graph is None:
        return
    picture, numbers = st.columns([1.6, 1], gap="medium")
    with picture:
        _overview(state, page, graph)
    with numbers:
        _node(page, graph)
        _statistics(page, graph.planted.statistics)
        _redundant(page, graph.planted.statistics)
        _downloads(graph)


def _overview(state: State, page: ShapeGGenState, graph: Graph) -> None:
    data, style = graph.planted.data, style_of(state, HEIGHT)
    selected = page.node if page.node is not None and page.node < graph.planted.num_nodes else None
    figure = overview_figure(
        graph.places,
        data.edge_index.numpy(),
        data.y.numpy(),
        data.motif.numpy(),
        data.subgraph_id.numpy(),
        selected=selected,
        style=style,
    )
    # The view someone zoomed into stays when a node is selected.
    figure.update_layout(clickmode="event+select", uirevision=graph.key)
    figure.update_traces(unselected={"marker": {"opacity": 1}}, selector={"mode": "markers"})
    key = f"shape-overview-{graph.key}"
    config = toolbar("shapeggen", style) | {"scrollZoom": True}
    st.plotly_chart(
        figure,
        key=key,
        on_select=lambda: _clicked(key),
        selection_mode="points",
        config=config,
        width="stretch",
        alt=f"A graph of {graph.planted.num_nodes:,} nodes",
    )


def _clicked(key: str) -> None:
    """Select the clicked node; a second click on it clears it."""
    points = st.session_state[key]["selection"]["points"]
    memory = f"{key}-clicked"
    if points and (node := points[-1].get("customdata")) is not None:
        st.session_state[memory] = int(node[0] if isinstance(node, (list, tuple)) else node)
        SHAPEGGEN.write(node=st.session_state[memory])
    elif memory in st.session_state and SHAPEGGEN.read()[0].node == st.session_state.pop(memory):
        SHAPEGGEN.write(node=None)


def _node(page: ShapeGGenState, graph: Graph) -> None:
    """The selected node in words."""
    planted = graph.planted
    if page.node is None:
        st.caption("Select a node in the picture to see its neighbourhood and have it explained. Scroll to zoom.")
        return
    truth = planted.truth(page.node)
    data = planted.data
    motif = int(data.motif[page.node])
    label = int(data.y[page.node])
    hops = planted.parameters.num_layers
    where = f"in motif {motif}" if motif >= 0 else "outside the motifs"
    split = next((title for title, mask in _splits(data) if mask[page.node]), "no")
    with st.container(border=True, gap="small", key="shape-node"):
        st.markdown(
            f"**Node {page.node}**, {where}: class {label}, sees {label + 1} motif{'s' * (label > 0)}. {split} node."
            f" Within {hops} hops: {len(truth.nodes)} nodes, {int(truth.node_mask.sum())} of them in motifs."
        )
        st.button(
            "Explain it",
            icon=":material/arrow_forward:",
            on_click=SHAPEGGEN.write,
            kwargs={"view": "explain"},
            key="shape-explain-it",
        )


def _splits(data):
    return (("Training", data.train_mask), ("Validation", data.val_mask), ("Test", data.test_mask))


def _statistics(page: ShapeGGenState, own: Statistics) -> None:
    """Table 6, ours beside the paper's."""
    from wombat_core.shapeggen import published_of, published_remark

    paper = published_of(page.parameters)
    rows = [
        ("nodes", f"{own.nodes:,}", paper and f"{paper.nodes:,}"),
        ("edges, both ways", f"{own.edges:,}", paper and f"{paper.edges:,}"),
    ]
    for label, count in enumerate(own.classes):
        theirs = paper and f"{paper.classes[label]:,} ({paper.classes[label] / paper.nodes:.0%})"
        rows.append((f"class {label}", f"{count:,} ({count / own.nodes:.0%})", theirs))
    rows += [
        (
            "mean degree",
            f"{own.mean_degree:.2f} ± {own.degree_error:.2f}",
            paper and f"{paper.mean_degree:.2f} ± {paper.degree_error:.2f}",
        ),
        ("motifs", f"{own.motifs:,} ({own.motif_nodes:,} nodes)", None),
        ("edges within a class", f"{own.label_homophily:.0%}", None),
        ("alike within a class", _number(own.same_label_similarity), None),
        ("alike between classes", _number(own.other_label_similarity), None),
        ("protected feature is the class", f"{own.protected_agreement:.0%}", None),
        ("accuracy by guessing", _number(own.largest_class), None),
        ("… from informative features", _number(own.informative_accuracy), None),
        ("… from redundant features", _number(own.redundant_accuracy), None),
    ]
    head = f"Table {paper.table}" if paper else ""
    lines = [f"| | here | {head} |", "|:--|--:|--:|"] if paper else ["| | here |", "|:--|--:|"]
    for name, here, there in rows:
        lines.append(f"| {name} | {here} |" + (f" {there or ''} |" if paper else ""))
    with st.container(key="shape-statistics"):
        st.markdown(
            "\n".join(lines).replace("$", ""),
            help="Alike: mean cosine similarity of the redundant features of connected nodes, the realised homophily."
            " Accuracy: of a logistic regression on test nodes. ± is the standard error.",
        )
    if paper and (remark := published_remark(own.nodes, paper)):
        st.caption(remark)


def _redundant(page: ShapeGGenState, own: Statistics) -> None:
    """A warning where the redundant features tell the class."""
    if not own.redundant_tell:
        return
    with st.container(key="shape-redundant"):
        st.warning(
            "The redundant features should tell nothing of the class. Here making neighbours alike (alg. 3) wrote the"
            " class into them: a network can be right without the features that count as ground truth."
        )
        if page.parameters.homophily_pairs != "same-label":
            st.button(
                "Use the released code's pairs",
                on_click=_same_label,
                args=(page,),
                help="Alg. 3 drives unconnected pairs of two classes apart; the released code takes pairs of one class,"
                " and the redundant features tell little. (homophily_pairs = same-label)",
                key="shape-same-label",
            )


def _downloads(graph: Graph) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="shape-downloads"):
        st.caption("Download", width="content")
        for ending, hint in (
            ("npz", "Arrays for numpy: features, edges, labels, motifs, splits"),
            ("json", "Everything but the masks of single nodes"),
            ("graphml", "For networkx, Gephi, Cytoscape"),
        ):
            st.download_button(
                f".{ending}",
                lambda ending=ending: _file(graph, ending),
                f"shapeggen.{ending}",
                help=hint,
                on_click="ignore",
                key=f"shape-download-{ending}",
            )


def _file(graph: Graph, ending: str) -> bytes:
    from wombat_core.shapeggen.export import write

    with TemporaryDirectory() as folder:
        path = Path(folder) / f"graph.{ending}"
        write(graph.planted, str(path))
        return path.read_bytes()


def _same_label(page: ShapeGGenState) -> None:
    SHAPEGGEN.write(changes=(*page.changes, ("homophily_pairs", "same-label")), node=page.node)


def _number(value: float | None) -> str:
    return "–" if value is None else plain(f"{value:.2f}")
