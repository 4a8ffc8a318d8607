"""A compiled whitebox as YAML, for people who want to change its weights, and back."""

import logging
import re
from dataclasses import replace
from pathlib import Path

import yaml

from ..errors import InputError
from ..molecules.features import encoding_named
from ..molecules.parse_problems import shorten
from ..whitebox.catalogue import Origin, Pattern
from ..whitebox.notation import read_channel
from .address import pattern_of
from .compile import check_root
from .query import read_query
from .styles import STYLES

_LOG = logging.getLogger("wombat.networks")

MOST_CHARACTERS = 400_000
MOST_LAYERS = 60
MOST_CHANNELS = 2_000


def to_yaml(pattern: Pattern) -> str:
    """The pattern in the notation of ``patterns.yaml``; ``from_yaml`` reads it again.

    >>> from wombat_core.compiler.compile import compile_smarts
    >>> print(to_yaml(compile_smarts("C#N", name="nitrile")))
    name: nitrile
    id: smarts:C#N|root=0
    smarts: C#N
    label: C#N
    ...
    """
    origin = pattern.origin
    facts: dict = {"name": pattern.title, "id": pattern.id, "smarts": pattern.krfp, "label": pattern.smarts}
    if origin is not None:
        facts |= {"style": origin.style, "root": origin.root, "notes": list(origin.notes)}
    if pattern.encoding != "wombat":
        facts["encoding"] = pattern.encoding
    head = yaml.safe_dump(facts, sort_keys=False, allow_unicode=True, width=1000)
    lines = [head + "layers:"]
    for layer in pattern.layers:
        for place, channel in enumerate(layer):
            spec = [
                channel.self_term.text,
                channel.neighbour_term.text,
                channel.bond_term.text,
                int(channel.bias) if channel.bias == int(channel.bias) else channel.bias,
            ]
            flow = yaml.safe_dump(spec, default_flow_style=True, width=10_000).strip()
            start = "  - " if place == 0 else "    "
            lines.append(f"{start}{_key(channel.letter)}: {flow}")
    return "\n".join(lines) + "\n"


def _key(letter: str) -> str:
    # Y, N, ON, NO and the like are truth values to YAML.
    return letter if len(letter) == 1 and letter not in "YN" else f'"{letter}"'


def from_yaml(text: str) -> Pattern:
    """Read a pattern that ``to_yaml`` wrote, also with weights changed by hand.

    Unchanged, it is the pattern that was written, with its id; changed, its id is "file:" and its name.

    Raises:
        InputError: it is no such file, or a channel is not in the notation; the sentence names it.

    >>> from wombat_core.whitebox.catalogue import pattern
    >>> from_yaml(to_yaml(pattern("12"))) == pattern("12")
    True
    """
    if not isinstance(text, str):
        raise InputError(f"A whitebox file is a text, not {str(text)[:40]!r}.")
    if len(text) > MOST_CHARACTERS:
        raise InputError(f"The file has {len(text):,} characters; at most {MOST_CHARACTERS:,} are read.")
    try:
        facts = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" (line {mark.line + 1})" if mark is not None else ""
        raise InputError(f"The file is no YAML{where}.") from None
    if not isinstance(facts, dict) or not isinstance(facts.get("layers"), list) or "smarts" not in facts:
        raise InputError("The file holds no whitebox: it needs 'smarts' and 'layers'.")
    query = read_query(str(facts["smarts"]))
    label = str(facts.get("label", query.label))
    read_query(label)
    layers = _layers(facts["layers"])
    root, style = facts.get("root", query.original[0]), facts.get("style", "small")
    check_root(query, root)
    STYLES.check(style)
    notes = tuple(map(str, facts.get("notes") or ()))
    name = shorten(str(facts.get("name") or facts["smarts"]))
    encoding = encoding_named(str(facts.get("encoding", "wombat"))).name
    origin = Origin(query.smarts, style, root, notes)
    read = Pattern("file:" + name, query.smarts, label, layers, None, origin=origin, name=name, encoding=encoding)
    return _unchanged(str(facts.get("id", "")), read) or read


def _unchanged(id: str, read: Pattern) -> Pattern | None:
    """The pattern of that id, where it is the one that was read."""
    try:
        known = pattern_of(id)
    except InputError:
        return None
    if not isinstance(known, Pattern):
        return None
    same = all(getattr(known, name) == getattr(read, name) for name in ("krfp", "smarts", "layers", "encoding"))
    if not same or (known.origin is not None and read.origin is not None and known.origin.root != read.origin.root):
        return None
    return known if known.title == read.title else replace(known, name=read.name)


def from_folder(folder: Path) -> dict[str, Pattern]:
    """The whiteboxes of a folder's YAML files by id, ``file:`` and its name; the log tells of those that are none.

    Names of files have letters, digits, dots, hyphens and underscores, so that an address can hold them.
    """
    found = {}
    for path in sorted(folder.glob("*.yaml")):
        try:
            if not re.fullmatch(r"[A-Za-z0-9._-]{1,40}", path.stem):
                raise InputError("its name has other characters than letters, digits, dots, hyphens and underscores.")
            own = from_yaml(path.read_text(encoding="utf-8"))
            found[f"file:{path.stem}"] = replace(own, id=f"file:{path.stem}")
        except (InputError, OSError, UnicodeDecodeError) as error:
            _LOG.warning("The network %s is left out: %s", path, error)
    return found


def _layers(entries: list) -> tuple:
    if not 1 <= len(entries) <= MOST_LAYERS or not all(isinstance(entry, dict) and entry for entry in entries):
        raise InputError(f"'layers' must list 1 to {MOST_LAYERS} layers, each with its channels by letter.")
    if sum(map(len, entries)) > MOST_CHANNELS:
        raise InputError(f"The network has more than {MOST_CHANNELS:,} channels.")
    layers: list = []
    for depth, entry in enumerate(entries, start=1):
        channels = []
        for letter, spec in entry.items():
            name = f"{letter}.{depth}"[:20]
            if not (isinstance(letter, str) and letter.isascii() and letter.isalpha() and letter.isupper()):
                raise InputError(f"Channel {name}: channels are named by letters A to Z (quote Y and N).")
            if not (isinstance(spec, list) and len(spec) == 4) or not _is_number(spec[3]):
                raise InputError(f"Channel {name} is no [self, neighbour, bond, bias].")
            try:
                channels.append(read_channel(letter, depth, spec))
            except ValueError as error:
                raise InputError(f"{error}.") from None
            if layers:
                known = {channel.letter for channel in layers[-1]}
                for term in (channels[-1].self_term, channels[-1].neighbour_term):
                    for own, _ in term.parts:
                        if own not in known:
                            raise InputError(f"Channel {name} reads {own}.{depth - 1}, which there is not.")
        layers.append(tuple(channels))
    return tuple(layers)


def _is_number(value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9
