"""The five metrics of GraphXAI for several explainers on nodes of a generated graph."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..explainers.masked import KINDS
from ..explainers.protocol import Explainer
from ..metrics.summary import Summary
from ..networks.networks import Predictor
from ..progress import each
from ..registry import check_name
from .graph import PlantedGraph
from .node_masks import kinds_of
from .node_metrics import METRICS
from .node_tasks import NodeTask, node_task
from .options import Options
from .scored import Scored, Variants

__all__ = ["METRICS", "EvaluationRow", "Options", "evaluate"]


@dataclass(frozen=True)
class EvaluationRow:
    """One explainer's masks of one kind under one metric.

    Attributes:
        explainer: its name.
        kind: "node", "edge" or "feature".
        metric: one of ``METRICS``.
        summary: mean, standard error and number of nodes it could be computed on.
        values: the metric of every node [nodes], nan where undefined; None for one of all nodes together (GEGF).
    """

    explainer: str
    kind: str
    metric: str
    summary: Summary
    values: tuple[float, ...] | None


def evaluate(
    planted: PlantedGraph,
    predictor: Predictor,
    explainers: Sequence[Explainer],
    nodes: Sequence[int],
    masks: Sequence[str] = ("node",),
    metrics: Sequence[str] | None = None,
    seed: int = 0,
    options: Options | None = None,
) -> list[EvaluationRow]:
    """Score explainers against the planted explanations; the class that is predicted is the one explained.

    Reports its progress (:mod:`wombat_core.progress`) and can be stopped there. All masks that are compared
    are binary, made by ``options.rule``, for every metric; a kind of mask that an explainer does not give has no row.

    Args:
        planted: the graph.
        predictor: a trained node predictor.
        explainers: which.
        nodes: which nodes, for example of :func:`~wombat_core.shapeggen.node_tasks.sampled_test_nodes`.
        masks: kinds of masks.
        metrics: some of ``METRICS``; all of them where None.
        seed: of the perturbed copies and of the resampling behind GEGF's standard error.
        options: see :class:`Options`.

    Returns:
        Rows by explainer, then kind, then metric.

    Raises:
        InputError: an unknown metric or kind, no node, or a node that does not exist; nothing has run yet.
        Stopped: the listener wants no more.
    """
    options, metrics = options or Options(), tuple(METRICS if metrics is None else metrics)
    for what, chosen, known in (("metric", metrics, METRICS), ("mask", masks, KINDS)):
        for own in chosen:
            check_name(what, own, known)
    task = node_task(planted, predictor, nodes)
    variants = Variants(task, metrics, options, seed)
    found = each(list(explainers), lambda one: _rows(task, variants, one, masks, metrics, options, seed))
    return [row for rows in found for row in rows]


def _rows(
    task: NodeTask,
    variants: Variants,
    explainer: Explainer,
    kinds: Sequence[str],
    metrics: Sequence[str],
    options: Options,
    seed: int,
) -> list[EvaluationRow]:
    kinds = [kind for kind in kinds if kind in kinds_of(explainer.name)]
    if not kinds:
        return []
    jobs = [task, *(copy for copy, _ in variants.copies)]
    if variants.flipped is not None:
        jobs.append(variants.flipped)
    # A counterfactual is explained for the class it has now, as any other graph is.
    answers = each(jobs, lambda job: job.explain(explainer) if job.graphs else [])
    rows = []
    for kind in kinds:
        scored = Scored(task, variants, answers, kind, options)
        for metric in metrics:
            summary, values = METRICS[metric].of(scored, seed)
            rows.append(EvaluationRow(explainer.name, kind, metric, summary, values))
    return rows
