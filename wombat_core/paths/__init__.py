"""Interpolation paths: F between a baseline and a molecule, and exact integrals along the way."""
