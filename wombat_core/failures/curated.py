"""Curated failures: cases chosen by hand, each with what can be checked about it, from ``data/cases.yaml``."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from ..data import data_file
from ..errors import InputError
from ..explainers.registry import explainer_class, explainer_taking
from ..explanation import Explanation, explain
from ..molecules.molecule import Molecule, from_smiles
from ..registry import check_name
from ..settings import settings_of
from ..whitebox.build import build
from ..whitebox.catalogue import patterns

CASES_FILE = data_file("cases.yaml")
PAGES = ("explore", "layers", "interpolation")
TOLERANCE = 1e-3

_TEXTS = ("id", "title", "kind", "molecule", "pattern", "readout", "see", "why", "source")
_SCORES = ("auroc", "average_precision", "ap_baseline")
_FLAGS = ("perfect", "iqr_pass", "is_null")
_PAIR = ("above", "ties")
_ATOMS = ("top", "zero")


@dataclass(frozen=True)
class CuratedCase:
    """One curated failure.

    Attributes:
        id: for links and tests.
        title, kind: of the card.
        molecule, name: its SMILES, and a name or "".
        pattern, readout: the whitebox.
        explainers: names, the one in question first.
        shown: the one whose heat the card shows, the first unless the file says otherwise.
        settings: explainers' settings that differ from their defaults, by name.
        page: where it opens, one of ``PAGES``.
        opened: further parameters of that page, by name.
        see, why: one sentence each.
        source: the figure or table of the paper, or where it was found.
        facts: what must hold, see :func:`failing_facts`.
    """

    id: str
    title: str
    kind: str
    molecule: str
    name: str
    pattern: str
    readout: str
    explainers: tuple[str, ...]
    shown: str
    settings: Mapping[str, Any]
    page: str
    opened: Mapping[str, Any]
    see: str
    why: str
    source: str
    facts: tuple[Mapping[str, Any], ...]

    def read(self) -> Molecule:
        """The molecule, atoms in the order of the SMILES."""
        return from_smiles(self.molecule, self.name or None)


@cache
def cases(file: Path = CASES_FILE) -> tuple[CuratedCase, ...]:
    """The curated cases, in order.

    Raises:
        InputError: the file cannot be read, or a case is not what it should be; the sentence names file and case.
    """
    try:
        entries = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{file.name} cannot be read: {error.strerror}.") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f", line {mark.line + 1}" if mark else ""
        raise InputError(
            f"{file.name}{place} is not YAML: {getattr(error, 'problem', None) or 'unreadable'}."
        ) from error
    if not isinstance(entries, list):
        raise InputError(f"{file.name} must be a list of cases.")
    found: dict[str, CuratedCase] = {}
    for number, entry in enumerate(entries, 1):
        id = entry.get("id") if isinstance(entry, dict) else None
        where = f"{file.name}, case {id if isinstance(id, str) else number}"
        try:
            case = _case(entry)
        except InputError as error:
            raise InputError(f"{where}: {error}") from error
        if case.id in found:
            raise InputError(f"{where}: there are two cases of this id.")
        found[case.id] = case
    return tuple(found.values())


def _case(entry: Any) -> CuratedCase:
    if not isinstance(entry, dict):
        raise InputError("a case must be a mapping.")
    known = (*_TEXTS, "name", "explainers", "shown", "settings", "open", "facts")
    for name in entry:
        if name not in known:
            raise InputError(f"there is no field {name!r}; the fields are {', '.join(known)}.")
    for name in _TEXTS:
        if not isinstance(entry.get(name), str) or not entry[name].strip():
            raise InputError(f"it needs a text {name!r}.")
    check_name("pattern", entry["pattern"], patterns())
    check_name("readout", entry["readout"], ("r1", "r2"))
    opened = dict(_mapping(entry, "open"))
    page = opened.pop("page", "explore")
    check_name("page", page, PAGES)
    names = entry.get("explainers")
    if not isinstance(names, list) or not names:
        raise InputError("it needs a list of explainers.")
    settings = _mapping(entry, "settings")
    for name in names:
        explainer_class(name)
    taken = {each for name in names for each in settings_of(explainer_class(name))}
    for name in settings:
        if name not in taken:
            raise InputError(f"none of its explainers has a setting {name!r}.")
    shown = entry.get("shown", names[0])
    if shown not in names:
        raise InputError(f"it shows {shown!r}, which is none of its explainers.")
    molecule = from_smiles(entry["molecule"])
    facts = entry.get("facts")
    if not isinstance(facts, list) or not facts:
        raise InputError("it needs a list of facts.")
    for fact in facts:
        _check_fact(fact, names, molecule.num_atoms)
    return CuratedCase(
        **{name: " ".join(entry[name].split()) for name in _TEXTS},
        name=entry.get("name") or "",
        explainers=tuple(names),
        shown=shown,
        settings=settings,
        page=page,
        opened=opened,
        facts=tuple(facts),
    )


def _mapping(entry: dict, name: str) -> dict:
    found = entry.get(name) or {}
    if not isinstance(found, dict):
        raise InputError(f"{name!r} must be a mapping.")
    return found


def _check_fact(fact: Any, names: list[str], num_atoms: int) -> None:
    if not isinstance(fact, dict) or fact.get("explainer") not in names:
        raise InputError(f"each fact needs an explainer, one of {', '.join(names)}.")
    if fact.get("pattern", "1") not in patterns() or fact.get("readout", "r1") not in ("r1", "r2"):
        raise InputError("a fact's pattern or readout does not exist.")
    checks = [name for name in fact if name not in ("explainer", "pattern", "readout")]
    for name in checks:
        if name not in (*_SCORES, *_FLAGS, *_PAIR, *_ATOMS, "prediction"):
            raise InputError(f"there is no kind of fact {name!r}.")
        atoms = fact[name] if name in (*_PAIR, *_ATOMS) else []
        if not all(isinstance(atom, int) and 0 <= atom < num_atoms for atom in atoms):
            raise InputError(f"the fact {name!r} names an atom that the molecule does not have.")
    if not checks:
        raise InputError("a fact says nothing but its explainer.")


def failing_facts(case: CuratedCase) -> list[str]:
    """Run the explainers of a case and check what is said of them; one sentence for each fact that does not hold.

    A fact names an explainer, another pattern or readout where it is about those, and any of:
        auroc, average_precision, ap_baseline, prediction: the value, to 1e-3 (of the value where it is above 1);
        perfect, iqr_pass, is_null: true or false;
        above: [a, b], atom a scores above atom b; ties: [a, b], they score alike to 1e-6;
        top: the atoms of the highest scores, in any order; zero: atoms that score 0.
    """
    molecule, found, wrong = case.read(), {}, []
    for fact in case.facts:
        key = (fact.get("pattern", case.pattern), fact.get("readout", case.readout), fact["explainer"])
        if key not in found:
            model = build(*key[:2]).eval().requires_grad_(False)
            [found[key]] = explain([molecule], model, explainer_taking(key[2], case.settings))
        for name, expected in fact.items():
            if name not in ("explainer", "pattern", "readout") and not _holds(name, expected, found[key]):
                wrong.append(f"{case.id}: {name} of {', '.join(key)} is not {expected}.")
    return wrong


def _holds(name: str, expected: Any, explanation: Explanation) -> bool:
    scores, atoms = explanation.scores, explanation.attribution.atom_scores
    if name in _SCORES or name == "prediction":
        value = explanation.prediction if name == "prediction" else getattr(scores, name)
        return value is not None and abs(value - expected) <= TOLERANCE * max(1.0, abs(expected))
    if name == "is_null":
        return explanation.attribution.is_null == expected
    if name in _FLAGS:
        return getattr(scores, name) is expected
    if name == "above":
        return bool(atoms[expected[0]] > atoms[expected[1]])
    if name == "ties":
        return bool(abs(atoms[expected[0]] - atoms[expected[1]]) <= 1e-6 * max(1.0, np.abs(atoms).max()))
    if name == "zero":
        return bool((atoms[expected] == 0).all())
    rest = np.delete(atoms, expected)
    return not len(rest) or bool(atoms[expected].min() > rest.max())
