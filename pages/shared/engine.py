"""The core's engine, shared by all sessions, in the form that pages need. Its first call loads torch and RDKit."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from wombat_core.engine import LIMITS, Engine, Lookup
from wombat_core.errors import InputError
from wombat_core.explainers.estimate import estimate
from wombat_core.explainers.registry import explainer_class, explainer_taking
from wombat_core.host import host
from wombat_core.memo import Memo
from wombat_core.progress import Stopped

from . import jobs

if TYPE_CHECKING:
    import numpy as np

    from wombat_core.explainers.protocol import Explainer
    from wombat_core.metrics.scores import Scores
    from wombat_core.molecules.molecule import Molecule
    from wombat_core.subject import Subject
    from wombat_core.whitebox.build import Network
    from wombat_core.whitebox.catalogue import Pattern

    from .state import State

COSTLY_ATOMS = 150
"""Above this number of heavy atoms, explainers that sample wait until they are asked for."""
LARGE_ATOMS = 250
"""Above this number a page warns that its pictures are crowded and slow."""

_LOG = logging.getLogger("wombat.pages")


@dataclass(frozen=True, eq=False)
class Case:
    """A molecule under one whitebox.

    Attributes:
        molecule, pattern: which.
        truth: ground-truth atoms, bool [num_atoms].
        formula: molecular formula.
        left_out: why the benchmark leaves the molecule out, one sentence a reason.
        predictions: F(G) by readout; empty where the molecule cannot be encoded.
        problem: why it cannot be encoded, or None.
        no_truth: why there is no ground truth: a compiled network and RDKit differ on the molecule. Else None.
    """

    molecule: Molecule
    pattern: Pattern
    truth: np.ndarray
    formula: str
    left_out: tuple[str, ...]
    predictions: dict[str, float]
    problem: str | None = None
    tied: int = 0
    no_truth: str | None = None

    @property
    def contains_motif(self) -> bool:
        """Whether RDKit finds the motif, which is the label."""
        if self.no_truth is not None:
            from wombat_core.ground_truth import contains_motif

            return contains_motif(self.molecule, self.pattern)
        return bool(self.truth.any())

    def prediction(self, readout: str) -> float:
        """F(G) under the readout, or under the network's own where it has but one."""
        return self.predictions[readout if readout in self.predictions else next(iter(self.predictions))]

    def is_positive(self, readout: str) -> bool:
        """The network's decision under the readout."""
        from wombat_core.whitebox.model import is_positive

        return is_positive(self.prediction(readout))


@dataclass(frozen=True, eq=False)
class ExplainerAnswer:
    """One explainer's answer in the size that a page needs, or the sentence that stands in its place.

    Attributes:
        name, title, summary: of the explainer.
        problem: why there is no answer; the fields below are None then.
        waits: whether the explainer only waits to be asked.
        offer: the job that computes the answer when asked for; there is no answer yet.
        atoms, signed_atoms: importance and sum of attributions of every atom, [num_atoms].
        bonds, signed_bonds: the same of every bond [num_bonds], or None where the method gives none.
        scores: against the ground truth.
        is_null: every atom scores alike.
        seconds: what it took.
        record: the dictionary that the terminal prints as JSON.
    """

    name: str
    title: str
    summary: str
    problem: str | None = None
    waits: bool = False
    offer: jobs.Job | None = None
    atoms: np.ndarray | None = None
    signed_atoms: np.ndarray | None = None
    bonds: np.ndarray | None = None
    signed_bonds: np.ndarray | None = None
    scores: Scores | None = None
    is_null: bool = False
    seconds: float = 0.0
    record: dict | None = None

    def shown(self, signed: bool) -> np.ndarray | None:
        """The attributions of the atoms in the chosen form."""
        return self.signed_atoms if signed else self.atoms

    def shown_bonds(self, signed: bool) -> np.ndarray | None:
        """The attributions of the bonds in the chosen form."""
        return self.signed_bonds if signed else self.bonds


@st.cache_resource(show_spinner=False)
def get_engine() -> Engine:
    """The engine of all sessions; whatever it computes, it computes once within its memory. Threads may use it."""
    return Engine(Memo(LIMITS, host().limits.memory))


def find(text: str) -> Lookup:
    """The molecule a text stands for."""
    return get_engine().look_up(text)


def pattern(id: str) -> Pattern:
    """The facts about one whitebox."""
    return get_engine().pattern(id)


