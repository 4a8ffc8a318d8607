"""WOMBAT explorer's engine: explainers' heatmaps beside a known ground truth, of networks set by hand.

    import wombat_core as wombat

    model = wombat.load("5", readout="r2")
    e = wombat.explain("NC(=O)NN=C1CCCC(C(=O)O)C1", model, "integrated-gradients", steps=100)
    e.auroc, e.atom_scores, e.truth, e.to_frame()
    e.plot()

Importing this loads nothing else; each name below is loaded when it is first used. What is public is listed, with its
types, in ``__init__.pyi``.
"""

import lazy_loader

__version__ = "1.0.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
