"""ShapeGGen: random graphs with planted motifs, whose right explanation is known (C. Agarwal et al., 2022).

C. Agarwal, O. Queen, H. Lakkaraju, M. Zitnik, *Evaluating Explainability for Graph Neural Networks*, arXiv 2208.09339;
"alg.", "eq." and "tab." in this package are that paper's, "the released code" is GraphXAI at commit a11e65f.
"""

from .generator import generate
from .graph import PlantedGraph
from .motifs import MOTIFS
from .parameters import Parameters
from .presets import PRESETS, Published, preset, published, published_of, published_remark
from .store import stored_graph
from .truth import Truth

__all__ = [
    "MOTIFS",
    "PRESETS",
    "Parameters",
    "PlantedGraph",
    "Published",
    "Truth",
    "generate",
    "preset",
    "published",
    "published_of",
    "published_remark",
    "stored_graph",
]