def whitebox(id: str, readout: str) -> Network:
    """The network of a pattern under a readout, shared by all sessions."""
    return get_engine().network(id, readout)


def case(text: str, id: str) -> Case:
    """A molecule that ``find`` knows, under the whitebox of a pattern."""
    engine = get_engine()

    def make() -> Case:
        subject = engine.subject(text, id)
        predictions, problem, tied = {}, None, 0
        try:
            predictions, products = engine.predictions(text, id), engine.trace(text, id).products
            tied = 0 if products is None else int((products == products.max()).sum())
        except InputError as error:
            problem = str(error)
        return Case(
            subject.molecule,
            subject.pattern,
            subject.truth,
            subject.formula,
            subject.left_out,
            predictions,
            problem,
            tied,
            subject.no_truth,
        )

    return engine.once("case", (text, id), make)


def answers(state: State) -> list[ExplainerAnswer]:
    """The answers of the chosen explainers; what fails says so in its own place."""
    return [answer(state, name) for name in state.explainers]


def answer(state: State, name: str) -> ExplainerAnswer:
    """One explainer's answer on the molecule of the state."""
    kind = explainer_class(name)
    head = {"name": name, "title": kind.title, "summary": kind.summary}
    try:
        settings = explainer_taking(name, state.settings(name))
        key = (state.molecule, state.pattern, state.readout, name, repr(settings))
        large = hasattr(settings, "samples") and find(state.molecule).molecule.num_atoms > COSTLY_ATOMS
        if not (kind.expensive or large or jobs.known_job("explainer", key)):
            try:
                with jobs.soon():
                    return ExplainerAnswer(**head, **_computed(*key, settings))
            except Stopped:
                pass  # it takes long after all, and waits to be asked for
        job = _offer(key, settings, kind.title)
        if job.answer is not None:
            return ExplainerAnswer(**head, **job.answer)
        return ExplainerAnswer(**head, problem=offer_problem(kind.title, job), waits=True, offer=job)
    except InputError as error:
        return ExplainerAnswer(**head, problem=str(error))
    except Exception:
        _LOG.exception("%s failed on %r under pattern %s", name, state.molecule, state.pattern)
        return ExplainerAnswer(**head, problem=jobs.UNEXPECTED)


def offer_problem(title: str, job: jobs.Job) -> str:
    """Why there is no answer yet, and what became of an earlier run."""
    if job.is_active:
        return f"{title} is running."
    if job.state == "failed":
        return job.problem
    if job.state == "stopped":
        return f"{title} was stopped at {100 * job.share:.0f} %, without an answer."
    time = f"it takes {job.estimate}" if job.estimate else "how long it takes is not known"
    return f"It runs only when asked for; {time}."


def _offer(key: tuple, settings: Explainer, title: str) -> jobs.Job:
    """The job of an explainer that runs only when asked for.

    Raises:
        InputError: it cannot run on this molecule.
    """
    text, id, readout = key[:3]
    if problem := case(text, id).problem:
        raise InputError(problem)
    # Looked up here: the thread that works knows nothing of Streamlit's caches.
    subject, model = get_engine().subject(text, id), whitebox(id, readout)
    needed = estimate(settings, model, subject.num_atoms)
    job = jobs.get_job("explainer", key, title)
    job.estimate = needed
    return job.of(lambda: explained(subject, model, settings))


def _computed(text: str, id: str, readout: str, name: str, settings: str, explainer: Explainer) -> dict:
    engine = get_engine()

    def make() -> dict:
        return explained(engine.subject(text, id), engine.network(id, readout), explainer)

    return engine.once("answer", (text, id, readout, name, settings), make)


def explained(which: Molecule | Subject, model: Network, explainer: Explainer) -> dict:
    """The fields of an ``Answer`` that are the explainer's own."""
    from wombat_core.explanation import explain
    from wombat_core.records import explain_record
    from wombat_core.studies.graphxai_scores import graphxai_scores

    [explanation] = explain([which], model, explainer)
    [graphxai] = graphxai_scores([explanation])
    attribution = explanation.attribution
    return {
        "atoms": attribution.atom_scores,
        "signed_atoms": attribution.signed_atom_scores,
        "bonds": attribution.bond_scores,
        "signed_bonds": attribution.signed_bond_scores,
        "scores": explanation.scores,
        "is_null": attribution.is_null,
        "seconds": attribution.seconds,
        "record": explain_record(explanation.molecule, model, explanation, graphxai),
    }
