"""Charts from arrays: what they show, where their cursor stands, what a click on them tells."""

import numpy as np
import pytest

from wombat_core.drawing.chart_style import CURSOR, ChartStyle, toolbar
from wombat_core.drawing.charts import DECADES, MAX_COLUMNS, MAX_TARGETS, atom_heatmap, atom_lines, curve, within
from wombat_core.drawing.colours import plotly_scale
from wombat_core.drawing.line_charts import named_lines

ALPHAS = np.linspace(0, 1, 101)
LABELS = ["C0", "N1", "O2"]


def three_atoms() -> np.ndarray:
    """An atom that rises, one that falls below zero, one that stays at zero, [101, 3]."""
    return np.stack([ALPHAS**2, -ALPHAS, np.zeros(101)], axis=1)


def cursors(figure) -> list[float]:
    return [shape.x0 for shape in figure.layout.shapes if shape.line.color == CURSOR]


def targets(figure):
    """The invisible points that answer to clicks."""
    [found] = [trace for trace in figure.data if trace.type == "scatter" and trace.customdata is not None]
    return found


def test_a_curve_has_titles_a_cursor_and_its_zoom():
    figure = curve(ALPHAS, ALPHAS**3, y_title="F, r1", zoom=(0.9, 1), cursor=0.98, kinks=np.array([0.5, 0.95]))
    assert figure.layout.xaxis.title.text == "α" and figure.layout.yaxis.title.text == "F, r1"
    assert cursors(figure) == [0.98]
    assert figure.layout.xaxis.range == (0.9, 1)
    line, kinks = figure.data
    assert len(line.x) == 11 and line.x[0] == pytest.approx(0.9) and line.y[-1] == 1
    assert list(kinks.x) == [0.95], "only kinks inside the zoom are marked"


def test_a_flat_curve_still_has_an_axis():
    low, high = curve(ALPHAS, np.zeros(101), y_title="F").layout.yaxis.range
    assert low <= 0 < high


def test_the_heatmap_orders_rows_and_centres_its_colours_at_zero():
    figure = atom_heatmap(ALPHAS, three_atoms(), LABELS, order=np.array([1, 0, 2]), selected=0, cursor=0.5)
    heat = figure.data[0]
    assert heat.zmin == -1 and heat.zmax == 1, "signed values take the diverging scale around zero"
    assert [list(stop) for stop in heat.colorscale] == plotly_scale(signed=True)
    assert np.asarray(heat.z)[0, -1] == -1 and np.asarray(heat.z)[1, -1] == 1
    assert "<b>▸ C0</b>" in figure.layout.yaxis.ticktext and "N1" in figure.layout.yaxis.ticktext
    frames = [shape for shape in figure.layout.shapes if shape.line.color != CURSOR]
    assert [(frame.y0, frame.y1) for frame in frames] == [(0.5, 1.5)]
    assert figure.layout.yaxis.range == (2.5, -0.5), "the first row is the top one"


def test_the_heatmap_of_positive_values_runs_from_white():
    figure = atom_heatmap(ALPHAS, np.abs(three_atoms()), LABELS)
    assert figure.data[0].zmin == 0
    assert figure.data[0].colorscale[0][1] == "#ffffff"


def test_a_click_on_a_row_or_a_line_tells_the_atom():
    order = np.array([1, 0, 2])
    points = targets(atom_heatmap(ALPHAS, three_atoms(), LABELS, order=order))
    assert {(int(y), int(atom)) for y, atom in zip(points.y, points.customdata, strict=True)} == {
        (0, 1),
        (1, 0),
        (2, 2),
    }
    points = targets(atom_lines(ALPHAS, three_atoms(), LABELS, y_title="attribution"))
    for x, y, atom, text in zip(points.x, points.y, points.customdata, points.text, strict=True):
        assert y == pytest.approx(three_atoms()[round(100 * x), atom])
        assert text.startswith(LABELS[atom])


