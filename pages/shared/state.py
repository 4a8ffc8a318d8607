"""What the molecule pages show, as one value that lives in the address (see ``address``)."""

import re
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote, unquote

from .address import Address
from .codecs import FLAG, FRACTION, fraction, number, of_fraction, one_of, plain, text

EXAMPLE = "NC(=O)NN=C1CCCC(C(=O)O)C1"
VIEWS = ("heatmaps", "3d", "export")
READOUT_LAYER = "readout"
PARTS = ("path", "activations", "one-atom", "convergence")
BESIDE_F = ("other", "slope")
BESIDE_HEAT = ("gathered", "gradients")
AUTOMATIC = "auto"
MAX_WATCHED = 8
SHARED = ("steps", "samples", "seed")
"""Settings that have a part of the address of their own."""

Settings = tuple[tuple[str, str, Any], ...]


@dataclass(frozen=True)
class State:
    """Everything that a link carries.

    Attributes:
        molecule: what the user typed: SMILES, name or CAS number.
        pattern: id of the whitebox.
        readout: "r1" or "r2".
        explainers: names, in the registry's order.
        atom: index of the selected atom, or None.
        view: one of ``VIEWS``.
        layer: layer on the Layers page, from 1; 0 is the readout.
        channel: letter of the channel there; "" lets the page choose.
        compare: whether the Layers page shows Pattern 12 and its variants side by side.
        colour_by: explainer that colours the 3D view; "" for the first.
        rings, numbers, values, bonds, signed, common: what the pictures show.
        part: which part of the Interpolation page is open, one of ``PARTS``.
        alpha: where its cursor stands on the path, 0 to 1.
        zoom: the alphas its charts show, such as "0.9-1"; "auto" where F changes.
        points: alphas between the ends of the zoom.
        baseline: where the path starts, a name of ``wombat_core.paths.baselines``.
        beside_f, beside_heat: its second and its fourth chart.
        log: logarithmic axis for the gathered attributions.
        held: where everything but the one atom is held.
        watch: activations followed while the atom moves, such as "A.6:13"; empty lets the page choose.
        rules: all quadrature rules, not only Captum's default.
        steps, samples, seed: settings that several explainers share.
        set: other settings that differ from their defaults: explainer, name, value.
        anyway: run costly explainers on a large molecule too.
        present: presentation mode.
    """

    molecule: str = EXAMPLE
    pattern: str = "5"
    readout: str = "r2"
    explainers: tuple[str, ...] = (
        "integrated-gradients",
        "saliency",
        "input-x-gradient",
        "shapley-value-sampling",
        "random",
    )
    atom: int | None = None
    view: str = "heatmaps"
    colour_by: str = ""
    layer: int = 1
    channel: str = ""
    compare: bool = False
    rings: bool = True
    numbers: bool = False
    values: bool = False
    bonds: bool = False
    signed: bool = False
    common: bool = False
    part: str = "path"
    alpha: float = 0.98
    zoom: str = AUTOMATIC
    points: int = 401
    baseline: str = "zero"
    beside_f: str = "other"
    beside_heat: str = "gathered"
    log: bool = True
    held: float = 0.98
    watch: tuple[str, ...] = ()
    rules: bool = False
    steps: int = 50
    samples: int = 100
    seed: int = 0
    set: Settings = ()
    anyway: bool = False
    present: bool = False

    def settings(self, explainer: str = "") -> dict[str, Any]:
        """The settings that all explainers may take, and those that are one explainer's own."""
        own = {name: value for of, name, value in self.set if of == explainer}
        return {**{name: getattr(self, name) for name in SHARED}, **own}


def changed(state: State, **changes: Any) -> State:
    """The state after a change; what belonged to another molecule, whitebox or layer goes with it."""

    def differs(name: str) -> bool:
        return changes.get(name, getattr(state, name)) != getattr(state, name)

    if differs("molecule"):
        changes = {"atom": None, "anyway": False, "watch": (), **changes}
        if state.baseline.startswith("without-"):
            changes = {"baseline": "zero", **changes}
    if differs("pattern"):
        changes = {"layer": 1, "channel": "", "watch": (), **changes}
    if differs("layer"):
        changes = {"channel": "", **changes}
    return replace(state, **changes)


def _layer(text: str) -> int:
    if text == READOUT_LAYER:
        return 0
    try:
        return number(1, 99)(text)
    except ValueError as error:
        raise ValueError(f"{error}, or {READOUT_LAYER}") from None


def _letter(text: str) -> str:
    if not (len(text) == 1 and "A" <= text <= "Z"):
        raise ValueError("it must be a letter from A to Z")
    return text


def zoom_text(low: float, high: float) -> str:
    """A range of alphas as the address writes it."""
    return f"{of_fraction(low)}-{of_fraction(high)}"


def zoom_range(text: str) -> tuple[float, float]:
    """The range of alphas of ``zoom_text``.

    Raises:
        ValueError: it is none, or narrower than 0.001.
    """
    low, _, high = text.partition("-")
    try:
        ends = fraction(low), fraction(high)
    except ValueError:
        ends = (1.0, 0.0)
    if ends[1] - ends[0] < 0.001 - 1e-12:
        raise ValueError(f"it must be {AUTOMATIC} or a range of alphas at least 0.001 wide, such as 0.9-1")
    return ends


