"""The summary of a run as a table: CSV with every digit, Markdown and LaTeX for papers and notes."""

import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path

import pandas as pd

from .plan import Plan
from .summary import NUMBERS, SCORES, Cell

FILES = {"csv": "summary.csv", "md": "summary.md", "tex": "summary.tex"}


def frame(cells: Sequence[Cell]) -> pd.DataFrame:
    """One line a cell with every number; undefined ones are missing."""
    return pd.DataFrame([asdict(cell) for cell in cells], columns=[field.name for field in fields(Cell)])


def readable(cells: Sequence[Cell]) -> pd.DataFrame:
    """One line a cell as texts: three digits, a standard error behind "±", "–" where undefined."""
    settings = {cell.explainer: set() for cell in cells}
    for cell in cells:
        settings[cell.explainer].add(cell.settings)
    lines = []
    for cell in cells:
        several = len(settings[cell.explainer]) > 1
        line = {"pattern": cell.pattern, "readout": cell.readout}
        line["explainer"] = f"{cell.explainer} ({_settings(cell.settings)})" if several else cell.explainer
        line |= {title: f"{getattr(cell, name):,}" for title, name in NUMBERS.items()}
        line |= {title: _score(cell, *names) for title, names in SCORES.items()}
        lines.append(line)
    return pd.DataFrame(lines, columns=["pattern", "readout", "explainer", *NUMBERS, *SCORES])


def caption(plan: Plan) -> str:
    """Which molecules, seed and versions the numbers are from, and what they are."""
    versions = ", ".join(f"{name} {version}" for name, version in plan.versions)
    return (
        f"Molecules: {plan.title}. Means and shares ± standard error over each line's own molecules. AUROC, AP, AP "
        "baseline and perfect: scored molecules, which contain the motif. Null: molecules with the motif. IQR pass: "
        f"negatives, which do not contain it. Accuracy: of the whitebox itself. Versions: {versions}."
    )


def csv_text(cells: Sequence[Cell]) -> str:
    """CSV; every line names the set and the seed."""
    return frame(cells).to_csv(index=False, lineterminator="\n")


def markdown_text(cells: Sequence[Cell], plan: Plan) -> str:
    """A Markdown table with its caption."""
    table = readable(cells)
    rows = [list(table.columns), ["---"] * len(table.columns), *table.to_numpy().tolist()]
    lines = ["| " + " | ".join(str(value).replace("|", "\\|") for value in row) + " |" for row in rows]
    return "\n".join([caption(plan), "", *lines, ""])


def latex_text(cells: Sequence[Cell], plan: Plan) -> str:
    """A LaTeX table (packages ``booktabs`` and ``longtable``) with its caption."""
    table = readable(cells).rename(columns=_latex)
    table = table.map(_latex)
    layout = "lll" + "r" * (len(table.columns) - 3)
    return table.to_latex(index=False, longtable=True, column_format=layout, caption=_latex(caption(plan)))


def write_tables(cells: Sequence[Cell], plan: Plan, folder: str | Path) -> list[Path]:
    """Write the three tables beside the rows, and give their paths."""
    texts = {"csv": csv_text(cells), "md": markdown_text(cells, plan), "tex": latex_text(cells, plan)}
    paths = []
    for kind, text in texts.items():
        path = Path(folder) / FILES[kind]
        path.write_text(text, encoding="utf-8", newline="\n")
        paths.append(path)
    return paths


def _score(cell: Cell, name: str, error: str | None) -> str:
    value, spread = getattr(cell, name), getattr(cell, error) if error else None
    if value is None:
        return "–"
    return f"{value:.3f}" if spread is None else f"{value:.3f} ± {spread:.3f}"


def _settings(text: str) -> str:
    return ", ".join(f"{name} {value}" for name, value in json.loads(text).items())


_SPECIAL = str.maketrans(
    {character: "\\" + character for character in "&%$#_{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}", "±": r"$\pm$", "–": "--"}
)


def _latex(text: str) -> str:
    return text.translate(_SPECIAL)
