"""A page's state as one value that lives in the address: the only place that reads and writes it.

Every run begins with :meth:`Address.read`. Widgets are made with :meth:`Address.bind`, which shows the value of the
address and writes a change back before the rerun it causes; so there is one truth and nothing lags behind it.
Several addresses share one URL: each keeps what it does not know.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Generic, TypeVar

from .codecs import Codec

Value = TypeVar("Value")


@dataclass(frozen=True)
class Address(Generic[Value]):
    """How a frozen dataclass of defaults is written into the address.

    Attributes:
        kind: the dataclass; every field has a default. A name that two dataclasses share means the same thing in
            both and has the same default, so that links between pages carry it.
        codecs: how each field is written, by name.
        changed: the value after changes, where one change brings others along.
    """

    kind: type[Value]
    codecs: Mapping[str, Codec]
    changed: Callable[..., Value] = replace

    def __post_init__(self):
        assert set(self.codecs) == {field.name for field in fields(self.kind)}

    def parse(self, params: Mapping[str, str]) -> tuple[Value, list[str]]:
        """The value of an address and a sentence for every part of it that cannot be used.

        Unusable parts take their default values; unknown parts are ignored.
        """
        values, problems = {}, []
        for name, (decode, _) in self.codecs.items():
            if name not in params:
                continue
            try:
                values[name] = decode(params[name])
            except ValueError as error:
                shown = params[name] if len(params[name]) <= 40 else params[name][:39] + "…"
                problems.append(f"The address says {name}={shown}, but {error}; the default is shown instead.")
        return self.kind(**values), problems

    def params_of(self, value: Value) -> dict[str, str]:
        """The address of a value: only what differs from the defaults. :meth:`parse` takes it back."""
        default = self.kind()
        return {
            name: encode(getattr(value, name))
            for name, (_, encode) in self.codecs.items()
            if getattr(value, name) != getattr(default, name)
        }

    def read(self) -> tuple[Value, list[str]]:
        """The value of the open address, and what was wrong with the address."""
        import streamlit as st

        return self.parse(st.query_params.to_dict())

    def write(self, **changes: Any) -> None:
        """Change the open address. In a callback the run that follows sees it; elsewhere, rerun."""
        import streamlit as st

        before = st.query_params.to_dict()
        value, _ = self.parse(before)
        others = {name: text for name, text in before.items() if name not in self.codecs}
        after = others | self.params_of(self.changed(value, **changes))
        if after != before:
            st.query_params.from_dict(after)

    def bind(
        self,
        value: Value,
        name: str,
        show: Callable[[Any], Any] = lambda v: v,
        take: Callable[[Any], Any] = lambda v: v,
    ) -> dict[str, Any]:
        """Arguments that tie a widget to a field: ``st.toggle("Numbers", **ADDRESS.bind(state, "numbers"))``.

        Args:
            value: the value of this run.
            name: its field.
            show: from the field's value to the widget's.
            take: from the widget's value to the field's.
        """
        import streamlit as st

        key = f"state-{name}"
        shown = show(getattr(value, name))
        if key not in st.session_state or st.session_state[key] != shown:
            st.session_state[key] = shown
        return {"key": key, "on_change": lambda: self.write(**{name: take(st.session_state[key])})}
