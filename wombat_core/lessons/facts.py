"""All numbers that lessons can quote, by name."""

from . import facts_molecule, facts_path, facts_published, facts_scores
from .fact import FACTS

__all__ = ["FACTS", "facts_molecule", "facts_path", "facts_published", "facts_scores"]
