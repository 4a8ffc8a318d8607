"""A SMARTS with rings, or one that asks for what only ``wombat+`` shows, to a whitebox: balls around the best root.

How deep: a ring whose atoms can all look alike is looked at until a walk has come round it from both sides (n - 1
layers for n atoms), one with five (not aromatic: four) or more like atoms in a row, as pyridine, one layer more than
these; an aromatic ring of six atoms at least five; any other SMARTS as far as its farthest atom and

- four layers more where it has branches and more than five atoms, where its rings are apart (biphenyl), or where they
  share a bond and are of one kind of atom (naphthalene);
- two layers more where it has several rings, but for two of different sizes (indole).

Deeper networks take more channels and have at most as many false positives; where these are too many, it is a layer
less.
"""

import time

from ..errors import InputError
from ..whitebox.catalogue import Origin, Pattern
from ..whitebox.notation import write_atom_term, write_bonds
from .ball_layers import MOST_CHANNELS, BallLayers, Weighted
from .balls import Balls
from .names import name_layers
from .query import Query
from .ring_labels import Kind, Label
from .ring_query import RingQuery, ring_query
from .smarts_error import SECONDS, TooLarge, check_time
from .valence import AROMATIC

STYLES = ("small", "unit", "leaf")
MOST_ROOTS = 6
LONG_RUN = 5
SMALL, MORE, MORE_RINGS = 5, 4, 2
AROMATIC_RING = 6
MOST_DEPTH = 12
RING_NOTE = "Message passing cannot see whether two paths meet in one atom; the certificate says where it matters."


def compile_rings(
    query: Query,
    *,
    root: int | None = None,
    style: str = "small",
    depth: int | None = None,
    encoding: str = "wombat",
    until: float | None = None,
) -> tuple[BallLayers, int, RingQuery]:
    """The layers, the root and the query as the encoding shows it.

    Args:
        query: one motif.
        root: the atom of the query at which the readout looks; None: of those with fewest layers one that no
            other atom looks like (from sulfur both sides of thiophene are the same), then with fewest channels.
        style: "small" or "unit", which are the same here (values that are joined are 0 or 1), or "leaf".
        depth: how many layers; None: see the module.
        until: when to give up, in the seconds of ``time.thread_time``; None: in ``SECONDS``.
        encoding: "wombat" or "wombat+".

    Raises:
        SmartsError: the SMARTS cannot be compiled this way, or is too large.
        InputError: the depth is no number from 1 to 12, or there is no such style for rings.
    """
    if style not in STYLES:
        where = "is for SMARTS without rings; with rings" if query.num_rings > 0 else f"is not for {encoding}; with it"
        raise InputError(f"The style {style[:20]} {where} choose {', '.join(STYLES[:-1])} or {STYLES[-1]}.")
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int) or not 1 <= depth <= MOST_DEPTH):
        raise InputError(f"The depth {str(depth)[:20]!r} is no number of layers from 1 to {MOST_DEPTH}.")
    until = time.thread_time() + SECONDS if until is None else until
    seen = ring_query(query, encoding)
    cores: dict[frozenset[int], Balls] = {}
    found: list[tuple[int, int, int, int, BallLayers]] = []
    problem: TooLarge | None = None
    for own in _roots(seen, style) if root is None else [root]:
        layers = None
        core = _core(seen, own)
        balls = cores.setdefault(core, Balls(seen, core))
        for radius in (depth,) if depth else range(default_depth(seen, own), least_depth(seen, own) - 1, -1):
            try:
                check_time(until)
                balls.grow(radius)
                layers = BallLayers(balls)
                layers.build(own, radius)
                break
            except TooLarge as error:
                problem, layers = error, None
        if layers is None:
            continue
        alike = int(seen.labels.count(seen.labels[own]) > 1)
        found.append((len(layers.layers), alike, sum(map(len, layers.layers)), own, layers))
    if not found:
        raise problem or TooLarge(f"The network would have more than {MOST_CHANNELS} channels.")
    *_, best, layers = min(found, key=lambda own: own[:4])
    return layers, best, seen


def ring_pattern(
    query: Query, id: str, found: tuple[BallLayers, int, RingQuery], style: str, encoding: str, name: str
) -> Pattern:
    """The whitebox of what :func:`compile_rings` found."""
    layers, root, seen = found
    notes = seen.notes + ((RING_NOTE,) if query.num_rings > 0 else ())
    balls = tuple(
        tuple((tuple(query.original[atom] for atom in atoms), radius) for atoms, radius in own) for own in layers.pieces
    )
    return Pattern(
        id,
        krfp=query.smarts,
        smarts=query.label,
        layers=name_layers([[tuple(map(_text, channel)) for channel in layer] for layer in layers.layers]),
        origin=Origin(query.smarts, style, query.original[root], notes, balls),
        name=name,
        encoding=encoding,
    )


