"""The whiteboxes there are: the fourteen patterns, the variants of Pattern 12 and the GINE whitebox.

All from ``patterns.yaml``.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import ClassVar

import yaml

from ..data import data_file
from ..errors import InputError
from ..host import folder_named
from ..registry import Registry
from .notation import Channel, read_channel

Vector = tuple[float, ...]

PATTERNS_FILE = data_file("patterns.yaml")


@dataclass(frozen=True)
class Origin:
    """Where a compiled whitebox comes from.

    Attributes:
        smarts: the SMARTS as it was given.
        style: how it was compiled ("small", "deep", ...).
        root: the atom of the SMARTS (from 0) at which the readout looks.
        notes: what the network does not ask for or cannot see, a sentence each.
        balls: of a network for rings, of every channel, layer by layer, the atoms of the SMARTS (from 0) whose
            neighbours it counts, and how many bonds around them it has seen; the constant has no atoms.
    """

    smarts: str
    style: str
    root: int
    notes: tuple[str, ...] = ()
    balls: tuple[tuple[tuple[tuple[int, ...], int], ...], ...] = ()


@dataclass(frozen=True, repr=False)
class Pattern:
    """A motif and the hand-set layers that detect it.

    Attributes:
        id: "1" to "14", or a variant such as "12-leaf".
        krfp: the Klekota-Roth SMARTS of the motif, as it is drawn.
        smarts: the relaxed SMARTS that gives the label and the ground truth, as it is shown.
        layers: the channels of every layer, in order.
        variant_of: the pattern whose predictions a variant shares, or None.
        encoding: what the network reads of a molecule, "wombat" or "wombat+".
        origin: of a compiled whitebox, where it comes from; ``smarts`` is its label then (hydrogens that were atoms of
            the SMARTS are counts there), ``krfp`` the SMARTS as given.
        name: a name to show in place of the title.
    """

    id: str
    krfp: str
    smarts: str
    layers: tuple[tuple[Channel, ...], ...]
    variant_of: str | None = None
    encoding: str = "wombat"
    origin: Origin | None = None
    name: str | None = None

    network_kind: ClassVar[str] = "whitebox"
    """The kind of its network, see ``kind.KINDS``."""
    readouts: ClassVar[tuple[str, ...]] = ("r1", "r2")
    """The readouts that its network can have."""
    has_original: ClassVar[bool] = True
    """Whether ``krfp`` is one SMARTS, to compare the relaxed one with."""

    @property
    def motifs(self) -> tuple[str, ...]:
        """The SMARTS that give the label (all of them must match) and the ground truth (the atoms of any)."""
        return (self.smarts,)

    @property
    def title(self) -> str:
        if self.name is not None:
            return self.name
        if self.variant_of is None:
            return f"Pattern {self.id}"
        return f"Pattern {self.variant_of}, {self.id.split('-', 1)[1]} variant"

    def __repr__(self) -> str:
        size = f", {self.size}" if self.layers else ""
        title = self.title if self.title == self.smarts else f"{self.title}, {self.smarts}"
        return f"<Pattern {title.removeprefix('Pattern ')}{size}>"

    @property
    def size(self) -> str:
        """Layers and channels, for people."""
        counts = ((self.num_layers, "layer"), (self.num_channels, "channel"))
        return ", ".join(f"{count} {noun}{'s' * (count != 1)}" for count, noun in counts)

    @property
    def num_layers(self) -> int:
        return len(self.layers)

    @property
    def num_channels(self) -> int:
        return sum(len(layer) for layer in self.layers)


@dataclass(frozen=True, repr=False)
class GinePattern(Pattern):
    """Several motifs at once, and the hand-set weights of the one ``GINEConv`` that detects them (see ``gine.py``).

    Attributes:
        all_smarts: the SMARTS that must all match.
        element_embedding: element symbol (or "other") to its embedding.
        bond_embedding: bond type (or "other") to its embedding.
        weight: rows of the matrix ``W`` after the convolution.
        bias: the vector ``c`` added to it.
    """

    all_smarts: tuple[str, ...] = ()
    element_embedding: tuple[tuple[str, Vector], ...] = ()
    bond_embedding: tuple[tuple[str, Vector], ...] = ()
    weight: tuple[Vector, ...] = ()
    bias: Vector = ()

    network_kind: ClassVar[str] = "gine"
    readouts: ClassVar[tuple[str, ...]] = ("sigmoid",)
    has_original: ClassVar[bool] = False

    @property
    def motifs(self) -> tuple[str, ...]:
        return self.all_smarts

    @property
    def title(self) -> str:
        return f"GINE, {self.id}"

    @property
    def num_layers(self) -> int:
        return 1

    @property
    def num_channels(self) -> int:
        return len(self.weight)


@cache
def patterns() -> Registry[Pattern]:
    """Every whitebox by id: the fourteen patterns, the variants, the GINE whitebox, each in order.

    After them those of the folder that a server's settings name (see :mod:`wombat_core.host`).
    """
    facts = yaml.safe_load(PATTERNS_FILE.read_text(encoding="utf-8"))
    found = {
        str(number): Pattern(str(number), entry["krfp"], entry["smarts"], _layers(entry["layers"]))
        for number, entry in facts["patterns"].items()
    }
    for name, entry in facts["variants"].items():
        base = found[str(entry["of"])]
        found[name] = Pattern(name, base.krfp, base.smarts, _layers(entry["layers"]), base.id)
    for name, entry in facts["gine"].items():
        found[name] = _gine_pattern(name, entry)
    if folder := folder_named("networks"):
        # By name: the compiler builds on this module.
        found |= import_module("wombat_core.compiler.files").from_folder(folder)
    return Registry("pattern", found)


def fourteen() -> list[Pattern]:
    """The paper's fourteen patterns, in order."""
    return [each for each in patterns().values() if each.variant_of is None and each.layers and each.origin is None]


def pattern(id: str | int) -> Pattern:
    """The pattern or variant of that id, or the one that ``smarts:...`` compiles to (``compiler.pattern_of``).

    Raises:
        InputError: there is none; the sentence lists those there are.
    """
    if str(id).startswith("smarts:"):
        # By name: the compiler builds on this module.
        return import_module("wombat_core.compiler").pattern_of(id)
    try:
        return patterns()[str(id)]
    except InputError as error:
        if re.search(r"[\[\]()=#:@~]|^[A-Z][A-Za-z]*$", str(id)):
            raise InputError(f"{error} A SMARTS is written smarts:{str(id)[:40]}; see compile_smarts.") from None
        raise


def _gine_pattern(name: str, entry: dict) -> GinePattern:
    def table(key: str) -> tuple[tuple[str, Vector], ...]:
        return tuple((what, _vector(row)) for what, row in entry[key].items())

    return GinePattern(
        name,
        krfp=".".join(entry["smarts"]),
        smarts=" and ".join(entry["smarts"]),
        layers=(),
        all_smarts=tuple(entry["smarts"]),
        element_embedding=table("element_embedding"),
        bond_embedding=table("bond_embedding"),
        weight=tuple(map(_vector, entry["W"])),
        bias=_vector(entry["c"]),
    )


def _vector(numbers: list[float]) -> Vector:
    return tuple(map(float, numbers))


def _layers(entries: list[dict]) -> tuple[tuple[Channel, ...], ...]:
    return tuple(
        tuple(read_channel(letter, depth, spec) for letter, spec in entry.items())
        for depth, entry in enumerate(entries, start=1)
    )
