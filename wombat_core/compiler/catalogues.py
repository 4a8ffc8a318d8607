"""Motifs by name: Klekota-Roth keys, MACCS keys, RDKit's functional groups and fragments, and a chemist's own list."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml
from rdkit import Chem, RDConfig, rdBase
from rdkit.Chem import FunctionalGroups, MACCSkeys

from ..data import data_file
from ..errors import InputError
from ..molecules.molecule import from_smiles
from ..registry import Registry

FOLDER = "catalogues"
MOST_CHARACTERS = 2000


@dataclass(frozen=True)
class Motif:
    """One entry of a catalogue.

    Attributes:
        catalogue: its catalogue's key; key: its own there, unique; name: for people; smarts: the motif.
    """

    catalogue: str
    key: str
    name: str
    smarts: str


@dataclass(frozen=True)
class Catalogue:
    """A list of motifs.

    Attributes:
        key: its name in the terminal; title: for people; source: where its SMARTS come from.
    """

    key: str
    title: str
    source: str
    read: Callable[[], list[tuple[str, str, str]]]

    @property
    def motifs(self) -> tuple[Motif, ...]:
        """All motifs, in the source's order."""
        return _motifs(self.key)


@cache
def _motifs(key: str) -> tuple[Motif, ...]:
    return tuple(Motif(key, *entry) for entry in CATALOGUES[key].read())


def _named() -> list[tuple[str, str, str]]:
    text = (data_file(FOLDER) / "motifs.yaml").read_text(encoding="utf-8")
    return [(name, name, smarts) for name, smarts in yaml.safe_load(text).items()]


def _klekota_roth() -> list[tuple[str, str, str]]:
    lines = (data_file(FOLDER) / "klekota_roth.smarts").read_text(encoding="utf-8").splitlines()
    keys = [line for line in lines if not line.startswith("# ")]
    return [(f"KR{number}", f"Klekota-Roth {number}", smarts) for number, smarts in enumerate(keys, start=1)]


def _maccs() -> list[tuple[str, str, str]]:
    found = []
    for number, (smarts, count) in MACCSkeys.smartsPatts.items():
        if smarts != "?":  # keys that RDKit does not define by a SMARTS
            more = f", more than {count}" if count else ""
            found.append((f"MACCS{number}", f"MACCS {number}{more}", smarts))
    return found


def _functional_groups() -> list[tuple[str, str, str]]:
    found = []

    def walk(groups, above: str) -> None:
        for group in groups:
            name = f"{above}{group.name.strip()}"
            smarts = group.smarts if isinstance(group.smarts, str) else Chem.MolToSmarts(group.pattern)
            found.append((group.label.strip(), name, smarts))
            walk(group.children, f"{name}, ")

    walk(FunctionalGroups.BuildFuncGroupHierarchy(), "")
    return found


def _fragments() -> list[tuple[str, str, str]]:
    found = []
    with open(Path(RDConfig.RDDataDir, "FragmentDescriptors.csv"), encoding="utf-8") as lines:
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if line.startswith("fr_") and len(fields) >= 3:
                found.append((fields[0], fields[1].strip('" ') or fields[0], fields[2].strip('" ')))
    return found


_RDKIT = "as the installed RDKit (BSD 3-Clause) holds them"
CATALOGUES = Registry(
    "catalogue",
    {
        entry.key: entry
        for entry in (
            Catalogue("motifs", "Motifs by a chemist's names", "written for this project", _named),
            Catalogue(
                "klekota-roth",
                "Klekota-Roth fingerprint keys",
                "J. Klekota, F. P. Roth, Bioinformatics 24 (2008) 2518, as scikit-fingerprints 2.1.0 (MIT) holds them",
                _klekota_roth,
            ),
            Catalogue("maccs", "MACCS keys", _RDKIT, _maccs),
            Catalogue("functional-groups", "Functional-group hierarchy", _RDKIT, _functional_groups),
            Catalogue("fragments", "Fragments", _RDKIT, _fragments),
        )
    },
)


def catalogue(key: str) -> Catalogue:
    """The catalogue of that key.

    Raises:
        InputError: there is none; the sentence lists those there are.
    """
    return CATALOGUES[key]


def motif(key: str) -> Motif:
    """The motif of that key, whatever its catalogue; upper and lower case are the same.

    Raises:
        InputError: there is none.

    >>> motif("aldehyde").smarts
    '[CX3H1](=O)[#6]'
    >>> motif("KR9").catalogue
    'klekota-roth'
    """
    for entry in CATALOGUES.values():
        for found in entry.motifs:
            if found.key.lower() == key.strip().lower():
                return found
    raise InputError(f"There is no motif {key[:40]!r} in the catalogues; search with `catalogue list --search`.")


def search(text: str, among: tuple[Motif, ...]) -> list[Motif]:
    """Motifs whose name, key or SMARTS has the text, or, where there is none, which match it as a molecule.

    Raises:
        InputError: the text is too long.
    """
    if len(text) > MOST_CHARACTERS:
        raise InputError(f"The text to search for has {len(text):,} characters; at most {MOST_CHARACTERS:,} are read.")
    wanted = text.strip().lower()
    found = [m for m in among if wanted in m.name.lower() or wanted in m.key.lower() or text.strip() == m.smarts]
    if found or not wanted:
        return found
    try:
        mol = from_smiles(text).mol
    except InputError:
        return []
    with rdBase.BlockLogs():
        queries = ((m, Chem.MolFromSmarts(m.smarts)) for m in among)
        return [m for m, query in queries if query is not None and mol.HasSubstructMatch(query)]


def motifs(text: str | None = None, which: str | None = None) -> tuple[Motif, ...]:
    """The motifs of a catalogue, or of all, that :func:`search` finds for a text; without a text, all of them.

    Args:
        text: part of a name or key, a SMARTS, or a molecule that has the motif.
        which: the catalogue's key: "motifs", "klekota-roth", "maccs", "functional-groups" or "fragments".

    Raises:
        InputError: there is no such catalogue, or the text is too long.

    >>> [found.name for found in motifs("urea", "motifs")]
    ['thiourea', 'urea']
    """
    chosen = CATALOGUES.values() if which is None else [catalogue(which)]
    among = tuple(found for entry in chosen for found in entry.motifs)
    return among if text is None else tuple(search(text, among))
