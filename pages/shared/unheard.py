"""Changes of the address that the browser may not have heard of yet.

A browser sends its address along with every change of a widget. Until it has heard of the last change, that is an
address from before it; taken at its word, it would undo that change. So the session remembers what it wrote, until the
browser sends an address that shows that it knows. Going back or forward in the browser's history is no such case:
Streamlit says when a run comes from there.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

MOST = 20
"""Addresses that are remembered; nobody makes more changes within one way to the browser and back."""
_KEY = "address-unheard"

Params = dict[str, str]


@dataclass
class Unheard:
    """What a session wrote since the browser was last known to agree.

    Attributes:
        page: hash of the page of these addresses.
        before: addresses that were replaced, the oldest first.
        now: what replaced the last of them.
        fresh: whether this run wrote it, or had to correct the browser's: that it now holds says nothing about what
            the browser knows.
    """

    page: str = ""
    before: list[Params] = field(default_factory=list)
    now: Params | None = None
    fresh: bool = False

    def corrected(self, sent: Params, page: str, from_history: bool) -> Params:
        """The address that holds, where the browser sent this one."""
        if sent == self.now and page == self.page:
            return sent
        if self.now is not None and page == self.page and sent in self.before and not from_history:
            self.fresh = True
            return self.now
        self.before, self.now = [], None
        return sent

    def write(self, before: Params, after: Params, page: str) -> None:
        """Remember a change."""
        heard = self.now is None or (self.now == before and not self.fresh)
        self.before = [before] if heard else [*self.before, before][-MOST:]
        self.page, self.now, self.fresh = page, after, True

    def begin(self, sent: Params) -> None:
        """A run of the whole script begins, after its callbacks."""
        if not self.fresh and sent == self.now:
            self.before, self.now = [], None
        self.fresh = False


def current() -> Params:
    """The address that holds, whatever the browser has heard of."""
    sent = st.query_params.to_dict()
    context = get_script_run_ctx()
    if context is None:
        return sent
    held = _unheard().corrected(sent, context.page_script_hash, context.is_history_navigation)
    if held != sent:
        st.query_params.from_dict(held)
    return held


def write(before: Params, after: Params) -> None:
    """Put an address in the place of the one that holds."""
    if context := get_script_run_ctx():
        _unheard().write(before, after, context.page_script_hash)
    st.query_params.from_dict(after)


def begin() -> None:
    """To be called once, when a run of the whole script begins."""
    _unheard().begin(current())


def _unheard() -> Unheard:
    return st.session_state.setdefault(_KEY, Unheard())
