"""How the molecule pages' state is written: explainers and their settings, layers, ranges, activations."""

from typing import Any
from urllib.parse import quote, unquote

from wombat_core.errors import InputError
from wombat_core.explainers.registry import explainer_class, names
from wombat_core.settings import settings_of

from .codecs import FRACTION, Codec, choice, in_order, pattern, several, whole
from .whiteboxes import COMPILED, is_compiled, problem_of, whiteboxes_of

READOUT_LAYER = "readout"
AUTOMATIC = "auto"
MAX_WATCHED = 8
SHARED = ("steps", "samples", "seed")
"""Settings that have a part of the address of their own."""

Settings = tuple[tuple[str, str, Any], ...]


def explainer_names() -> list[str]:
    """All explainers, in the registry's order."""
    return names()


explainers_of = in_order(explainer_names)
"""Names in the registry's order, each once."""


def _whitebox(text: str) -> str:
    # A plus sign that was typed into an address arrives as a space, which no SMARTS has.
    id = COMPILED + text.removeprefix(COMPILED).strip().replace(" ", "+") if is_compiled(text) else text
    if problem := problem_of(id):
        raise ValueError(problem)
    return id


WHITEBOX = Codec(_whitebox)
"""An id of the catalogue, or ``smarts:`` with a SMARTS and options (see ``wombat_core.compiler.pattern_of``)."""


def _one_of_several(text: str) -> str:
    return _whitebox(unquote(text) if is_compiled(text) else text)


def _split(text: str) -> list[str]:
    from wombat_core.compiler.address import split_patterns

    return split_patterns(text)


# A SMARTS may have commas, and percent signs before the numbers of its rings.
WHITEBOXES = several(
    Codec(_one_of_several, lambda id: id.replace("%", "%25").replace(",", "%2C")),
    whiteboxes_of,
    split=_split,
)
"""Ids with commas between them."""

EXPLAINERS = several(choice(explainer_names), explainers_of)


def with_setting(given: Settings, explainer: str, name: str, value: Any) -> Settings:
    """The settings after a change of one; defaults are left out."""
    rest = [each for each in given if each[:2] != (explainer, name)]
    if value != settings_of(explainer_class(explainer))[name].default:
        rest.append((explainer, name, value))
    places = {each: place for place, each in enumerate(explainer_names())}
    return tuple(sorted(rest, key=lambda each: (places[each[0]], each[1])))


def _arranged(settings: list[tuple[str, str, Any]]) -> Settings:
    given: Settings = ()
    for each in settings:
        given = with_setting(given, *each)
    return given


def _setting(text: str) -> tuple[str, str, Any]:
    place, colon, value = text.partition(":")
    explainer, dot, name = place.partition(".")
    if not (colon and dot):
        raise ValueError("it must be settings with commas between them, such as gnn-explainer.epochs:50")
    own = settings_of(explainer_class(choice(explainer_names).decode(explainer)))
    if name in SHARED or name not in own:
        open_ones = [each for each in own if each not in SHARED]
        raise ValueError(f"the settings of {explainer} here are {', '.join(open_ones) or 'none'}")
    try:
        return explainer, name, own[name].parse(unquote(value))
    except InputError as error:
        raise ValueError(f"{explainer}: {str(error).removesuffix('.')}") from None


def _setting_text(setting: tuple[str, str, Any]) -> str:
    explainer, name, value = setting
    return f"{explainer}.{name}:{quote(settings_of(explainer_class(explainer))[name].text(value), safe='')}"


SETTINGS = several(Codec(_setting, _setting_text), _arranged)


def _layer(text: str) -> int:
    if text == READOUT_LAYER:
        return 0
    try:
        return whole(1, 99).decode(text)
    except ValueError as error:
        raise ValueError(f"{error}, or {READOUT_LAYER}") from None


LAYER = Codec(_layer, lambda layer: str(layer or READOUT_LAYER))
CHANNEL = pattern("[A-Z]{1,3}", "it must be the letter of a channel, such as A or AB")


def zoom_text(low: float, high: float) -> str:
    """A range of alphas as the address writes it."""
    return f"{FRACTION.encode(low)}-{FRACTION.encode(high)}"


def zoom_range(text: str) -> tuple[float, float]:
    """The range of alphas of ``zoom_text``.

    Raises:
        ValueError: it is none, or narrower than 0.001.
    """
    low, _, high = text.partition("-")
    try:
        ends = FRACTION.decode(low), FRACTION.decode(high)
    except ValueError:
        ends = (1.0, 0.0)
    if ends[1] - ends[0] < 0.001 - 1e-12:
        raise ValueError(f"it must be {AUTOMATIC} or a range of alphas at least 0.001 wide, such as 0.9-1")
    return ends


ZOOM = Codec(lambda text: AUTOMATIC if text == AUTOMATIC else zoom_text(*zoom_range(text)))
BASELINE = pattern(
    r"zero|mean-atom|bonds-kept|without-[A-Z][a-z]?",
    "it must be zero, mean-atom, bonds-kept or without- and an element, such as without-N",
)
ACTIVATION = r"[A-Z]{1,3}\.\d{1,2}:\d{1,6}"
_ACTIVATIONS = f"it must be up to {MAX_WATCHED} activations with commas between them, such as A.6:13,C.2:9"
WATCHED = several(pattern(ACTIVATION, _ACTIVATIONS), most=MAX_WATCHED, reason=_ACTIVATIONS)
