"""Compile: a whitebox for any motif, from its SMARTS."""

import argparse
import sys
from pathlib import Path

from ..compiler.address import read_address
from ..compiler.compile import compile_smarts
from ..compiler.files import to_yaml
from ..errors import InputError
from ..records import compiled_record
from ..whitebox.sentences import readings
from .inputs import add_compiled, add_json, print_json, print_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_compiled(parser)
    parser.add_argument("--yaml", metavar="FILE", help="write the network to a file ('-': standard output)")
    add_json(parser)
    parser.epilog = "Every command that takes --pattern takes --smarts as well."


def run(options: argparse.Namespace) -> int:
    smarts, chosen = read_address(options.pattern)
    pattern = compile_smarts(smarts, **chosen)
    if options.yaml:
        _write(options.yaml, to_yaml(pattern))
    if options.json:
        print_json(compiled_record(pattern))
    elif options.yaml != "-":
        _print(pattern)
    return 0


def _write(path: str, text: str) -> None:
    if path == "-":
        sys.stdout.write(text)
        return
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}.") from None


def _print(pattern) -> None:
    layers = "1 layer" if pattern.num_layers == 1 else f"{pattern.num_layers} layers"
    channels = "1 channel" if pattern.num_channels == 1 else f"{pattern.num_channels} channels"
    print(
        f"{pattern.title}: {layers}, {channels}; style {pattern.origin.style}, root atom {pattern.origin.root} (from 0)"
    )
    rows = [
        (channel.name, _spec(channel), reading.plain)
        for layer, words in zip(pattern.layers, readings(pattern), strict=True)
        for channel, reading in zip(layer, words, strict=True)
    ]
    print_table(("channel", "self, neighbour, bond, bias", "in words"), rows, indent="  ")
    for note in pattern.origin.notes:
        print(f"  {note}")


def _spec(channel) -> str:
    return f"{channel.self_term.text}, {channel.neighbour_term.text}, {channel.bond_term.text}, {channel.bias:g}"