def _core(query: RingQuery, root: int) -> frozenset[int]:
    """The rings, what lies between them and the root; all atoms where there are no rings."""
    degrees = [len(around) for around in query.neighbours]
    if sum(degrees) // 2 < len(degrees):
        return frozenset(range(len(degrees)))
    left = set(range(len(degrees)))
    leaves = [atom for atom in left if degrees[atom] == 1 and atom != root]
    for leaf in leaves:
        left.discard(leaf)
        for other, _ in query.neighbours[leaf]:
            degrees[other] -= 1
            if degrees[other] == 1 and other in left and other != root:
                leaves.append(other)
    return frozenset(left)


def default_depth(query: RingQuery, root: int) -> int:
    """How many layers a network takes whose depth nobody names."""
    distances = query.distances(root)
    far = max(distances)
    # An atom has to tell a substituent of which something is known late from its other neighbours.
    told = [
        distances[other] + (other == root) + late + 1
        for atom in range(len(query.labels))
        if (late := _late(query, atom)) and len(query.neighbours[atom]) == 1
        for other, _ in query.neighbours[atom]
        if len(query.neighbours[other]) > 1
    ]
    least = max([least_depth(query, root), *told])
    return max(least, far + _beyond(query), _once_round(query))


def least_depth(query: RingQuery, root: int) -> int:
    """How many layers a network takes that asks for everything the SMARTS asks for."""
    distances = query.distances(root)
    known = [distance + _late(query, atom) for atom, distance in enumerate(distances)]
    # The readout multiplies channels; it cannot take one off another, nor add two.
    summed = query.own[root] is not None or any(not around.wanted for around in query.around[root])
    return max(1, known[root] + summed, *distances, *known)


def _late(query: RingQuery, atom: int) -> int:
    """In which layer it is known that an atom is what the SMARTS asks for; 0: its features show it."""
    own = query.own[atom]
    return own.layer if own is not None else int(bool(query.around[atom]))


def _beyond(query: RingQuery) -> int:
    """How many layers more than to the farthest atom are looked at, where walks must come round several rings."""
    branched = len(query.labels) > SMALL and any(len(around) == 1 for around in query.neighbours)
    if branched or query.linked or _fused_alike(query):
        return MORE
    sizes = query.rings
    return MORE_RINGS if len(sizes) > 2 or (len(sizes) == 2 and sizes[0] == sizes[1]) else 0


def _fused_alike(query: RingQuery) -> bool:
    """Whether these are rings that share a bond, without branches, of one kind of atom."""
    return {len(around) for around in query.neighbours} == {2, 3} and len(
        {(label.elements, label.hydrogens) for label in query.labels}
    ) == 1


def _once_round(query: RingQuery) -> int:
    """How many layers a ring without branches takes until a walk along its like atoms has come to their ends."""
    size = len(query.labels)
    if any(len(around) != 2 for around in query.neighbours):
        return 0
    order = [0, query.neighbours[0][0][0]]
    while len(order) < size:
        order.append(next(other for other, _ in query.neighbours[order[-1]] if other != order[-2]))
    labels = [query.labels[atom] for atom in order]
    alike = [not label.excludes(labels[place - 1]) for place, label in enumerate(labels)]
    if all(alike):
        return size - 1
    run = longest = 0
    for place in range(2 * size):
        run = run + 1 if alike[place % size] else 1
        longest = max(longest, run)
    aromatic = any(AROMATIC in kind.types for around in query.neighbours for _, kind in around)
    least = size - 1 if aromatic and size == AROMATIC_RING else 0
    return max(least, longest + 1) if longest >= LONG_RUN - (not aromatic) else least


def _roots(query: RingQuery, style: str) -> list[int]:
    depths = [default_depth(query, atom) for atom in range(len(query.labels))]
    if style == "leaf":
        return [depths.index(max(depths))]
    return sorted(range(len(depths)), key=lambda atom: (depths[atom], atom))[:MOST_ROOTS]


def _text(part):
    if isinstance(part, Label):
        text = write_atom_term(part.elements, part.hydrogens)
        return ";".join([text, *(",".join(words) for words in part.conditions)])
    if isinstance(part, Weighted):
        return write_atom_term(part.elements, frozenset(h for h, _ in part.factors), dict(part.factors))
    if isinstance(part, Kind):
        return ";".join([write_bonds(part.types), *(words[0] for words in part.conditions)])
    return part
