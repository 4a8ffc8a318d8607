"""Plain words for atoms, terms and numbers, shared by the sentences and the calculations."""

from functools import cache

import numpy as np
from rdkit import Chem

from ..molecules.features import (
    BOND_TYPES,
    NUM_ATOM_FEATURES,
    NUM_BOND_FEATURES,
    NUM_ELEMENTS,
    WOMBAT_PLUS,
    feature_names,
)
from .conditions import phrase
from .notation import AtomTerm

BOND_WORDS = dict(zip("-=#:", BOND_TYPES, strict=True)) | {"~": "any"}
_VOWELS = "aeiouAEFHILMNORSX"
"""Beginnings that take "an": vowels of words, and capital letters whose name begins with a vowel."""


@cache
def element_word(symbol: str) -> str:
    """The element's name in lower case ("carbon")."""
    return Chem.GetPeriodicTable().GetElementName(Chem.GetPeriodicTable().GetAtomicNumber(symbol)).lower()


@cache
def elements_word(element: str, many: bool = False) -> str:
    """The elements of a term in words: "carbon", "carbon or nitrogen", "atom that is no carbon"."""
    names = [element_word(symbol) for symbol in element.lstrip("!").split(",") if symbol]
    plural = "s" if many else ""
    if element.startswith("!"):
        if not names:
            return f"atom{plural} of any element"
        return f"atom{plural} that {'are' if many else 'is'} no {' or '.join(names)}"
    named = [f"{name}{plural}" for name in names]
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} or {named[-1]}"


def bonds_word(text: str) -> str:
    """The kinds of bond of a bond term: "single", "single or aromatic", "any"."""
    kind = text.partition(";")[0]
    if kind == "order":
        return "any (counted by its order)"
    if kind in BOND_WORDS:
        return BOND_WORDS[kind]
    named = [BOND_WORDS[sign] for sign in kind if sign in BOND_WORDS]
    return f"{', '.join(named[:-1])} or {named[-1]}" if len(named) > 1 else "other"


def article(word: str) -> str:
    """A word, or a channel name (in backquotes or not), with its indefinite article."""
    return f"{'an' if word.lstrip('`')[0] in _VOWELS else 'a'} {word}"


def weighted_hydrogens(counts: tuple[int, ...], factors: tuple[int, ...]) -> str:
    """ "with 0 or 1 hydrogens (counting 2 or 3)": what an atom weighs depends on its hydrogens."""
    weights = [str(factor) for factor in factors]
    text = weights[0] if len(weights) == 1 else f"{', '.join(weights[:-1])} or {weights[-1]}"
    return f"{hydrogens(counts)} (counting {text})"


def hydrogens(counts: tuple[int, ...]) -> str:
    """ "with no hydrogens", "with exactly 1 hydrogen", "with 0 or 1 hydrogens"."""
    if counts == (0,):
        return "with no hydrogens"
    if len(counts) == 1:
        return f"with exactly {counts[0]} hydrogen{'' if counts[0] == 1 else 's'}"
    *first, last = map(str, counts)
    return f"with {', '.join(first)} or {last} hydrogens"


def atom_labels(x) -> list[str]:
    """Symbol and number of every atom ("C5") from ``x`` [num_atoms, 110 or more]; "atom 5" without an element."""
    names = feature_names()
    elements = np.asarray(x)[:, :NUM_ELEMENTS]
    slots, known = elements.argmax(axis=1), elements.max(axis=1) > 0
    return [
        f"{names[slot]}{i}" if seen else f"atom {i}" for i, (slot, seen) in enumerate(zip(slots, known, strict=True))
    ]


def hydrogen_count(features: np.ndarray) -> int | None:
    """The hydrogen count that one atom's features [110] name, or None where they name none."""
    slots = features[NUM_ELEMENTS:NUM_ATOM_FEATURES]
    return int(slots.argmax()) if slots.max() > 0 else None


def has_element(term: AtomTerm, features: np.ndarray) -> bool:
    """Whether an atom with these features [110] is of the term's element; True where the term names none."""
    if term.element is None:
        return True
    only_element = AtomTerm(term.text, term.element, None).weights()[:NUM_ELEMENTS]
    return bool(only_element @ features[:NUM_ELEMENTS] > 0)


def _symbol(features: np.ndarray) -> str:
    return feature_names()[int(features[:NUM_ELEMENTS].argmax())]


def why_not(term: AtomTerm, features: np.ndarray) -> str:
    """Why an atom with these features [110] is not what ``term`` asks for: "is no carbon", "has 2 hydrogens"."""
    if not has_element(term, features):
        if term.element in ("*", "1"):
            return "is of no element the network knows"
        word = elements_word(term.element)
        return f"is {article(element_word(_symbol(features)))}" if term.is_negated else f"is no {word}"
    unmet = next((words for words in term.conditions if not _holds(words, features)), None)
    if unmet is not None:
        return f"is not {phrase((unmet,))}".replace("is not not ", "is ")
    count = hydrogen_count(features)
    if term.hydrogens is None or count is None:
        return "has no features"
    return "has no hydrogens" if count == 0 else f"has {count} hydrogen{'' if count == 1 else 's'}"


def _holds(words: tuple[str, ...], features: np.ndarray) -> bool:
    """Whether one of these conditions holds; of an atom of another encoding, no."""
    slots = WOMBAT_PLUS.atom_slots
    return len(features) > NUM_ATOM_FEATURES and any(
        (features[slots[word.removeprefix("!")]] > 0) != word.startswith("!") for word in words
    )


def bond_word(features: np.ndarray) -> str:
    """The kind of bond that its features [4] name."""
    types = features[:NUM_BOND_FEATURES]
    return f"{BOND_TYPES[int(types.argmax())]} bond" if types.max() > 0 else "bond of another kind"


def number(value: float) -> str:
    """A number for people: whole ones without a point, others with six significant digits."""
    if value == round(value) and abs(value) < 1e15:
        return str(round(value))
    return f"{value:.6g}"
