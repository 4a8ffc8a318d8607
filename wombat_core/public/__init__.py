"""The functions that ``import wombat_core as wombat`` shows: each a few lines on top of the engine."""
