"""What the cards of the Explore page say: ground truth first, then one card an explainer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pages.shared.pictures import HEIGHT, answer_picture, not_drawn, own_limit, truth_picture
from pages.shared.text import score, seconds
from wombat_core.drawing.colours import format_value
from wombat_core.explainers.null_reason import null_reason
from wombat_core.explainers.registry import explainer_class
from wombat_core.explainers.tie_reason import tie_reason
from wombat_core.metrics.ranking import random_average_precision

if TYPE_CHECKING:
    from collections.abc import Callable

    from pages.shared.engine import Case, ExplainerAnswer
    from pages.shared.state import State
    from wombat_core.drawing.depiction import Depiction

GRAPHXAI = {"gea": "GEA ↑", "gef": "GEF ↓"}
"""GraphXAI's scores as cards write them; the arrow says which way is better."""

_STATES = {
    "new": {"text": "not run yet", "tone": "neutral"},
    "stopped": {"text": "stopped", "tone": "warn"},
    "failed": {"text": "failed", "tone": "warn"},
}


def truth_card(case: Case, state: State, height: int = HEIGHT) -> dict[str, Any]:
    """The ground truth."""
    marked, num_atoms = int(case.truth.sum()), case.molecule.num_atoms
    if marked:
        which = "Every atom" if marked == num_atoms else f"{marked} of {num_atoms} atoms"
        message = f"{which}: each match of the relaxed SMARTS, and the neighbours the network must look at."
        if state.present:
            message = f"{which} decide{'s' if which.startswith('Every') else ''}"
    else:
        message = case.no_truth or "No atom: the relaxed SMARTS matches nowhere."
    return {
        "title": "Ground truth",
        "badge": {"text": "the rule of the network", "tone": "info"},
        **_picture(case, message, lambda: truth_picture(case, state, height)),
    }


def answer_card(
    case: Case, answer: ExplainerAnswer, state: State, limit: float | None, height: int = HEIGHT
) -> dict[str, Any]:
    """One explainer's heatmap, scores and cost; or why there are none."""
    if answer.problem:
        return {"title": answer.title, "badge": _state(answer), "message": _instead(answer)}
    message = " ".join(filter(None, (_message(case, answer, state), *_notes(case, answer))))
    return {
        "title": answer.title,
        "badge": verdict_on(case, answer),
        "caption": _caption(case, answer, state, limit),
        "foot": seconds(answer.seconds),
        **_picture(case, message, lambda: answer_picture(case, answer, state, limit, height)),
    }


def _notes(case: Case, answer: ExplainerAnswer) -> list[str]:
    """What an explainer has to tell; notes on the molecule stand above the cards once."""
    return [note for note in answer.record.get("notes", ()) if note not in case.molecule.notes]


def _state(answer: ExplainerAnswer) -> dict[str, str]:
    """How far an explainer without an answer is."""
    if answer.offer is None:
        return {"text": "waits" if answer.waits else "failed", "tone": "warn"}
    return _STATES.get(answer.offer.state, {"text": "running", "tone": "info"})


def _instead(answer: ExplainerAnswer) -> str:
    """What stands in place of the picture."""
    if answer.offer is not None and answer.offer.state == "new":
        return f"{answer.summary} {answer.problem}"
    return answer.problem


def verdict_on(case: Case, answer: ExplainerAnswer) -> dict[str, str]:
    """The verdict on an answer in a few words."""
    scores = answer.scores
    if scores.iqr_pass is not None:
        passed = scores.iqr_pass
        return {"text": "IQR pass" if passed else "IQR fail", "tone": "good" if passed else "bad"}
    if answer.is_null:
        return {"text": "null", "tone": "neutral"}
    if scores.perfect is None:
        return {"text": "not scored", "tone": "neutral"}
    if scores.perfect:
        return {"text": "perfect", "tone": "good"}
    return {"text": "not perfect", "tone": "bad"}


def why_null(case: Case, answer: ExplainerAnswer, readout: str) -> str:
    """Why every atom scored alike, in this whitebox's own readout where it has but one."""
    own = readout if readout in case.predictions else next(iter(case.predictions))
    return null_reason(explainer_class(answer.name), answer.atoms, own, case.prediction(readout))


def ranks(values: np.ndarray) -> np.ndarray:
    """Rank of every importance, 1 for the largest; equal ones share the better rank."""
    return 1 + (values[None, :] > values[:, None]).sum(axis=1)


