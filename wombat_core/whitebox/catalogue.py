"""The whiteboxes there are: the fourteen patterns and the variants of Pattern 12, from ``patterns.yaml``."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from ..errors import InputError
from .notation import Channel, read_channel

PATTERNS_FILE = Path(__file__).with_name("patterns.yaml")


@dataclass(frozen=True)
class Pattern:
    """A motif and the hand-set layers that detect it.

    Attributes:
        id: "1" to "14", or a variant such as "12-leaf".
        krfp: the Klekota-Roth SMARTS of the motif.
        smarts: the relaxed SMARTS that gives the label and the ground truth.
        layers: the channels of every layer, in order.
        variant_of: the pattern whose predictions a variant shares, or None.
    """

    id: str
    krfp: str
    smarts: str
    layers: tuple[tuple[Channel, ...], ...]
    variant_of: str | None = None

    @property
    def title(self) -> str:
        if self.variant_of is None:
            return f"Pattern {self.id}"
        return f"Pattern {self.variant_of}, {self.id.split('-', 1)[1]} variant"

    @property
    def num_layers(self) -> int:
        return len(self.layers)

    @property
    def num_channels(self) -> int:
        return sum(len(layer) for layer in self.layers)


@cache
def patterns() -> dict[str, Pattern]:
    """Every pattern and variant by id, patterns first, in order."""
    facts = yaml.safe_load(PATTERNS_FILE.read_text(encoding="utf-8"))
    found = {
        str(number): Pattern(str(number), entry["krfp"], entry["smarts"], _layers(entry["layers"]))
        for number, entry in facts["patterns"].items()
    }
    for name, entry in facts["variants"].items():
        base = found[str(entry["of"])]
        found[name] = Pattern(name, base.krfp, base.smarts, _layers(entry["layers"]), base.id)
    return found


def pattern(id: str | int) -> Pattern:
    """The pattern or variant of that id.

    Raises:
        InputError: there is none; the sentence lists those there are.
    """
    known = patterns()
    if str(id) not in known:
        raise InputError(f"There is no pattern {str(id)[:40]!r}; choose one of {', '.join(known)}.")
    return known[str(id)]


def _layers(entries: list[dict]) -> tuple[tuple[Channel, ...], ...]:
    return tuple(
        tuple(read_channel(letter, depth, spec) for letter, spec in entry.items())
        for depth, entry in enumerate(entries, start=1)
    )
