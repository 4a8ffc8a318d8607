"""SMARTS to whitebox: ``compile_smarts`` and what it is made of.

The rooms in the order in which a SMARTS passes them: ``query`` (what was written), ``conditions`` (what an atom asks
for), ``tree``, ``rooted`` and ``never`` (roots, directions, no way back), ``exclusion`` (different branches),
``channels`` (counts, clamps, sums, carries), ``layers``, ``names``; ``compile`` calls them.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .address import address_of, pattern_of
    from .compile import compile_smarts

__all__ = ["address_of", "compile_smarts", "pattern_of"]


def __getattr__(name: str):
    if name == "compile_smarts":
        from .compile import compile_smarts

        return compile_smarts
    if name in ("pattern_of", "address_of"):
        from . import address

        return getattr(address, name)
    raise AttributeError(name)
