"""Terms that ask for more than element, hydrogens and bond type: the slots of the encoding ``wombat+``.

After a ``;`` a term lists conditions, all of which must hold: ``C;H1;aromatic;cycle6;!cycle5;charge0,charge+1``,
``:;cycle6``. A flag (``ring``, ``cycle6``) may be denied with ``!``; of a one-hot group (``charge0``, ``rings2``,
``smallest6``, ``ringbonds3``) the ones that are allowed are listed. Denied slots weigh -10. Where k flags must be
there, each weighs what the term without them can reach (1 for ``C``), and every hydrogen slot (of a bond: every type),
of which an atom always has one, k times as much less: the term is 1 where all hold, 0 or less elsewhere.
"""

from functools import cache

import numpy as np

from ..molecules.features import NUM_ATOM_FEATURES, NUM_BOND_FEATURES, NUM_ELEMENTS, WOMBAT_PLUS

EXCLUDED = -10.0

Conditions = tuple[tuple[str, ...], ...]


def split_conditions(text: str, bond: bool = False) -> tuple[str, Conditions]:
    """The term without its conditions, and these.

    Raises:
        ValueError: a condition mixes flags with others or groups with each other, or stands alone.
    """
    slots = WOMBAT_PLUS.bond_slots if bond else WOMBAT_PLUS.atom_slots
    rest, conditions = [], []
    for part in text.split(";"):
        words = tuple(part.split(","))
        known = [word for word in words if word.removeprefix("!") in slots]
        if not known:
            rest.append(part)
            continue
        first = words[0]
        if len(known) < len(words) or (len(words) > 1 and (bond or _group(words) is None)):
            raise ValueError(f"{part!r} is no condition")
        if not bond and first.startswith("!") and _group((first[1:],)) is not None:
            raise ValueError(f"{part!r} is no condition; list what is allowed")
        conditions.append(words)
    if conditions and (not rest or rest == ["0"]):
        raise ValueError(f"{text!r} names no {'bond' if bond else 'element'}")
    return ";".join(rest), tuple(conditions)


def atom_weights(weights: np.ndarray, conditions: Conditions) -> np.ndarray:
    """Weights of a term on the 110 atom features, with its conditions: [145], or as they were where it has none."""
    if not conditions:
        return weights
    wide = np.zeros(WOMBAT_PLUS.num_atom_features, dtype=np.float32)
    wide[:NUM_ATOM_FEATURES] = weights
    largest = max(0.0, float(weights[:NUM_ELEMENTS].max() + weights[NUM_ELEMENTS:].max()))
    flags = 0
    for words in conditions:
        group = _group(words)
        if group is not None:
            wide[[WOMBAT_PLUS.atom_slots[name] for name in group if name not in words]] = EXCLUDED * largest
        elif words[0].startswith("!"):
            wide[WOMBAT_PLUS.atom_slots[words[0][1:]]] = EXCLUDED * largest
        else:
            wide[WOMBAT_PLUS.atom_slots[words[0]]] = largest
            flags += 1
    wide[NUM_ELEMENTS:NUM_ATOM_FEATURES] -= flags * largest
    return wide


def bond_weights(weights: np.ndarray, conditions: Conditions) -> np.ndarray:
    """Weights of a term on the four bond types, with its conditions: [11], or as they were where it has none."""
    if not conditions:
        return weights
    wide = np.zeros(WOMBAT_PLUS.num_bond_features, dtype=np.float32)
    wide[:NUM_BOND_FEATURES] = weights
    largest = float(weights.max())
    for (word,) in conditions:
        wide[WOMBAT_PLUS.bond_slots[word.removeprefix("!")]] = EXCLUDED * largest if word.startswith("!") else largest
    wide[:NUM_BOND_FEATURES] -= sum(not word.startswith("!") for (word,) in conditions) * largest
    return wide


def value(weights: np.ndarray, features: np.ndarray) -> np.ndarray:
    """``weights . features``; features that a term of the narrower encoding does not know count nothing."""
    return features[..., : len(weights)] @ weights


def phrase(conditions: Conditions, bond: bool = False) -> str:
    """ "in a ring", "aromatic, in a ring of 6 atoms, not in one of 5", for sentences; empty for none."""
    return ", ".join(" or ".join(map(_words, words)) for words in conditions)


def _words(word: str) -> str:
    name = word.removeprefix("!")
    if name == "aromatic":
        text = name
    elif name == "ring":
        text = "in a ring"
    elif name.startswith("cycle"):
        text = f"in a ring of {name[5:]} atoms"
    elif name.startswith("charge"):
        text = {"charge?": "with another charge", "charge0": "without charge"}.get(name, f"with charge {name[6:]}")
    elif name.startswith("ringbonds"):
        text = f"with {name[9:]} ring bonds"
    elif name.startswith("rings"):
        text = f"in {name[5:]} smallest rings"
    else:
        text = {"smallest0": "in no ring", "smallest9": "in a smallest ring of 9 or more"}.get(
            name, f"in a smallest ring of {name[8:]}"
        )
    return f"not {text}" if word.startswith("!") else text


@cache
def _group(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """The one-hot group all these words belong to, or None."""
    return next((group for group in WOMBAT_PLUS.groups if set(words) <= set(group)), None)
