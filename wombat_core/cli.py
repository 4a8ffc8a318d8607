"""The terminal: one parser, one file a command in ``commands``."""

import argparse
import os
import traceback
from collections.abc import Sequence
from typing import NoReturn

from .commands import (
    benchmark,
    catalogue,
    certify,
    compile,
    explain,
    failures,
    interpolate,
    lessons,
    patterns,
    predict,
    runs,
    sets,
    shapeggen,
    study,
    trace,
    validate,
)
from .commands.inputs import check_smarts
from .commands.output import streams, tell
from .errors import InputError

COMMANDS = (
    patterns,
    compile,
    predict,
    explain,
    trace,
    interpolate,
    validate,
    certify,
    catalogue,
    failures,
    benchmark,
    runs,
    sets,
    shapeggen,
    study,
    lessons,
)
BAD_INPUT = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Returns:
        The exit code: 0, or 2 where an input could not be used (argparse exits with 2 as well), or 1 on
        an error of the program's own; ``WOMBAT_DEBUG=1`` shows that one's traceback.
    """
    name = "wombat_core"
    try:
        with streams(name):
            options = _parser().parse_args(arguments)
            name = f"wombat_core {options.command}"
            check_smarts(options)
            return BAD_INPUT if options.run(options) else 0
        return 0  # whoever read standard output has seen enough
    except InputError as error:
        tell(f"{name}: {error}")
        return BAD_INPUT
    except KeyboardInterrupt:
        tell(f"{name}: stopped.")
        return 130
    except Exception as error:
        if os.environ.get("WOMBAT_DEBUG"):
            traceback.print_exc()
        tell(f"{name}: this should not happen: {type(error).__name__}: {error}")
        return 1


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, as every other bad input is told; the usage is in ``--help``."""

    def error(self, message: str) -> NoReturn:
        tell(f"{self.prog.removeprefix('python -m ')}: {message}")
        raise SystemExit(BAD_INPUT)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m wombat_core",
        description="Whitebox GNNs of the WOMBAT benchmark: predict, explain, look inside.",
    )
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        name = command.__name__.rsplit(".", 1)[1]
        summary = (command.__doc__ or name).strip().splitlines()[0]
        own = subparsers.add_parser(name, help=summary, description=summary)
        command.add_arguments(own)
        own.set_defaults(run=command.run)
    return parser
