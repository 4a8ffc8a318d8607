"""What the Author page shows, as a value beside the ``State`` in the address."""

from dataclasses import dataclass, replace
from typing import Any

from pages.shared.address import Address, param
from pages.shared.codecs import FLAG, TEXT, choice, several, whole
from wombat_core.compiler.styles import STYLES
from wombat_core.molecules.features import ENCODINGS

VIEWS = ("network", "heatmaps", "wirings", "certificate", "atoms")
MOST_PICKED = 60


def _styles() -> list[str]:
    return list(STYLES)


def _encodings() -> list[str]:
    return list(ENCODINGS)


@dataclass(frozen=True)
class AuthorState:
    """Everything that a link to the page carries, beside molecule, readout and explainers of the ``State``."""

    view: str = param("network", choice(lambda: VIEWS), "which part of the page is open")
    smarts: str = param("", TEXT, 'the motif as it was typed; "" for the whitebox of all pages, or an example')
    style: str = param("small", choice(_styles), "how it is compiled")
    root: int | None = param(None, whole(0, 9_999), "atom of the SMARTS at which the readout looks; None: the best")
    encoding: str = param("wombat", choice(_encodings), "what the network reads of a molecule")
    depth: int | None = param(None, whole(1, 99), "layers of a network for rings; None: the default")
    layer: int = param(1, whole(1, 99), "the layer whose channels are shown where there are many")
    atoms: tuple[int, ...] = param(
        (), several(whole(0, 999_999), lambda atoms: sorted(set(atoms)), MOST_PICKED), "picked atoms of the molecule"
    )
    hydrogens: bool = param(False, FLAG, "picked atoms keep their hydrogens")
    degree: bool = param(False, FLAG, "picked atoms keep their number of neighbours")
    charge: bool = param(True, FLAG, "picked atoms keep their charge")
    bonds: bool = param(True, FLAG, "picked bonds keep their order")


def changed(state: AuthorState, /, **changes: Any) -> AuthorState:
    """The value after a change; root, depth and layer belong to a SMARTS."""
    if changes.get("smarts", state.smarts) != state.smarts:
        changes = {"root": None, "depth": None, "layer": 1, **changes}
    return replace(state, **changes)


AUTHOR = Address(AuthorState, "author", changed)
