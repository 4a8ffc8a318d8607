"""The metrics of one explainer's masks, node by node."""

from collections.abc import Sequence

import numpy as np

from ..explainers.masked import on_masked
from ..metrics.accuracy import gea
from ..metrics.fairness import gecf
from ..metrics.faithfulness import gef
from ..metrics.masks import binarise
from ..metrics.stability import ges
from ..molecules.graphs import GraphBatch
from ..networks.class_value import ClassValue
from .node_masks import Scores
from .node_metrics import METRICS
from .node_tasks import NodeTask
from .options import Options
from .perturb import Perturbation, counterfactuals, perturbed


class Variants:
    """The task's perturbed copies that keep each prediction, and its counterfactuals; the same for all explainers."""

    def __init__(self, task: NodeTask, metrics: Sequence[str], options: Options, seed: int):
        how = options.perturbation
        self.copies: list[tuple[NodeTask, np.ndarray]] = []
        self.flipped: NodeTask | None = None
        if any(METRICS[name].copies for name in metrics):
            how = Perturbation(how.copies, how.noise, how.drop, how.seed + seed)
            for number in range(how.copies):
                copy = task.with_graphs(perturbed(task.graphs, task.planted.data.x, how, number))
                same = np.flatnonzero(copy.predicted == task.predicted)
                self.copies.append((copy.part(same), same))
        if any(METRICS[name].flipped for name in metrics):
            protected = task.planted.data.protected
            self.flipped = task.with_graphs(counterfactuals(task.graphs, protected, options.flip))


class Scored:
    """The metrics of one explainer's masks of one kind."""

    def __init__(self, task: NodeTask, variants: Variants, answers: list[list[Scores]], kind: str, options: Options):
        self.task, self.variants, self.kind, self.options = task, variants, kind, options
        self.masks = [self._mask(scores) for scores in answers[0]]
        self.answers = answers
        self._shown: np.ndarray | None = None

    def _mask(self, scores: Scores) -> np.ndarray:
        own = scores.of(self.kind)
        if own is None:
            raise AssertionError(f"the explainer gives {self.kind} masks")
        return binarise(own, self.options.rule)

    def gea(self) -> list[float]:
        truths = (getattr(truth, f"{self.kind}_mask").numpy() for truth in self.task.truths)
        return [gea([truth], mask) for truth, mask in zip(truths, self.masks, strict=True)]

    def gef(self) -> list[float]:
        return gef(self.task.probabilities, self.shown, self.options.direction).tolist()

    def ges(self) -> list[float]:
        others: list[list[np.ndarray]] = [[] for _ in self.masks]
        for (copy, places), scores in zip(self.variants.copies, self.answers[1:], strict=False):
            for place, graph, own in zip(places, copy.graphs, scores, strict=True):
                mask = self._mask(own)
                if self.kind == "edge":
                    # Edges that were taken out are in no mask.
                    whole = np.zeros(len(graph.kept), dtype=bool)
                    whole[graph.kept.numpy()] = mask
                    mask = whole
                others[place].append(mask)
        return [ges(mask, own) for mask, own in zip(self.masks, others, strict=True)]

    def gecf(self) -> list[float]:
        return [gecf(mask, self._mask(own)) for mask, own in zip(self.masks, self.answers[-1], strict=True)]

    def parities(self):
        """Predictions with all of the input and with the masks alone, the protected feature, and the positive class."""
        data = self.task.planted.data
        protected = data.x[list(self.task.nodes), data.protected].numpy()
        return self.task.predicted, self.shown.argmax(axis=1), protected, self.options.positive

    @property
    def shown(self) -> np.ndarray:
        """The probability of every class when only the mask is shown, [nodes, K]."""
        if self._shown is None:
            batch = GraphBatch.from_data_list(list(self.task.graphs))
            model = ClassValue(self.task.predictor, 0)
            found = on_masked(model, batch, self.kind, self.masks, lambda own, *inputs: own.probabilities(*inputs))
            self._shown = found.numpy()
        return self._shown
