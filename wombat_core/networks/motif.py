"""A GIN trained on library molecules to find a whitebox's motif: the same question, a learnt answer."""

from dataclasses import dataclass
from functools import lru_cache

from ..ground_truth import contains_motif
from ..molecules.encoding import encode
from ..molecules.positives import positives
from ..whitebox.catalogue import Pattern
from ..whitebox.catalogue import pattern as get_pattern
from .class_value import ClassValue
from .molecule_sets import balanced_molecules, labelled_splits, scale_on
from .networks import Architecture, Predictor
from .training import Curve, Training, TrainingSettings, train

SETTINGS = TrainingSettings(epochs=100, lr=3e-3, weight_decay=1e-5, graphs_at_once=32)


class MotifPredictor(ClassValue):
    """The learnt probability that a molecule contains the motif; it is called as a whitebox is.

    Attributes:
        pattern: whose motif it was trained on, for the ground truth.
    """

    def __init__(
        self, predictor: Predictor, pattern: Pattern, output: str = "probability", embedding_scale: float = 1.0
    ):
        super().__init__(predictor, 1, output, embedding_scale=embedding_scale)
        self.pattern = pattern

    def giving(self, output: str) -> "MotifPredictor":
        """The same network explained by its "probability" or its "logit"."""
        return MotifPredictor(self.predictor, self.pattern, output, self.embedding_scale)


@dataclass(frozen=True)
class MotifTraining:
    """A network trained on a motif.

    Attributes:
        model: the probability of "contains the motif", for all explainers of molecules.
        training: losses, accuracy and F1.
        molecules: SMILES by split, positives and negatives mixed.
        positives, negatives: how many of each there were.
    """

    model: MotifPredictor
    training: Training
    molecules: dict[str, tuple[str, ...]]
    positives: int
    negatives: int


def train_on_motif(
    pattern: Pattern | str | int,
    settings: TrainingSettings = SETTINGS,
    most: int = 600,
    kind: str = "gin",
    curve: Curve | None = None,
) -> MotifTraining:
    """Train a network on as many molecules with the motif as without it.

    Positives are molecules that match the relaxed SMARTS: the published ones and the library's first. Negatives
    are the library's that do not match, spread over the file; for every positive one of the same number of atoms,
    or the nearest there is, so that size tells nothing. All have at most 300 heavy atoms and none is left out by the
    benchmark. Features are those that the whiteboxes read; bond types are not seen.

    Args:
        pattern: whose motif.
        settings: of the training, with the seed of weights, order and splits.
        most: positives at most, and negatives likewise.
        kind: "gin" or "gcn".
        curve: filled epoch by epoch, for who wants to watch.

    Raises:
        InputError: fewer than ten molecules with the motif are known, or the library is not installed.
        Stopped: the listener wants no more.
    """
    own = pattern if isinstance(pattern, Pattern) else get_pattern(pattern)
    with_motif, without = balanced(own, most)
    splits, molecules = labelled_splits(with_motif, without, encode, settings.seed)
    architecture = Architecture(kind, splits.train[0].num_features, level="graph", mlp_layers=2)
    training = train(Predictor(architecture, settings.seed), splits, settings, curve)
    model = MotifPredictor(training.model, own, embedding_scale=scale_on(training.model, splits.train))
    return MotifTraining(model, training, molecules, len(with_motif), len(without))


@lru_cache(maxsize=32)
def balanced(pattern: Pattern, most: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """SMILES with the motif and as many without it, as :func:`train_on_motif` describes them.

    Raises:
        InputError: fewer than ten molecules with the motif are known, or the library is not installed.
    """
    number = str(pattern.variant_of or pattern.id)
    known = positives().get(int(number), []) if number.isdigit() else []
    return balanced_molecules(lambda molecule: contains_motif(molecule, pattern), most, pattern.title, known)
