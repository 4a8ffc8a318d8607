"""Where users' own explainers find how a field says its limits; see :mod:`wombat_core.settings`."""

from ..settings import Setting, matching, one_of, settings_of, within

__all__ = ["Setting", "matching", "one_of", "settings_of", "within"]
