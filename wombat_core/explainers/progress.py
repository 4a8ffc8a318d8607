"""Where :mod:`wombat_core.progress` was; plug-ins written earlier import it from here."""

from ..progress import Stopped, each, listening, report

__all__ = ["Stopped", "each", "listening", "report"]
