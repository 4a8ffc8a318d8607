"""A page's state as one value that lives in the address: the only place that reads and writes it.

A state is a frozen dataclass whose fields are made by :func:`param`, each declared once: default, codec, meaning.
Every run begins with :meth:`Address.read`. Widgets are made with :meth:`Address.bind`, which shows the value of the
address and writes a change back before the rerun it causes; so there is one truth and nothing lags behind it.
Several addresses share one URL: each has names of its own there and keeps what it does not know.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

from .codecs import MAX_TEXT, Codec

Value = TypeVar("Value")


@dataclass(frozen=True)
class Parameter:
    """What is declared of a field.

    Attributes:
        codec: how its values are written.
        meaning: one phrase.
        earlier: its name in links from before the page had a namespace; None where it is the field's.
    """

    codec: Codec
    meaning: str
    earlier: str | None = None


def param(default: Any, codec: Codec, meaning: str, earlier: str | None = None) -> Any:
    """A field of a state, see :class:`Parameter`."""
    return field(default=default, metadata={"parameter": Parameter(codec, meaning, earlier)})


@dataclass(frozen=True)
class Address(Generic[Value]):
    """How a frozen dataclass of :func:`param` fields is written into the address.

    Attributes:
        kind: the dataclass; every field has a default.
        page: the page whose state it is; its names begin with that, as in "failures.sheet". Empty for what several
            pages share, whose names stand alone.
        changed: the value after changes, where one change brings others along.
    """

    kind: type[Value]
    page: str = ""
    changed: Callable[..., Value] = replace

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        """What is declared of each field, by its name."""
        return {each.name: each.metadata["parameter"] for each in fields(self.kind)}

    @cached_property
    def names(self) -> dict[str, str]:
        """The field of every name that is read: those of today's links, then those of earlier ones."""
        today = {self.name_of(name): name for name in self.parameters}
        earlier = {name if own.earlier is None else own.earlier: name for name, own in self.parameters.items()}
        return today | {name: of for name, of in earlier.items() if name and name not in today}

    def name_of(self, name: str) -> str:
        """How a field is called in the address."""
        return f"{self.page}.{name}" if self.page else name

    def parse(self, params: Mapping[str, str]) -> tuple[Value, list[str]]:
        """The value of an address and a sentence for every part of it that cannot be used.

        Unusable parts take their default values; unknown parts are ignored. Of two names of one field, today's holds.
        """
        values, problems = {}, []
        for name, of in self.names.items():
            if name not in params or of in values:
                continue
            try:
                if len(params[name]) > MAX_TEXT:
                    raise ValueError(f"at most {MAX_TEXT:,} characters are read")
                values[of] = self.parameters[of].codec.decode(params[name])
            except ValueError as error:
                shown = params[name] if len(params[name]) <= 40 else params[name][:39] + "…"
                problems.append(f"The address says {name}={shown}, but {error}; the default is shown instead.")
        return self.kind(**values), problems

    def params_of(self, value: Value) -> dict[str, str]:
        """The address of a value: only what differs from the defaults. :meth:`parse` takes it back."""
        default = self.kind()
        return {
            self.name_of(name): own.codec.encode(getattr(value, name))
            for name, own in self.parameters.items()
            if getattr(value, name) != getattr(default, name)
        }

    def read(self) -> tuple[Value, list[str]]:
        """The value of the open address, and what was wrong with the address."""
        from . import unheard

        return self.parse(unheard.current())

    def write(self, **changes: Any) -> None:
        """Change the open address. In a callback the run that follows sees it; elsewhere, rerun."""
        from . import unheard

        before = unheard.current()
        value, _ = self.parse(before)
        others = {name: text for name, text in before.items() if name not in self.names}
        after = others | self.params_of(self.changed(value, **changes))
        if after != before:
            unheard.write(before, after)

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

        key = f"state-{self.name_of(name)}"
        shown = show(getattr(value, name))
        if key not in st.session_state or st.session_state[key] != shown:
            st.session_state[key] = shown
        return {"key": key, "on_change": lambda: self.write(**{name: take(st.session_state[key])})}
