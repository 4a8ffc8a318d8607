"""An earlier name of :mod:`wombat_core.progress`, from which plug-ins that were written then import; nothing else does."""

from ..progress import Stopped, each, listening, report

__all__ = ["Stopped", "each", "listening", "report"]
