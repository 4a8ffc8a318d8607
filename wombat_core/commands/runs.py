"""List the runs that the pages of this machine's server keep, each with its link, or delete one."""

import argparse

from ..host import host, size_words
from .inputs import add_json, print_json, print_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--delete", metavar="ID", help="delete the run of that id, with its rows and its file")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    from ..benchmark.runs import damaged_runs, delete, run_infos, runs_bytes, runs_folder

    if options.delete is not None:
        delete(options.delete)
        return 0
    infos, damaged = run_infos(), damaged_runs()
    if options.json:
        for each in infos:
            print_json({"id": each.name, "rows": each.rows, "standing": each.standing, "molecules": each.plan.title})
    else:
        rows = [(each.name, f"{each.rows:,}", each.standing, f"/benchmark?benchmark.run={each.name}") for each in infos]
        print_table(("id", "rows", "standing", "link"), rows)
        print(f"{runs_folder()}: {size_words(runs_bytes())} of {size_words(host().limits.runs)}", flush=True)
    for sentence in damaged:
        print(sentence, flush=True)
    return 0
