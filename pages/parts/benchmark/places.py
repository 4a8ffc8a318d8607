"""How a cell of the benchmark's table is named in the address, and its whitebox in words."""

from pages.shared.whiteboxes import is_compiled, whitebox_name


def place_of(cell: str) -> tuple[str, ...]:
    """Pattern, explainer and readout of a cell; a SMARTS in front may have colons."""
    return tuple(cell.rsplit(":", 2))


def pattern_name(id: str) -> str:
    """What the table calls a whitebox."""
    return whitebox_name(id) if is_compiled(id) else f"Pattern {id}"