def test_lines_mark_the_selected_atom_and_the_atoms_apart():
    style = ChartStyle()
    figure = atom_lines(
        ALPHAS, three_atoms(), LABELS, y_title="attribution", style=style, selected=0, apart=[False, True, False]
    )
    colours = [trace.line.color for trace in figure.data if trace.mode == "lines"]
    assert sorted(colours) == sorted([style.quiet, style.apart, style.selected])
    assert [note.text for note in figure.layout.annotations] == ["<b>C0</b>"]


def test_a_logarithmic_axis_spans_five_decades_and_leaves_zeros_out():
    figure = atom_lines(ALPHAS, three_atoms(), LABELS, y_title="attribution", log=True)
    low, high = figure.layout.yaxis.range
    assert figure.layout.yaxis.type == "log" and high - low == pytest.approx(DECADES + 0.2)
    drawn = np.concatenate([np.asarray(trace.y, dtype=float) for trace in figure.data])
    assert (drawn[np.isfinite(drawn)] > 0).all()


def test_a_large_molecule_stays_light():
    alphas, values = np.linspace(0, 1, 2000), np.random.default_rng(0).random((2000, 250))
    labels = [f"C{atom}" for atom in range(250)]
    heat = atom_heatmap(alphas, values, labels)
    assert np.asarray(heat.data[0].z).shape == (250, MAX_COLUMNS)
    assert len(targets(heat).x) <= MAX_TARGETS
    assert len(heat.layout.yaxis.tickvals) < 30, "labels do not overlap"
    assert len(atom_lines(alphas, values, labels, y_title="a").to_json()) < 2_000_000


@pytest.mark.parametrize("big, rows", [(False, 30), (True, 16)])
def test_every_row_has_its_name_while_small_type_fits(big, rows):
    def axis(count):
        labels = [f"C{atom}" for atom in range(count)]
        style = ChartStyle(big=big, height=288)
        return atom_heatmap(np.linspace(0, 1, 9), np.ones((9, count)), labels, style=style).layout.yaxis

    assert len(axis(rows).tickvals) == rows
    assert 8 <= axis(rows).tickfont.size <= (288 - 50) / rows + 1
    assert len(axis(5).tickvals) == 5 and axis(5).tickfont.size == ChartStyle(big=big).font - 1
    assert len(axis(60).tickvals) < 30


def test_large_numbers_are_powers_of_ten():
    figure = atom_heatmap(ALPHAS, 1e9 * three_atoms(), LABELS)
    assert figure.data[0].colorbar.exponentformat == figure.layout.yaxis.exponentformat == "power"
    assert targets(figure).text[-1].endswith(" 0") and "×10⁹" in " ".join(targets(figure).text)


def test_the_selected_row_always_has_its_name():
    values = np.random.default_rng(0).random((50, 60))
    figure = atom_heatmap(np.linspace(0, 1, 50), values, [f"C{atom}" for atom in range(60)], selected=31)
    assert "<b>▸ C31</b>" in figure.layout.yaxis.ticktext


def test_named_lines_leave_out_what_a_logarithmic_axis_cannot_show():
    steps = np.array([10, 100, 1000])
    figure = named_lines(
        steps, {"a": [1, 0.1, 0], "b": [1, None, 0.5]}, x_title="steps", y_title="gap", log_x=True, log_y=True
    )
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    assert list(figure.layout.xaxis.ticktext) == ["10", "100", "1,000"]
    assert figure.layout.showlegend
    assert np.isnan(figure.data[0].y[2]) and np.isnan(figure.data[1].y[1])
    assert figure.data[0].line.dash != figure.data[1].line.dash, "lines differ in print as well"


def test_within_takes_both_ends_in():
    assert list(within(np.array([0.1, 0.2, 0.3, 0.4]), (0.2, 0.3))) == [1, 2]


def test_a_projector_gets_larger_type_and_the_toolbar_saves_pictures():
    small = curve(ALPHAS, ALPHAS, y_title="F")
    big = curve(ALPHAS, ALPHAS, y_title="F", style=ChartStyle(big=True))
    assert big.layout.xaxis.title.font.size > small.layout.xaxis.title.font.size >= 13
    config = toolbar("name", ChartStyle())
    assert config["toImageButtonOptions"]["filename"] == "name" and "toImage" in config["modeBarButtons"][0]