def atom_lines(case: Case, answers: list[ExplainerAnswer], signed: bool) -> list[dict[str, Any]]:
    """What pointing at an atom shows, one entry an atom."""
    given = [
        (answer.title, answer.shown(signed), None if answer.is_null else ranks(answer.atoms))
        for answer in answers
        if not answer.problem
    ]

    def told(value: float, rank: int | None) -> str:
        return f"{format_value(value)} ({'all alike' if rank is None else f'rank {rank} of {num_atoms}'})"

    num_atoms = case.molecule.num_atoms
    return [
        {
            "title": f"{atom.GetSymbol()}{atom.GetIdx()}",
            "lines": [
                ("hydrogens", atom.GetTotalNumHs()),
                ("ground truth", "yes" if case.truth[atom.GetIdx()] else "no"),
                *((title, told(values[i], None if rank is None else rank[i])) for title, values, rank in given),
            ],
        }
        for i, atom in enumerate(case.molecule.mol.GetAtoms())
    ]


def _picture(case: Case, message: str, draw: Callable[[], Depiction]) -> dict[str, Any]:
    """Picture and message of a card; of a very large molecule the message alone."""
    if why := not_drawn(case):
        return {"message": f"{why} {message}".strip()}
    picture = draw()
    return {
        "message": message,
        "svg": picture.svg,
        "positions": picture.positions,
        "radius": picture.atom_radius,
    }


def _caption(case: Case, answer: ExplainerAnswer, state: State, limit: float | None) -> list[dict[str, str]]:
    scores, parts = answer.scores, []
    if answer.is_null and state.present:
        return []
    if scores.auroc is not None:
        parts.append({"label": "AUROC", "value": score(scores.auroc)})
        chance = random_average_precision(len(case.truth), int(case.truth.sum()))
        hint = "" if state.present else f"(baseline {scores.ap_baseline:.3f}, random {chance:.3f})"
        parts.append({"label": "AP", "value": score(scores.average_precision), "hint": hint})
    if not state.present:
        parts += [{"label": GRAPHXAI[name], "value": f"{answer.record[name]:.2f}"} for name in _graphxai(answer)]
    if limit is None and not answer.is_null:
        parts.append({"label": "max", "value": format_value(own_limit(answer, state))})
    if scores.perfect is False and not answer.is_null:
        parts.append({"hint": _mistake(case, answer)})
    return parts


def _graphxai(answer: ExplainerAnswer) -> list[str]:
    """GraphXAI's scores that there are: GEA needs a ground truth, a null answer keeps no atom."""
    return [name for name in GRAPHXAI if answer.record[name] is not None and not answer.is_null]


def graphxai_note(answers: list[ExplainerAnswer], state: State) -> str:
    """What GEA and GEF on the cards are; "" where no card has them."""
    if state.present or not any(_graphxai(answer) for answer in answers if not answer.problem):
        return ""
    return (
        "GraphXAI's scores of the top quarter of the atoms. GEA, its Jaccard index with the ground truth, is at best 1 "
        "and cannot reach it where the ground truth is another share of the atoms. GEF, how far the prediction moves "
        "when only that quarter is shown: lower is better, at best 0. On a whitebox it is all or nothing, nearly "
        "always 0 or 1."
    )


def _message(case: Case, answer: ExplainerAnswer, state: State) -> str:
    scores = answer.scores
    if answer.is_null:
        what = "All alike" if state.present else "Null explanation, every atom scored alike"
        return f"{what}: {why_null(case, answer, state.readout)}."
    if scores.iqr_pass is False:
        return f"{_outliers(case, answer)} though nothing here is the motif."
    if scores.iqr_pass:
        return "No atom stands out, as it should be."
    if scores.perfect is False and not state.present:
        return tie_reason(answer.name, answer.atoms, case.truth, case.tied, state.readout)
    return scores.why.get("auroc", "")


def _mistake(case: Case, answer: ExplainerAnswer) -> str:
    """The strongest atom outside the ground truth and the weakest inside: "C7 above N0"."""
    outside, inside = np.flatnonzero(~case.truth), np.flatnonzero(case.truth)
    strong, weak = outside[answer.atoms[outside].argmax()], inside[answer.atoms[inside].argmin()]
    relation = "ties with" if answer.atoms[strong] == answer.atoms[weak] else "above"
    return f"{_symbol(case, strong)} {relation} {_symbol(case, weak)}"


def _outliers(case: Case, answer: ExplainerAnswer) -> str:
    # The criterion speaks of quartiles; the atom farthest from the median is the plainest witness.
    farthest = np.abs(answer.atoms - np.median(answer.atoms)).argmax()
    return f"{_symbol(case, farthest)} stands out,"


def _symbol(case: Case, index: int) -> str:
    return f"{case.molecule.mol.GetAtomWithIdx(int(index)).GetSymbol()}{index}"
