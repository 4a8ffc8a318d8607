"""Trace: every layer's activations, and the readouts."""

import argparse

from ..engine import Engine
from ..records import trace_record
from .inputs import (
    Stream,
    add_json,
    add_molecules,
    add_pattern,
    chosen_patterns,
    print_json,
    print_table,
    title,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_molecules(parser)
    add_pattern(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    engine = Engine()
    models = [engine.network(entry) for entry in chosen_patterns(options.pattern)]
    stream = Stream(options, engine)
    for molecules in stream.chunks(1):
        for model in models:
            record = trace_record(molecules[0], model, engine.trace(molecules[0], model.pattern))
            if options.json:
                print_json(record)
            else:
                _print(molecules[0], model, record)
    return stream.bad


def _print(molecule, model, record) -> None:
    readouts = ", ".join(f"{name} = {value:.6g}" for name, value in record["readouts"].items())
    print(f"{title(molecule)}  {model.pattern.title}, {readouts}")
    labels = [f"{atom.GetSymbol()}{atom.GetIdx()}" for atom in molecule.mol.GetAtoms()]
    for layer in record["layers"]:
        rows = [
            (label, *(f"{value:.6g}" if value else "." for value in values))
            for label, values in zip(labels, layer["activations"], strict=True)
        ]
        print_table((f"layer {layer['layer']}", *layer["channels"]), rows, indent="  ")
    print(flush=True)
