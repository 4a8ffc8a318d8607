"""What commands have in common: their molecules, their whiteboxes, their output."""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from ..compiler.address import split_patterns
from ..engine import Engine
from ..errors import InputError
from ..molecules import Molecule, find_molecule, read_molecules
from ..molecules.distinct import Distinct
from ..molecules.files import LATIN_NOTE
from ..molecules.parse_problems import shorten
from ..molecules.sets import Entry
from ..whitebox.catalogue import Pattern, fourteen, pattern
from .output import speaks_unicode, tell

if TYPE_CHECKING:
    from ..subject import Subject

Record = tuple[str, Molecule | InputError]
CHUNK = 64
FILES = "CSV, TSV, XLSX, JSON, SMI, SDF or MOL file"


def add_molecules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("molecules", nargs="*", metavar="MOLECULE", help="SMILES, name or CAS number")
    parser.add_argument(
        "--input", metavar="FILE", help="CSV, TSV, XLSX, JSON, SMI, SDF or MOL file ('-': standard input)"
    )
    parser.add_argument("--column", help="the column of a table with the molecules")


def add_unique(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--unique", action="store_true", help="take molecules that come several times once")


def add_pattern(parser: argparse.ArgumentParser) -> None:
    add_motif(parser, "P[,P...]|all", "1 to 14, 12-leaf, 12-moving, 12-smoothing or flucarb; all: the fourteen")


def add_motif(
    parser: argparse.ArgumentParser,
    metavar: str,
    explanation: str,
    required: bool = True,
    option: str = "--pattern",
) -> None:
    """``--pattern`` or ``--smarts``, and how a SMARTS is compiled; all of it ends up in ``options.pattern``.

    There a SMARTS is "smarts:..." with its options behind it, as ``compiler.pattern_of`` reads it.
    """
    into = option.lstrip("-")
    either = parser.add_mutually_exclusive_group(required=required)
    either.add_argument(option, metavar=metavar, action=_Motif, into=into, help=explanation)
    either.add_argument("--smarts", metavar="SMARTS", action=_Motif, into=into, help="any motif, compiled")
    _add_compiling(parser, into)


def add_compiled(parser: argparse.ArgumentParser) -> None:
    """A SMARTS as the command's argument, and how it is compiled; ``options.pattern`` as in :func:`add_motif`."""
    parser.add_argument(
        "smarts",
        metavar="SMARTS",
        action=_Motif,
        into="pattern",
        help="one connected motif, such as '[CX3](=O)[OX2H1]'",
    )
    _add_compiling(parser, "pattern")


def _add_compiling(parser: argparse.ArgumentParser, into: str) -> None:
    """How a SMARTS is compiled: options of their own, or behind the SMARTS, such as "CC=O|style=deep|root=1"."""
    group = parser.add_argument_group("how a SMARTS is compiled", "or behind it: 'SMARTS|style=deep|root=2'")

    def add(name: str, metavar: str, explanation: str) -> None:
        group.add_argument(f"--{name}", metavar=metavar, action=_Motif, into=into, help=explanation)

    add("style", "S", "small (default), deep, unit, leaf, moving or smoothing")
    add(
        "root",
        "N",
        "atom of the SMARTS at which the readout looks, from 0 as RDKit counts: 0 is the first (default: the best)",
    )
    add("encoding", "E", "wombat (default: elements, hydrogens, bond types), or wombat+ (charges and rings besides)")
    add("depth", "N", "layers of a network for a SMARTS with rings")


class _Motif(argparse.Action):
    """Joins what names a motif and how it is compiled to one text, in whichever order they come."""

    OPTIONS = ("style", "root", "encoding", "depth")

    def __init__(self, *arguments, into: str, **settings):
        super().__init__(*arguments, **settings)
        self.into = into

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, values)
        if self.dest not in self.OPTIONS:
            text = str(values)
            namespace.motif = smarts_id(text) if self.dest == "smarts" else text
            if self.dest == "smarts" and len(listed(namespace.motif)) > 1:
                parser.error(f"The SMARTS {shorten(text)!r} cannot be read: it has a comma outside of brackets.")
        motif = getattr(namespace, "motif", None)
        if motif is None:
            return
        given = [name for name in self.OPTIONS if getattr(namespace, name) is not None]
        if given and not motif.startswith("smarts:"):
            parser.error(f"--{given[0]} belongs to --smarts; the hand-made whiteboxes are what they are")
        if given and len(listed(motif)) > 1:
            parser.error(f"--{given[0]} is for one SMARTS; in a list write it behind its SMARTS: 'CO|{given[0]}=...'")
        for name in given:
            if f"|{name}=" in motif:
                parser.error(f"the {name} is given twice: behind the SMARTS and by --{name}")
        setattr(namespace, self.into, "|".join([motif, *(f"{name}={getattr(namespace, name)}" for name in given)]))


def smarts_id(text: str) -> str:
    """The id of the whitebox that a SMARTS compiles to."""
    return f"smarts:{text}"


