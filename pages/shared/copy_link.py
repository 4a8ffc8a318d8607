"""A button that copies the page's address."""

from .component import component

_component = component("copy_link", view=False)


def copy_link(key: str) -> None:
    """Show the button; where the clipboard is not to be had, it shows the address to copy by hand."""
    _component(key=key, data={}, width="content")
