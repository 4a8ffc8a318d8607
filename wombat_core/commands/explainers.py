"""Explainers and their settings as commands name them."""

from ..errors import InputError
from ..explainers.registry import explainer_class, names
from ..explainers.settings import settings_of


def chosen_explainers(text: str, added: list[str]) -> list[str]:
    """The explainers that ``--explainer`` names; those of ``--plugin`` are always among the quick ones."""
    if text == "all":
        return names()
    if text == "quick":
        return [name for name in names() if name in added or not explainer_class(name).expensive]
    return [name.strip() for name in text.split(",")]


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
            raise InputError(f"None of the explainers {', '.join(chosen)} has a setting {name[:40]!r}.")
        for setting in takers:
            found[name] = setting.parse(value)
    return found
