"""ShapeGGen: random graphs with planted motifs, whose right explanation is known (C. Agarwal et al., 2022).

C. Agarwal, O. Queen, H. Lakkaraju, M. Zitnik, *Evaluating Explainability for Graph Neural Networks*, arXiv 2208.09339;
"alg.", "eq." and "tab." in this package are that paper's, "the released code" is GraphXAI at commit a11e65f.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "generator": ["generate"],
        "graph": ["PlantedGraph"],
        "motifs": ["MOTIFS"],
        "parameters": ["Parameters"],
        "presets": ["PRESETS", "Published", "preset", "published", "published_of", "published_remark"],
        "store": ["stored_graph"],
        "truth": ["Truth"],
    },
)
