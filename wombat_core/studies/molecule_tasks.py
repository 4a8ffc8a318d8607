"""GraphXAI's molecular tasks on library molecules: a GIN each, explainers, GEA and GEF beside Table 5."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
import torch

from ..errors import InputError
from ..explainers.checked import attribute
from ..explainers.masked import on_masked
from ..explainers.protocol import Explainer
from ..metrics.accuracy import gea
from ..metrics.faithfulness import gef
from ..metrics.masks import binarise
from ..metrics.summary import Summary, of_values
from ..molecules.graphs import Graph, GraphBatch
from ..molecules.molecule import from_smiles
from ..networks.class_value import ClassValue, Examples
from ..networks.molecule_sets import FEWEST, balanced_molecules, labelled_splits, scale_on
from ..networks.networks import Architecture, Predictor
from ..networks.training import Curve, Training, TrainingSettings, train
from ..progress import each
from .molecule_rules import ATOM_TYPES, MoleculeTask, encode, is_near, is_positive, molecule_task, truths

SETTINGS = TrainingSettings(epochs=100, lr=3e-3, weight_decay=1e-5, graphs_at_once=32)


def remark(counts: Sequence[int]) -> str:
    """What to keep in mind beside Table 5, in a sentence.

    Args:
        counts: molecules of each task, positive and negative ones together.
    """
    used = f"{min(counts):,}" if min(counts) == max(counts) else f"{min(counts):,} to {max(counts):,}"
    return (
        "The paper's numbers are of other molecules and another network: its data sets have up to 12,000 graphs, here"
        f" {used} molecules of the library were used for a task, about as many positive as negative."
    )


@dataclass(frozen=True)
class TaskTraining:
    """A network trained on a task.

    Attributes:
        task: the rule.
        model: the probability of "positive", for explainers.
        training: losses, accuracy and F1.
        molecules: SMILES by split.
    """

    task: MoleculeTask
    model: ClassValue
    training: Training
    molecules: dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class MoleculeRow:
    """One explainer's atom masks under "GEA" or "GEF"; ``values`` [molecules], nan where undefined."""

    task: str
    explainer: str
    metric: str
    summary: Summary
    values: tuple[float, ...]


def train_on_task(
    name: str, settings: TrainingSettings = SETTINGS, most: int = 600, kind: str = "gin", curve: Curve | None = None
) -> TaskTraining:
    """Train a network on a task: as many positives as negatives of the same size, 70/10/20.

    Where the rule has two parts, every second negative has one of them, so that neither decides alone.

    Raises:
        InputError: no such task, fewer than ten positives asked for, or the library is not installed.
        Stopped: the listener wants no more.
    """
    task = molecule_task(name)
    check_most(most)
    splits, molecules = labelled_splits(*_molecules(name, most), encode, settings.seed)
    architecture = Architecture(kind, len(ATOM_TYPES), level="graph", mlp_layers=2)
    training = train(Predictor(architecture, settings.seed), splits, settings, curve)
    model = ClassValue(
        training.model,
        1,
        examples=partial(_examples, tuple(splits.train)),
        embedding_scale=scale_on(training.model, splits.train),
    )
    return TaskTraining(task, model, training, molecules)


def check_most(most: int) -> None:
    """Raises InputError where so few positive molecules are no training set."""
    if most < FEWEST:
        raise InputError(f"--most must be at least {FEWEST} positive molecules to train a network, not {most}.")


@lru_cache(maxsize=8)
def _molecules(name: str, most: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    task = molecule_task(name)
    near = (lambda molecule: is_near(molecule, task)) if len(task.parts) > 1 else None
    return balanced_molecules(lambda molecule: is_positive(molecule, task), most, task.title, near=near)


def _examples(graphs: tuple[Graph, ...], positives: int, negatives: int) -> Examples:
    found: Examples = []
    for label, count in ((1, positives), (0, negatives)):
        found += [(graph, float(label)) for graph in graphs if int(graph.y) == label][:count]
    return found


def evaluate_task(
    trained: TaskTraining,
    explainers: Sequence[Explainer],
    molecules: int = 50,
    rule: str = "top-25%",
    direction: str = "printed",
) -> list[MoleculeRow]:
    """GEA and GEF of explainers on the first positive test molecules; explained is the class "positive".

    Raises:
        InputError: no molecule, or an unknown rule or direction.
        Stopped: the listener wants no more.
    """
    if molecules < 1:
        raise InputError(f"At least 1 molecule is needed, not {molecules}.")
    own = [from_smiles(smiles) for smiles in trained.molecules["test"]]
    chosen = [molecule for molecule in own if is_positive(molecule, trained.task)][:molecules]
    known = [truths(molecule, trained.task) for molecule in chosen]
    graphs: list[Graph] = [
        encode(molecule).update({"truth": torch.from_numpy(np.any(ways, axis=0))})
        for molecule, ways in zip(chosen, known, strict=True)
    ]
    batch = GraphBatch.from_data_list(graphs)

    def rows(explainer: Explainer) -> list[MoleculeRow]:
        answers = attribute(explainer, trained.model, batch)
        masks = [binarise(answer.atom_scores, rule) for answer in answers]
        accuracy = [gea(ways, mask) for ways, mask in zip(known, masks, strict=True)]
        faithfulness = _gef(trained.model, batch, masks, direction)
        return [
            MoleculeRow(trained.task.name, explainer.name, metric, of_values(values), tuple(values))
            for metric, values in (("GEA", accuracy), ("GEF", faithfulness))
        ]

    return [row for found in each(list(explainers), rows) for row in found]


def _gef(model: ClassValue, batch: GraphBatch, masks: list[np.ndarray], direction: str) -> list[float]:
    whole = model.probabilities(batch.x, batch.edge_index, batch.edge_attr, batch.batch)
    shown = on_masked(model, batch, "node", masks, lambda own, *inputs: own.probabilities(*inputs))
    return gef(whole.numpy(), shown.numpy(), direction).tolist()
