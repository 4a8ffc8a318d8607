"""Interpolate: F and gradient-times-input along the path of integrated gradients, or one atom alone."""

import argparse

from ..engine import Engine
from ..errors import InputError
from .inputs import (
    Stream,
    add_json,
    add_molecules,
    add_pattern,
    add_readout,
    chosen_patterns,
    fraction,
    print_json,
    print_table,
    title,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_molecules(parser)
    add_pattern(parser)
    add_readout(parser)
    parser.add_argument("--points", type=_points, default=101, help="points on [0, 1], 2 to 20,000 (default 101)")
    parser.add_argument("--atom", type=int, metavar="N", help="scale only this atom, all else held at --alpha")
    parser.add_argument("--alpha", type=fraction, metavar="A", help="goes with --atom (default 0.98)")
    parser.add_argument(
        "--watch",
        type=_listed,
        action="extend",
        default=[],
        metavar="CHANNEL:ATOM[,...]",
        help="activations to follow with --atom, such as A.6:13; repeatable",
    )
    add_json(parser)


def _points(text: str) -> int:
    from ..paths.path import MAX_POINTS

    if not text.isdecimal() or not 2 <= int(text) <= MAX_POINTS:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 2 to {MAX_POINTS:,}")
    return int(text)


def _listed(text: str) -> list[str]:
    return text.split(",")


def run(options: argparse.Namespace) -> int:
    from ..paths.records import interpolate_record
    from ..paths.watch import parse_watch

    if options.atom is None and (options.alpha is not None or options.watch):
        raise InputError("--alpha and --watch go with --atom N; name the atom as well.")
    alpha = 0.98 if options.alpha is None else options.alpha
    engine = Engine()
    models = [engine.network(entry, options.readout) for entry in chosen_patterns(options.pattern)]
    stream = Stream(options, engine)
    for (molecule,) in stream.chunks(1):
        for model in models:
            try:
                watch = [parse_watch(text, model, molecule) for text in options.watch]
                record = interpolate_record(
                    engine.subject(molecule, model.pattern),
                    model,
                    points=options.points,
                    atom=options.atom,
                    alpha=alpha,
                    watch=watch,
                )
            except InputError as error:
                stream.failed(molecule, error)
                continue
            if options.json:
                print_json(record)
            elif options.atom is None:
                _print_path(molecule, model, record)
            else:
                _print_atom(molecule, model, record)
    return stream.bad


def _print_path(molecule, model, record) -> None:
    print(f"{title(molecule)}  {model.pattern.title}, {model.readout}: gradient times input along the path")
    labels = [f"{atom.GetSymbol()}{atom.GetIdx()}" for atom in molecule.mol.GetAtoms()]
    columns = [record["alphas"], *record["outputs"].values()]
    rows = [
        (*(f"{value:.6g}" for value in values), *(f"{value:.4g}" if value else "." for value in gradients))
        for *values, gradients in zip(*columns, record["gradient_times_input"], strict=True)
    ]
    print_table(("alpha", *record["outputs"], *labels), rows, indent="  ")
    print(flush=True)


def _print_atom(molecule, model, record) -> None:
    held = f"atom {record['atom']} scaled, all else held at {record['alpha']:g}"
    print(f"{title(molecule)}  {model.pattern.title}: {held}")
    watched = record["watched"]
    names = [f"{entry['channel']}:{entry['atom']}" for entry in watched]
    columns = [record["scales"], *record["outputs"].values(), *(entry["activations"] for entry in watched)]
    rows = [tuple(f"{value:.7g}" for value in row) for row in zip(*columns, strict=True)]
    print_table(("scale", *record["outputs"], *names), rows, indent="  ")
    print(flush=True)
