"""Whatever goes wrong on a page becomes one sentence there."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from wombat_core.errors import InputError

from .text import plain

_LOG = logging.getLogger("wombat.pages")


@contextmanager
def error_boundary(what: str) -> Iterator[None]:
    """Show an error of the block as a sentence and go on after it.

    Args:
        what: the part of the page, as in "The 3D view".
    """
    try:
        yield
    except InputError as error:
        st.error(plain(error))
    except Exception:
        _LOG.exception("%s failed", what)
        st.error(f"{what} cannot be shown: an unexpected error, whose details are in the server's log.")
