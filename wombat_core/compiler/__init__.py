"""SMARTS to whitebox."""
