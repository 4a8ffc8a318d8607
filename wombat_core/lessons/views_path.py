"""Views of the interpolation path: F along it, one atom moved, the number of steps."""

from typing import Annotated

import numpy as np

from ..paths.convergence import convergence
from ..paths.one_atom import one_atom
from ..paths.watch import parse_watch
from .arguments import Alpha, Atom, Watched, Zoom, channels, several, whole
from .blocks import Block, Chart, Charts, Table
from .engine import Engine
from .fact import number
from .lesson import Step
from .view import view

ZOOM = (0.9, 1.0)
STEPS = (20, 50, 100, 1000)
POINTS = 401


@view("path")
def path(
    engine: Engine, step: Step, atom: Atom | None = None, zoom: Zoom = ZOOM, alpha: Alpha | None = None
) -> list[Block]:
    """F along the path under both readouts, and what every atom has gathered."""
    situation = step.situation
    walked = engine.path(situation, zoom)
    shown = (walked.alphas >= zoom[0] - 1e-12) & (walked.alphas <= zoom[1] + 1e-12)
    alphas = walked.alphas[shown]
    labels, truth = engine.labels(situation), engine.truth(situation)
    own = walked.model.readout
    names = [own, *(name for name in walked.outputs if name != own)]
    charts = [
        Chart(
            "F along the path",
            alphas,
            {f"F, {name}": walked.outputs[name][shown] for name in names},
            "α",
            "F",
            zoom,
            alpha,
        ),
        Chart(
            f"Gathered up to α, readout {own}",
            alphas,
            {label: walked.gathered_atoms[shown, i] for i, label in enumerate(labels)},
            "α",
            "attribution so far",
            zoom,
            alpha,
            strong="" if atom is None else labels[atom],
            apart=frozenset(label for label, marked in zip(labels, truth, strict=True) if truth.any() and not marked),
        ),
    ]
    return [Charts(tuple(charts))]


@view("one-atom")
def moved_atom(
    engine: Engine,
    step: Step,
    atom: Atom,
    held: Alpha = 0.98,
    zoom: Zoom = ZOOM,
    watch: Annotated[tuple[Watched, ...], several(4)] = (),
) -> list[Block]:
    """F under both readouts, and activations, while one atom's features are scaled (Figure 6)."""
    situation = step.situation
    model, molecule = channels(engine, situation), engine.molecule(situation.molecule)
    labels = engine.labels(situation)
    watched = [parse_watch(name, model, molecule) for name in watch]
    scales = np.unique(np.append(np.linspace(*zoom, POINTS), held if zoom[0] <= held <= zoom[1] else zoom[0]))
    found = one_atom(model, engine.data(situation), atom, held, scales, watched)
    x_title = f"scale of {labels[atom]}, all else at {held:g}"
    charts = [
        Chart(
            "F while the atom moves",
            found.scales,
            {f"F, {name}": found.outputs[name] for name in ("r1", "r2")},
            x_title,
            "F",
            zoom,
            held,
        )
    ]
    if watched:
        lines = {f"{channel} of {labels[place]}": values for (channel, place), values in found.watched.items()}
        title = "Activations" if len(lines) > 1 else f"Activation {next(iter(lines))}"
        charts.append(Chart(title, found.scales, lines, x_title, "activation", zoom, held))
    return [Charts(tuple(charts))]


@view("convergence")
def steps(
    engine: Engine, step: Step, steps: Annotated[tuple[Annotated[int, whole(2, 20_000)], ...], several(8)] = STEPS
) -> list[Block]:
    """Sum, gap and AUROC of integrated gradients against the number of steps, and the exact integral."""
    situation = step.situation
    molecule = engine.molecule(situation.molecule)
    rows = convergence(engine.network(situation), molecule, sorted(set(steps)), ("gausslegendre",))
    told = tuple(
        (
            f"{row.steps:,}" if row.steps else "exact integral",
            number(row.total, 4),
            number(row.gap, 4),
            "–" if row.auroc is None else number(row.auroc, 3),
        )
        for row in rows
    )
    table = Table(("steps", "sum", "gap", "AUROC"), told, note="Gap: the sum minus what F gains, F(x) − F(0).")
    counts = np.array([row.steps for row in rows[:-1]])
    gaps = np.array([abs(row.gap) if abs(row.gap) > 1e-12 else np.nan for row in rows[:-1]])
    aurocs = np.array([np.nan if row.auroc is None else row.auroc for row in rows[:-1]])
    charts = [
        Chart("Size of the gap", counts, {"gap": gaps}, "steps", "gap", log_x=True, log_y=True, markers=True),
        Chart("AUROC", counts, {"AUROC": aurocs}, "steps", "AUROC", log_x=True, markers=True),
    ]
    # A line that stays where it is says no more than the table.
    told_more = [np.isfinite(gaps).any(), np.ptp(np.nan_to_num(aurocs)) > 0]
    shown = tuple(chart for chart, more in zip(charts, told_more, strict=True) if more)
    return [table, Charts(shown)] if shown else [table]
