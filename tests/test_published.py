"""The paper's tables as data; expected numbers are the paper's, typed again from its tables."""

import pytest

from wombat_core.benchmark.summary import Cell
from wombat_core.errors import InputError
from wombat_core.explainers.registry import names
from wombat_core.published import metrics, published, table, tables
from wombat_core.whitebox.catalogue import patterns


def test_every_table_and_every_cell_is_there():
    """Rows and columns of numbers, counted in the paper; Table S2 prints "0 / 9,999" as two numbers of one column."""
    assert {entry.number: (len(entry.rows), len(entry.columns)) for entry in tables()} == {
        "1": (4, 9),
        "2": (5, 14),
        "S1": (5, 6),
        "S2": (6, 5),
        "S3": (5, 7),
        "S4": (5, 7),
        "S5": (5, 8),
        "S6": (5, 8),
        "S7": (5, 14),
        "S8": (5, 15),
        "S9": (6, 3),
        "S10": (5, 6),
        "S8b": (14, 1),
    }
    for entry in tables():
        assert all(len(row) == len(entry.columns) for row in entry.cells) and len(entry.cells) == len(entry.rows)


@pytest.mark.parametrize(
    ("number", "pattern", "readout", "explainer", "metric", "value", "stderr"),
    [
        ("S3", "5", "r1", "shapley-value-sampling", "auroc", 0.939, 0.030),
        ("S3", "4", "r1", "saliency", "auroc", 0.986, 0.002),
        ("S3", "1", "r1", "input-x-gradient", "auroc", 0.994, 0.000),
        ("S4", "4", "r2", "subgraphx", "auroc", 0.793, 0.019),
        ("S4", "5", "r2", "integrated-gradients", "auroc", 0.995, 0.003),
        ("S5", "3", "r1", "gnn-explainer", "average_precision", 0.678, 0.020),
        ("S5", "5", "r1", "subgraphx", "average_precision", 0.786, 0.048),
        ("S6", "2", "r2", "shapley-value-sampling", "average_precision", 0.983, 0.003),
        ("S6", "4", "r2", None, "ap_baseline", 0.462, 0.005),
        ("S7", "3", "r2", "subgraphx", "auroc", 0.895, None),
        ("S7", "2", "r1", "pg-explainer", "auroc", 0.500, None),
        ("S8", "4", "r1", "saliency", "average_precision", 0.984, None),
        ("S8", "5", "r2", "input-x-gradient", "average_precision", 0.587, None),
        ("S1", "4", "r2", "integrated-gradients", "perfect", 964, None),
        ("S1", "4", "r2", "integrated-gradients", "scored", 1137, None),
        ("S1", "2", "r2", "shapley-value-sampling", "perfect_rate", 0.61, None),
        ("2", "3", "r1", "input-x-gradient", "all_perfect", 1, None),
        ("2", "2", "r1", "integrated-gradients", "all_perfect", 0, None),
        ("S2", "flucarb", "r1", "saliency", "auroc", 0.7884, None),
        ("S2", "flucarb", "r1", "saliency", "perfect_rate", 0.0003, None),
        ("S2", "flucarb", "r1", "shapley-value-sampling", "iqr_pass_rate", 0.36, None),
        ("S9", "5", "r1", None, "smarts_disagreement_rate", 0.2941, None),
        ("S9", "6", "r1", None, "smarts_disagreements", 591, None),
        ("S8b", "9", "r1", "pg-explainer", "auroc_bound", 0.856, None),
    ],
)
def test_cells_as_printed(number, pattern, readout, explainer, metric, value, stderr):
    (cell,) = [cell for cell in published(pattern, readout, explainer, metric) if cell.table == number]
    assert (cell.value, cell.stderr) == (value, stderr)


def test_table_1_and_table_s10():
    by_metric = dict(zip(table("1").rows, table("1").cells, strict=True))
    place = table("1").columns.index("B-XAIC")
    assert [by_metric[name][place].value for name in ("real_molecules", "whitebox_models", "tasks")] == [1, 0, 7]
    assert by_metric["tasks"][-1].value == 14
    assert [cell.value for cell in table("S10").cells[2]] == [24, 1568016, 4925632, 24, 1568016, 4925626]


