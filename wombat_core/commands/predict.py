"""Predict: does the whitebox find its motif?"""

import argparse

from ..engine import Engine
from ..records import predict_record
from .inputs import (
    Stream,
    add_json,
    add_molecules,
    add_pattern,
    add_readout,
    chosen_patterns,
    print_json,
    title,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_molecules(parser)
    add_pattern(parser)
    add_readout(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    from ..explanation import predict

    engine = Engine()
    models = [engine.network(entry, options.readout) for entry in chosen_patterns(options.pattern)]
    stream = Stream(options, engine)
    for molecules in stream.chunks():
        predictions = [predict(stream.subjects(molecules, model.pattern), model) for model in models]
        for molecule, values in zip(molecules, zip(*predictions, strict=True), strict=True):
            for model, value in zip(models, values, strict=True):
                record = predict_record(molecule, model, value)
                if options.json:
                    print_json(record)
                else:
                    found = "contains the motif" if record["contains_motif"] else "does not contain the motif"
                    verdict = "positive" if record["positive"] else "negative"
                    head = f"{title(molecule)}  {model.pattern.title}"
                    why = record.get("no_ground_truth")
                    more = "" if why is None else f". {why}"
                    print(f"{head}  {model.readout} = {value:.6g} ({verdict}), {found}{more}", flush=True)
    return stream.bad
