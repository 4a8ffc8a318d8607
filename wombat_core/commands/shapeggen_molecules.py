"""GraphXAI's molecular tasks on library molecules: GEA and GEF of explainers of a trained GIN, beside Table 5."""

import argparse
from dataclasses import replace

from ..explainers.registry import explainer
from ..shapeggen.node_explainers import GRAPHXAI, QUICK
from .inputs import add_json, positive, print_json, print_table
from .shapeggen_train import bar, number


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--tasks",
        default="all",
        metavar="T[,T...]|all",
        help="benzene, fluoride-carbonyl, alkane-carbonyl, mutag (the rule NH2 or NO2); default all",
    )
    parser.add_argument("--model", choices=("gin", "gcn"), default="gin", help="the network (default gin)")
    parser.add_argument("--epochs", type=positive, help="passes over the molecules (default 100)")
    parser.add_argument(
        "--most", type=positive, default=600, help="positive molecules at most, 10 or more (default 600)"
    )
    parser.add_argument(
        "--explainers", default="quick", metavar="E[,E...]|quick|all", help="quick (default), or all nine of the tables"
    )
    parser.add_argument(
        "--molecules", type=positive, default=50, metavar="N", help="positive test molecules (default 50)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the network and the split (default 0)")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    import torch

    from ..studies.molecule_rules import TASKS, molecule_task
    from ..studies.molecule_tasks import SETTINGS, check_most, evaluate_task, remark, train_on_task

    tasks = list(TASKS) if options.tasks == "all" else [own.strip() for own in options.tasks.split(",")]
    for name in tasks:
        molecule_task(name)
    check_most(options.most)
    sets = {"quick": QUICK, "all": GRAPHXAI}
    names = [name for own in options.explainers.split(",") for name in sets.get(own.strip(), (own.strip(),))]
    explainers = [explainer(name) for name in dict.fromkeys(names)]
    settings = replace(SETTINGS, seed=options.seed, epochs=options.epochs or SETTINGS.epochs)
    torch.set_num_threads(1)
    counts = []
    for name in tasks:
        with bar(f"train {name}"):
            trained = train_on_task(name, settings, options.most, options.model)
        counts.append(sum(map(len, trained.molecules.values())))
        with bar(f"evaluate {name}"):
            rows = evaluate_task(trained, explainers, options.molecules)
        if options.json:
            for row in rows:
                print_json(_record(row, trained.training.scores["test"]))
        else:
            _print(trained, rows)
    if not options.json:
        print(f"\nMean ± standard error over molecules; in brackets the paper's Table 5. {remark(counts)}")
        print(f"At most {options.most} positive ones are taken for a task; --most sets another limit.")
    return 0


def _record(row, test) -> dict:
    from ..shapeggen.published_scores import molecule_value

    paper = molecule_value(row.task, row.explainer, row.metric)
    return {
        "task": row.task,
        "explainer": row.explainer,
        "metric": row.metric,
        "mean": number(row.summary.mean),
        "standard_error": number(row.summary.error),
        "molecules": row.summary.count,
        "test_accuracy": test.accuracy,
        "test_f1": test.f1,
        "paper": None if paper is None else {"table": paper.table, "mean": paper.mean, "spread": paper.spread},
    }


def _print(trained, rows) -> None:
    from ..shapeggen.published_scores import molecule_value

    test = trained.training.scores["test"]
    print(f"\n{trained.task.title}: test accuracy {test.accuracy:.3f}, F1 {test.f1:.3f} on {test.size} molecules.")
    print(trained.task.reading)
    cells: dict[str, list[str]] = {}
    for row in rows:
        paper = molecule_value(row.task, row.explainer, row.metric)
        cells.setdefault(row.explainer, []).append(f"{row.summary}" + (f" [{paper.mean:.3f}]" if paper else ""))
    print_table(
        ("explainer", "GEA (higher is better)", "GEF (lower is better)"), [(name, *own) for name, own in cells.items()]
    )
