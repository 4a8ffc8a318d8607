"""An earlier name of :mod:`wombat_core.progress`, for plug-ins that import it from here."""

from ..progress import Stopped, each, listening, report

__all__ = ["Stopped", "each", "listening", "report"]
