"""SMARTS to whitebox, from top to bottom: read the query, look at it as a tree, try roots, build layers, name them."""

import time
from dataclasses import dataclass

from ..errors import InputError
from ..molecules.features import encoding_named
from ..whitebox.catalogue import Origin, Pattern
from .channels import MOST_CHANNELS
from .layers import Layers, build_layers
from .names import name_layers
from .query import Query, asks_more, can_be_alone, read_query, refuse_ring_queries
from .rings import STYLES as BALL_STYLES
from .rings import compile_rings, ring_pattern
from .rooted import Rooted, notes_inside, predicate_of_recursive
from .smarts_error import SECONDS, SmartsError, TooLarge
from .styles import check_style
from .tree import Tree
from .variants import moved_layers, smoothed_layers

MOST_ROOTS = 6
LEFT_FOR_BALLS = 1.5
"""Of the seconds there are, those left for balls where branches could not be told apart."""
LATEST = 1.0
"""How long before the end no further root is tried, where one is found."""
ISOLATED_NOTE = "Atoms without bonds send no message: ions such as [I-] in a salt are missed."


@dataclass(frozen=True)
class Candidate:
    """One way to compile the SMARTS."""

    root: int
    layers: Layers
    negatives: int

    @property
    def cost(self) -> tuple[int, int, int, int]:
        channels = sum(map(len, self.layers))
        return len(self.layers), channels, self.negatives, self.root


def compile_smarts(
    smarts: str,
    *,
    root: int | None = None,
    style: str = "small",
    name: str | None = None,
    encoding: str = "wombat",
    depth: int | None = None,
) -> Pattern:
    """A whitebox for any motif that message passing can see.

    The network is of the same class as the fourteen hand-made ones. It answers whether there is a match in the
    molecule's universal cover: no match is missed on atoms that have a bond, and answers are wrong only where a walk
    closes a ring.

    Args:
        smarts: one connected motif.
        root: the atom of the SMARTS (from 0) at which the readout looks; None: the best.
        style: one of ``styles.STYLES``; all agree on every molecule.
        name: a name to show in place of the SMARTS.
        encoding: what the network reads of a molecule: "wombat" (the paper's features) or "wombat+", which shows
            charges, aromaticity and rings.
        depth: how many layers a network for a SMARTS with rings has (see ``rings.py``); None: the default.

    Returns:
        A frozen :class:`Pattern` whose ``smarts`` gives the label; ``origin`` says how it was compiled.

    Raises:
        SmartsError: the SMARTS cannot be compiled; the sentence says why, its attributes where.
        InputError: there is no such style or root.

    >>> entry = compile_smarts("[CX3H1](=O)[#6]")
    >>> entry.num_layers, entry.num_channels
    (1, 2)
    >>> compile_smarts("CO", root=1, style="deep").id
    'smarts:CO|style=deep|root=1'
    """
    until = time.thread_time() + SECONDS
    check_style(style)
    encoding_named(encoding)
    query = read_query(smarts)
    inner_root = _inner_root(query, root)

    def by_balls() -> Pattern:
        found = compile_rings(query, root=inner_root, style=style, depth=depth, encoding=encoding, until=until)
        id = pattern_id(query.smarts, style, root, encoding, depth)
        return ring_pattern(query, id, found, style, encoding, name or query.smarts)

    if query.num_rings > 0 or (encoding != "wombat" and (depth is not None or asks_more(query))):
        return by_balls()
    if depth is not None:
        raise InputError("A depth is chosen only for a SMARTS with rings; other networks are as deep as they must be.")
    if encoding == "wombat":
        refuse_ring_queries(query)
    tree = Tree(query, predicate_of_recursive)
    try:
        best = _best(tree, inner_root, style, until - LEFT_FOR_BALLS)
    except TooLarge:
        if style not in BALL_STYLES or not _is_chain(query):
            raise
        return by_balls()
    return _pattern(query, tree, best, style, name, encoding)


def roots(smarts: str) -> tuple[int, ...]:
    """The atoms of a SMARTS (from 0) that can be the root: all but hydrogens that become counts.

    Raises:
        SmartsError: the SMARTS cannot be read.
    """
    return read_query(smarts).original


