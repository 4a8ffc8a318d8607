"""Where blocks of a view stand: beside the text, or above it over the width of the page."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from wombat_core.lessons.blocks import Cards, Strip, Train

from .train import is_trained

if TYPE_CHECKING:
    from wombat_core.lessons.blocks import Block

WIDE = 4
"""More cards than these need the width of the page."""
IN_A_ROW = 5
"""Cards in a row of the page's width."""


def is_above(block: Block) -> bool:
    """Whether a block stands above the text, and not beside it."""
    if isinstance(block, Train):
        return is_trained(block)
    return isinstance(block, Strip) or (isinstance(block, Cards) and len(block.cards) > WIDE)


def columns_of(block: Cards, count: int) -> int:
    """In how many columns so many cards of a block stand; rows are as even as can be."""
    if is_above(block):
        return math.ceil(count / math.ceil(count / IN_A_ROW))
    return min(block.columns, count) if count > 1 else 1
