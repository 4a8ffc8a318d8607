"""A root's predicate to layers: built from the top, then only what the last layer depends on is kept."""

from .channels import Builder, Wide
from .predicates import Predicate

Layers = list[list[tuple]]


def build_layers(predicate: Predicate, style: str, until: float, extra: int = 0) -> tuple[Layers, int]:
    """The layers that compute a predicate at the root, and how many negative terms they use.

    Args:
        predicate: what the root must show.
        style: "small", "deep" or "unit".
        until: when to give up, in the seconds of ``time.thread_time``.
        extra: 1: the last layer joins all conditions in one channel.

    Raises:
        TooLarge: more channels or time than allowed.
    """
    layers = prune(raw_layers(predicate, style, until, extra))
    return layers, negative_terms(layers)


def raw_layers(predicate: Predicate, style: str, until: float, extra: int = 0) -> Layers:
    """The same, with the channels that nothing reads.

    Counts of several channels that have to be clamped are made one value in a layer more, but only where there are any.
    """
    try:
        builder = Builder(style, until)
        builder.final(predicate, extra)
    except Wide:
        builder = Builder(style, until, late=True)
        builder.final(predicate, extra)
    return builder.layers


def prune(layers: Layers) -> Layers:
    """Without channels that nothing reads."""
    kept = [list(range(len(layer))) for layer in layers]
    for depth in range(len(layers) - 1, 0, -1):
        read = {
            place
            for index in kept[depth]
            for term in layers[depth][index][:2]
            if not isinstance(term, str)
            for place, _ in term
        }
        kept[depth - 1] = sorted(read)
    found = []
    for depth, places in enumerate(kept):
        moved = {old: new for new, old in enumerate(kept[depth - 1])} if depth else {}
        found.append([tuple(_moved(part, moved) for part in layers[depth][place]) for place in places])
    return found


def _moved(part, moved: dict[int, int]):
    return tuple((moved[place], weight) for place, weight in part) if isinstance(part, tuple) else part


def negative_terms(layers: Layers) -> int:
    """How many negative weights on channels the layers have."""
    return sum(
        weight < 0
        for layer in layers
        for channel in layer
        for term in channel[:2]
        if not isinstance(term, str)
        for _, weight in term
    )
