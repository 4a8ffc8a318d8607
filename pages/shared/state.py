"""What the molecule pages show, as one value that lives in the address (see ``address``)."""

from dataclasses import dataclass, replace
from typing import Any

from .address import Address, param
from .codecs import FLAG, FRACTION, TEXT, choice, renamed, whole
from .state_codecs import (
    AUTOMATIC,
    BASELINE,
    CHANNEL,
    EXPLAINERS,
    LAYER,
    SETTINGS,
    SHARED,
    WATCHED,
    WHITEBOX,
    ZOOM,
    explainer_names,
)

EXAMPLE = "NC(=O)NN=C1CCCC(C(=O)O)C1"
VIEWS = ("heatmaps", "3d", "export")
PARTS = ("path", "activations", "one-atom", "convergence")
F_CHARTS = ("other", "slope")
ATOM_CHARTS = ("cumulative", "gradients")
FIRST_EXPLAINERS = (
    "integrated-gradients",
    "saliency",
    "input-x-gradient",
    "shapley-value-sampling",
    "random",
)


@dataclass(frozen=True)
class State:
    """Everything that a link carries."""

    molecule: str = param(EXAMPLE, TEXT, "what the user typed: SMILES, name or CAS number")
    pattern: str = param("5", WHITEBOX, "id of the whitebox, or smarts: and what is compiled")
    readout: str = param("r2", choice(lambda: ("r1", "r2")), "the whitebox's readout")
    explainers: tuple[str, ...] = param(FIRST_EXPLAINERS, EXPLAINERS, "names, in the registry's order")
    atom: int | None = param(None, whole(0, 999_999), "index of the selected atom, or None")
    view: str = param("heatmaps", choice(lambda: VIEWS), "what the Explore page shows")
    colour_by: str = param(
        "", choice(lambda: ["", *explainer_names()]), 'explainer that colours the 3D view; "" for the first'
    )
    layer: int = param(1, LAYER, "layer on the Layers page, from 1; 0 is the readout")
    channel: str = param("", CHANNEL, 'letter of the channel there; "" lets the page choose')
    compare: bool = param(False, FLAG, "Pattern 12 and its variants side by side")
    rings: bool = param(True, FLAG, "pictures show the ground truth")
    numbers: bool = param(False, FLAG, "pictures show the atoms' indices")
    values: bool = param(False, FLAG, "pictures show the atoms' attributions")
    bonds: bool = param(False, FLAG, "pictures colour the bonds")
    signed: bool = param(False, FLAG, "pictures show sums of attributions, not of absolute ones")
    common: bool = param(False, FLAG, "one scale for all cards")
    part: str = param("path", choice(lambda: PARTS), "which part of the Interpolation page is open")
    alpha: float = param(0.98, FRACTION, "where its cursor stands on the path")
    zoom: str = param(AUTOMATIC, ZOOM, 'the alphas its charts show, such as "0.9-1"; "auto" where F changes')
    points: int = param(401, whole(11, 2001), "alphas between the ends of the zoom")
    baseline: str = param("zero", BASELINE, "where the path starts, a name of wombat_core.paths.baselines")
    f_chart: str = param("other", choice(lambda: F_CHARTS), "what stands beside F along the path", "beside_f")
    atom_chart: str = param(
        "cumulative",
        renamed(choice(lambda: ATOM_CHARTS), {"gathered": "cumulative"}),
        "what the chart of the atoms shows",
        "beside_heat",
    )
    log: bool = param(True, FLAG, "logarithmic axis for the attributions so far")
    held: float = param(0.98, FRACTION, "where everything but the one atom is held")
    watch: tuple[str, ...] = param(
        (), WATCHED, 'activations followed while the atom moves, such as "A.6:13"; empty lets the page choose'
    )
    rules: bool = param(False, FLAG, "all quadrature rules, not only Captum's default")
    steps: int = param(50, whole(1, 2000), "setting that several explainers share")
    samples: int = param(100, whole(1, 2000), "setting that several explainers share")
    seed: int = param(0, whole(0, 2**31 - 1), "setting that several explainers share")
    set: tuple[tuple[str, str, Any], ...] = param(
        (), SETTINGS, "other settings than their defaults: explainer, name, value"
    )
    anyway: bool = param(False, FLAG, "of older links; costly explainers wait for a click")
    present: bool = param(False, FLAG, "presentation mode")

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


ADDRESS = Address(State, changed=changed)
parse, params_of, read, write, bind = ADDRESS.parse, ADDRESS.params_of, ADDRESS.read, ADDRESS.write, ADDRESS.bind
