"""The paper's redundancies for any motif: an answer moved onto the neighbours, an answer smoothed over them."""

from .layers import Layers, negative_terms, prune, raw_layers
from .predicates import Predicate

_ANY = "*"
SMOOTHINGS = 3


def moved_layers(predicate: Predicate, until: float) -> tuple[Layers, int]:
    """Every neighbour of the root has the answer, the root itself need not have it."""
    layers = raw_layers(predicate, "small", until, 1)
    layers[-1].append(("0", "0", "0", 1))
    layers.append([(((len(layers[-1]) - 1, 1),), ((0, 1),), "~", 0)])
    layers = prune(layers)
    return layers, negative_terms(layers)


def smoothed_layers(predicate: Predicate, until: float) -> tuple[Layers, int]:
    """The answer times how many neighbours its neighbours have, layer after layer: redundant, and never zero."""
    layers = raw_layers(predicate, "small", until, 1)
    constant = ("0", "0", "0", 1)

    def place(layer: list[tuple], spec: tuple) -> int:
        if spec not in layer:
            layer.append(spec)
        return layer.index(spec)

    if len(layers) == 1:
        crowd = place(layers[-1], (_ANY, _ANY, "~", 0))
    else:
        one = ((place(layers[-2], constant), 1),)
        crowd = place(layers[-1], (one, one, "~", 0))
    ones = place(layers[-1], constant)
    answer = 0
    for _ in range(SMOOTHINGS):
        one, many = ((ones, 1),), ((crowd, 1),)
        layers.append([(((answer, 1),), many, "~", 0), (one, one, "~", 0), constant])
        answer, crowd, ones = 0, 1, 2
    layers = prune([*layers[:-1], layers[-1][:1]])
    return layers, negative_terms(layers)
