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
    """The answer times counts of any neighbours, layer after layer: redundant, and never zero."""
    layers = raw_layers(predicate, "small", until, 1)
    free = (_ANY, _ANY, "~", 0)
    places = []
    for depth, layer in enumerate(layers):
        before = ((places[-1], 1),) if places else None
        spec = free if depth == 0 else (before, before, "~", 0)
        if spec in layer:
            places.append(layer.index(spec))
        else:
            layer.append(spec)
            places.append(len(layer) - 1)
    for _ in range(SMOOTHINGS):
        crowd = ((places[-1], 1),)
        answer = ((0, 1),)
        layers.append([(answer, crowd, "~", 0), (crowd, crowd, "~", 0)])
        places.append(1)
    layers = prune([*layers[:-1], layers[-1][:1]])
    return layers, negative_terms(layers)
