"""The parameters of a generated graph as options of the terminal: a preset, and what differs from it."""

import argparse
from typing import TYPE_CHECKING

from ..settings import Setting, settings_of
from ..shapeggen.graph_settings import GraphSettings

if TYPE_CHECKING:
    from ..shapeggen import Parameters

DEFAULT_PRESET = "SG-Base-500"
_SETTINGS = {name: each for name, each in settings_of(GraphSettings).items() if name != "motif"}
CONNECTION = "Presets join subgraphs with connection 2p, since the paper's numbers of edges in Table 6 need it."


def add_parameters(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--preset",
        default=DEFAULT_PRESET,
        metavar="NAME",
        help="SG-Base, SG-Heterophilic, SG-SmallEx, SG-Unfair, SG-MoreInform or SG-LessInform, with -500 behind it for"
        f" about 500 nodes (default {DEFAULT_PRESET}); the options below change single parameters of it",
    )
    parser.add_argument(
        "--motif", metavar="M", help="S: house, triangle, square, ..., or its edges such as 0-1,1-2,2-0"
    )
    readings = parser.add_argument_group("where the paper and its released code differ", "The paper's reading first.")
    for name, setting in _SETTINGS.items():
        flags = ["--" + name.replace("_", "-")]
        if setting.choices:
            readings.add_argument(*flags, dest=name, choices=setting.choices, help=_help(setting))
            continue
        if name.startswith("num_"):
            flags.append("--" + name.removeprefix("num_"))
        kind = type(setting.default)
        parser.add_argument(*flags, dest=name, type=kind, metavar="N" if kind is int else "X", help=_help(setting))


def _help(setting: Setting) -> str:
    if not setting.choices:
        return f"{setting.title}: {setting.meaning}".replace("%", "%%")
    answers = "; ".join(f"{name}: {words}" for name, words in setting.words.items())
    return f"{setting.meaning} {answers}. {CONNECTION if setting.name == 'connection' else ''}".replace("%", "%%")


def chosen_parameters(options: argparse.Namespace) -> "Parameters":
    """The preset with the options that were given.

    Raises:
        InputError: no such preset, or a value that cannot be generated.
    """
    from ..shapeggen.presets import preset

    names = ("motif", *_SETTINGS)
    return preset(options.preset).changed(
        **{name: getattr(options, name) for name in names if getattr(options, name) is not None}
    )