def _zoom(text: str) -> str:
    return AUTOMATIC if text == AUTOMATIC else zoom_text(*zoom_range(text))


def _baseline(text: str) -> str:
    if not re.fullmatch(r"zero|mean-atom|without-[A-Z][a-z]?", text):
        raise ValueError("it must be zero, mean-atom or without- and an element, such as without-N")
    return text


def _watch(text: str) -> tuple[str, ...]:
    names = text.split(",") if text else []
    if len(names) > MAX_WATCHED or not all(re.fullmatch(r"[A-Z]\.\d{1,2}:\d{1,6}", name) for name in names):
        raise ValueError(f"it must be up to {MAX_WATCHED} activations with commas between them, such as A.6:13,C.2:9")
    return tuple(dict.fromkeys(names))


def explainers_of(names) -> tuple[str, ...]:
    """Names in the registry's order, each once."""
    return tuple(name for name in _explainer_names() if name in set(names))


def _explainers(text: str) -> tuple[str, ...]:
    names = [] if text in ("", "none") else text.split(",")
    for name in names:
        one_of(_explainer_names)(name)
    return explainers_of(names)


def with_setting(given: Settings, explainer: str, name: str, value: Any) -> Settings:
    """The settings after a change of one; defaults are left out."""
    from wombat_core.explainers.registry import explainer_class
    from wombat_core.explainers.settings import settings_of

    rest = [each for each in given if each[:2] != (explainer, name)]
    if value != settings_of(explainer_class(explainer))[name].default:
        rest.append((explainer, name, value))
    places = {each: place for place, each in enumerate(_explainer_names())}
    return tuple(sorted(rest, key=lambda each: (places[each[0]], each[1])))


def _set(text: str) -> Settings:
    from wombat_core.errors import InputError
    from wombat_core.explainers.registry import explainer_class
    from wombat_core.explainers.settings import settings_of

    found: Settings = ()
    for part in text.split(",") if text else ():
        place, colon, value = part.partition(":")
        explainer, dot, name = place.partition(".")
        if not (colon and dot):
            raise ValueError("it must be settings with commas between them, such as gnn-explainer.epochs:50")
        own = settings_of(explainer_class(one_of(_explainer_names)(explainer)))
        if name in SHARED or name not in own:
            open_ones = [each for each in own if each not in SHARED]
            raise ValueError(f"the settings of {explainer} here are {', '.join(open_ones) or 'none'}")
        try:
            found = with_setting(found, explainer, name, own[name].parse(unquote(value)))
        except InputError as error:
            raise ValueError(f"{explainer}: {str(error).removesuffix('.')}") from None
    return found


def _of_set(given: Settings) -> str:
    from wombat_core.explainers.registry import explainer_class
    from wombat_core.explainers.settings import settings_of

    values = [(of, name, settings_of(explainer_class(of))[name].text(value)) for of, name, value in given]
    return ",".join(f"{of}.{name}:{quote(value, safe='')}" for of, name, value in values)


def _explainer_names() -> list[str]:
    from wombat_core.explainers.registry import names

    return names()


def _pattern_ids() -> list[str]:
    from wombat_core.whitebox.catalogue import patterns

    return list(patterns())


ADDRESS = Address(
    State,
    {
        "molecule": plain(text),
        "pattern": plain(one_of(_pattern_ids)),
        "readout": plain(one_of(lambda: ("r1", "r2"))),
        "explainers": (_explainers, lambda names: ",".join(names) or "none"),
        "atom": plain(number(0, 999_999)),
        "view": plain(one_of(lambda: VIEWS)),
        "colour_by": plain(one_of(lambda: ["", *_explainer_names()])),
        "layer": (_layer, lambda layer: str(layer or READOUT_LAYER)),
        "channel": plain(_letter),
        "compare": FLAG,
        **dict.fromkeys(("rings", "numbers", "values", "bonds", "signed", "common"), FLAG),
        "part": plain(one_of(lambda: PARTS)),
        **dict.fromkeys(("alpha", "held"), FRACTION),
        "zoom": plain(_zoom),
        "points": plain(number(11, 2001)),
        "baseline": plain(_baseline),
        "beside_f": plain(one_of(lambda: BESIDE_F)),
        "beside_heat": plain(one_of(lambda: BESIDE_HEAT)),
        **dict.fromkeys(("log", "rules"), FLAG),
        "watch": (_watch, ",".join),
        "steps": plain(number(1, 2000)),
        "samples": plain(number(1, 2000)),
        "seed": plain(number(0, 2**31 - 1)),
        "set": (_set, _of_set),
        **dict.fromkeys(("anyway", "present"), FLAG),
    },
    changed,
)
parse, params_of, read, write, bind = ADDRESS.parse, ADDRESS.params_of, ADDRESS.read, ADDRESS.write, ADDRESS.bind
