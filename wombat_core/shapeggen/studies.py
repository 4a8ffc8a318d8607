"""GraphXAI's questions about kinds of graphs (Figures 4 to 7), asked again of generated graphs."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..explainers.protocol import Explainer
from ..networks.training import SplitScores, TrainingSettings
from ..progress import in_turn
from ..registry import Registry
from .evaluate import EvaluationRow, Options, evaluate
from .node_tasks import sampled_test_nodes
from .parameters import Parameters
from .predictor import train_predictor
from .presets import DEMO, preset
from .store import stored_graph


@dataclass(frozen=True)
class Study:
    """A question.

    Attributes:
        name: for the URL.
        title: for pages.
        figure: of the paper.
        presets: what is compared, the paper's graphs.
        labels: what each of them stands for.
        mask: the kind of masks.
        metrics: what is measured.
        found: what the paper found, a sentence or two.
        reading: how it is read here, where the paper leaves that open; or "".
    """

    name: str
    title: str
    figure: int
    presets: tuple[str, ...]
    labels: tuple[str, ...]
    mask: str
    metrics: tuple[str, ...]
    found: str
    reading: str = ""


STUDIES = Registry(
    "study",
    {
        study.name: study
        for study in (
            Study(
                "homophily",
                "Homophilic or heterophilic",
                4,
                ("SG-Base", "SG-Heterophilic"),
                ("homophilic", "heterophilic"),
                "node",
                ("GEF",),
                "Explainers are 55.98 % more faithful on homophilic than on heterophilic ground truth.",
            ),
            Study(
                "motif",
                "House or triangle",
                5,
                ("SG-Base", "SG-SmallEx"),
                ("house", "triangle"),
                "node",
                ("GEF",),
                "Averaged over eight explainers, GEF with the house is 0.7476; with the triangle explanations are 59.98"
                " % less unfaithful.",
            ),
            Study(
                "features",
                "Informative features",
                7,
                ("SG-MoreInform", "SG-Base", "SG-LessInform"),
                ("8 of 11 informative", "4 of 11 informative", "4 of 21 informative"),
                "feature",
                ("GEF",),
                "As the share of informative features falls, unfaithfulness rises for all five explainers of features.",
            ),
            Study(
                "fairness",
                "Fairness",
                6,
                ("SG-Base", "SG-Unfair"),
                ("phi 0.5", "phi 0.75"),
                "node",
                ("GECF", "GEGF"),
                "On weakly unfair ground truth Grad-CAM and PGExplainer keep counterfactual fairness best, on strongly"
                " unfair ground truth PGM-Explainer. Most explainers do not show the unfairness that was built in.",
                "With phi 0.5 the protected feature tells nothing of the class, with 0.75 it is the other class in"
                " three of four nodes; the paper names no other settings. Both numbers are mismatches: lower is"
                " better.",
            ),
        )
    },
)
"""By name, in the order of the paper's questions."""


@dataclass(frozen=True)
class Part:
    """One graph of a study.

    Attributes:
        preset: its name.
        parameters: those, and what was changed.
        rows: of the explainers.
        scores: how good the network is, by split.
        redundant_accuracy: how well the redundant features alone tell the class, see ``Statistics``.
    """

    preset: str
    parameters: Parameters
    rows: tuple[EvaluationRow, ...]
    scores: dict[str, SplitScores]
    redundant_accuracy: float | None


def study(name: str) -> Study:
    """The study of that name.

    Raises:
        InputError: there is none.
    """
    return STUDIES[name]


def run_part(
    own: Study,
    place: int,
    kind: str,
    explainers: Sequence[Explainer],
    count: int,
    *,
    seed: int = 0,
    settings: TrainingSettings | None = None,
    changes: dict | None = None,
    options: Options | None = None,
    demo: bool = True,
) -> Part:
    """Generate one of a study's graphs, train a network on it and score explainers.

    Args:
        own: the study.
        place: of the graph among its presets.
        kind: "gin" or "gcn".
        explainers: which.
        count: test nodes.
        seed: of the graph, the nodes and the perturbed copies.
        settings: of the training; the paper's where None.
        changes: parameters that all graphs of the study get.
        options: see :class:`~wombat_core.shapeggen.evaluate.Options`.
        demo: about 500 nodes in place of the paper's number.

    Raises:
        InputError: the parameters do not go together, or no explainer gives the study's kind of masks.
        Stopped: the listener of the progress wants no more.
    """
    name = own.presets[place] + (DEMO if demo else "")
    parameters = preset(name).changed(seed=seed, **(changes or {}))
    made: list = []

    def graph() -> None:
        made.append(stored_graph(parameters))

    def network() -> None:
        made.append(train_predictor(made[0], kind, settings))

    def rows() -> list[EvaluationRow]:
        nodes = sampled_test_nodes(made[0], count, seed)
        return evaluate(made[0], made[1].model, explainers, nodes, (own.mask,), own.metrics, seed, options)

    _, _, found = in_turn(graph, network, rows)
    return Part(name, parameters, tuple(found), made[1].scores, made[0].statistics.redundant_accuracy)
