"""What a certificate says: on which molecules network and RDKit agree, and on which they do not."""

import json
from dataclasses import asdict, dataclass

from ..drawing.certificate_page import certificate_page

VERDICTS = ("exact", "exact but for rings", "untested", "approximate")


@dataclass(frozen=True)
class Example:
    """A molecule on which network and RDKit differ.

    Attributes:
        place: its position in the set, from 0.
        name, cas, smiles: as the set has them; empty where it has none.
        num_atoms: heavy atoms.
        why: a sentence.
        image: the molecule's atom for every atom of the label SMARTS, as the network sees them; None where not known.
        meeting: the atom in which two atoms of the SMARTS meet, or None.
    """

    place: int
    name: str
    cas: str
    smiles: str
    num_atoms: int
    why: str = ""
    image: tuple[int, ...] | None = None
    meeting: int | None = None


@dataclass(frozen=True)
class Differences:
    """One readout's false positives and misses.

    Attributes:
        false_positives, misses: how many.
        acyclic: of the false positives, molecules without rings; 0 but for a compiler error or a condition not asked.
        without_bonds: of the misses, molecules in which an atom without bonds stands for the motif.
        false_examples, missed_examples: up to 20 smallest ones of each.
    """

    false_positives: int
    misses: int
    acyclic: int
    without_bonds: int
    false_examples: tuple[Example, ...] = ()
    missed_examples: tuple[Example, ...] = ()


@dataclass(frozen=True, repr=False)
class Certificate:
    """How far a network does what its SMARTS says.

    Attributes:
        pattern: the pattern's id; smarts: as given; label_smarts: what RDKit is asked (hydrogens folded into counts).
        style, root: how it was compiled, None for a hand-made one; encoding: what the network reads.
        layers, channels: its size; notes: what it does not ask for, a sentence each.
        set_name, set_hash: the molecules; versions: of RDKit, of the set's layout and of Torch.
        weights_hash: SHA-256 of all weights.
        molecules: all that were read; left_out: by reason; positives, negatives: of the others, by RDKit.
        readouts: readout to its differences.
        synthetic: the same on molecules made from the SMARTS; synthetic_molecules: how many.
        verdict: one of ``VERDICTS``.
    """

    pattern: str
    smarts: str
    label_smarts: str
    style: str | None
    root: int | None
    encoding: str
    layers: int
    channels: int
    notes: tuple[str, ...]
    set_name: str
    set_hash: str
    versions: dict[str, str]
    weights_hash: str
    molecules: int
    left_out: dict[str, int]
    positives: int
    negatives: int
    readouts: dict[str, Differences]
    synthetic_molecules: int
    synthetic: dict[str, Differences]
    verdict: str

    @property
    def usable(self) -> int:
        """Molecules the benchmark uses."""
        return self.positives + self.negatives

    @property
    def sentence(self) -> str:
        """The verdict as a headline."""
        size = f"{_counted(self.layers, 'layer')}, {_counted(self.channels, 'channel')}"
        worst = max(self.readouts.values(), key=lambda found: found.false_positives + found.misses)
        wrong = [_counted(worst.false_positives, "false positive")] if worst.false_positives else []
        wrong += [f"{worst.misses:,} missed"] if worst.misses else []
        rest = f", {' and '.join(wrong)}" if wrong else ""
        have = "has" if self.positives == 1 else "have"
        return f"{size}, {self.verdict} on {_counted(self.usable, 'molecule')}, {self.positives:,} {have} it{rest}"

    def __repr__(self) -> str:
        return f"<Certificate {self.smarts}: {self.sentence}>"

    def to_dict(self) -> dict:
        """All facts as plain lists, dicts, numbers and texts."""
        return json.loads(json.dumps(asdict(self) | {"sentence": self.sentence}))

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def to_html(self) -> str:
        """A page of its own with all facts, the counterexamples drawn."""
        return certificate_page(self)


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"