def _is_chain(query: Query) -> bool:
    """Whether no atom has branches; of other trees balls can be wrong without a ring."""
    return all(len(around) <= 2 for around in query.neighbours)


def check_root(query: Query, root: int) -> None:
    """Raise an InputError where the root is no atom of the SMARTS (from 0)."""
    if isinstance(root, bool) or not isinstance(root, int) or root not in query.original:
        known = ", ".join(map(str, query.original[:12])) + (", ..." if len(query.original) > 12 else "")
        raise InputError(f"The root {str(root)[:20]!r} is no atom of the SMARTS; its atoms are {known} (from 0).")


def _inner_root(query: Query, root: int | None) -> int | None:
    if root is None:
        return None
    check_root(query, root)
    return query.original.index(root)


def _best(tree: Tree, root: int | None, style: str, until: float) -> Candidate:
    """The least of all candidates: fewest layers, then fewest channels, then fewest negative terms.

    Raises:
        SmartsError: none can be built within the limits.
    """
    candidates = _root_order(tree, root, style)
    found: list[Candidate] = []
    problem: SmartsError | None = None
    for own in candidates:
        if found and time.thread_time() > until - LATEST:
            break
        try:
            found += _rooted(tree, own, style, until)
        except SmartsError as error:
            problem = problem or error
    if not found:
        raise problem or TooLarge(f"The network would have more than {MOST_CHANNELS} channels.")
    return min(found, key=lambda candidate: candidate.cost)


def _root_order(tree: Tree, root: int | None, style: str) -> list[int]:
    if root is not None:
        return [root]
    atoms = range(len(tree.query.atoms))
    depths = {atom: tree.eccentricity(atom) for atom in atoms}
    if style == "leaf":
        leaves = [atom for atom in atoms if len(tree.around(atom)) <= 1]
        return sorted(leaves, key=lambda atom: (-depths[atom], atom))[:MOST_ROOTS]
    least = min(depths.values())
    near = [atom for atom in atoms if depths[atom] <= least + 1]
    return sorted(near, key=lambda atom: (depths[atom], atom))[:MOST_ROOTS]


def _rooted(tree: Tree, root: int, style: str, until: float) -> list[Candidate]:
    """The ways to compile the SMARTS at a root.

    Raises:
        SmartsError: there is none within the limits.
    """
    found: list[Candidate] = []
    problem: SmartsError | None = None
    for with_balls in (False, True):
        rooted = Rooted(tree, root, with_balls, until)
        try:
            found.append(_candidate(rooted.predicate(), root, style, until))
        except SmartsError as error:
            problem = problem or error
        if not rooted.undecided:
            break
    if problem is not None and not found:
        raise problem
    return found


def _candidate(predicate, root: int, style: str, until: float) -> Candidate:
    if style == "moving":
        return Candidate(root, *moved_layers(predicate, until))
    if style == "smoothing":
        return Candidate(root, *smoothed_layers(predicate, until))
    own = style if style in ("deep", "unit") else "small"
    return Candidate(root, *build_layers(predicate, own, until))


def _pattern(query: Query, tree: Tree, best: Candidate, style: str, name: str | None, encoding: str) -> Pattern:
    notes = tuple(dict.fromkeys((*query.notes, *tree.notes, *notes_inside(query))))
    if len(query.atoms) == 1 and any(map(can_be_alone, query.atoms[0].boxes)):
        notes = (*notes, ISOLATED_NOTE)
    origin = Origin(query.smarts, style, query.original[best.root], notes)
    return Pattern(
        pattern_id(query.smarts, style, query.original[best.root] if style != "leaf" else None, encoding),
        krfp=query.smarts,
        smarts=query.label,
        layers=name_layers(best.layers),
        origin=origin,
        name=name or query.smarts,
        encoding=encoding,
    )


def pattern_id(
    smarts: str, style: str = "small", root: int | None = None, encoding: str = "wombat", depth: int | None = None
) -> str:
    """The id of a compiled whitebox, as pages and commands carry it (see ``address.py``)."""
    options = [f"style={style}"] if style != "small" else []
    options += [f"root={root}"] if root is not None else []
    options += [f"encoding={encoding}"] if encoding != "wombat" else []
    options += [f"depth={depth}"] if depth is not None else []
    return "smarts:" + smarts + ("" if not options else "|" + "|".join(options))
