"""Explainers and their settings as commands name them."""

import argparse
import sys
from itertools import product

from ..errors import InputError
from ..explainers.registry import explainer_class, load_file, names, problems
from ..settings import settings_of


def add_settings(parser: argparse.ArgumentParser) -> None:
    """``--set`` and ``--plugin``, of every command that explains."""
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the explainers; repeatable"
    )
    parser.add_argument(
        "--plugin",
        action="append",
        default=[],
        metavar="FILE.py",
        help="a file that registers explainers of your own (it is run: name only what you trust); repeatable",
    )


def seed(text: str) -> int:
    """An argparse type: a whole number that seeds random draws."""
    if not text.isdecimal() or int(text) >= 2**31:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0 to {2**31 - 1:,}")
    return int(text)


def load_plugins(options: argparse.Namespace) -> list[str]:
    """Run the files of ``--plugin`` and give the names of their explainers; says which other plugins are left out.

    Raises:
        InputError: a file cannot be run, or registers no explainer.
    """
    for problem in problems():
        print(f"plugin left out: {problem}", file=sys.stderr)
    return [name for path in options.plugin for name in load_file(path)]


def chosen_explainers(text: str, added: list[str]) -> list[str]:
    """The explainers that ``--explainer`` names; those of ``--plugin`` are always among the quick ones."""
    if text == "all":
        return names()
    if text == "quick":
        return [name for name in names() if name in added or not explainer_class(name).expensive]
    return [name.strip() for name in text.split(",")]


def chosen_variants(texts: list[str], chosen: list[str]) -> list[dict[str, object]]:
    """The settings that ``--set`` gives, where a name that comes several times stands for as many variants.

    Raises:
        InputError: as :func:`chosen_settings`.
    """
    values: dict[str, list[object]] = {}
    for text in texts:
        for name, value in chosen_settings([text], chosen).items():
            values.setdefault(name, []).append(value)
    return [dict(zip(values, variant, strict=True)) for variant in product(*values.values())]


def chosen_settings(texts: list[str], chosen: list[str]) -> dict[str, object]:
    """The settings that ``--set`` gives, in the types of their defaults.

    Raises:
        InputError: none of the chosen explainers has the setting, or it does not take the value.
    """
    found = {}
    for text in texts:
        name, _, value = text.partition("=")
        takers = [own[name] for own in map(settings_of, map(explainer_class, chosen)) if name in own]
        if not takers:
            raise InputError(f"None of the chosen explainers ({', '.join(chosen)}) has a setting {name[:40]!r}.")
        for setting in takers:
            found[name] = setting.parse(value)
    return found
