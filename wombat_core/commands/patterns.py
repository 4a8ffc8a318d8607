"""List the whiteboxes: SMARTS, layers, channels."""

import argparse

from ..records import pattern_record
from ..whitebox.catalogue import patterns
from .inputs import add_json, print_json, print_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    rows = []
    for entry in patterns().values():
        if options.json:
            print_json(pattern_record(entry))
        rows.append((entry.id, str(entry.num_layers), str(entry.num_channels), entry.smarts, entry.krfp))
    if not options.json:
        print_table(("pattern", "layers", "channels", "relaxed SMARTS", "KRFP SMARTS"), rows)
    return 0
