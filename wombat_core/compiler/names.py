"""Channels by number to channels by letter, in the notation of ``patterns.yaml``."""

from ..whitebox.notation import Channel, channel_letter, read_channel


def name_layers(layers: list[list[tuple]]) -> tuple[tuple[Channel, ...], ...]:
    """The layers in letters (A, B, ... within each layer).

    Args:
        layers: of every channel (self, neighbour, bond, bias); self and neighbour are the text of an atom term, or of
            later layers ((place in the layer before, weight), ...).
    """
    return tuple(
        tuple(
            read_channel(channel_letter(place), depth, [_term(own), _term(neighbour), bond, bias])
            for place, (own, neighbour, bond, bias) in enumerate(layer)
        )
        for depth, layer in enumerate(layers, start=1)
    )


def _term(term) -> str:
    if isinstance(term, str):
        return term
    if not any(weight > 0 for _, weight in term):
        return "0"
    text = ""
    # A term is read more easily when what it wants comes first.
    for place, weight in sorted(term, key=lambda part: (part[1] < 0, part[0])):
        factor = "" if abs(weight) == 1 else str(abs(weight))
        text += ("-" if weight < 0 else "+" if text else "") + factor + channel_letter(place)
    return text