def test_the_tables_agree_with_each_other():
    """S7 and S8 repeat S3 to S6 without standard errors; a rate is its count over its molecules, as rounded there."""
    for detailed, brief in (("S3", "S7"), ("S4", "S7"), ("S5", "S8"), ("S6", "S8")):
        for cell in table(detailed).numbers:
            same = published(cell.pattern, cell.readout, cell.explainer, cell.metric.name)
            repeated = [other.value for other in same if other.table == brief and other.explainer == cell.explainer]
            assert repeated == [cell.value]
    for number, part, whole, rate, digits in (
        ("S1", "perfect", "scored", "perfect_rate", 0.005),
        ("S2", "perfect", "scored", "perfect_rate", 0.00005),
        ("S9", "smarts_disagreements", "smarts_compared", "smarts_disagreement_rate", 0.00006),
    ):
        for row in table(number).cells:
            found = {(cell.explainer, cell.metric.name): cell.value for cell in row}
            for explainer in {cell.explainer for cell in row}:
                share = found[explainer, part] / found[explainer, whole]
                assert found[explainer, rate] == pytest.approx(share, abs=digits)


def test_table_2_says_where_s7_is_one():
    """A mean AUROC of 1.000 is not yet perfect on every molecule (Pattern 1), but nothing less is."""
    for cell in table("2").numbers:
        (mean,) = [
            other.value
            for other in published(cell.pattern, cell.readout, cell.explainer, "auroc")
            if other.table == "S7"
        ]
        assert cell.value in (0, 1) and (cell.value == 0 or mean == 1)


def test_names_are_ours_and_shares_are_in_0_to_1():
    cells = [cell for entry in tables() for cell in entry.numbers]
    assert {cell.pattern for cell in cells} - {None} <= patterns().keys()
    assert {cell.explainer for cell in cells} - {None} <= set(names())
    assert {cell.readout for cell in cells} == {None, "r1", "r2"}
    assert all(0 <= cell.value <= 1 for cell in cells if cell.metric.unit in ("0 to 1", "1 yes and 0 no"))
    assert {cell.metric.name for cell in cells} == metrics().keys()
    shared = {"auroc", "average_precision", "ap_baseline", "perfect_rate", "iqr_pass_rate", "scored"}
    assert shared <= set(Cell.__dataclass_fields__) & metrics().keys()


def test_every_number_says_its_molecules():
    for entry in tables():
        assert all((cell.set is None) == (entry.number == "1") for cell in entry.numbers)
    for number in ("S1", "S2"):  # the count in the row is the set's
        for cell in table(number).numbers:
            assert cell.metric.name != "scored" or cell.num_molecules == cell.value
    (shapley,) = [cell for cell in published("1", "r2", "shapley-value-sampling", "auroc") if cell.table == "S4"]
    (search,) = [cell for cell in published("1", "r2", "subgraphx", "auroc") if cell.table == "S4"]
    assert shapley.num_molecules == 100 and search.num_molecules is None and "not printed" in search.set.note
    assert {cell.num_molecules for cell in table("S8b").numbers[5:]} == {None}


def test_what_the_paper_does_not_print_is_absent():
    assert published("6", "r1", "saliency", "auroc") == []
    assert published("12-leaf", "r1", "saliency", "auroc") == []
    assert published("1", "r1", "grad-cam", "auroc") == []
    assert [cell.explainer for cell in published("1", "r1", "grad-cam", "ap_baseline")] == [None, None]


def test_wrong_names_are_one_sentence():
    with pytest.raises(InputError, match="no table 'S99' here; choose from 1, 2, S1"):
        table("S99")
    with pytest.raises(InputError, match="no pattern '99'"):
        published("99", "r1", "saliency", "auroc")
    with pytest.raises(InputError, match="no metric 'AUC'"):
        published("1", "r1", "saliency", "AUC")
