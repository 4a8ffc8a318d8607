"""Explainers that other benchmarks have and this one leaves out, with the reason; each was tried on the whiteboxes."""

LEFT_OUT = {
    "deep-lift": (
        "DeepLIFT's rules are for sums and one-input functions, but every message here is a product of three ReLUs, "
        "to which Captum applies the plain gradient, so that the attributions do not sum to the change in F: to 3 "
        "instead of 1 on Pattern 10, to 2032 instead of 16 on Pattern 5, to 0 instead of 1 on Pattern 6 under r2."
    ),
    "graph-mask": (
        "PyG's GraphMaskExplainer puts every message through a layer normalisation, so that even with all gates open "
        "it explains another network: in a layer of one channel, as many last layers are, every message becomes zero."
    ),
}
"""Name to one sentence."""
