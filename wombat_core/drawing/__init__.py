"""Pictures of molecules: 2D depictions (RDKit), figures, and 3D scenes (3Dmol.js).

Everything here takes molecules and arrays, never models.
"""
