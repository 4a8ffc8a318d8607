"""From a pattern to its network."""

from .catalogue import Pattern
from .catalogue import pattern as get_pattern
from .gine import Gine
from .kind import kind_of
from .model import Whitebox

Network = Whitebox | Gine


def build(pattern: Pattern | str | int, readout: str = "r1") -> Network:
    """The network of a pattern.

    Args:
        pattern: a pattern or its id.
        readout: "r1" or "r2"; a network with a readout of its own (see its ``readout``) takes either.

    Raises:
        InputError: unknown pattern or readout.
    """
    found = pattern if isinstance(pattern, Pattern) else get_pattern(pattern)
    return kind_of(found).build(found, readout)
