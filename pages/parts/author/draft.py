"""What the page is about: the SMARTS of the address with its choices, and the whitebox it compiles to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pages.addresses.author import AUTHOR, AuthorState
from pages.shared import engine
from pages.shared.whiteboxes import is_compiled, motif_name
from wombat_core.compiler.address import pattern_of, read_address
from wombat_core.errors import InputError

if TYPE_CHECKING:
    from pages.shared.state import State
    from wombat_core.whitebox.catalogue import Pattern

EXAMPLE = "[CX3H1](=O)[#6]"
CHOICES = ("smarts", "style", "root", "encoding", "depth")


@dataclass(frozen=True, eq=False)
class Draft:
    """A motif and what becomes of it.

    Attributes:
        page: the page's state, with the SMARTS that is shown.
        id: names the whitebox in the address of all pages.
        pattern: the whitebox, or None.
        error: why there is none, or None.
        is_example: whether nobody chose it.
    """

    page: AuthorState
    id: str
    pattern: Pattern | None
    error: InputError | None
    is_example: bool

    @property
    def name(self) -> str:
        """What the motif is called."""
        return motif_name(self.page.smarts)

    def change(self, **changes) -> None:
        """Write a change, and with it all choices that the address may not have yet."""
        AUTHOR.write(
            **{name: getattr(self.page, name) for name in CHOICES if name != "smarts"}
            | ({"smarts": self.page.smarts} if "smarts" not in changes else {"root": None, "depth": None})
            | changes
        )

    def with_(self, **changes) -> str:
        """The id with other choices."""
        return id_of(replace(self.page, **changes))


def open_draft(state: State, page: AuthorState) -> Draft:
    """The draft of the address: what was typed, else the whitebox of all pages, else an example."""
    is_example = False
    page = replace(page, smarts=page.smarts.strip())
    if not page.smarts and is_compiled(state.pattern):
        smarts, options = read_address(state.pattern)
        page = replace(page, smarts=smarts, **options)
    elif not page.smarts:
        page, is_example = replace(page, smarts=EXAMPLE), True
    id = id_of(page)

    def compiled() -> Pattern | InputError:
        try:
            return pattern_of(id)
        except InputError as error:
            return error

    found = engine.get_engine().once("draft", (id,), compiled)
    failed = isinstance(found, InputError)
    return Draft(page, id, None if failed else found, found if failed else None, is_example)


def id_of(page: AuthorState) -> str:
    """How the address of all pages names what is chosen here."""
    from wombat_core.compiler import address_of

    return address_of(page.smarts, page.style, page.root, page.encoding, page.depth)


def size_of(pattern: Pattern) -> str:
    """Layers and channels in words."""
    layers, channels = pattern.num_layers, pattern.num_channels
    return f"{layers} layer{'s' * (layers != 1)}, {channels} channel{'s' * (channels != 1)}"