def add_readout(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--readout",
        choices=("r1", "r2"),
        default="r1",
        help="r1: max (Eq. 3), r2: saturating (Eq. 4); flucarb has one of its own",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def positive(text: str) -> int:
    """An argparse type: a whole number from 1 to a million."""
    if not text.isdecimal() or not 1 <= int(text) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 to 1,000,000")
    return int(text)


def fraction(text: str) -> float:
    """An argparse type: a number from 0 to 1."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 to 1")
    return value


def chosen_patterns(text: str) -> list[Pattern]:
    """The patterns named in ``--pattern``; "all" means the fourteen.

    Raises:
        InputError: one of them does not exist.
    """
    if text == "all":
        return fourteen()
    return [pattern(id) for id in listed(text)]


def listed(text: str) -> list[str]:
    """The ids that a ``--pattern`` lists."""
    return split_patterns(text)


def check_smarts(options: argparse.Namespace) -> None:
    """Compile what a command will want compiled, before it loads all that it needs.

    Raises:
        InputError: a SMARTS or one of its options cannot be used.
    """
    for name in ("pattern", "patterns"):
        text = getattr(options, name, None)
        if isinstance(text, str) and "smarts:" in text:
            for id in listed(text):
                if id.startswith("smarts:"):
                    pattern(id)


def records(options: argparse.Namespace) -> Iterator[Record]:
    """(place, molecule or error) of every input: arguments, then ``--input``, else standard input.

    Raises:
        InputError: there is no input at all, or none but a file that cannot be used.
    """
    piped = not options.molecules and not options.input
    if piped and sys.stdin.isatty():
        raise InputError("no molecule given: name some, use --input FILE, or pipe lines in.")
    found, problem = _file(options, piped)
    if problem and not options.molecules:
        raise problem
    for number, text in enumerate(options.molecules, start=1):
        yield f"molecule {number}", _found(text)
    if problem:
        yield "--input", problem
    for number, each in found:
        yield getattr(each, "place", getattr(each, "origin", f"line {number}")), each


def _file(
    options: argparse.Namespace, piped: bool
) -> tuple[Iterable[tuple[int, Molecule | InputError]], InputError | None]:
    """The molecules of ``--input`` or standard input, or why it cannot be used as a whole."""
    if not options.input and not piped:
        return (), None
    from_pipe = piped or options.input == "-"
    source, name = (sys.stdin, "standard input") if from_pipe else (options.input, None)
    try:
        found = read_molecules(source, name, options.column)
    except InputError as error:
        return (), error
    for note in found.notes:
        tell(f"{name or '--input'}: {note}")
    return found, None


def _found(text: str) -> Molecule | InputError:
    try:
        return find_molecule(text)
    except InputError as error:
        return error


def once(molecules: list[Entry], unique: bool) -> list[Entry]:
    """The molecules of a file, each once where that is wished; repeated ones are told on standard error."""
    seen = Distinct()
    kept = list(seen.entries(iter(molecules)))
    if repeats := seen.sentence(unique):
        tell(repeats)
    return kept if unique else molecules


class Stream:
    """The usable molecules of a command's input, in chunks; the others are reported as they come.

    Attributes:
        engine: keeps their graphs and ground truths.
        bad: how many inputs could not be used so far.
    """

    def __init__(self, options: argparse.Namespace, engine: Engine):
        self.engine = engine
        self.bad = 0
        self._records = records(options)
        self._notes = None if getattr(options, "json", False) else Notes()

    def chunks(self, size: int = CHUNK) -> Iterator[list[Molecule]]:
        usable = self._usable()
        while chunk := list(islice(usable, size)):
            yield chunk

    def subjects(self, molecules: Sequence[Molecule], entry: Pattern) -> "list[Subject]":
        """The molecules under a pattern."""
        return [self.engine.subject(molecule, entry) for molecule in molecules]

    def failed(self, molecule: Molecule, error: InputError) -> None:
        """Report a molecule that turned out unusable on the way; the command goes on with the next."""
        self.bad += 1
        report(short_title(molecule), error)

    def _usable(self) -> Iterator[Molecule]:
        for place, found in self._records:
            try:
                if isinstance(found, InputError):
                    raise found
                self.engine.graph(found)
            except InputError as error:
                self.bad += 1
                report(place, error)
                continue
            if self._notes is not None:
                self._notes.of(place, found)
            yield found
        if self._notes is not None:
            self._notes.end()


class Notes:
    """What was changed on the way in, on standard error: the first few of a kind, the others as a number.

    With ``--json`` the notes stand in the records.
    """

    SHOWN = 3

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def of(self, place: str, molecule: Molecule) -> None:
        """Tell the notes of a molecule."""
        for note in molecule.notes:
            kind = re.sub(r"'.*?'|\d+", "", note)[:40]
            self._counts[kind] += 1
            if note != LATIN_NOTE and self._counts[kind] <= self.SHOWN:
                tell(f"{place}: {note}")

    def end(self, where: str = "; --json shows each with its molecule") -> None:
        """Tell how many notes were not told, and where they are."""
        more = sum(
            max(0, count - self.SHOWN) for kind, count in self._counts.items() if not LATIN_NOTE.startswith(kind)
        )
        if more:
            tell(f"{more:,} more such {'note' if more == 1 else 'notes'}{where}.")


def report(place: str, error: InputError) -> None:
    """One line on standard error; the place is named once."""
    text = str(error)
    print(text if place in text else f"{place}: {text}", file=sys.stderr, flush=True)


def print_json(record: dict) -> None:
    print(json.dumps(record, ensure_ascii=not speaks_unicode(), allow_nan=False), flush=True)


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]], indent: str = "") -> None:
    """Columns of text, as wide as they need."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    for row in (header, *rows):
        print(indent + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def short_title(molecule: Molecule) -> str:
    """Name or SMILES, cut: for messages, whose reason is what the reader looks for."""
    return shorten(molecule.name or molecule.smiles)


def title(molecule: Molecule) -> str:
    return molecule.smiles if molecule.name is None else f"{molecule.name} {molecule.smiles}"
