"""One motif in many wirings: the view of the study."""

from typing import Annotated, Literal

from ..studies.wirings import READOUTS, wirings_study
from .arguments import several
from .blocks import Block, Table
from .engine import Engine
from .lesson import Step
from .view import view

Style = Literal["small", "deep", "unit", "moving"]


@view("wirings", explains=True)
def wirings_table(
    engine: Engine, step: Step, styles: Annotated[tuple[Style, ...], several(2)] = ("small",)
) -> list[Block]:
    """The step's first explainer on the published molecules with the motif, a row a network."""
    situation, name = step.situation, step.explainers[0]
    pattern = engine.network(situation).pattern
    found = wirings_study(pattern, styles, name, situation.settings_of(name))
    rows = []
    for row in found:
        scores = [row.scores[readout] for readout in READOUTS]
        told = [
            text
            for one in scores
            for text in (f"{one.auroc:.3f}" if one.auroc is not None else "undefined", f"{one.perfect}", f"{one.null}")
        ]
        rows.append((row.title, str(row.layers), str(row.channels), *told))
    columns = (f"{readout}: {what}" for readout in READOUTS for what in ("AUROC", "perfect", "null"))
    note = f"{engine.title(name)}: mean AUROC over {found[0].molecules} molecules, perfect answers, and null ones."
    return [Table(("network", "layers", "channels", *columns), tuple(rows), note=note)]
